import { describe, expect, test } from "vitest";
import { planVersion } from "#lib/activity-flows/release/logic.ts";

/** "1:10 2:20" = node 1 of library activity 10 ...; in a copy "5<1:10" stands for released node 1. */
function nodes(text: string) {
  return text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const [, id, origin, activity] = /^(\d+)(?:<(\d+))?:(\d+)$/.exec(word)!;
      return { id: Number(id), originNodeId: origin === undefined ? null : Number(origin), activityId: Number(activity) };
    });
}
const fs = (pre: number, node: number, offset = 0, type = "FS") => ({ pre, node, type, offset });

describe("a working copy against its flow", () => {
  test("nodes stand for the released ones they were made from", () => {
    const plan = planVersion({ nodes: nodes("1:10 2:20 3:30"), relations: [] }, { nodes: nodes("5<1:10 6<3:30 7:40"), relations: [] });
    expect([...plan.kept]).toEqual([
      [5, 1],
      [6, 3],
    ]);
    expect(plan).toMatchObject({ added: [7], removed: [2], leaving: [20], entering: [40], relationsChanged: false });
  });

  test("an activity taken out and back in keeps its node", () => {
    const plan = planVersion({ nodes: nodes("1:10 2:20"), relations: [] }, { nodes: nodes("5<1:10 6:20"), relations: [] });
    expect([...plan.kept]).toEqual([
      [5, 1],
      [6, 2],
    ]);
    expect(plan).toMatchObject({ added: [], removed: [], leaving: [], entering: [] });
  });

  test("another library activity on a kept node leaves and enters", () => {
    const plan = planVersion({ nodes: nodes("1:10"), relations: [] }, { nodes: nodes("5<1:11"), relations: [] });
    expect(plan).toMatchObject({ added: [], removed: [], leaving: [10], entering: [11] });
  });

  test.each([
    ["the same in another order", [fs(1, 2), fs(2, 3, 1)], [fs(6, 7, 1), fs(5, 6)], false],
    ["another offset", [fs(1, 2)], [fs(5, 6, 1)], true],
    ["another type", [fs(1, 2)], [fs(5, 6, 0, "SS")], true],
    ["one more", [fs(1, 2)], [fs(5, 6), fs(6, 7)], true],
    ["one less", [fs(1, 2)], [], true],
  ])("relations: %s", (_title, before, after, changed) => {
    const plan = planVersion(
      { nodes: nodes("1:10 2:20 3:30"), relations: before },
      { nodes: nodes("5<1:10 6<2:20 7<3:30"), relations: after },
    );
    expect(plan.relationsChanged).toBe(changed);
  });
});
