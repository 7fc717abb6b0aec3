import { type Outcome, outcomes } from "./limits.ts";

/** A rule of a run: one that writes, or one that only keeps others from the cells it would fill. */
export type RunRule = { id: number; writes: boolean };

/** One way to fill a target. Without `overwrite` a filled cell is claimed and keeps its value. */
export type RunArm = { rule: number; overwrite: boolean };

/** A field that rules fill, with its arms by priority. Fields of a higher level read those of lower ones. */
export type RunTarget = { level: number; arms: readonly RunArm[] };

/** What a run does, whatever its fields hold. Rules and targets are named by their places. */
export type RunProgram = { rules: readonly RunRule[]; targets: readonly RunTarget[] };

/** A cell that may not have the value it was given, with the number of the reason. */
export type BlockedCell = { row: number; target: number; reason: number };

/**
 * The DUs of a run with the values of their fields. Values are whole numbers, 0 = blank: day numbers, ids of owner sets, or places in a dictionary.
 * Later levels see what `put` was given, and so does `unmet`.
 */
export type RunBlock = {
  duIds: readonly number[];
  /** 1 where the rule looks at the DU at all. */
  scope: (rule: number) => Uint8Array;
  /** 1 where the DU is in scope and the conditions hold, by the values fields have now; an array of its own whenever they may have changed. */
  truth: (rule: number) => Uint8Array;
  /** Values before the run. */
  before: (target: number) => Int32Array;
  /** What an arm would write by the values fields have now, likewise: 0 for a blank source, -n where no value of the target can be made of it, for reason n. */
  candidate: (target: number, arm: number) => Int32Array;
  /** Number of the reason why the cell keeps its value, 0 for none. */
  guard: (target: number, row: number, value: number) => number;
  put: (target: number, values: Int32Array) => void;
  /** Cells among the changed ones of the rows that may not stay because of the whole row. */
  unmet: (rows: Iterable<number>, isChanged: (target: number, row: number) => boolean) => readonly BlockedCell[];
};

/** Cells of a run in the order of DUs and targets; the arrays run in parallel. */
export type RunCells = {
  count: number;
  row: Int32Array;
  target: Int16Array;
  rule: Int16Array;
  outcome: Int16Array;
  old: Int32Array;
  now: Int32Array;
};

/** What one rule did: DUs it held for, then cells. */
export type RuleCounts = {
  matched: number;
  changed: number;
  unchanged: number;
  sourceEmpty: number;
  superseded: number;
  skipped: Partial<Record<Outcome, number>>;
};

/** What became of a block. */
export type RunResult = { cells: RunCells; scope: number; matched: number; rules: RuleCounts[] };

/** Number of a reason as runs store it. */
export function outcomeNumber(outcome: Outcome): number {
  return outcomes.indexOf(outcome);
}

/**
 * Fills the targets of a program for a block of DUs: per cell the first rule that holds and has a value wins, also one that does not write in this run. Cells that
 * may not change keep their value, alone or, where the row as a whole would break a rule, until the rows hold.
 */
export function compute({ rules, targets }: RunProgram, block: RunBlock): RunResult {
  const size = block.duIds.length;
  const order = targets.map((_, place) => place).sort((a, b) => targets[a]!.level - targets[b]!.level || a - b);
  const cells = targets.map((_, target): TargetCells => {
    const before = block.before(target);
    return {
      before,
      now: before.slice(),
      wanted: before.slice(),
      winner: new Uint16Array(size),
      reason: new Uint8Array(size),
      blocked: new Map(),
      seen: [],
    };
  });
  let rows = Int32Array.from({ length: size }, (_, row) => row);
  // Each turn blocks at least one more cell of the rows it looks at again, so there is a last one.
  while (rows.length > 0) {
    cells.forEach(({ before, now }, target) => {
      for (const row of rows) now[row] = before[row]!;
      block.put(target, now);
    });
    for (const target of order) fillTarget(targets[target]!, target, rules, block, cells[target]!, rows);
    const changed = new Set<number>();
    for (const { before, now } of cells) for (const row of rows) if (now[row] !== before[row]) changed.add(row);
    const isChanged = (target: number, row: number) => cells[target]!.now[row] !== cells[target]!.before[row];
    const found = block.unmet(changed, isChanged).filter(({ target, row }) => isChanged(target, row));
    for (const { row, target, reason } of found) cells[target]!.blocked.set(row, reason);
    rows = Int32Array.from(new Set(found.map(({ row }) => row)));
  }
  return pack(rules, targets, block, cells);
}

