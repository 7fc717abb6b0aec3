import { NewChangePage } from "#components/activity-flows/changes/new-change-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { listDuFacets } from "#lib/activity-flows/binding/queries.ts";
import { listFlowColumns, readFlowGraph } from "#lib/activity-flows/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ deliveryType?: string }> };

/** A new change of the flow of DUs. */
export default async function SubmitDuChange({ params, searchParams }: Props) {
  const { ctx } = await openScreen("submitDuChange", decodeOnce((await params).projectNumber));
  const { deliveryType } = await searchParams;
  const [columns, facets] = await Promise.all([listFlowColumns(ctx), listDuFacets(ctx)]);
  const graphs = await readFlowGraph(
    ctx,
    columns.flows.map((flow) => flow.flowId),
  );
  const flows = columns.flows.flatMap(({ flowId }) => graphs.get(flowId) ?? []);
  return (
    <Texts names={["flow-changes", "errors"]}>
      <NewChangePage flows={flows} facets={facets} deliveryType={deliveryType?.trim() || null} maySubmit={ctx.can("duChange.submit")} />
    </Texts>
  );
}
