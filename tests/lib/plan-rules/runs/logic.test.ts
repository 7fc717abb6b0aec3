import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomes } from "#lib/plan-rules/runs/limits.ts";
import {
  addCounts,
  compute,
  noCounts,
  outcomeNumber,
  packRows,
  type RunBlock,
  type RunProgram,
  skippedOf,
} from "#lib/plan-rules/runs/logic.ts";

const frozen = outcomeNumber("FROZEN");
const mismatch = outcomeNumber("ENUM_MISMATCH");
const order = outcomeNumber("PLAN_ORDER");

/** A run over plain numbers: fields by name, each arm reads one field and adds days; a pair of fields may have to keep its order. */
type Arm = { rule: number; from: number; plus: number; overwrite: boolean };
type Case = {
  rules: { writes: boolean; when: number; least: number }[];
  targets: { field: number; level: number; arms: Arm[] }[];
  rows: number[][];
  frozen: boolean[][];
  /** Field 0 may not lie behind field 1. */
  ordered: boolean;
};

function run({ rules, targets, rows, frozen: locks, ordered }: Case) {
  const fields = rows[0]?.length ?? 0;
  const now = Array.from({ length: fields }, (_, field) => Int32Array.from(rows, (row) => row[field]!));
  const first = now.map((column) => column.slice());
  const program: RunProgram = {
    rules: rules.map(({ writes }, id) => ({ id, writes })),
    targets: targets.map(({ level, arms }) => ({ level, arms: arms.map(({ rule, overwrite }) => ({ rule, overwrite })) })),
  };
  const block: RunBlock = {
    duIds: rows.map((_, row) => row + 100),
    scope: () => new Uint8Array(rows.length).fill(1),
    truth: (rule) => Uint8Array.from(rows, (_, row) => (now[rules[rule]!.when]![row]! >= rules[rule]!.least ? 1 : 0)),
    before: (target) => first[targets[target]!.field]!.slice(),
    candidate: (target, arm) => {
      const { from, plus } = targets[target]!.arms[arm]!;
      return Int32Array.from(now[from]!, (value) => (value === 0 ? 0 : value > 50 ? -mismatch : value + plus));
    },
    guard: (target, row) => (locks[row]![targets[target]!.field] ? frozen : 0),
    put: (target, values) => now[targets[target]!.field]!.set(values),
    unmet: (changed, isChanged) =>
      [...changed].flatMap((row) => {
        if (!ordered || now[0]![row]! <= now[1]![row]! || now[1]![row] === 0) return [];
        return targets.flatMap(({ field }, target) => (field < 2 && isChanged(target, row) ? [{ row, target, reason: order }] : []));
      }),
  };
  return { result: compute(program, block), now, first };
}

/** The same by hand, DU by DU: fill all targets by level, take back what the row does not allow, begin again. */
function slowly({ rules, targets, rows, frozen: locks, ordered }: Case) {
  return rows.map((row, du) => {
    const kept = new Map<number, number>();
    for (;;) {
      const values = [...row];
      const told = new Map<number, number>();
      for (const level of [0, 1, 2])
        for (const [place, target] of targets.entries()) {
          if (target.level !== level) continue;
          const held = row[target.field]!;
          const arm = target.arms.find(({ rule, from }) => values[rules[rule]!.when]! >= rules[rule]!.least && values[from] !== 0);
          if (!arm || !rules[arm.rule]!.writes || (!arm.overwrite && held !== 0)) continue;
          const value = values[arm.from]! > 50 ? -1 : values[arm.from]! + arm.plus;
          if (value === held) continue;
          if (value < 0) told.set(place, mismatch);
          else if (kept.has(place)) told.set(place, kept.get(place)!);
          else if (locks[du]![target.field]) told.set(place, frozen);
          else {
            values[target.field] = value;
            told.set(place, 0);
          }
        }
      const bad = ordered && values[0]! > values[1]! && values[1] !== 0;
      const taken = bad ? [...told].filter(([place, outcome]) => outcome === 0 && targets[place]!.field < 2) : [];
      if (taken.length === 0) return { values, told: [...told].sort(([a], [b]) => a - b) };
      for (const [place] of taken) kept.set(place, order);
    }
  });
}

const cases = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 })).chain(([ruleCount, rowCount]) => {
  const fields = 5;
  const field = fc.integer({ min: 0, max: fields - 1 });
  return fc.record({
    rules: fc.array(fc.record({ writes: fc.boolean(), when: field, least: fc.integer({ min: 0, max: 60 }) }), {
      minLength: ruleCount,
      maxLength: ruleCount,
    }),
    // A field is filled once, on a level of its own place: fields before it are done.
    targets: fc.subarray([0, 1, 2]).chain((chosen) =>
      fc.tuple(
        ...chosen.map((target) =>
          fc
            .array(
              fc.record({
                rule: fc.integer({ min: 0, max: ruleCount - 1 }),
                from: fc.integer({ min: 3, max: 4 }).map((from) => (target === 2 ? from % 2 : from)),
                plus: fc.integer({ min: 0, max: 9 }),
                overwrite: fc.boolean(),
              }),
              { minLength: 1, maxLength: 4 },
            )
            .map((arms) => ({ field: target, level: target, arms })),
        ),
      ),
    ),
    rows: fc.array(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: fields, maxLength: fields }), {
      minLength: rowCount,
      maxLength: rowCount,
    }),
    frozen: fc.array(fc.array(fc.boolean(), { minLength: fields, maxLength: fields }), { minLength: rowCount, maxLength: rowCount }),
    ordered: fc.boolean(),
  }) as fc.Arbitrary<Case>;
});