type TargetCells = {
  before: Int32Array;
  now: Int32Array;
  /** The value a rule of the run would give the cell. */
  wanted: Int32Array;
  /** The arm that fills the cell, one higher than its place; 0 = none. */
  winner: Uint16Array;
  reason: Uint8Array;
  /** Reasons of cells that the whole row does not allow. */
  blocked: Map<number, number>;
  /** What each arm was decided by: where its rule held, and its values. */
  seen: { truth: Uint8Array; values: Int32Array }[];
};

function fillTarget(
  { arms }: RunTarget,
  target: number,
  rules: readonly RunRule[],
  block: RunBlock,
  { before, now, wanted, winner, reason, blocked, seen }: TargetCells,
  rows: Int32Array,
): void {
  for (const row of rows) {
    winner[row] = 0;
    reason[row] = 0;
    wanted[row] = now[row] = before[row]!;
  }
  for (let arm = 0; arm < arms.length; arm++) {
    const { rule, overwrite } = arms[arm]!;
    const truth = block.truth(rule);
    const values = block.candidate(target, arm);
    const writes = rules[rule]!.writes;
    seen[arm] = keepSeen(seen[arm], truth, values, rows);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (truth[row] === 0 || winner[row] !== 0) continue;
      const value = values[row]!;
      if (value === 0) continue;
      winner[row] = arm + 1;
      const held = before[row]!;
      if (!writes || value === held || (!overwrite && held !== 0)) continue;
      if (value < 0) {
        reason[row] = -value;
        continue;
      }
      wanted[row] = value;
      const why = (blocked.size > 0 ? blocked.get(row) : 0) || block.guard(target, row, value);
      if (why === 0) now[row] = value;
      else reason[row] = why;
    }
  }
  block.put(target, now);
}

function keepSeen(seen: TargetCells["seen"][number] | undefined, truth: Uint8Array, values: Int32Array, rows: Int32Array) {
  if (!seen) return { truth, values };
  for (const row of rows) {
    seen.truth[row] = truth[row]!;
    seen.values[row] = values[row]!;
  }
  return seen;
}

function pack(rules: readonly RunRule[], targets: readonly RunTarget[], block: RunBlock, cells: readonly TargetCells[]): RunResult {
  const size = block.duIds.length;
  const counts = countRules(rules, targets, block, cells);
  const perRow = new Int32Array(size + 1);
  for (const { before, now, reason } of cells)
    for (let row = 0; row < size; row++) if (reason[row] !== 0 || now[row] !== before[row]) perRow[row + 1]!++;
  for (let row = 0; row < size; row++) perRow[row + 1]! += perRow[row]!;
  const count = perRow[size]!;
  const packed: RunCells = {
    count,
    row: new Int32Array(count),
    target: new Int16Array(count),
    rule: new Int16Array(count),
    outcome: new Int16Array(count),
    old: new Int32Array(count),
    now: new Int32Array(count),
  };
  const next = perRow.slice(0, size);
  cells.forEach(({ before, now, wanted, winner, reason }, target) => {
    const { arms } = targets[target]!;
    for (let row = 0; row < size; row++) {
      if (reason[row] === 0 && now[row] === before[row]) continue;
      const at = next[row]!++;
      packed.row[at] = row;
      packed.target[at] = target;
      packed.rule[at] = arms[winner[row]! - 1]!.rule;
      packed.outcome[at] = reason[row]!;
      packed.old[at] = before[row]!;
      packed.now[at] = wanted[row]!;
    }
  });
  return { cells: packed, ...counts };
}

