import { describe, expect, it } from "vitest";
import { fixedColumnsOf, type TabForm, tabMode, tabValue } from "#lib/du-tabs/logic.ts";

const form = (more: Partial<TabForm>): TabForm => ({
  id: 1,
  name: "Field",
  type: "TEXT",
  limit: null,
  enumIds: [],
  required: false,
  ...more,
});

describe("a value of a tab", () => {
  it.each([
    ["a listed choice", form({ type: "ENUM", enumIds: [7] }), "7", "7", "8", "NOT_A_CHOICE"],
    ["a date", form({ type: "DATE" }), "2024-02-29", "2024-02-29", "2025-02-29", "NOT_A_DATE"],
    ["a date in another form", form({ type: "DATE" }), "2025-03-01", "2025-03-01", "2025/3/1", "NOT_A_DATE"],
    ["a time", form({ type: "TIME" }), "23:59", "23:59", "24:00", "NOT_A_TIME"],
    ["a number", form({ type: "NUMBER" }), "-1.5", -1.5, "1,5", "NOT_A_NUMBER"],
  ] as const)("must be %s [DUT-08]", (_, given, good, stored, bad, code) => {
    expect(tabValue(given, good)).toEqual({ value: stored });
    expect(tabValue(given, bad)).toMatchObject({ code, params: { field: "Field" } });
  });

  it("has at most 4000 characters, also where the attribute takes fewer elsewhere [DUT-09]", () => {
    expect(tabValue(form({ type: "TEXT" }), "字".repeat(4000))).toEqual({ value: "字".repeat(4000) });
    expect(tabValue(form({ type: "TEXT" }), "x".repeat(4001))).toEqual({ code: "LENGTH_OVER", params: { field: "Field", max: 4000 } });
    expect(tabValue(form({ type: "NUMBER" }), "1".repeat(4001))).toMatchObject({ code: "LENGTH_OVER" });
  });

  it("is not blank where it is required [DUT-11]", () => {
    for (const blank of [null, "", "  "]) {
      expect(tabValue(form({ required: true }), blank)).toEqual({ code: "EMPTY_CONTENT", params: { field: "Field" } });
      expect(tabValue(form({}), blank)).toEqual({ value: null });
    }
  });

  it("keeps to the attribute's own bounds", () => {
    expect(tabValue(form({ limit: { maxLength: 3 } }), "abcd")).toMatchObject({ code: "VALUE_TOO_LONG", params: { max: 3 } });
    expect(tabValue(form({ limit: { pattern: "\\d+" } }), "a")).toMatchObject({ code: "VALUE_FORMAT" });
    expect(tabValue(form({ type: "NUMBER", limit: { max: 5 } }), 6)).toMatchObject({ code: "NUMBER_RANGE" });
  });
});

describe("what a person may do with a tab", () => {
  const may = (users: Parameters<typeof tabMode>[0], roles: string[], mayWrite = true) => tabMode(users, { id: 5, roles, mayWrite });
  const own = (mode: "RO" | "RW") => ({ userId: 5, role: null, mode });
  const of = (role: string, mode: "RO" | "RW") => ({ userId: null, role, mode });

  it("is reading, and writing for PM and PCM, unless the tab says otherwise [DUT-12]", () => {
    expect([may([], ["TL"]), may([], ["PM"]), may([], ["TL", "PCM"])]).toEqual(["RO", "RW", "RW"]);
    expect([may([of("TL", "RW")], ["TL"]), may([of("PM", "RO")], ["PM"])]).toEqual(["RW", "RO"]);
    expect(may([of("TL", "RO"), of("TD", "RW")], ["TL", "TD"])).toBe("RW");
    expect(may([own("RO"), of("TL", "RW")], ["TL", "PM"])).toBe("RO");
    expect(may([{ userId: 6, role: null, mode: "RW" }], ["TL"])).toBe("RO");
  });

  it("is never writing without the right to write [DUT-12]", () => expect(may([own("RW")], ["PM"], false)).toBe("RO"));
});

it("begins with the columns of the DU and its site; serial numbers and states where they belong [DUT-02]", () => {
  const all =
    "code sn name siteCode siteName siteNumber hwContractNumber deliveryType productLine productType stateId stateName deliveryBatchNo poCompletenessNo completenessType siteScenario deliveryKey networkElementId";
  expect(fixedColumnsOf("SN", "BR").join(" ")).toBe(all);
  expect(fixedColumnsOf("DU", "CN").join(" ")).toBe(all.replace("sn ", "").replace("stateId stateName ", ""));
});
