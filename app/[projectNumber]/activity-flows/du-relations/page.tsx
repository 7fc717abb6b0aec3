import { getTranslations } from "next-intl/server";
import { RelationsPage } from "#components/activity-flows/relations-page.tsx";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ import?: string; task?: string }> };

/** Relations between DUs, or the import of some. */
export default async function DuRelations({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("duRelations", number);
  const { import: kind, task } = await searchParams;
  if (kind !== "duRelations" || !ctx.can("duRelation.edit")) return <RelationsPage />;
  const back = href("duRelations", {}, number);
  const t = await getTranslations("imports.result");
  return <ImportWizard kind="duRelations" back={back} task={task} result={{ href: back, label: t("duRelations") }} />;
}
