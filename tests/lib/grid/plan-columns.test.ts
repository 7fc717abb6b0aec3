import { describe, expect, test } from "vitest";
import { shownColumns } from "#components/grid/column-layout.ts";
import {
  activityOrder,
  columnTitle,
  hiddenByDefault,
  mergeOrders,
  type PlanHead,
  planGridHead,
  tileParts,
} from "#components/rollout-plan/plan-columns.ts";
import { columnKey, columnRef, groupActivity, groupKey } from "#components/rollout-plan/plan-keys.ts";
import { firstState, gridView, readState, withHidden } from "#components/rollout-plan/plan-state.ts";
import { planHead } from "./plan-fixture.ts";

const texts = { fields: "Fields", attributes: "Attributes", bar: "Actual / plan", barTitle: "actual end, else plan end" };
const head = planGridHead(planHead, texts, { region: [{ value: "4", label: "Delta" }] });
const columns = new Map(head.groups.flatMap((group) => group.columns.map((column) => [column.key, column])));

test.each(["code", "a12", "7:planEnd", "7:a12"])("key %s stands for itself", (key) => {
  const { field, activityId } = columnRef(key);
  expect(columnKey(field, activityId)).toBe(key);
});

test("groups name their activity", () => {
  expect([groupActivity(groupKey(7)), groupActivity("fields")]).toEqual([7, null]);
});

describe("order of activities over several flows", () => {
  test.each<[number[][], number[]]>([
    [[[1, 2, 3]], [1, 2, 3]],
    [
      [
        [1, 3],
        [1, 2, 3],
      ],
      [1, 2, 3],
    ],
    [
      [
        [1, 2, 3],
        [4, 2, 5],
      ],
      [4, 1, 2, 5, 3],
    ],
    [
      [
        [1, 2],
        [2, 1],
      ],
      [1, 2],
    ],
    [[[], [5]], [5]],
  ])("%j is %j", (orders, merged) => {
    expect(mergeOrders(orders)).toEqual(merged);
  });

  test("the longest flow leads", () => {
    const two: PlanHead = { ...planHead, flows: [{ flowId: 1, name: "short", version: 1, activityIds: [8, 7] }, ...planHead.flows] };
    expect(activityOrder(two).map((activity) => activity.activityId)).toEqual([7, 9, 8]);
  });
});

describe("columns", () => {
  test("DU columns, a group per activity in the order of the flow, attributes", () => {
    expect(head.groups.map((group) => [group.key, group.bar?.key ?? null])).toEqual([
      ["fields", null],
      ["activity:7", "7:bar"],
      ["activity:9", "9:bar"],
      ["activity:8", "8:bar"],
      ["attributes", null],
    ]);
  });

  test("kinds follow from types; owners are people", () => {
    expect(columns.get("7:planEnd")).toMatchObject({ kind: "date", editable: true });
    expect(columns.get("7:planOwner")).toMatchObject({ kind: "people", sortable: false });
    expect(columns.get("7:status")).toMatchObject({ kind: "status", editable: false });
    expect(columns.get("a12")).toMatchObject({ kind: "number", align: "end" });
  });

  test("notes of an activity are columns, hidden until somebody asks for them", () => {
    expect([columns.get("7:delayReason")?.kind, columns.get("7:score")?.kind, columns.get("7:scoreRemark")?.kind]).toEqual([
      "text",
      "number",
      "text",
    ]);
    expect(hiddenByDefault(planHead)).toEqual(expect.arrayContaining(["*:delayReason", "*:score", "*:scoreRemark"]));
  });

  test("a reference can be chosen only where its choices are known", () => {
    expect(columns.get("region")).toMatchObject({ editable: true, choices: [{ value: "4", label: "Delta" }] });
    expect(planGridHead(planHead, texts, {}).groups[0]?.columns.find((column) => column.key === "region")?.editable).toBe(false);
  });

  test("titles name the activity", () => {
    expect([columnTitle(head, "7:planEnd"), columnTitle(head, "code"), columnTitle(head, "gone")]).toEqual([
      "Survey · Plan end",
      "DU ID",
      "gone",
    ]);
  });

  test("a tile carries what is shown beside the plan", () => {
    const slots = new Map([[7, 3]]);
    expect(tileParts(["region", "7:planEnd", "7:a13", "a12", "99:a13", "7:score", "7:delayReason", "99:score"], slots)).toEqual({
      fields: ["code", "name", "status", "region"],
      attrs: ["a13@3", "a12"],
      notes: [3],
    });
  });
});

describe("the view", () => {
  test("somebody new sees the everyday columns and every attribute of the plan, all but the first activity folded", () => {
    const view = gridView(firstState, head, planHead);
    expect(view.folded).toEqual(["activity:9", "activity:8"]);
    expect(shownColumns(head, view).map((item) => item.column.key)).toEqual([
      "code",
      "name",
      "status",
      "region",
      "7:planStart",
      "7:planEnd",
      "7:actualEnd",
      "7:planOwner",
      "7:status",
      "7:a13",
      "9:bar",
      "8:bar",
      "a12",
    ]);
  });

  test("what is hidden for every activity is hidden in each", () => {
    const hidden = withHidden(hiddenByDefault(planHead), "7:planStart", true, true);
    const view = gridView({ ...firstState, hidden, folded: [] }, head, planHead);
    expect(view.hidden).toEqual(expect.arrayContaining(["7:planStart", "8:planStart", "9:planStart"]));
    expect(withHidden(hidden, "8:planStart", false, true)).toEqual(hiddenByDefault(planHead));
  });

  test("one column of one activity can be hidden alone", () => {
    const view = gridView({ ...firstState, hidden: withHidden([], "7:planStart", true, false) }, head, planHead);
    expect(view.hidden).toEqual(["7:planStart"]);
  });

  test("locked columns that no longer exist are left out", () => {
    expect(gridView({ ...firstState, locked: ["code", "a99"] }, head, planHead).locked).toEqual(["code"]);
  });
});

describe("a kept view", () => {
  test.each([null, 7, "x", [], {}])("%j gives the first one", (kept) => {
    expect(readState(kept)).toEqual(firstState);
  });

  test("the server's default is understood", () => {
    const product = {
      view: "grid",
      locked: ["code", "name", "status"],
      columns: null,
      widths: {},
      collapsed: [],
      filters: [],
      sort: [],
      period: null,
    };
    expect(readState(product)).toEqual(firstState);
  });

  test("comes back as it was kept", () => {
    const kept = {
      widths: { code: 120 },
      hidden: ["*:baselineEnd"],
      locked: ["code"],
      folded: ["activity:7"],
      filters: [{ key: "region", type: "in", values: [4], titles: ["Delta"] }],
      sort: [{ key: "7:planEnd", dir: "desc" }],
      period: { preset: "thisWeek" },
      flowIds: [3],
      searchField: "name",
      order: ["city", "*:planEnd"],
      exception: "no_owner",
      view: "card",
      options: { board: { groupBy: "region" } },
    };
    expect(readState(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  test("what it does not know is left out", () => {
    const state = readState({
      widths: { code: "wide" },
      filters: [{ key: "x", type: "magic", values: [] }, null, { key: "code", type: "like", values: ["a", {}] }],
      sort: [{ key: "x", dir: "sideways" }],
      period: { preset: "never" },
      searchField: "secret",
      locked: Array.from({ length: 20 }, (_, at) => `c${at}`),
    });
    expect(state).toMatchObject({
      widths: {},
      filters: [{ key: "code", type: "like", values: ["a"] }],
      sort: [],
      period: null,
      searchField: "code",
    });
    expect(state.locked).toHaveLength(8);
  });
});
