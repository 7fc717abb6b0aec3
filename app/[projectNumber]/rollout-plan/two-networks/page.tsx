import { NetworksPage } from "#components/two-networks/networks-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { readNetworkHead } from "#lib/rollout-plan/two-networks/queries.ts";

/** Joint dates of two networks at one site. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("twoNetworks", decodeOnce((await params).projectNumber));
  const { lines } = await readNetworkHead(ctx, {});
  return <NetworksPage lines={lines} />;
}
