import {
  addCounts,
  compute,
  noCounts,
  outcomeNumber,
  type PackedRow,
  packRows,
  type RuleCounts,
  type RunBlock,
  type RunProgram,
} from "#lib/plan-rules/runs/logic.ts";
import { type PlanBlock, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type RuleField, ruleFieldNames, ruleFields } from "../owner-rules/limits.ts";

/** A rule that takes part in a run; one that does not write keeps others from the cells it would fill. */
export type OwnerRunRule = {
  id: number;
  name: string;
  writes: boolean;
  flowIds: readonly number[];
  /** Slots of its activities, null for all. */
  slots: ReadonlySet<number> | null;
  ownerFields: readonly RuleField[];
  overwrite: boolean;
};

/** What the rules of a run say of each row of a block, rule by rule. */
export type OwnerRunFacts = {
  /** 1 where the conditions hold. */
  holds: readonly Uint8Array[];
  /** Id of the set of people a rule gives; 0 for nobody. */
  people: readonly Int32Array[];
  /** People of every set that a cell or a rule names. */
  members: ReadonlyMap<number, readonly number[]>;
};

/** A field rules fill, as the runs name it. */
export type OwnerTarget = { k: "ACT"; a: number; f: RuleField };

/** What became of a block: its cells packed by DU, and counts by rule, those that write alone. */
export type OwnerRunResult = {
  targets: OwnerTarget[];
  scope: number;
  matched: number;
  rules: (RuleCounts & { id: number; name: string })[];
  rows: PackedRow[];
};

const naOrInv = outcomeNumber("NA_OR_INV");
const taskClosed = outcomeNumber("TASK_CLOSED");
const frozen = outcomeNumber("FROZEN");
const completed = outcomeNumber("ACTIVITY_COMPLETED");

/** Why the owners of an activity stay as they are, 0 for no reason. */
function reasonOf(block: PlanBlock, at: number, field: RuleField): number {
  const state = block.state[at]!;
  if (stateValue(state, "na") !== 0) return naOrInv;
  if (stateValue(state, "closed") !== 0) return taskClosed;
  if (field === "PLAN_OWNER" && stateValue(state, "frozen") !== 0) return frozen;
  return block.actualEnd[at] === 0 ? 0 : completed;
}

/** One set for each group of people, however they are ordered; sets that rules give come first. */
function sameSets({ people, members }: OwnerRunFacts): (set: number) => number {
  const first = new Map<string, number>();
  const same = new Map<number, number>();
  const key = (set: number) => [...members.get(set)!].sort((a, b) => a - b).join(",");
  const given = new Set(people.flatMap((column) => [...new Set(column)]));
  for (const set of [...given, ...members.keys()]) {
    if (set === 0) continue;
    const group = key(set);
    if (!first.has(group)) first.set(group, set);
    same.set(set, first.get(group)!);
  }
  return (set) => same.get(set) ?? set;
}

/**
 * Fills the owners of a block: per activity and field the first rule that holds and gives somebody decides, also one that does not write in this run.
 * The block is changed in place.
 * @param rules in the order in which they decide
 * @param activityOf activity of the library by slot
 * @param keep whether a run keeps the cells of a DU that it could not fill, by the number of DUs that have such cells
 */
