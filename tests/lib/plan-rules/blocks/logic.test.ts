import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { type BlockData, type BlockFrame, PlanRunBlock } from "#lib/plan-rules/blocks/logic.ts";
import { operators } from "#lib/plan-rules/conditions/limits.ts";
import { type ConditionRef, type ConditionRow, conditionColumn } from "#lib/plan-rules/conditions/logic.ts";
import { conversions, dateColumns, type ValueKind } from "#lib/plan-rules/limits.ts";
import { attributeOf, type DuFilter, type FieldRef, type PlanRule, type RuleAction, valueKind } from "#lib/plan-rules/logic.ts";
import { compileRun, type RunWorld } from "#lib/plan-rules/programs/logic.ts";
import { outcomes } from "#lib/plan-rules/runs/limits.ts";
import { compute } from "#lib/plan-rules/runs/logic.ts";
import { emptyBlock, keepBefore, setCell, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { blamedPlaces, rowJudge } from "#lib/rollout-plan/plan-rows/rules.ts";
import { type PlainRow, type PlainWorld, refName, runPlainly } from "./plain-rules.ts";

const today = dayNumber("2024-08-22");
const activities = [11, 12, 13] as const;
const slotOf = (activity: number) => activity - 10;
const attribute = (id: number, type: "TEXT" | "DATE" | "NUMBER" | "ENUM" | "DATETIME", maxLength?: number) => ({
  id,
  type,
  limit: maxLength === undefined ? null : { maxLength },
  enums:
    type === "ENUM"
      ? [
          { id: 41, value: "Roof", active: true },
          { id: 42, value: "Pole", active: true },
        ]
      : [],
});
const attributes = new Map(
  [
    attribute(1, "TEXT", 12),
    attribute(2, "DATE"),
    attribute(3, "NUMBER"),
    attribute(4, "ENUM"),
    attribute(5, "TEXT"),
    attribute(6, "DATETIME"),
  ].map((one) => [`a${one.id}`, one]),
);
const act = (a: number, f: string, key?: string) => ({ k: "ACT", a, f, ...(key ? { key } : {}) }) as FieldRef;
const attr = (key: string) => ({ k: "ATTR", key }) as FieldRef;

/** Fields rules fill; each is made of earlier ones only, so that no circle arises. */
const filled: FieldRef[] = [
  act(11, "ACTUAL_END"),
  attr("a2"),
  act(12, "PLAN_START"),
  act(12, "PLAN_END"),
  attr("a6"),
  act(13, "ACTUAL_START"),
  act(13, "ACTUAL_END"),
  attr("a3"),
  attr("a1"),
  attr("a4"),
  act(12, "ATTR", "a5"),
  act(13, "PLAN_END"),
];
const kindOf = (ref: FieldRef): ValueKind => {
  const key = attributeOf(ref);
  return key === null ? "day" : valueKind(attributes.get(key)!.type);
};
const dates = filled.flatMap((ref, at) => (ref.k === "ACT" && kindOf(ref) === "day" ? [at] : []));
const pairs = filled.flatMap((target, to) =>
  filled.slice(0, to).flatMap((source, from) => (conversions[kindOf(source)].includes(kindOf(target)) ? [{ from, to }] : [])),
);

const action = (given: Partial<RuleAction> & Pick<RuleAction, "sources" | "target">): RuleAction => ({
  aggregate: null,
  blanks: "REQUIRE_ALL",
  offset: 0,
  overwrite: true,
  ...given,
});
const offsets = fc.constantFrom(0, 1, 14, 1095);
const actions: fc.Arbitrary<RuleAction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...pairs), offsets, fc.boolean()).map(([{ from, to }, offset, overwrite]) => {
      const [source, target] = [filled[from]!, filled[to]!];
      const moves = ["day", "datetime"].includes(kindOf(source));
      return action({ sources: [source], target, offset: moves ? offset : 0, overwrite });
    }),
  },
  fc
    .tuple(
      fc.subarray(dates.slice(0, -1), { minLength: 2, maxLength: 4 }),
      fc.constantFrom("LATEST" as const, "EARLIEST" as const),
      fc.boolean(),
      offsets,
    )
    .chain(([chosen, aggregate, ignores, offset]) => {
      const last = Math.max(...chosen);
      const later = pairs.filter(({ from, to }) => from === chosen[0] && to > last).map(({ to }) => to);
      const sources = chosen.map((at) => filled[at]!);
      return fc
        .constantFrom(...later)
        .map((to) => action({ sources, aggregate, blanks: ignores ? "IGNORE" : "REQUIRE_ALL", offset, target: filled[to]! }));
    }),
  fc
    .tuple(
      fc.constantFrom(["a1", "pole"], ["a1", "much too long a text"], ["a4", "42"], ["a4", "99"]) as fc.Arbitrary<[string, string]>,
      fc.boolean(),
    )
    .map(([[key, value], overwrite]) => action({ sources: [{ k: "FIXED", value }], target: attr(key), overwrite })),
);

