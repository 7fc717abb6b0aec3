import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CellWorld,
  type LoggedChange,
  mergeCell,
  type PlanColumn,
  type PlanValue,
  readPlanCell,
  shownCell,
  valuesBefore,
} from "#lib/rollout-plan/plan-import/logic.ts";

const people = [
  { id: 1, name: "王伟", account: "wangwei" },
  { id: 2, name: "Doe, John (sr)", account: "jdoe" },
  { id: 3, name: "Li", account: "li.3" },
];
const named = {
  ids: new Map([["north", 4]]),
  titles: new Map([
    [4, "North"],
    [5, "Old name"],
  ]),
};
const world: CellWorld = {
  format: "ymd",
  accounts: new Map(people.map((person) => [person.account, person])),
  people: new Map(people.map((person) => [person.id, person])),
  named: { region: named, subcontractor: named, directMigrationSite: named, decomSite: named },
  choices: () => [{ value: "Set", names: ["套", "Set", "セット"] }],
  choiceTitle: () => "套",
  flag: (value) => (value ? "是" : "否"),
};

const column = (target: PlanColumn["target"], field: string, enums: PlanColumn["enums"] = []): PlanColumn => ({
  key: field,
  field,
  activityId: undefined,
  target,
  log: field,
  enums,
});
const attribute = (type: string, enums: PlanColumn["enums"] = []) =>
  column({ kind: "attribute", key: "a1", slot: null, form: { type, limit: null, enumIds: [] } as never }, "a1", enums);
const planEnd = column({ kind: "date", field: "planEnd", slot: 1 }, "planEnd");
const owner = column({ kind: "owner", field: "planOwner", slot: 1 }, "planOwner");
const reason = column({ kind: "note", field: "delayReason", slot: 1 }, "delayReason");
const score = column({ kind: "note", field: "score", slot: 1 }, "score");
const du = (field: string, name = field) => column({ kind: "du", field: name }, field);
const roof = [
  { id: 8, value: "Roof" },
  { id: 9, value: "Roof top" },
];

