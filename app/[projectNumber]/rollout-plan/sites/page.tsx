import { MasterPage } from "#components/dus/master-page.tsx";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { SiteTypesPage } from "#components/site-types/site-types-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string; import?: string; task?: string }> };

/** DUs and sites, the mix of sites, or the import of either. */
export default async function Sites({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("sites", number);
  const { tab, import: kind, task } = await searchParams;
  if ((kind === "dus" || kind === "sites") && ctx.can("du.edit"))
    return (
      <ImportWizard
        key={kind}
        kind={kind}
        back={href("sites", { query: { tab: kind === "sites" ? "sites" : null } }, number)}
        task={task}
      />
    );
  if (tab === "types" && ctx.can("resource.view")) return <SiteTypesPage />;
  return <MasterPage tab={tab === "sites" ? "sites" : "dus"} />;
}