const days = ["2024-08-01", "2024-08-22", "2024-09-01"];
const asked: { ref: ConditionRef; type: keyof typeof operators; values: (string | number)[] }[] = [
  { ref: { k: "DU", f: "code" }, type: "text", values: ["n-1", "N", " S-2 "] },
  { ref: { k: "DU", f: "region" }, type: "choice", values: ["1", "2"] },
  { ref: attr("a1"), type: "text", values: ["ready", "PO"] },
  { ref: attr("a2"), type: "date", values: days },
  { ref: attr("a3"), type: "number", values: [1, 7.5, 40] },
  { ref: attr("a4"), type: "choice", values: ["41", "42"] },
  { ref: attr("a6"), type: "datetime", values: ["2024-08-22T09:30:00", "2024-08-22"] },
  { ref: act(12, "ATTR", "a5"), type: "text", values: ["pole", "2024"] },
  ...["PLAN_START", "PLAN_END", "ACTUAL_END"].map((f) => ({ ref: act(12, f), type: "date" as const, values: days })),
  ...([12, 13] as const).map((a) => ({
    ref: act(a, "STATUS"),
    type: "choice" as const,
    values: ["completed", "delayed", "within7", "notPlanned", "na"],
  })),
  { ref: act(11, "FIX_PLAN"), type: "choice", values: ["Y", "N"] },
  { ref: act(13, "PLAN_OWNER"), type: "choice", values: ["71", "72"] },
];
const world: RunWorld = {
  slots: new Map(activities.map((activity) => [activity, slotOf(activity)])),
  attributes,
  objects: new Map(asked.map(({ ref, type }) => [refName(ref), { type }])),
};

const leaf = fc.constantFrom(...asked).chain(({ ref, type, values }) =>
  fc
    .tuple(fc.constantFrom(...operators[type]), fc.subarray(values, { minLength: 1 }), fc.constantFrom(...values))
    .map(([operator, several, one]) => {
      const taken = { isEmpty: [], isNotEmpty: [], in: several, notIn: several, between: [several[0]!, one] } as Record<
        string,
        (string | number)[]
      >;
      return { object: ref, operator, values: taken[operator] ?? [one] };
    }),
);
/** Rows with parentheses that stand beside or inside each other. */
const conditions: fc.Arbitrary<ConditionRow[]> = fc
  .tuple(
    fc.array(fc.tuple(leaf, fc.constantFrom("AND" as const, "OR" as const)), { maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 3 }),
  )
  .map(([leaves, spans]) => {
    const rows = leaves.map(
      ([row, logic], at): ConditionRow => ({ ...row, open: 0, close: 0, logic: at === leaves.length - 1 ? null : logic }),
    );
    const taken: [number, number][] = [];
    for (const span of spans) {
      const [from, to] = [Math.min(...span), Math.max(...span)];
      if (to >= rows.length || taken.some(([a, b]) => (a < from && from <= b && b < to) || (from < a && a <= to && to < b))) continue;
      taken.push([from, to]);
      rows[from]!.open++;
      rows[to]!.close++;
    }
    return rows;
  });

