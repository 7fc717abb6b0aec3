import { UnbindPage } from "#components/activity-flows/unbind-page.tsx";
import { listDuFacets } from "#lib/activity-flows/binding/queries.ts";
import { listFlowColumns } from "#lib/activity-flows/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Takes DUs on which no work was done off their flow. */
export default async function Unbind({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("unbindDus", decodeOnce((await params).projectNumber));
  const [{ flows }, facets] = await Promise.all([listFlowColumns(ctx), listDuFacets(ctx)]);
  return <UnbindPage flows={flows} facets={facets} />;
}
