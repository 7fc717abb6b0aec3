import { z } from "zod";
import {
  activityCodeChars,
  leadTimeDaysMax,
  nodeKeyChars,
  nodeNameChars,
  nodesMax,
  offsetDaysMax,
  positionMax,
  relationsMax,
  relationTypes,
} from "./limits.ts";

const id = z.int().min(1);
const position = z.int().min(-positionMax).max(positionMax);

const nodeFields = {
  /** Absent for a new activity of the flow. */
  id: id.optional(),
  /** Library activity; without it the one of the same code or name is taken, else a new one is made. */
  activityId: id.nullish(),
  code: z.string().trim().min(1).max(activityCodeChars).optional(),
  name: z.string().trim().min(1).max(nodeNameChars),
  leadTimeDays: z.int().min(0).max(leadTimeDaysMax).default(1),
  isAnchor: z.boolean().default(false),
  isMilestone: z.boolean().default(false),
  needDeliverable: z.boolean().default(false),
  needApproval: z.boolean().default(false),
  naNeedsApproval: z.boolean().default(false),
  docPdMayCancelNa: z.boolean().default(false),
  /** Absent: as it is. */
  subFlowId: id.nullish(),
  x: position.default(0),
  y: position.default(0),
};

const relationType = z.enum(relationTypes);
/** SCH-08: an offset is a whole number of days. */
const offset = z.int().min(-offsetDaysMax).max(offsetDaysMax).default(0);
const key = z.string().min(1).max(nodeKeyChars);

/** The whole graph of a draft or working copy: what is not in it is removed. Relations name their ends by the keys of this request. */
export const SaveGraph = z
  .strictObject({
    flowId: id,
    rowVersion: z.int().min(1),
    nodes: z.array(z.strictObject({ ...nodeFields, key })).max(nodesMax),
    relations: z.array(z.strictObject({ pre: key, node: key, type: relationType.nullish(), offset })).max(relationsMax),
  })
  .superRefine((graph, context) => {
    const keys = new Set<string>();
    const ids = new Set<number>();
    graph.nodes.forEach((node, at) => {
      if (keys.has(node.key) || (node.id !== undefined && ids.has(node.id)))
        context.addIssue({ code: "custom", path: ["nodes", at, keys.has(node.key) ? "key" : "id"], params: { code: "VALUE_REPEATED" } });
      keys.add(node.key);
      if (node.id !== undefined) ids.add(node.id);
    });
    graph.relations.forEach((relation, at) => {
      for (const end of ["pre", "node"] as const)
        if (!keys.has(relation[end]))
          context.addIssue({ code: "custom", path: ["relations", at, end], params: { code: "VALUE_UNKNOWN", value: relation[end] } });
    });
  });

/** One activity of a flow; `relations`, when given, replace all of its relations: `preNodeId` comes before it, `nodeId` after it. */
export const SaveNode = z.strictObject({
  flowId: id,
  rowVersion: z.int().min(1),
  node: z.strictObject(nodeFields),
  relations: z
    .array(
      z
        .strictObject({ preNodeId: id.optional(), nodeId: id.optional(), type: relationType.nullish(), offset })
        .refine((relation) => (relation.preNodeId === undefined) !== (relation.nodeId === undefined), {
          path: ["preNodeId"],
          params: { code: "VALUE_MISSING" },
        }),
    )
    .max(relationsMax)
    .optional(),
});

/** The sub-flow below an activity of a draft or working copy; null takes it away. */
export const BindSubFlow = z.strictObject({ nodeId: id, subFlowId: id.nullable() });

/** Activities removed from one draft or working copy. */
export const DeleteNodes = z.strictObject({ ids: z.array(id).min(1).max(nodesMax), rowVersion: z.int().min(1).optional() });

export type NodeInput = z.output<typeof SaveGraph>["nodes"][number];
export type RelationInput = z.output<typeof SaveGraph>["relations"][number];
export type GraphInput = { nodes: NodeInput[]; relations: RelationInput[] };
