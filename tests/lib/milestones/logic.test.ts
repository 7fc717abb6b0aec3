import { expect, it } from "vitest";
import { milestoneName, takenLabels } from "#lib/milestones/logic.ts";

it("shows the name of the language, and the English one where there is no Japanese", () => {
  const names = { nameZh: "开通", nameEn: "On air", nameJa: null };
  expect([milestoneName(names, "zh"), milestoneName(names, "en"), milestoneName(names, "ja")]).toEqual(["开通", "On air", "On air"]);
  expect(milestoneName({ ...names, nameJa: "開通" }, "ja")).toBe("開通");
});

it("tells which labels another milestone has; an empty one is nobody's", () => {
  const other = { number: "M1", nameZh: "开通", nameEn: "On air", nameJa: null };
  expect(takenLabels({ number: "m1", nameZh: "上线", nameEn: "ON AIR", nameJa: null }, [other])).toEqual(["number", "nameEn"]);
  expect(takenLabels({ ...other, number: "M2", nameZh: "上线", nameEn: "Live" }, [other])).toEqual([]);
});
