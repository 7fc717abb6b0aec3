import { describe, expect, test } from "vitest";
import { cardAfter } from "#components/rollout-plan/card-places.ts";
import { initials } from "#components/rollout-plan/initials.ts";
import { firstState, readKeptSearch, readState } from "#components/rollout-plan/plan-state.ts";
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

  test("brings the search it was saved with, and no other", () => {
    expect(readKeptSearch({ view: "card", search: { field: "siteCode", text: "A, B" } })).toEqual({ field: "siteCode", text: "A, B" });
    for (const search of [null, undefined, "A", { field: "secret", text: "A" }, { field: "code", text: "" }, { field: "code", text: 7 }])
      expect(readKeptSearch({ search })).toBeNull();
    expect(readKeptSearch(null)).toBeNull();
  });
});

describe("cards", () => {
  test.each([
    ["ArrowRight", 4, 5],
    ["ArrowLeft", 4, 3],
    ["ArrowDown", 4, 7],
    ["ArrowUp", 4, 1],
    ["Home", 4, 0],
    ["End", 4, 9],
    // At an edge the key stays where it is.
    ["ArrowUp", 1, 1],
    ["ArrowDown", 8, 8],
    ["ArrowLeft", 0, 0],
    ["ArrowRight", 9, 9],
    ["Tab", 4, null],
    ["a", 4, null],
  ])("%s leads from card %i of ten, three side by side, to %s", (key, at, to) => {
    expect(cardAfter(key, at, 10, 3)).toBe(to);
  });

  test.each([
    ["Ada Lovelace", "AL"],
    ["Ana Maria de Souza", "AS"],
    ["pm", "P"],
    ["li.wei", "LW"],
    ["王小明", "小明"],
    ["林晓岚 Lin Xiaolan", "晓岚"],
    ["佐藤 花子", "佐藤"],
    ["佐藤 健 Sato Ken", "佐藤"],
    ["李", "李"],
    ["  ", ""],
  ])("%s stands on a card as %s", (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});