export function fillOwners(
  rules: readonly OwnerRunRule[],
  block: PlanBlock,
  facts: OwnerRunFacts,
  activityOf: ReadonlyMap<number, number>,
  keep: (skippedDus: number) => boolean,
): OwnerRunResult {
  const size = block.duIds.length;
  const inScope = rules.map(({ flowIds }) => Uint8Array.from(block.flowIds, (flow) => (flowIds.includes(flow) ? 1 : 0)));
  const truth = rules.map((_, place) => inScope[place]!.map((flag, row) => flag & facts.holds[place]![row]!));
  const inFlow = flowSlots(block);
  // A rule fills an activity of the DUs that have it, so for the engine it is a rule of its own with each activity.
  const parts: { rule: number; slot: number }[] = [];
  const targets: { slot: number; field: RuleField; arms: { rule: number; overwrite: boolean }[] }[] = [];
  for (const slot of [...inFlow.keys()].filter((slot) => activityOf.has(slot))) {
    const places = rules.flatMap(({ slots }, rule) => (slots === null || slots.has(slot) ? [rule] : []));
    const first = parts.length;
    for (const rule of places) parts.push({ rule, slot });
    for (const field of ruleFieldNames) {
      const arms = places.flatMap((rule, at) =>
        rules[rule]!.ownerFields.includes(field) ? [{ rule: first + at, overwrite: rules[rule]!.overwrite }] : [],
      );
      if (arms.some(({ rule }) => rules[parts[rule]!.rule]!.writes)) targets.push({ slot, field, arms });
    }
  }
  const same = sameSets(facts);
  const people = facts.people.map((column) => column.map(same));
  const partTruth = parts.map(({ rule, slot }) => both(truth[rule]!, inFlow.get(slot)!));
  const program: RunProgram = {
    rules: parts.map(({ rule }, id) => ({ id, writes: rules[rule]!.writes })),
    targets: targets.map(({ arms }) => ({ level: 0, arms })),
  };
  const runBlock: RunBlock = {
    duIds: block.duIds,
    scope: (part) => inScope[parts[part]!.rule]!,
    truth: (part) => partTruth[part]!,
    before: (target) => {
      const { slot, field } = targets[target]!;
      const column = block[ruleFields[field]];
      return Int32Array.from({ length: size }, (_, row) => same(column[row * block.width + slot]!));
    },
    candidate: (target, arm) => people[parts[targets[target]!.arms[arm]!.rule]!.rule]!,
    guard: (target, row) => reasonOf(block, row * block.width + targets[target]!.slot, targets[target]!.field),
    put: () => {},
    unmet: () => [],
  };
  const { cells, scope, matched, rules: counts } = compute(program, runBlock);
  const writing = rules.flatMap((rule, place) => (rule.writes ? [{ rule, place }] : []));
  const kept = new Map(writing.map(({ place }, at) => [place, at]));
  const all = writing.map(({ rule: { id, name }, place }) => ({
    ...noCounts(),
    id,
    name,
    matched: truth[place]!.reduce((sum, flag) => sum + flag, 0),
  }));
  parts.forEach(({ rule }, part) => {
    const at = kept.get(rule);
    if (at !== undefined) addCounts(all[at]!, { ...counts[part]!, matched: 0 });
  });
  const skipped = new Set<number>();
  for (let at = 0; at < cells.count; at++) {
    cells.rule[at] = kept.get(parts[cells.rule[at]!]!.rule)!;
    if (cells.outcome[at] !== 0) continue;
    const { slot, field } = targets[cells.target[at]!]!;
    block[ruleFields[field]][cells.row[at]! * block.width + slot] = cells.now[at]!;
  }
  return {
    targets: targets.map(({ slot, field }) => ({ k: "ACT", a: activityOf.get(slot)!, f: field })),
    scope,
    matched,
    rules: all,
    rows: packRows(
      block.duIds,
      cells,
      () => null,
      (at) => {
        if (cells.outcome[at] === 0) return true;
        skipped.add(cells.row[at]!);
        return keep(skipped.size);
      },
    ),
  };
}

function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((flag, row) => flag & b[row]!);
}

/** Slots that a flow of the block has, each with 1 where the DU has it. */
function flowSlots(block: PlanBlock): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (let slot = 1; slot < block.width; slot++) {
    const flags = new Uint8Array(block.duIds.length);
    let any = 0;
    for (let row = 0; row < flags.length; row++) any |= flags[row] = block.state[row * block.width + slot]! & 1;
    if (any !== 0) found.set(slot, flags);
  }
  return found;
}