describe("a cell of the workbook", () => {
  test("means, of equal words below several values, the one below the value of its row", () => {
    const other = [
      { id: 11, value: "Other", parentId: 1 },
      { id: 21, value: "Other", parentId: 2 },
    ];
    const given = attribute("LOOKUP_ENUM", other);
    expect(readPlanCell(given, "other", null, world, "2")).toEqual({ value: "21" });
    expect(readPlanCell(given, "Other", "11", world, "1")).toEqual({ value: "11" });
    expect(readPlanCell(given, "Other", "11", world, "2")).toEqual({ value: "21" });
    expect(readPlanCell(given, "Other", null, world, null)).toMatchObject({ code: "VALUE_UNKNOWN" });
    expect(readPlanCell(given, "Other", null, world)).toEqual({ value: "11" });
  });

  test.each<[string, PlanColumn, string | number | boolean | null, PlanValue]>([
    ["a day", planEnd, "2026-10-14", "2026-10-14"],
    ["a day with a time", planEnd, "2026-10-14T08:00:00", "2026-10-14"],
    ["a day as a number: the column lost its format", planEnd, 46_309, "2026-10-14"],
    ["a day in words", planEnd, "2026年10月14日", "2026-10-14"],
    ["a day with slashes", planEnd, "2026/10/4", "2026-10-04"],
    ["NA", planEnd, " na ", "NA"],
    ["nothing", planEnd, "  ", null],
    ["people", owner, "王伟 (wangwei), Li (li.3)", [1, 3]],
    ["a name with comma and brackets", owner, "Doe, John (sr) (jdoe), 王伟 (wangwei)", [2, 1]],
    ["accounts alone", owner, "wangwei；LI.3", [1, 3]],
    ["an account before a name", owner, "wangwei, Li (li.3)", [1, 3]],
    ["a person twice", owner, "wangwei\nWangWei", [1]],
    ["a text with Windows line ends", reason, " a\r\nb ", "a\nb"],
    ["a number in a text column", reason, 12.5, "12.5"],
    ["a score typed as a text", score, "4", 4],
    ["an empty text", reason, "", null],
    ["a number with separators", attribute("NUMBER"), "1,234.5", 1234.5],
    ["a day of an attribute", attribute("DATE"), "1999-05-01", "1999-05-01"],
    ["a moment at midnight", attribute("DATETIME"), "2026-10-14", "2026-10-14T00:00:00"],
    ["a moment", attribute("DATETIME"), "2026-10-14T09:59:59", "2026-10-14T09:59:59"],
    ["a moment as a number", attribute("DATETIME"), 46_309.5, "2026-10-14T12:00:00"],
    ["a moment a hair before midnight", attribute("DATETIME"), 46_308.999_999_99, "2026-10-14T00:00:00"],
    ["a moment without seconds", attribute("DATETIME"), "2026-10-14 9:05", "2026-10-14T09:05:00"],
    ["a time", attribute("TIME"), "9:30", "09:30"],
    ["a time as a part of a day", attribute("TIME"), 0.4375, "10:30"],
    ["a time of the first day of spreadsheets", attribute("TIME"), "1899-12-31T10:30:00", "10:30"],
    ["a choice", attribute("ENUM", roof), "Roof", "8"],
    ["a choice written otherwise", attribute("ENUM", roof), " ROOF  top", "9"],
    ["a flag", du("allowDirectMoving"), true, true],
    ["a flag in words", du("allowDirectMoving"), "いいえ", false],
    ["a fixed choice in any language", du("valueUnit"), "セット", "Set"],
    ["a month that became a day", du("eomonth"), "2026-10-01", "2026-10"],
    ["something by its name", du("region", "regionId"), " north ", 4],
  ])("%s", (_name, given, cell, value) => {
    expect(readPlanCell(given, cell, null, world)).toEqual({ value });
  });

  test.each<[string, PlanColumn, string | number, string]>([
    ["no day of the calendar", planEnd, "2026-02-30", "DATE_FORMAT"],
    ["day and month in doubt", planEnd, "10/11/2026", "DATE_FORMAT"],
    ["a day far away", planEnd, "2099-01-01", "DATE_OUT_OF_RANGE"],
    ["nobody", owner, "Nobody (nobody)", "ACCOUNT_MISSING"],
    ["a name without account", owner, "王伟", "ACCOUNT_MISSING"],
    ["somebody and nobody", owner, "nobody, Li (li.3)", "ACCOUNT_MISSING"],
    ["an error of a formula", reason, "#REF!", "CELL_ERROR"],
    ["no number", attribute("NUMBER"), "twelve", "NUMBER_FORMAT"],
    ["no time", attribute("TIME"), "noon", "DATE_FORMAT"],
    ["no choice", attribute("ENUM", roof), "Cellar", "VALUE_UNKNOWN"],
    ["no region", du("region", "regionId"), "Atlantis", "REGION_UNKNOWN"],
  ])("refuses %s", (_name, given, cell, code) => {
    expect(readPlanCell(given, cell, null, world)).toMatchObject({ code });
  });

  test.each<[string, PlanColumn, PlanValue]>([
    ["a name that is no longer in use", du("region", "regionId"), 5],
    ["a choice with the words of another", attribute("ENUM", [...roof, { id: 10, value: "Roof" }]), "10"],
    ["a text that looks like an error", reason, "#N/A"],
    ["people in their order", owner, [3, 1, 2]],
  ])("its own text means the value it had: %s", (_name, given, value) => {
    expect(readPlanCell(given, shownCell(given, value, world), value, world)).toEqual({ value });
  });

  test("what is shown of people can be read", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(1, 2, 3), { minLength: 1 }), (ids) => {
        expect(readPlanCell(owner, shownCell(owner, ids, world), null, world)).toEqual({ value: ids });
      }),
    );
  });

  test("every second of a day comes back from its share of a day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_399 }), (second) => {
        const iso = new Date(Date.UTC(2026, 9, 14) + second * 1000).toISOString().slice(0, 19);
        expect(readPlanCell(attribute("DATETIME"), 46_309 + second / 86_400, null, world)).toEqual({ value: iso });
      }),
    );
  });
});

