import { MappingsPage } from "#components/activity-flows/changes/mappings-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { listFlowColumns, readFlowGraph } from "#lib/activity-flows/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Which data of a DU survives a change of its flow. */
export default async function RetentionMappings({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("retentionMappings", decodeOnce((await params).projectNumber));
  const { flows } = await listFlowColumns(ctx);
  const graphs = await readFlowGraph(
    ctx,
    flows.map((flow) => flow.flowId),
  );
  return (
    <Texts names={["flow-changes"]}>
      <MappingsPage flows={flows.flatMap(({ flowId }) => graphs.get(flowId) ?? [])} />
    </Texts>
  );
}
