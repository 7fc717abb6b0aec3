import { SharesPage } from "#components/regions/shares-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listNetworkRegions } from "#lib/regions/networks/queries.ts";
import { listRegions } from "#lib/regions/queries.ts";

/** The share of each delivery region. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("regionShares", decodeOnce((await params).projectNumber));
  const [regions, networks] = await Promise.all([listRegions(ctx), listNetworkRegions(ctx, {})]);
  return <SharesPage first={{ regions, networks }} />;
}
