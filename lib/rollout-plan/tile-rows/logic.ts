import { type PlanField, planFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  emptyBlock,
  encodeTileRow,
  ownerSetsOf,
  readArrayText,
  tileDates,
  tileOwners,
  tileReleased,
} from "#lib/rollout-plan/plan-rows/logic.ts";

/** The text of a tile row, and the owner sets it names. */
export type RowText = { text: string; sets: number[] };

/** The order of a flow's activities, as slots, at a released version. */
export type FlowOrder = { version: number; slots: number[] };

/** A plan row with its arrays as the database writes them. `width`: one more than the highest slot of the project. */
export type PlanArrays = { id: number; version: number; releaseState: number; width: number } & { [field in PlanField]?: string | null };

/** What a row's text depends on. */
type PlanRevision = { version: number; flowId: number; flowVersion: number };

/** The name of a revision of a row, under which its text is kept. */
export const planRevision = ({ version, flowId, flowVersion }: PlanRevision) => `${version} ${flowId} ${flowVersion}`;

const shown: readonly PlanField[] = planFields.filter(
  (field) => field === "state" || [...tileDates, ...tileOwners].some((name) => name === field),
);

/** The kinds a tile shows of a plan row. @param released with the released dates */
export const tileFields = (released: boolean): readonly PlanField[] => (released ? [...shown, ...tileReleased] : shown);

/** Texts of plan rows by the order of the flow each follows, with the revision they are of. A flow released after the rows were read: they carry the version of its order. */
export function encodeRows(
  rows: readonly (PlanArrays & PlanRevision)[],
  orders: ReadonlyMap<number, FlowOrder>,
  released: boolean,
): { id: number; revision: string; at: PlanRevision; value: RowText }[] {
  const fields = tileFields(released);
  const block = emptyBlock(
    rows.map(({ id }) => id),
    rows[0]?.width ?? 1,
    fields,
  );
  return rows.map((row, place) => {
    const order = orders.get(row.flowId);
    const { version, flowId } = row;
    const at = { version, flowId, flowVersion: order?.version ?? row.flowVersion };
    block.versions[place] = version;
    block.flowIds[place] = flowId;
    block.flowVersions[place] = at.flowVersion;
    block.releaseStates[place] = row.releaseState;
    for (const field of fields) readArrayText(row[field] ?? null, block[field], place, block.width);
    const slots = order?.slots ?? [];
    const value = { text: encodeTileRow(block, place, slots, { released }), sets: ownerSetsOf(block, place, slots) };
    return { id: row.id, revision: planRevision(at), at, value };
  });
}
