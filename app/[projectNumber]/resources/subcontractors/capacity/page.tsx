import { CapacityPage } from "#components/subcontractors/capacity-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { readRegions } from "#lib/regions/queries.ts";

/** What companies can do week by week. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("subcontractorCapacity", decodeOnce((await params).projectNumber));
  return <CapacityPage regions={(await readRegions(ctx)).map(({ id, name }) => ({ id, name }))} />;
}