const rule = (id: number): fc.Arbitrary<PlanRule> =>
  fc
    .record({
      flowId: fc.constantFrom(1, 1, 1, 1, 2),
      regionIds: fc.constantFrom<number[]>([], [], [], [1], [1, 2]),
      duFilter: fc.constantFrom<DuFilter[]>([], [], [], [{ field: "code", type: "like", values: ["n"] }]),
      sortNo: fc.integer({ min: 1, max: 3 }),
      conditions: fc
        .oneof(fc.constant<ConditionRow[]>([]), conditions)
        .map((rows) => rows.map((row) => ({ ...row, type: world.objects.get(refName(row.object))!.type }))),
      actions: fc.uniqueArray(actions, { minLength: 1, maxLength: 3, selector: ({ target }) => refName(target) }),
    })
    .map((given) => ({ ...blank, ...given, id, actions: given.actions.map((one) => ({ ...one, types: {} })) }));
const blank = {
  name: "",
  ruleType: "ACT_TO_ACT",
  status: "EFFECTIVE",
  invalidReason: null,
  events: null,
  sinceSeq: 0,
  effectiveAt: null,
  expireDate: null,
  autoExecute: true,
  frequency: 24,
  lastSlot: null,
  nextRunAt: null,
  description: null,
  rowVersion: 1,
  createdBy: 1,
  createdAt: new Date(0),
} as const;

const day = fc.constantFrom(0, 0, 0, 8980, 8985, 8990, 8995, 9000, 9005, 9010, 9030, 32_000);
const orBlank = <T>(...values: T[]) => fc.constantFrom<T | null>(null, ...values);
const few = [false, false, false, false, false, false, true];
const plainAct = fc.record({
  inFlow: fc.constantFrom(...few).map((out) => !out),
  na: fc.constantFrom(...few),
  fixed: fc.boolean(),
  frozen: fc.constantFrom(...few),
  closed: fc.constantFrom(...few),
  owners: fc.constantFrom<string[]>([], ["71"], ["71", "72"]),
});
const plainRow = (id: number): fc.Arbitrary<PlainRow> =>
  fc.record({
    id: fc.constant(id),
    flowId: fc.constantFrom(1, 1, 1, 1, 1, 2, 0),
    regionId: fc.constantFrom(null, 1, 2, 3),
    code: fc.constantFrom("N-1", "N-2", "S-2"),
    days: fc.record(
      Object.fromEntries(
        activities.flatMap((a) => ["PLAN_START", "PLAN_END", "ACTUAL_START", "ACTUAL_END"].map((f) => [`act.${a}.${f}`, day])),
      ),
    ),
    values: fc.record({
      a1: orBlank("ready", "Pole", "2024-08-22"),
      a2: orBlank("2024-08-01", "2024-09-01"),
      a3: orBlank(1, 7.5, 40),
      a4: orBlank("41", "42"),
      a6: orBlank("2024-08-22T09:30:00", "2024-09-01T00:00:00"),
      "act.12.a5": orBlank(" roof ", "ready"),
    }),
    acts: fc.record(Object.fromEntries(activities.map((a) => [a, plainAct]))) as fc.Arbitrary<PlainRow["acts"]>,
  });

const plainWorld: PlainWorld = {
  today,
  lastPlanDay: today + 1096,
  kinds: { a1: "text", a2: "day", a3: "number", a4: "enum", a6: "datetime", "act.12.a5": "text" },
  enums: { a4: attributes.get("a4")!.enums },
  longest: { a1: 12 },
};
const people = new Map([
  [5, ["71"]],
  [6, ["71", "72"]],
]);

