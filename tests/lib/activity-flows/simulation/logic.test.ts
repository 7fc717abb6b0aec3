import { describe, expect, test } from "vitest";
import type { RelationType } from "#lib/activity-flows/graph/limits.ts";
import { simulateFlow } from "#lib/activity-flows/simulation/logic.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { nodes, relations } from "../make-flow.ts";

const calendar = {
  weekdays: [1, 2, 3, 4, 5],
  holidays: ["2026-10-01", "2026-10-02", "2026-10-05", "2026-10-06", "2026-10-07"],
  extraWorkdays: ["2026-10-10"],
};

function run(nodeText: string, relationText: string, anchors: Record<string, string>) {
  const graph = { nodes: nodes(nodeText), relations: relations(relationText).map((one) => ({ ...one, type: one.type as RelationType })) };
  const days = new Map(Object.entries(anchors).map(([key, day]) => [key, dayNumber(day)]));
  const { bars, refusal } = simulateFlow(graph, days, calendar, "2026-09-01");
  const shown = [...bars].map(([key, bar]) => `${key} ${isoDay(bar.start)?.slice(5)}..${isoDay(bar.end)?.slice(5)}`).sort();
  return { shown, refusal };
}

describe("a flow simulated from the date of its anchor", () => {
  test("gives the dates a DU would get", () => {
    const flow = "A:2 B:5 C:0 D*:1 E:4 F:3 G:2 H:3 I:0";
    const joined = "A>B:FS B>C:FS+3 B>D:FS+5 C>E:FS D>E:FS E>F:SS+2 E>F:FF+1 F>G:FF F>H:SF+1 F>I:FS+5 G>I:FS";
    expect(run(flow, joined, { D: "2026-10-14" }).shown).toEqual([
      "A 09-22..09-23",
      "B 09-24..09-30",
      "C 10-10..10-10",
      "D 10-14..10-14",
      "E 10-15..10-20",
      "F 10-19..10-21",
      "G 10-20..10-21",
      "H 10-16..10-20",
      "I 10-28..10-28",
    ]);
  });

  test("leaves out what no relation joins to it", () => {
    expect(run("A* B C", "A>B", { A: "2026-10-14" })).toEqual({ shown: ["A 10-14..10-14", "B 10-15..10-15"], refusal: null });
  });

  test.each([
    ["no anchor date", "A* B", "A>B", {}, "ANCHOR_DATES_EMPTY"],
    ["no anchor", "A B", "A>B", {}, "NO_ANCHOR"],
    ["a loop", "A* B", "A>B B>A", { A: "2026-10-14" }, "CYCLE"],
    ["a date too far", "A* B:1000", "A>B", { A: "2026-10-14" }, "PLAN_TOO_FAR"],
  ])("%s is refused as in scheduling", (_title, nodeText, relationText, anchors, refusal) => {
    expect(run(nodeText, relationText, anchors)).toMatchObject({ shown: [], refusal });
  });
});
