import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { FlowEditor } from "#components/activity-flows/flow-editor.tsx";
import { FlowPage } from "#components/activity-flows/flow-page.tsx";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { findFlow } from "#lib/activity-flows/queries.ts";
import { simulationCalendar } from "#lib/activity-flows/simulation/logic.ts";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { findCalendarSettings } from "#lib/scheduling/calendar/queries.ts";

type Query = { flow?: string; tab?: string; import?: string; task?: string };
type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<Query> };

/** The list of flows, the activity library, the import of flows, or the flow named in the address. */
export default async function ActivityFlows({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("activityFlows", number);
  const { flow, tab, import: kind, task } = await searchParams;
  if (kind === "flows" && ctx.can("flow.import")) {
    const back = href("activityFlows", {}, number);
    const t = await getTranslations("imports.result");
    return <ImportWizard kind="flows" back={back} task={task} result={{ href: back, label: t("flows") }} />;
  }
  if (!flow) return <FlowPage tab={tab === "library" ? "library" : "flows"} />;
  const id = Number(flow);
  const [detail, settings] = await Promise.all([Number.isSafeInteger(id) ? findFlow(ctx, { id }) : null, findCalendarSettings(ctx, {})]);
  if (!detail) notFound();
  return (
    <FlowEditor
      key={`${detail.flow.id} ${detail.flow.status} ${detail.flow.version}`}
      detail={detail}
      calendar={simulationCalendar(settings)}
      today={ctx.today}
    />
  );
}