/** DUs as the engine is given them. */
function blockOf(rows: readonly PlainRow[]): BlockData {
  const plan = emptyBlock(
    rows.map(({ id }) => id),
    4,
  );
  rows.forEach(({ flowId, days: given, acts }, row) => {
    plan.flowIds[row] = flowId;
    for (const activity of activities) {
      const slot = slotOf(activity);
      for (const [name, field] of Object.entries(dateColumns))
        if (given[`act.${activity}.${name}`]) setCell(plan, row, slot, field, given[`act.${activity}.${name}`]!);
      const { inFlow, na, fixed, frozen, closed, owners } = acts[activity]!;
      const bits = { inFlow, na, fixed, frozen, closed };
      let state = 0;
      for (const [bit, on] of Object.entries(bits)) state = withState(state, bit as keyof typeof bits, on ? 1 : 0);
      plan.state[row * plan.width + slot] = state;
      plan.planOwner[row * plan.width + slot] = owners.length === 0 ? 0 : 4 + owners.length;
    }
  });
  keepBefore(plan);
  const column = (name: string) => {
    const values: (string | number | null)[] = [null];
    const codes = Int32Array.from(rows, ({ values: given }) => {
      const value = given[name] ?? null;
      const known = values.indexOf(value);
      return known >= 0 ? known : values.push(value) - 1;
    });
    return { codes, values };
  };
  let filledNow: (attributeId: number) => boolean | undefined = () => undefined;
  const judge = rowJudge(plan, {
    today,
    maintained: (duId, attributeId) => {
      const before = rows.find(({ id }) => id === duId)!.values[`a${attributeId}`] != null;
      return { before, after: filledNow(attributeId) ?? before };
    },
  });
  return {
    plan,
    judge: (row, given) => {
      filledNow = given;
      return judge(row, judged).map((finding) => ({ code: finding.code, places: blamedPlaces(finding) }));
    },
    versions: rows.map(() => 1),
    regionIds: rows.map(({ regionId }) => regionId),
    attributes: new Map(["a1", "a2", "a3", "a4", "a6"].map((key) => [key, column(key)] as const).concat([["a5@2", column("act.12.a5")]])),
    fields: new Map([
      [
        "du.code",
        conditionColumn(
          "text",
          rows.map(({ code }) => code),
        ),
      ],
      [
        "du.region",
        conditionColumn(
          "choice",
          rows.map(({ regionId }) => regionId),
        ),
      ],
    ]),
    people,
  };
}

const judged = {
  dependencies: [
    { flowId: null, target: { slot: 3, event: "START" as const }, prerequisites: [{ slot: 1, event: "COMPLETE" as const }] },
    { flowId: null, target: { attributeId: 1, event: "MAINTAIN" as const }, prerequisites: [{ slot: 2, event: "COMPLETE" as const }] },
  ],
  warnings: [
    {
      level: "MANDATORY" as const,
      a: { slot: 2, field: "planStart" as const },
      b: { slot: 3, field: "planEnd" as const },
      operator: "GT" as const,
      days: 10,
      message: "",
    },
  ],
};

/** What a cell is judged by alone, in the order in which reasons are told. */
const frame: BlockFrame = {
  today,
  lastPlanDay: plainWorld.lastPlanDay,
  cell: (plan, row, slot, field, value) => {
    const at = row * plan.width + slot;
    const has = (bit: Parameters<typeof withState>[1]) => withState(plan.state[at]!, bit, 1) === plan.state[at];
    if (!has("inFlow")) return "NO_ACTIVITY";
    if (has("na")) return "NA_OR_INV";
    if (has("closed")) return "TASK_CLOSED";
    if (field.startsWith("plan")) {
      if (has("frozen")) return "FROZEN";
      if (plan.before!.actualEnd[at]) return "ACTIVITY_COMPLETED";
      return value > plainWorld.lastPlanDay ? "PLAN_TOO_FAR" : null;
    }
    if (value > today) return "ACTUAL_AFTER_TODAY";
    return plan.planOwner[at] ? null : "OWNER_REQUIRED";
  },
};

