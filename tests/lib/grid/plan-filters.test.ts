import { describe, expect, test } from "vitest";
import {
  type ChipTexts,
  chipText,
  facetInput,
  filterInput,
  type PlanQuestion,
  planPeriods,
  withFilter,
  withSort,
} from "#components/rollout-plan/plan-filters.ts";
import { readSearch } from "#components/ui/use-search-text.ts";
import { FacetInput, FilterInput } from "#lib/rollout-plan/filters/schema.ts";

const question: PlanQuestion = {
  filters: [
    { key: "region", type: "in", values: [4, 5], titles: ["Delta", "East"] },
    { key: "7:planEnd", type: "range", values: ["2026-09-01", null] },
    { key: "7:status", type: "in", values: ["delayed"] },
  ],
  sort: [{ key: "7:planEnd", dir: "desc" }],
  period: { preset: "thisWeek" },
  search: { field: "code", text: "GD-1, GD-2" },
  flowIds: [2],
  exception: "order",
};
const empty: PlanQuestion = { filters: [], sort: [], period: null, search: null, flowIds: [], exception: null };

describe("the question", () => {
  test("is what the server reads, without titles", () => {
    expect(filterInput(question)).toEqual({
      filters: [
        { field: "region", type: "in", values: [4, 5] },
        { field: "planEnd", activityId: 7, type: "range", values: ["2026-09-01", null] },
        { field: "status", activityId: 7, type: "in", values: ["delayed"] },
      ],
      sort: [{ field: "planEnd", activityId: 7, dir: "desc" }],
      period: { preset: "thisWeek" },
      search: { field: "code", text: "GD-1, GD-2" },
      flowIds: [2],
      exception: "order",
      view: "grid",
      ids: true,
    });
  });

  test.each([question, empty])("passes the server's schema", (given) => {
    expect(FilterInput.safeParse(filterInput(given)).error).toBeUndefined();
  });

  test("values of a column are counted under the other conditions", () => {
    const input = facetInput(question, "7:status", " de ");
    expect(input).toMatchObject({ column: "status", activityId: 7, q: "de" });
    expect(FacetInput.parse(input).filters.map((filter) => filter.field)).toEqual(["region", "planEnd"]);
  });
});

describe("changing it", () => {
  const filter = { key: "region", type: "in" as const, values: [9] };
  test("a condition replaces the one of its column in its place", () => {
    expect(withFilter(question.filters, "region", filter).map((given) => given.values)).toEqual([[9], ["2026-09-01", null], ["delayed"]]);
    expect(withFilter(question.filters, "region", null)).toHaveLength(2);
    expect(withFilter([], "region", filter)).toEqual([filter]);
  });

  test("sorting by one column replaces the others; a further one is added on request", () => {
    const sort = [{ key: "a", dir: "asc" as const }];
    expect(withSort(sort, "b", "desc", false)).toEqual([{ key: "b", dir: "desc" }]);
    expect(withSort(sort, "b", "asc", true)).toEqual([...sort, { key: "b", dir: "asc" }]);
    expect(withSort(sort, "a", null, true)).toEqual([]);
  });
});

describe("the search box [OPS-30]", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `GD-${at}`);
  test("takes 500 entries, and no more", () => {
    expect(readSearch(ids(500).join("\n"))).toEqual({ text: ids(500).join(", ") });
    expect(readSearch(ids(501).join("\n"))).toEqual({ tooMany: 501 });
  });
  test.each([
    ["GD-1,GD-2\uff0cGD-3\tGD-4\r\nGD-1", "GD-1, GD-2, GD-3, GD-4"],
    [" , \n", null],
  ])("separates %j", (text, read) => {
    expect(readSearch(text)).toEqual({ text: read });
  });
});

test("periods offered by name [RPL-30]", () => {
  expect(planPeriods).toEqual(["thisWeek", "nextWeek", "thisAndNextTwoWeeks", "thisAndNextMonth", "lastWeek", "lastMonth", "thisQuarter"]);
});

describe("chips", () => {
  const texts: ChipTexts = {
    empty: "empty",
    notEmpty: "not empty",
    more: (first, count) => `${first} +${count}`,
    preset: (name) => `<${name}>`,
    from: (value) => `from ${value}`,
    to: (value) => `until ${value}`,
  };
  const chip = (type: PlanQuestion["filters"][number]["type"], values: (string | number | boolean | null)[], titles?: string[]) =>
    chipText({ key: "k", type, values, ...(titles ? { titles } : {}) }, texts);
  test.each([
    [chip("in", [4, 5], ["Delta", "East"]), "Delta, East"],
    [chip("in", [1, 2, 3, 4], ["a", "b", "c", "d"]), "a, b +2"],
    [chip("like", ["GD-1"]), "GD-1"],
    [chip("range", ["2026-09-01", "2026-11-30"]), "2026-09-01 – 2026-11-30"],
    [chip("range", ["2026-09-01", null]), "from 2026-09-01"],
    [chip("range", [null, "2026-11-30"]), "until 2026-11-30"],
    [chip("preset", ["thisWeek"]), "<thisWeek>"],
    [chip("empty", []), "empty"],
    [chip("notEmpty", []), "not empty"],
  ])("%s", (shown, text) => {
    expect(shown).toBe(text);
  });
});