function countRules(
  rules: readonly RunRule[],
  targets: readonly RunTarget[],
  block: RunBlock,
  cells: readonly TargetCells[],
): Omit<RunResult, "cells"> {
  const size = block.duIds.length;
  const counts = rules.map((): RuleCounts => ({ matched: 0, changed: 0, unchanged: 0, sourceEmpty: 0, superseded: 0, skipped: {} }));
  const inScope = new Uint8Array(size);
  const held = rules.map(() => new Uint8Array(size));
  const any = new Uint8Array(size);
  rules.forEach(({ writes }, rule) => {
    if (!writes) return;
    const scope = block.scope(rule);
    for (let row = 0; row < size; row++) inScope[row]! |= scope[row]!;
  });
  targets.forEach(({ arms }, target) => {
    const { before, now, winner, reason, seen } = cells[target]!;
    arms.forEach(({ rule }, arm) => {
      if (!rules[rule]!.writes) return;
      const { truth, values } = seen[arm]!;
      const count = counts[rule]!;
      const skipped = new Int32Array(outcomes.length);
      const holding = held[rule]!;
      for (let row = 0; row < size; row++) holding[row]! |= truth[row]!;
      for (let row = 0; row < size; row++) {
        if (truth[row] === 0) continue;
        if (values[row] === 0) count.sourceEmpty++;
        else if (winner[row] !== arm + 1) count.superseded++;
        else if (reason[row] !== 0) skipped[reason[row]!]!++;
        else if (now[row] !== before[row]) count.changed++;
        else count.unchanged++;
      }
      skipped.forEach((cellsSkipped, number) => {
        const name = outcomes[number]!;
        if (cellsSkipped > 0) count.skipped[name] = (count.skipped[name] ?? 0) + cellsSkipped;
      });
    });
  });
  held.forEach((holding, rule) => {
    for (let row = 0; row < size; row++) any[row]! |= holding[row]!;
    counts[rule]!.matched = sum(holding);
  });
  return { scope: sum(inScope), matched: sum(any), rules: counts };
}

function sum(flags: Uint8Array): number {
  let all = 0;
  for (const flag of flags) all += flag;
  return all;
}

/** Adds the counts of a rule in one block to those of the blocks before. */
export function addCounts(all: RuleCounts, more: RuleCounts): void {
  all.matched += more.matched;
  all.changed += more.changed;
  all.unchanged += more.unchanged;
  all.sourceEmpty += more.sourceEmpty;
  all.superseded += more.superseded;
  for (const [reason, count] of Object.entries(more.skipped) as [Outcome, number][])
    all.skipped[reason] = (all.skipped[reason] ?? 0) + count;
}

/** Counts of a rule before a run. */
export function noCounts(): RuleCounts {
  return { matched: 0, changed: 0, unchanged: 0, sourceEmpty: 0, superseded: 0, skipped: {} };
}

/** Cells of all rules that could not be filled. */
export function skippedOf(rules: readonly RuleCounts[]): number {
  return rules.reduce((all, { skipped }) => all + Object.values(skipped).reduce((some, count) => some + count, 0), 0);
}

/** A packed row of a run: one DU with its cells, as the table holds them. */
export type PackedRow = {
  duId: number;
  target: number[];
  rule: number[];
  outcome: number[];
  old: number[];
  now: number[];
  /** Texts of old and new values of attribute cells; null where a DU has none. */
  oldText: (string | null)[] | null;
  nowText: (string | null)[] | null;
};

/**
 * Packs the cells of a block, one row per DU.
 * @param textOf text of a value of a target, null for targets whose values are numbers
 * @param keep which cells are kept
 */
export function packRows(
  duIds: readonly number[],
  cells: RunCells,
  textOf: (target: number, value: number) => string | null,
  keep: (place: number) => boolean,
): PackedRow[] {
  const rows: PackedRow[] = [];
  let at = -1;
  let row: PackedRow | null = null;
  for (let place = 0; place < cells.count; place++) {
    if (!keep(place)) continue;
    if (!row || cells.row[place] !== at) {
      at = cells.row[place]!;
      row = { duId: duIds[at]!, target: [], rule: [], outcome: [], old: [], now: [], oldText: null, nowText: null };
      rows.push(row);
    }
    const [target, old, now] = [cells.target[place]!, cells.old[place]!, cells.now[place]!];
    const texts = [old === 0 ? null : textOf(target, old), now === 0 ? null : textOf(target, now)] as const;
    if (texts[0] !== null || texts[1] !== null) {
      row.oldText ??= row.target.map(() => null);
      row.nowText ??= row.target.map(() => null);
    }
    row.target.push(target);
    row.rule.push(cells.rule[place]!);
    row.outcome.push(cells.outcome[place]!);
    row.old.push(old);
    row.now.push(now);
    row.oldText?.push(texts[0]);
    row.nowText?.push(texts[1]);
  }
  return rows;
}
