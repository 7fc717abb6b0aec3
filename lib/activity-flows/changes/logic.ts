import { type PlanBlock, type PlanColumns, stateValue, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { orderStatuses } from "#lib/work-orders/orders/logic.ts";
import { applyFlow, type BoundActivity } from "../binding/logic.ts";
import type { KeptKind } from "../retention-mappings/limits.ts";
import { type ImpactFigure, impactFigures } from "./limits.ts";

/** A slot of the old flow and the slot that takes over from it. */
export type KeptSlots = { from: number; to: number } & Record<KeptKind, boolean>;

/** Columns of the plan row that each kind stands for; attribute values and deliverables are kept elsewhere. */
const columns = {
  plan: ["planStart", "planEnd"],
  actual: ["actualStart", "actualEnd"],
  owner: ["planOwner", "actualOwner", "attrOwner"],
  baseline: ["baselineStart", "baselineEnd"],
} as const satisfies Partial<Record<KeptKind, readonly (keyof PlanColumns)[]>>;
type ColumnKind = keyof typeof columns;
const columnKinds = Object.keys(columns) as ColumnKind[];
const everyColumn: readonly (keyof PlanColumns)[] = [
  ...columnKinds.flatMap((kind) => columns[kind]),
  "releasedStart",
  "releasedEnd",
  "state",
];

/** Pairs that say something about one row: the old slot is in its flow, the new one in the flow it gets. */
export function usablePairs(
  block: PlanBlock,
  row: number,
  pairs: readonly KeptSlots[],
  activities: readonly Pick<BoundActivity, "slot">[],
): KeptSlots[] {
  const slots = new Set(activities.map(({ slot }) => slot));
  return pairs.filter(
    ({ from, to }) => slots.has(to) && from < block.width && stateValue(block.state[row * block.width + from]!, "inFlow") === 1,
  );
}

/**
 * Builds one row of a block anew from an empty one: what the pairs keep stands at its new slot, the bit "in flow" at the slots of the new flow.
 * @param activities of the new flow; none for a DU that gets no flow
 * @param pairs usable ones of this row
 */
export function rebuildRow(block: PlanBlock, row: number, activities: readonly BoundActivity[], pairs: readonly KeptSlots[]): void {
  const base = row * block.width;
  const was = Object.fromEntries(everyColumn.map((column) => [column, block[column].slice(base, base + block.width)]));
  for (const column of everyColumn) block[column].fill(0, base, base + block.width);
  for (const pair of pairs)
    for (const kind of columnKinds)
      if (pair[kind]) for (const column of columns[kind]) block[column][base + pair.to] = was[column]![pair.from]!;
  applyFlow(block, row, activities);
  // As everywhere, an activity with an actual end counts as completed, though nobody was asked to do it.
  for (const { to } of pairs)
    if (block.actualEnd[base + to] !== 0)
      block.state[base + to] = withState(block.state[base + to]!, "workOrder", orderStatuses.indexOf("completed"));
}

/** What hangs at the slots of a DU outside its plan arrays: attribute values, and the slots with a note and with an order somebody was asked to do. */
export type SideValues = {
  ext: Record<string, unknown>;
  notes: readonly number[];
  orders: readonly number[];
  /** Temporary orders of processes of its flow. */
  temporaryOrders: number;
};

const slotOf = (key: string) => Number(key.split("@")[1] ?? 0);

/** Changes of the attribute values of activities: what a pair keeps moves to its new slot, the rest goes. */
export function moveAttributes(ext: Record<string, unknown>, pairs: readonly KeptSlots[]): Record<string, [unknown, unknown]> {
  const kept = new Map(pairs.filter(({ attributes }) => attributes).map(({ from, to }) => [from, to]));
  const old = Object.entries(ext).filter(([key]) => key.includes("@"));
  const next: Record<string, unknown> = {};
  for (const [key, value] of old) {
    const to = kept.get(slotOf(key));
    if (to !== undefined) next[`${key.split("@")[0]}@${to}`] = value;
  }
  const changes: Record<string, [unknown, unknown]> = {};
  for (const key of new Set([...old.map(([name]) => name), ...Object.keys(next)])) {
    const [before, after] = [ext[key] ?? null, next[key] ?? null];
    if (JSON.stringify(before) !== JSON.stringify(after)) changes[key] = [before, after];
  }
  return changes;
}

/** How many activities of a DU lose or keep something; a temporary order of its flow counts as the order of one more. */
export type Impact = Record<"lost" | "kept", Record<ImpactFigure, number>>;

const noFigures = () => Object.fromEntries(impactFigures.map((figure) => [figure, 0])) as Record<ImpactFigure, number>;

/** Approvals that have begun: neither "not started" nor "not required". */
const isBegun = (approval: number) => approval !== 0 && approval !== 7;

/** Counts what a change would delete and keep of one row. @param pairs usable ones of this row */
export function measureImpact(block: PlanBlock, row: number, pairs: readonly KeptSlots[], side: SideValues): Impact {
  const impact: Impact = { lost: noFigures(), kept: noFigures() };
  const pairOf = new Map(pairs.map((pair) => [pair.from, pair]));
  const attributed = new Set(Object.keys(side.ext).flatMap((key) => (key.includes("@") ? [slotOf(key)] : [])));
  const figureOf = { plan: "planDates", actual: "actualDates", owner: "owners", baseline: "baselines" } as const;
  for (let slot = 1; slot < block.width; slot++) {
    const at = row * block.width + slot;
    const state = block.state[at]!;
    if (stateValue(state, "inFlow") === 0) continue;
    const pair = pairOf.get(slot);
    for (const kind of columnKinds)
      if (columns[kind].some((column) => block[column][at] !== 0)) impact[pair?.[kind] ? "kept" : "lost"][figureOf[kind]]++;
    if (attributed.has(slot)) impact[pair?.attributes ? "kept" : "lost"].attributes++;
    if (side.notes.includes(slot)) impact.lost.notes++;
    if (isBegun(stateValue(state, "approval"))) impact.lost.approvals++;
    if (side.orders.includes(slot) || stateValue(state, "naRequest") === 1) impact.lost.workOrders++;
    if (stateValue(state, "frozen") === 1) impact.lost.frozen++;
  }
  impact.lost.workOrders += side.temporaryOrders;
  return impact;
}

/** Whether PD or DPD is asked: actual dates would be lost, or a promise that was frozen. */
export function needsApproval({ lost }: Impact): boolean {
  return lost.actualDates > 0 || lost.frozen > 0;
}

/** The figures of several DUs together. */
export function sumImpacts(impacts: readonly Impact[]): Impact {
  const sum: Impact = { lost: noFigures(), kept: noFigures() };
  for (const impact of impacts)
    for (const side of ["lost", "kept"] as const) for (const figure of impactFigures) sum[side][figure] += impact[side][figure];
  return sum;
}
