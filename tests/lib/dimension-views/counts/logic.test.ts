import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { measures } from "#lib/dimension-views/counts/limits.ts";
import { arrangeRows, countRows, type DuRead, inRow, pickSlots, rateOf, valuesOf, viewRow } from "#lib/dimension-views/counts/logic.ts";

type Du = { values: string[]; slots: { state: number; planEnd: number; actualEnd: number }[] };

const width = 3;
const day = fc.oneof(fc.constant(0), fc.integer({ min: 90, max: 110 }));
const anyDu: fc.Arbitrary<Du> = fc.record({
  values: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 3 }),
  // In flow or not, none, NA or INV, and bits that do not matter.
  slots: fc.array(fc.record({ state: fc.constantFrom(0, 1, 3, 5, 1 | 64, 1 | 16), planEnd: day, actualEnd: day }), {
    minLength: width,
    maxLength: width,
  }),
});

function readOf(dus: readonly Du[]): DuRead {
  const of = (field: "state" | "planEnd" | "actualEnd") => dus.flatMap(({ slots }) => slots.map((slot) => slot[field]));
  return {
    duIds: dus.map((_, at) => at + 1),
    values: dus.map(({ values }) => values),
    width,
    state: Int32Array.from(of("state")),
    planEnd: Uint16Array.from(of("planEnd")),
    actualEnd: Uint16Array.from(of("actualEnd")),
    baselineEnd: new Uint16Array(),
  };
}

/** What the brief says, read off DU by DU. */
function slowly(dus: readonly Du[], place: number, end: number, today: number) {
  const slots = dus.map(({ slots: own }) => own[place]!).filter(({ state }) => state % 2 === 1 && (state & 6) === 0);
  return [
    slots.length,
    slots.filter(({ planEnd }) => planEnd > 0 && planEnd <= end).length,
    slots.filter(({ actualEnd }) => actualEnd > 0 && actualEnd <= end).length,
    slots.filter(({ planEnd, actualEnd }) => actualEnd === 0 && planEnd > 0 && planEnd < today).length,
  ];
}

