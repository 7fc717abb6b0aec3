import type { checkDuChange, getDuChange, listDuChanges } from "#lib/activity-flows/changes/actions.ts";
import type { listRetentionMappings } from "#lib/activity-flows/retention-mappings/actions.ts";

type Data<Call extends (...given: never[]) => Promise<{ data?: unknown }>> = NonNullable<Awaited<ReturnType<Call>>["data"]>;

/** A change in the list. */
export type ChangeRow = Data<typeof listDuChanges>["records"][number];
/** A change with its DUs and its history. */
export type ChangeDetail = Data<typeof getDuChange>;
/** What a change would do. */
export type ChangeCheck = Data<typeof checkDuChange>;
/** A retention mapping with its pairs. */
export type MappingRow = Data<typeof listRetentionMappings>["records"][number];
export type MappingPair = MappingRow["rows"][number];

/** A flow with its activities, as a change may lead from it or to it. */
export type ChangeFlow = {
  flowId: number;
  name: string;
  version: number;
  status: string;
  nodes: { nodeId: number; activityId: number | null; name: string }[];
};

export const changesAddress = "duChange/list";
