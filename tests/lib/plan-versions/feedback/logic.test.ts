import { describe, expect, it } from "vitest";
import { suggestionsMax } from "#lib/plan-versions/feedback/limits.ts";
import { isNear, type Meanings, mapAnswers, suggest } from "#lib/plan-versions/feedback/logic.ts";

const meanings: Meanings = {
  dus: [
    { id: 1, code: "N-1", name: "Harbour", flowId: 7 },
    { id: 2, code: "N-2", name: "Hill", flowId: 7 },
    { id: 3, code: "N-3", name: "Hill", flowId: null },
  ],
  activities: [
    { id: 11, slot: 1, code: "A1", name: "Survey" },
    { id: 12, slot: 2, code: "A2", name: "Installation" },
  ],
  flowNames: new Map([[7, new Map([["Build", 2]])]]),
  rememberedDus: new Map([["the old mill", 2]]),
  rememberedActivities: new Map([["inst.", 2]]),
  applies: (duId, slot) => !(duId === 3 && slot === 2),
};
const map = (du: string, activity: string) => {
  const [found] = mapAnswers([{ du, activity }], meanings);
  return `${found!.duId} ${found!.slot}`;
};

describe("mapping of answers", () => {
  it.each([
    ["DU by code, activity by code", "N-1", "A1", "1 1"],
    ["DU by a name only one bears, activity by name", " Harbour ", "Installation", "1 2"],
    ["nobody by a name two bear", "Hill", "Survey", "null 1"],
    ["an activity by the name of the flow of its DU", "N-2", "Build", "2 2"],
    ["not by a name of another flow", "N-3", "Build", "3 null"],
    ["what was remembered, whatever the case", "THE OLD MILL", "Inst.", "2 2"],
    ["not by a code in another case", "n-1", "a1", "null null"],
    ["no activity that does not apply to the DU", "N-3", "A2", "3 null"],
  ])("finds %s", (_what, du, activity, found) => {
    expect(map(du, activity)).toBe(found);
  });
});

describe("suggestions", () => {
  const codes = ["N-1", "n 1", "N-12", "North-1", "Nord-1", "South-1"];
  const fits = (word: string, from = codes) => suggest(word, from, (code) => [code]).map(({ candidate, fit }) => `${candidate} ${fit}`);

  it("give equal names first, then those equal but for case and separators, then those two letters apart", () => {
    expect(fits("N-1")).toEqual(["N-1 exact", "n 1 normalised"]);
    expect(fits("north 1")).toEqual(["North-1 normalised", "Nord-1 similar", "South-1 similar"]);
    expect(fits("unheard of")).toEqual([]);
  });

  it(`are ${suggestionsMax} at most`, () => {
    const many = Array.from({ length: suggestionsMax + 5 }, (_, at) => `site ${at % 10}${at}`);
    expect(fits("site 0000", many).length).toBeLessThanOrEqual(suggestionsMax);
    expect(suggest("site", Array(suggestionsMax + 1).fill("site"), (name: string) => [name])).toHaveLength(suggestionsMax);
  });

  it.each([
    ["kitten", "sittin", true],
    ["kitten", "sitting", false],
    ["kitten", "kit", false],
    ["kitten", "kitt", true],
    ["ab", "cd", false],
    ["安装工程", "安装工作", true],
  ])("%s and %s: %s", (left, right, near) => {
    expect(isNear(left, right)).toBe(near);
    expect(isNear(right, left)).toBe(near);
  });
});