type Change = { duId: number; place: number | string; value: number };
type Doing = { batch: Change[] };

describe("merging", () => {
  const dus = [1, 2];
  const places: (number | string)[] = [17, 18, "a1", "note.score@1"];
  const key = (duId: number, place: number | string) => `${duId} ${place}`;
  const change = fc.record({ duId: fc.constantFrom(...dus), place: fc.constantFrom(...places), value: fc.integer({ min: 0, max: 3 }) });
  const doing: fc.Arbitrary<Doing> = fc.record({ batch: fc.array(change, { minLength: 1, maxLength: 4 }) });

  /** Applies a batch as the product does: one row of the log per DU, old values beside new ones, cells that stay the same left out. */
  function run({ batch }: Doing, values: Map<string, number>, at: number): LoggedChange[] {
    const wanted = new Map(batch.map(({ duId, place, value }) => [key(duId, place), { duId, place, value }]));
    const entries = new Map<number, { cells: number[]; old: number[]; attrs: Record<string, unknown> }>();
    for (const { duId, place, value } of wanted.values()) {
      const old = values.get(key(duId, place)) ?? 0;
      if (old === value) continue;
      const entry = entries.get(duId) ?? { cells: [], old: [], attrs: {} };
      entries.set(duId, entry);
      if (typeof place === "number") {
        entry.cells.push(place);
        entry.old.push(old);
      } else entry.attrs[place] = [old, value];
      values.set(key(duId, place), value);
    }
    return [...entries].map(([duId, entry]) => ({ duId, ...entry, by: "x", at: new Date(at) }));
  }

  test("agrees with a plain comparison of three copies, whatever both sides did", () => {
    const histories = fc.array(doing, { maxLength: 6 });
    fc.assert(
      fc.property(histories, histories, fc.array(change, { maxLength: 6 }), (earlier, later, typed) => {
        const now = new Map<string, number>();
        for (const [at, one] of earlier.entries()) run(one, now, at);
        const exported = new Map(now);
        const log = later.flatMap((one, at) => run(one, now, at));
        const workbook = new Map(exported);
        for (const { duId, place, value } of typed) workbook.set(key(duId, place), value);

        const changed = valuesBefore(log, new Set(places));
        for (const duId of dus)
          for (const place of places) {
            const cell = key(duId, place);
            const [then, ours, theirs] = [exported, now, workbook].map((copy) => copy.get(cell) ?? 0) as [number, number, number];
            const base = Number(changed.get(duId)?.get(place)?.value ?? ours);
            expect(base).toBe(then);
            const byMe = theirs !== then;
            const byOthers = ours !== then;
            const expected = !byMe || theirs === ours ? "keep" : byOthers ? "conflict" : "edit";
            expect(mergeCell({ base, ours, theirs })).toBe(expected);
          }
      }),
      { numRuns: 500 },
    );
  });

  test.each<[PlanValue, PlanValue, PlanValue, string]>([
    ["a", "a", "a ", "keep"],
    ["a\r\nb", "a\nb", "a\nb", "keep"],
    [null, null, "", "keep"],
    [[1, 2], [1, 2], [2, 1], "edit"],
    [[1], [2], null, "conflict"],
    [null, "x", null, "keep"],
    [12.5, 12.5, 12.5, "keep"],
    [true, true, false, "edit"],
  ])("base %j, present %j, workbook %j: %s", (base, ours, theirs, expected) => {
    expect(mergeCell({ base, ours, theirs })).toBe(expected);
  });
});
