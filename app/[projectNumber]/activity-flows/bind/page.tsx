import { BindPage } from "#components/activity-flows/bind-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { listDuFacets } from "#lib/activity-flows/binding/queries.ts";
import { listFlowColumns, readFlowGraph } from "#lib/activity-flows/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Binds DUs to a released flow. */
export default async function Bind({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("bindDus", decodeOnce((await params).projectNumber));
  const [columns, facets] = await Promise.all([listFlowColumns(ctx), listDuFacets(ctx)]);
  const graphs = await readFlowGraph(
    ctx,
    columns.flows.map((flow) => flow.flowId),
  );
  const flows = columns.flows.flatMap(({ flowId }) => graphs.get(flowId) ?? []).filter((flow) => flow.status === "released");
  return (
    <Texts names={["errors"]}>
      <BindPage flows={flows} facets={facets} />
    </Texts>
  );
}