describe("countRows", () => {
  test("counts as one would by hand, row by row, with those beyond the limit in one row that counts a DU once", () => {
    fc.assert(
      fc.property(
        fc.array(anyDu, { maxLength: 40 }),
        fc.integer({ min: 95, max: 105 }),
        fc.integer({ min: 95, max: 105 }),
        fc.integer({ min: 1, max: 8 }),
        (dus, end, today, rowLimit) => {
          const counts = countRows(readOf(dus), { end, today }, rowLimit);
          const shown = new Set(counts.keys.flatMap(({ kind, value }) => (kind === "value" || kind === "empty" ? [value] : [])));
          const there = new Set<string | null>(dus.flatMap(({ values }): (string | null)[] => (values.length === 0 ? [null] : values)));
          expect(shown.size).toBe(Math.min(rowLimit, there.size));
          expect(counts.folded).toBe(there.size - shown.size);
          expect(counts.several).toBe(dus.some(({ values }) => values.length > 1));
          expect(counts.keys.at(-1)).toEqual({ kind: "all", value: null });
          counts.keys.forEach((key, row) => {
            const own = dus.filter(({ values }) => {
              if (key.kind === "all") return true;
              if (key.kind === "value") return values.includes(key.value!);
              if (key.kind === "empty") return values.length === 0;
              return values.length === 0 ? !shown.has(null) : values.some((value) => !shown.has(value));
            });
            expect(counts.totals[row]).toBe(own.length);
            expect(dus.filter(({ values }) => inRow(values, key, shown))).toEqual(own);
            for (let place = 0; place < width; place++) {
              const at = (row * width + place) * measures.length;
              expect([...counts.figures.subarray(at, at + measures.length)]).toEqual(slowly(own, place, end, today));
            }
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("keeps the values with most DUs when there are more than the limit", () => {
    const dus = ["a", "b", "b", "c", "c", "c"].map((value) => ({ values: [value], slots: [] }));
    const { keys, folded } = countRows({ ...readOf(dus), width: 0 }, { end: 0, today: 0 }, 2);
    expect(keys.map(({ kind, value }) => value ?? kind)).toEqual(["c", "b", "others", "all"]);
    expect(folded).toBe(1);
  });
});

describe("rateOf", () => {
  it.each([
    [40, 58, 69],
    [1, 16, 6.3],
    [3, 16, 18.8],
    [1, 3, 33.3],
    [2, 3, 66.7],
    [1, 2000, 0.1],
    [1, 2001, 0],
    [0, 5, 0],
    [5, 5, 100],
    [0, 0, null],
  ])("%d of %d is %s, halves go up", (done, applicable, rate) => {
    expect(rateOf(done, applicable)).toBe(rate);
  });
});

describe("arrangeRows", () => {
  const dus = [
    { values: ["2"], slots: [{ state: 1, planEnd: 99, actualEnd: 99 }] },
    { values: ["2"], slots: [{ state: 1, planEnd: 99, actualEnd: 0 }] },
    { values: ["10"], slots: [{ state: 1, planEnd: 99, actualEnd: 99 }] },
    { values: [], slots: [{ state: 0, planEnd: 0, actualEnd: 0 }] },
  ];
  const counts = countRows({ ...readOf(dus), width: 1 }, { end: 100, today: 100 }, 10);
  const shown = (given: Parameters<typeof arrangeRows>[1]) =>
    arrangeRows(counts, given, (value) => `Lot ${value}`).map((row) => counts.keys[row]!.value ?? "-");
  it("orders by title as numbers in texts stand, by DUs and by figures; what nothing applies to comes after the worst rate", () => {
    expect(shown({})).toEqual(["2", "10", "-"]);
    expect(shown({ sort: { by: "value", dir: "desc" } })).toEqual(["10", "2", "-"]);
    expect(shown({ sort: { by: "total", dir: "desc" } })[0]).toBe("2");
    expect(shown({ sort: { by: "rate", activity: 0, dir: "desc" } })).toEqual(["10", "2", "-"]);
    expect(shown({ sort: { by: "delayed", activity: 0, dir: "desc" } })[0]).toBe("2");
  });
  it("finds a part of the title in any case", () => {
    expect(shown({ search: " LOT 1" })).toEqual(["10"]);
    expect(shown({ search: "nothing" })).toEqual([]);
  });
});

describe("viewRow", () => {
  it("leaves amounts out for those from whom they are hidden, and gives them the rate", () => {
    const counts = countRows(
      readOf([
        {
          values: ["a"],
          slots: [
            { state: 1, planEnd: 99, actualEnd: 98 },
            { state: 0, planEnd: 0, actualEnd: 0 },
            { state: 1, planEnd: 99, actualEnd: 0 },
          ],
        },
      ]),
      { end: 100, today: 100 },
      10,
    );
    expect(viewRow(counts, 0, "A", false)).toEqual({
      kind: "value",
      value: "a",
      title: "A",
      total: 1,
      figures: [
        { applicable: 1, planned: 1, done: 1, delayed: 0, rate: 100 },
        { applicable: 0, planned: 0, done: 0, delayed: 0, rate: null },
        { applicable: 1, planned: 1, done: 0, delayed: 1, rate: 0 },
      ],
    });
    const hidden = viewRow(counts, 0, "A", true);
    expect(hidden.total).toBeNull();
    expect(hidden.figures.map(({ rate, ...rest }) => [rate, Object.values(rest)])).toEqual([
      [100, [null, null, null, null]],
      [null, [null, null, null, null]],
      [0, [null, null, null, null]],
    ]);
  });
});

describe("reading", () => {
  it("takes single slots out of the text of an array, however short it is", () => {
    const places = new Uint8Array(2001);
    places[2] = 1;
    places[5] = 2;
    const target = new Uint16Array(6);
    pickSlots("{7,8,9,10,11,12}", places, 5, target, 0);
    pickSlots("{7,8}", places, 5, target, 2);
    pickSlots("{}", places, 5, target, 4);
    pickSlots(null, places, 5, target, 4);
    expect([...target]).toEqual([8, 11, 8, 0, 0, 0]);
  });
  it.each([
    ["12", ["12"]],
    [12, ["12"]],
    [
      ["3", "4", "3"],
      ["3", "4"],
    ],
    [" ", []],
    [null, []],
    [undefined, []],
    [{ a: 1 }, []],
  ])("takes %j for the values %j", (raw, values) => {
    expect(valuesOf(raw)).toEqual(values);
  });
});
