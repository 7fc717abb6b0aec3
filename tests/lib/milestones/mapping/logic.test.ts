import { describe, expect, it } from "vitest";
import { repeatedTargets, suggestTargets, writeCells } from "#lib/milestones/mapping/logic.ts";

const milestone = (id: number, nameEn: string, more: object = {}) => ({
  id,
  number: `M${id}`,
  nameZh: `里程碑${id}`,
  nameEn,
  nameJa: null,
  ...more,
});
const flow = (id: number, ...names: string[]) => ({ id, activities: names.map((name, index) => ({ id: id * 100 + index, name })) });

describe("suggestTargets", () => {
  it("takes what is called the same, whatever case and signs, in any language", () => {
    const found = suggestTargets(
      [milestone(1, "On-Air"), milestone(2, "Survey", { nameZh: "勘测" })],
      [flow(1, "on air", "勘测", "Survey report")],
      [],
    );
    expect(found).toEqual([
      { milestoneId: 1, flowId: 1, activityId: 100 },
      { milestoneId: 2, flowId: 1, activityId: 101 },
    ]);
  });

  it("else the only one that holds the name; of several none", () => {
    expect(suggestTargets([milestone(1, "Survey")], [flow(1, "Site survey"), flow(2, "Survey one", "Survey two")], [])).toEqual([
      { milestoneId: 1, flowId: 1, activityId: 100 },
    ]);
  });

  it("leaves filled cells and activities of other milestones alone, and proposes an activity once", () => {
    const rows = [{ milestoneId: 1, flowId: 1, activityId: 100 }];
    expect(suggestTargets([milestone(1, "Survey"), milestone(2, "Survey")], [flow(1, "Survey")], rows)).toEqual([]);
    expect(suggestTargets([milestone(1, "Survey"), milestone(2, "Survey")], [flow(1, "Survey")], [])).toHaveLength(1);
  });
});

it("puts cells into the matrix and finds activities named twice in a flow", () => {
  const rows = writeCells(
    [
      { milestoneId: 1, flowId: 1, activityId: 7 },
      { milestoneId: 2, flowId: 1, activityId: 8 },
    ],
    [
      { milestoneId: 1, flowId: 1, activityId: 8 },
      { milestoneId: 3, flowId: 1, activityId: null },
    ],
  );
  expect(rows).toEqual([
    { milestoneId: 2, flowId: 1, activityId: 8 },
    { milestoneId: 1, flowId: 1, activityId: 8 },
  ]);
  expect(repeatedTargets(rows)).toHaveLength(2);
  expect(repeatedTargets([rows[0]!, { ...rows[1]!, flowId: 2 }])).toEqual([]);
});
