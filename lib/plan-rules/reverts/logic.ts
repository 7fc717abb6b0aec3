import type { PlanRunBlock } from "#lib/plan-rules/blocks/logic.ts";
import { dateColumns } from "#lib/plan-rules/limits.ts";
import { type FieldRef, fieldKey, type PlanRule } from "#lib/plan-rules/logic.ts";
import { type CompiledRun, need, placeOf, type RunWorld } from "#lib/plan-rules/programs/logic.ts";
import { outcomeNumber, type RunBlock, type RunResult } from "#lib/plan-rules/runs/logic.ts";

/** Stands for clearing a cell: to the engine a blank is no value at all. */
const cleared = 1 << 30;
const changedSince = -outcomeNumber("CHANGED_SINCE");

/** A cell to be put back; texts are those of attribute values. */
export type RevertCell = {
  duId: number;
  target: number;
  rule: number;
  old: number;
  now: number;
  oldText: string | null;
  nowText: string | null;
};

/** The fields of a run as a run of their own, which reads what has to be put back for the given rules. */
export function revertRun(targets: readonly FieldRef[], rules: readonly { id: number; name: string }[], world: RunWorld): CompiledRun {
  const none = { tree: null, rows: [], keys: [] };
  const run: CompiledRun = {
    program: {
      rules: rules.map(({ id }) => ({ id, writes: true })),
      targets: targets.map(() => ({ level: 0, arms: rules.map((_, rule) => ({ rule, overwrite: true })) })),
    },
    rules: rules.map((rule) => ({ rule: rule as PlanRule, writes: true, filter: none, conditions: none, keys: [] })),
    targets: targets.map((ref) => ({ ref, key: fieldKey(ref), place: placeOf(ref, world), arms: [] })),
    flowIds: null,
    dates: new Set(),
    owners: targets.some((ref) => ref.k === "ACT" && ref.f in dateColumns && ref.f.startsWith("ACTUAL")),
    attributes: new Map(),
    duFields: new Set(),
  };
  for (const { place } of run.targets) need(run, place);
  return run;
}

/**
 * A block whose cells go back to the values before a run, as far as they still are as the run left them.
 * @param cells of the DUs of the block; `rule` is the place among the rules that are taken back
 */
export function revertBlock(inner: PlanRunBlock, rules: number, cells: readonly RevertCell[]): RunBlock {
  const rows = new Map(inner.duIds.map((id, row) => [id, row]));
  const size = inner.duIds.length;
  const held = Array.from({ length: rules }, () => new Uint8Array(size));
  const byTarget = Map.groupBy(cells, ({ target }) => target);
  for (const { duId, rule } of cells) held[rule]![rows.get(duId)!] = 1;
  const codeOf = (target: number, value: number, text: string | null) => (text === null ? value : inner.codeOfText(target, text));
  return {
    duIds: inner.duIds,
    scope: (rule) => held[rule]!,
    truth: (rule) => held[rule]!,
    before: (target) => inner.before(target),
    candidate: (target, arm) => {
      const values = new Int32Array(size);
      const present = inner.before(target);
      for (const { rule, duId, old, now, oldText, nowText } of byTarget.get(target) ?? []) {
        if (rule !== arm) continue;
        const row = rows.get(duId)!;
        const isSame = present[row] === codeOf(target, now, nowText);
        values[row] = isSame ? (old === 0 && oldText === null ? cleared : codeOf(target, old, oldText)) : changedSince;
      }
      return values;
    },
    guard: (target, row, value) => inner.guard(target, row, value === cleared ? 0 : value),
    put: (target, values) =>
      inner.put(
        target,
        Int32Array.from(values, (value) => (value === cleared ? 0 : value)),
      ),
    unmet: (changed, isChanged) => inner.unmet(changed, isChanged),
  };
}

/** The result of taking a run back, with blanks where cells are cleared. */
export function withBlanks(result: RunResult): RunResult {
  const { now } = result.cells;
  for (let place = 0; place < now.length; place++) if (now[place] === cleared) now[place] = 0;
  return result;
}
