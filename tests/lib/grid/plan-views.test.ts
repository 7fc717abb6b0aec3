import { describe, expect, test } from "vitest";
import { firstState, readState } from "#components/rollout-plan/plan-state.ts";
import { type PlanView, viewToShow } from "#components/rollout-plan/plan-views.ts";

const Cards = () => null;
const views: PlanView[] = [
  { key: "card", label: "Cards", view: Cards },
  { key: "map", label: "Map", href: "/P1/rollout-plan/map" },
];

describe("the view of the plan", () => {
  test("is the wanted one where it exists, else the grid", () => {
    expect(viewToShow(views, "card")).toBe(Cards);
    expect(viewToShow(views, "grid")).toBeNull();
    expect(viewToShow(views, "gantt")).toBeNull();
    expect(viewToShow([], "card")).toBeNull();
  });

  test("that is the screen of another address is not shown inside the plan", () => {
    expect(viewToShow(views, "map")).toBeNull();
  });

  test("is kept with what was chosen inside it", () => {
    const kept = { view: "board", options: { board: { groupBy: "region" } } };
    expect(readState(kept)).toMatchObject(kept);
    expect(readState({ view: 7, options: "x" })).toMatchObject({ view: "grid", options: {} });
    expect(readState(firstState)).toEqual(firstState);
  });
});
