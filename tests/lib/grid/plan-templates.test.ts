import { describe, expect, test } from "vitest";
import { planGridHead } from "#components/rollout-plan/plan-columns.ts";
import { firstState, type PlanState } from "#components/rollout-plan/plan-state.ts";
import { keptChange, keptParts, layoutBody, layoutState, missingColumns } from "#components/rollout-plan/plan-templates.ts";
import { FilterBody, GridBody, SearchBody } from "#lib/templates/schema.ts";
import { planHead } from "./plan-fixture.ts";

const head = planGridHead(planHead, { fields: "", attributes: "", bar: "", barTitle: "" }, {});
const state: PlanState = {
  ...firstState,
  locked: ["name", "code"],
  order: ["region", "name", "*:planEnd"],
  widths: { name: 180.4, "7:planEnd": 96 },
  filters: [{ key: "code", type: "like", values: ["A"], titles: ["A"] }],
  sort: [{ key: "7:planEnd", dir: "desc" }],
  period: { preset: "thisWeek" },
  flowIds: [3],
  searchField: "siteCode",
};

describe("what stands in the plan", () => {
  test("is kept as a layout and comes back as it was", () => {
    const body = layoutBody(state, ["*:baselineEnd", "region"], ["activity:7"]);
    expect(GridBody.parse(body)).toEqual(body);
    expect(body.columns).toEqual([
      { key: "name", locked: true, order: 1, width: 180 },
      { key: "code", locked: true },
      { key: "region", order: 0, hidden: true },
      { key: "*:planEnd", order: 2 },
      { key: "*:baselineEnd", hidden: true },
      { key: "7:planEnd", width: 96 },
    ]);
    expect(layoutState(body)).toEqual({
      locked: ["name", "code"],
      order: ["region", "name", "*:planEnd"],
      widths: { name: 180, "7:planEnd": 96 },
      hidden: ["region", "*:baselineEnd"],
      folded: ["activity:7"],
    });
  });

  test("is kept as a search and as a filter, each giving back its own part alone", () => {
    const parts = keptParts(state, { field: "siteCode", text: "S-1, S-2" }, [], []);
    expect(SearchBody.parse(parts.search)).toEqual(parts.search);
    expect(FilterBody.parse(parts.filter)).toEqual(parts.filter);
    expect(keptChange("search", parts.search)).toEqual({
      state: { searchField: "siteCode", period: { preset: "thisWeek" }, flowIds: [3] },
      search: { field: "siteCode", text: "S-1, S-2" },
    });
    expect(keptChange("search", keptParts(state, null, [], []).search).search).toBeNull();
    expect(keptChange("filter", parts.filter)).toEqual({ state: { filters: state.filters, sort: state.sort } });
  });

  test("columns that are not there are counted and passed over", () => {
    const columns = [{ key: "code" }, { key: "*:planEnd" }, { key: "[GONE]:planEnd" }, { key: "a999" }];
    expect(missingColumns("grid", { columns }, head)).toBe(2);
    expect(missingColumns("filter", { filters: [{ key: "a999" }, { key: "code" }], sort: [{ key: "a999" }] }, head)).toBe(1);
    expect(missingColumns("search", {}, head)).toBe(0);
  });
});
