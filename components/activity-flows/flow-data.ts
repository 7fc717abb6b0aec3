import type { findFlow, listFlows } from "#lib/activity-flows/actions.ts";
import type { listDuFlows } from "#lib/activity-flows/binding/actions.ts";
import type { checkUnbind } from "#lib/activity-flows/changes/actions.ts";
import type { EditorGraph } from "#lib/activity-flows/editor/logic.ts";
import type { listActivities } from "#lib/activity-flows/library/actions.ts";

type Data<Call extends (...given: never[]) => Promise<{ data?: unknown }>> = NonNullable<Awaited<ReturnType<Call>>["data"]>;

/** A flow or working copy with its graph, as the page reads it. */
export type FlowDetail = Data<typeof findFlow>;
/** A row of the list of flows. */
export type FlowRow = Data<typeof listFlows>["records"][number];
/** A row of the project's activity library. */
export type ActivityRow = Data<typeof listActivities>["records"][number];
/** A DU with the flow it follows. */
export type DuRow = Data<typeof listDuFlows>["records"][number];
/** What an unbind would do to one DU. */
export type UnbindRow = Data<typeof checkUnbind>["dus"][number];

/** A stored graph in the form of the editor: keys are node ids as text. */
export function editorGraph(detail: FlowDetail): EditorGraph {
  return {
    nodes: detail.nodes.map((node) => ({
      key: String(node.id),
      id: node.id,
      activityId: node.activityId,
      originNodeId: node.originNodeId,
      name: node.name,
      leadTimeDays: node.leadTimeDays,
      isAnchor: node.isAnchor,
      isMilestone: node.isMilestone,
      needDeliverable: node.needDeliverable,
      needApproval: node.needApproval,
      naNeedsApproval: node.naNeedsApproval,
      docPdMayCancelNa: node.docPdMayCancelNa,
      subFlowId: node.subFlowId,
      x: node.x,
      y: node.y,
    })),
    relations: detail.relations.map((relation) => ({ ...relation, pre: String(relation.pre), node: String(relation.node) })),
  };
}
