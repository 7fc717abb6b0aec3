import { getTranslations } from "next-intl/server";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { CalendarPage } from "#components/scheduling/calendar-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listCalendarRegions } from "#lib/scheduling/calendar/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ import?: string; region?: string; task?: string }> };

/** Work calendars, or the import of one. */
export default async function Page({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("workCalendars", number);
  const { import: kind, region, task } = await searchParams;
  const regions = await listCalendarRegions(ctx);
  const asked = regions.find(({ id }) => String(id) === region)?.id ?? null;
  if (kind !== "calendar" || !ctx.can("calendar.edit")) return <CalendarPage regions={regions} region={asked} />;
  const back = href("workCalendars", { query: { region: asked === null ? null : String(asked) } }, number);
  const t = await getTranslations("imports.result");
  return (
    <ImportWizard
      kind="calendar"
      back={back}
      task={task}
      options={{ regionId: asked ?? 0 }}
      result={{ href: back, label: t("calendar") }}
    />
  );
}