describe("the engine of rules [RUL-03]", () => {
  test("fills what a plain method fills, DU by DU", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { result, now } = run(given);
        const plain = slowly(given);
        const told = given.rows.map((): [number, number][] => []);
        for (let place = 0; place < result.cells.count; place++)
          told[result.cells.row[place]!]!.push([result.cells.target[place]!, result.cells.outcome[place]!]);
        expect(now.map((column) => [...column])).toEqual(Array.from({ length: 5 }, (_, field) => plain.map(({ values }) => values[field])));
        expect(told).toEqual(plain.map((row) => row.told));
      }),
      { numRuns: 3_000 },
    );
  });

  test("counts every cell of a rule once", () => {
    fc.assert(
      fc.property(cases, (given) => {
        // Conditions on fields that nobody fills: a rule holds for all of its targets or for none.
        const { result } = run({ ...given, rules: given.rules.map((rule) => ({ ...rule, when: 3 + (rule.when % 2) })) });
        result.rules.forEach((counts, rule) => {
          const arms = given.targets.flatMap(({ arms }) => arms.filter((arm) => arm.rule === rule)).length;
          const cells = counts.changed + counts.unchanged + counts.sourceEmpty + counts.superseded + skippedOf([counts]);
          expect(cells).toBe(given.rules[rule]!.writes ? arms * counts.matched : 0);
        });
      }),
      { numRuns: 500 },
    );
  });

  test("does not depend on how DUs are cut into blocks", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const whole = run(given).result;
        const parts = given.rows.map((row, at) => run({ ...given, rows: [row], frozen: [given.frozen[at]!] }).result);
        const sums = given.rules.map(() => noCounts());
        for (const part of parts) part.rules.forEach((counts, rule) => void addCounts(sums[rule]!, counts));
        expect(sums).toEqual(whole.rules);
        expect(parts.reduce((all, { matched }) => all + matched, 0)).toBe(whole.matched);
      }),
      { numRuns: 500 },
    );
  });

  test("a rule that does not write keeps its cells from later ones", () => {
    const arms = [
      { rule: 0, from: 3, plus: 1, overwrite: true },
      { rule: 1, from: 3, plus: 2, overwrite: true },
    ];
    const given = { rules: [0, 40], targets: [{ field: 0, level: 0, arms }], rows: [[0, 0, 0, 10, 0]], frozen: [[false]], ordered: false };
    const shadow = (writes: boolean, least: number) =>
      run({
        ...given,
        rules: [
          { writes, when: 3, least },
          { writes: true, when: 3, least: 0 },
        ],
      } as Case);
    expect(shadow(false, 0).now[0]![0]).toBe(0);
    expect(shadow(false, 0).result.rules[1]).toMatchObject({ matched: 1, superseded: 1, changed: 0 });
    expect(shadow(false, 20).now[0]![0]).toBe(12);
    expect(shadow(true, 0).now[0]![0]).toBe(11);
  });

  test("packs cells by DU, with texts where a field has them", () => {
    const { result } = run({
      rules: [{ writes: true, when: 3, least: 0 }],
      targets: [0, 1].map((field) => ({ field, level: 0, arms: [{ rule: 0, from: 3, plus: field, overwrite: true }] })),
      rows: [
        [0, 9, 0, 10, 0],
        [0, 0, 0, 0, 0],
        [0, 9, 0, 12, 0],
      ],
      frozen: [
        [false, false],
        [false, false],
        [false, true],
      ],
      ordered: false,
    });
    const text = (target: number, value: number) => (target === 1 ? `t${value}` : null);
    expect(packRows([100, 101, 102], result.cells, text, () => true)).toEqual([
      {
        duId: 100,
        target: [0, 1],
        rule: [0, 0],
        outcome: [0, 0],
        old: [0, 9],
        now: [10, 11],
        oldText: [null, "t9"],
        nowText: [null, "t11"],
      },
      {
        duId: 102,
        target: [0, 1],
        rule: [0, 0],
        outcome: [0, frozen],
        old: [0, 9],
        now: [12, 13],
        oldText: [null, "t9"],
        nowText: [null, "t13"],
      },
    ]);
    expect(
      packRows(
        [100, 101, 102],
        result.cells,
        () => null,
        (place) => result.cells.outcome[place] === 0,
      ),
    ).toMatchObject([
      { duId: 100, oldText: null },
      { duId: 102, target: [0], nowText: null },
    ]);
  });

  test("reasons have the numbers they are stored with", () => {
    expect(outcomes[0]).toBe("CHANGED");
    expect(outcomeNumber("NO_PERMISSION")).toBe(outcomes.length - 1);
  });
});