function runEngine(writing: readonly PlanRule[], shadows: readonly PlanRule[], rows: readonly PlainRow[]) {
  const run = compileRun(writing, shadows, world);
  const block = new PlanRunBlock(run, world, blockOf(rows), frame);
  const result = compute(run.program, block);
  const shown = (target: number, value: number) =>
    run.targets[target]!.place.kind === "date" ? value || null : block.valueOf(target, value);
  const told = rows.map((): { field: string; outcome: string; rule: number; old: unknown; now: unknown }[] => []);
  const { cells } = result;
  for (let place = 0; place < cells.count; place++) {
    const [target, outcome] = [cells.target[place]!, outcomes[cells.outcome[place]!]!];
    told[cells.row[place]!]!.push({
      field: run.targets[target]!.key,
      outcome,
      rule: run.rules[cells.rule[place]!]!.rule.id,
      old: shown(target, cells.old[place]!),
      now: shown(target, cells.now[place]!),
    });
  }
  return { result, told, run };
}

const byField = <T extends { field: string }>(cells: readonly T[]) => [...cells].sort((a, b) => (a.field < b.field ? -1 : 1));

const cases = fc.integer({ min: 1, max: 4 }).chain((count) =>
  fc.record({
    rules: fc.tuple(...Array.from({ length: count }, (_, id) => rule(id + 1))),
    writes: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    rows: fc.tuple(...Array.from({ length: 5 }, (_, id) => plainRow(id + 101))),
  }),
);

describe("rules over the plan, attributes and fields of DUs [RUL-03]", () => {
  test("do what a plain method does, DU by DU: conditions, sources, priorities, guards and rules of whole rows", {
    timeout: 60_000,
  }, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(cases, ({ rules, writes, rows }) => {
        // The first rule writes; of the others some only keep their cells.
        const writing = rules.filter((_, at) => at === 0 || writes[at]);
        const shadows = rules.filter((one) => !writing.includes(one));
        const { result, told, run } = runEngine(writing, shadows, rows);
        const plain = runPlainly(writing, shadows, rows, plainWorld);
        expect(told.map(byField)).toEqual(plain.cells.map(byField));
        for (const { outcome } of told.flat()) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        expect([result.scope, result.matched]).toEqual([plain.scope, plain.matched]);
        for (const [place, { rule: given, writes: isWriting }] of run.rules.entries())
          if (isWriting) expect(result.rules[place]).toEqual(plain.counts.get(given.id));
      }),
      { numRuns: 2_000 },
    );
    // Cases in which nothing happens would prove nothing.
    for (const outcome of [
      "CHANGED",
      "FROZEN",
      "PLAN_ORDER",
      "ACTUAL_ORDER",
      "DEP_PREREQ_UNMET",
      "WARNING_MANDATORY",
      "ENUM_MISMATCH",
      "TOO_LONG",
      "DATE_OUT_OF_RANGE",
    ])
      expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  });

  test("run again over what they have done, they change nothing", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(cases, ({ rules, rows }) => {
        // Conditions ask what nobody fills; nothing was held back.
        const asking = rules.filter((one) => one.conditions.every(({ object }) => object.k === "DU"));
        fc.pre(asking.length > 0);
        const first = runPlainly(asking, [], rows, plainWorld);
        fc.pre(first.cells.flat().length > 0 && first.cells.flat().every(({ outcome }) => outcome === "CHANGED"));
        const after = rows.map((row, at): PlainRow => {
          const [given, values] = [{ ...row.days }, { ...row.values }];
          for (const [field, value] of Object.entries(first.after[at]!)) {
            if (field in given) given[field] = Number(value ?? 0);
            else values[field] = value;
          }
          return { ...row, days: given, values };
        });
        expect(runEngine(asking, [], after).told.flat()).toEqual([]);
      }),
      { numRuns: 300, maxSkipsPerRun: 500 },
    );
  });
});
