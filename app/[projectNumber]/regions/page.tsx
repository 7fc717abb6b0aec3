import { getTranslations } from "next-intl/server";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { RegionsPage } from "#components/regions/regions-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listNetworkRegions } from "#lib/regions/networks/queries.ts";
import { listRegionPoints, listRegions } from "#lib/regions/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ import?: string; task?: string }> };

/** Delivery regions with the network regions mapped to them, or the import of network regions. */
export default async function Page({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("regions", number);
  const { import: kind, task } = await searchParams;
  if (kind === "networkRegions" && ctx.can("region.edit")) {
    const back = href("regions", {}, number);
    const t = await getTranslations("imports.result");
    return <ImportWizard kind="networkRegions" back={back} task={task} result={{ href: back, label: t("regions") }} />;
  }
  const [regions, networks, points] = await Promise.all([listRegions(ctx), listNetworkRegions(ctx, {}), listRegionPoints(ctx)]);
  return <RegionsPage first={{ regions, networks }} points={points} />;
}
