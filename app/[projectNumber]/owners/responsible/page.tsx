import { getTranslations } from "next-intl/server";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { ResponsiblePage } from "#components/owners/responsible-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Query = { tab?: string | string[]; import?: string; task?: string };
type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<Query> };

/** Owners of DUs and of regions, or the import of them. */
export default async function ResponsibleOwners({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("responsibleOwners", number);
  const { tab, import: kind, task } = await searchParams;
  if ((kind !== "duOwners" && kind !== "regionOwners") || !ctx.can("owner.duEdit"))
    return <ResponsiblePage tab={tab === "regions" ? "regions" : "dus"} />;
  const back = href("responsibleOwners", kind === "duOwners" ? {} : { query: { tab: "regions" } }, number);
  const t = await getTranslations("imports.result");
  return <ImportWizard kind={kind} back={back} task={task} result={{ href: back, label: t(kind) }} />;
}
