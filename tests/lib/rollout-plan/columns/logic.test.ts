import { describe, expect, it } from "vitest";
import { activityColumns, attributeTypes, duColumnKeys, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import {
  type AttributeForm,
  attributeColumnType,
  attributeKey,
  canonicalValue,
  parseAttributeKey,
} from "#lib/rollout-plan/columns/logic.ts";
import { duFieldNames } from "#lib/rollout-plan/dus/schema.ts";
import { codeReferences, codeTexts, columnValue, openColumn } from "#lib/rollout-plan/tiles/logic.ts";

const form = (type: AttributeForm["type"], limit: AttributeForm["limit"] = null): AttributeForm => ({ type, limit, enumIds: [7, 8] });
const result = (given: AttributeForm, value: unknown) => {
  const found = canonicalValue(given, value);
  return "code" in found ? found.code : found.value;
};

describe("attribute values", () => {
  const cases: [title: string, form: AttributeForm, value: unknown, expected: unknown][] = [
    ["a blank", form("NUMBER"), "  ", null],
    ["a text, trimmed", form("TEXT"), " x ", "x"],
    ["a text of 1024 characters", form("TEXT"), "字".repeat(1024), "字".repeat(1024)],
    ["a text of 1025 characters", form("TEXT"), "字".repeat(1025), "VALUE_TOO_LONG"],
    ["a long text of 1333 Chinese characters, 3999 bytes", form("LONG_TEXT"), "字".repeat(1333), "字".repeat(1333)],
    ["a long text of 1334 Chinese characters, 4002 bytes", form("LONG_TEXT"), "字".repeat(1334), "VALUE_TOO_LONG"],
    ["a long text of 2001 letters", form("TEXT_AREA"), "x".repeat(2001), "VALUE_TOO_LONG"],
    ["a text of a form", form("TEXT", { pattern: "[A-Z]{2}\\d" }), "AB1", "AB1"],
    ["a text of another form", form("TEXT", { pattern: "[A-Z]{2}\\d" }), "AB12", "VALUE_FORMAT"],
    ["a number as text", form("NUMBER"), "-12.5", -12.5],
    ["a number with three decimals", form("NUMBER"), 0.125, "NUMBER_DECIMALS"],
    ["a number with decimals where an integer is asked", form("NUMBER", { decimals: 0 }), 1.5, "NUMBER_INTEGER"],
    ["a negative number where none is allowed", form("NUMBER", { min: 0 }), -0.01, "NUMBER_NEGATIVE"],
    ["a number with three decimals where they are allowed", form("NUMBER", { decimals: 3 }), 0.125, 0.125],
    ["a number with a separator", form("NUMBER"), "1,000", "VALUE_FORMAT"],
    ["a number at its limit", form("NUMBER", { min: 1, max: 5 }), 5, 5],
    ["a number over its limit", form("NUMBER", { min: 1, max: 5 }), 5.01, "NUMBER_RANGE"],
    ["a day", form("DATE"), "2026-02-28", "2026-02-28"],
    ["a day that is none", form("DATE"), "2026-02-29", "DATE_FORMAT"],
    ["a day before the first", form("DATE", { min: "2026-03-01" }), "2026-02-28", "VALUE_RANGE"],
    ["a time", form("TIME"), "23:59", "23:59"],
    ["a time that is none", form("TIME"), "24:00", "DATE_FORMAT"],
    ["a moment", form("DATETIME"), "2026-02-28T08:30:05", "2026-02-28T08:30:05"],
    ["a moment without seconds", form("DATETIME"), "2026-02-28T08:30", "DATE_FORMAT"],
    ["a value of the list", form("ENUM"), "7", "7"],
    ["a value that is not in the list", form("ENUM"), "9", "VALUE_UNKNOWN"],
    ["a value that is not allowed", form("ENUM", { allowed: [8] }), "7", "VALUE_UNKNOWN"],
    ["a read-only value", form("READ_ONLY"), "x", "NO_PERMISSION"],
    ["a list", form("TEXT"), ["x"], "VALUE_FORMAT"],
  ];
  it.each(cases)("%s", (_title, given, value, expected) => {
    expect(result(given, value)).toEqual(expected);
  });
  it("have a column type each", () => {
    for (const type of attributeTypes) expect(attributeColumnType(type)).toBeTruthy();
  });
  it("have keys with a slot at activity level", () => {
    expect([attributeKey(12), attributeKey(12, 7)]).toEqual(["a12", "a12@7"]);
    expect([parseAttributeKey("a12"), parseAttributeKey("a12@7"), parseAttributeKey("b12"), parseAttributeKey("a12@x")]).toEqual([
      { attributeId: 12, slot: null },
      { attributeId: 12, slot: 7 },
      null,
      null,
    ]);
  });
});

describe("columns", () => {
  it("[RPL-10] offer every field of a DU and its site", () => {
    const fields =
      "name code siteCode siteName siteNumber projectCode subProjectCode planEndDate subcontractor workType directMigrationSite allowDirectMoving region country province city town address postCode longitude latitude cluster clusterPriority rfiPriority icActualEnd decomActualEnd eomonth decomSite deliveryType acceptance poCompletenessNo siteScenario deliveryKey stateId stateName deliveryBatchNo productType productLine scenarioType rruIcsScene valueUnit".split(
        " ",
      );
    expect(fields.filter((field) => !(duColumnKeys as readonly string[]).includes(field))).toEqual([]);
  });
  it("[RPL-12] offer every field of an activity", () => {
    expect(Object.keys(activityColumns)).toEqual(
      expect.arrayContaining([
        "planStart",
        "planEnd",
        "actualStart",
        "actualEnd",
        "baselineEnd",
        "status",
        "planOwner",
        "actualOwner",
        "attrOwner",
        "delayReason",
        "score",
      ]),
    );
  });
  it("are edited under names the DU form knows", () => {
    const edited = duColumnKeys.flatMap((key) => (duColumns[key] as { edit?: string }).edit ?? []);
    expect(edited.filter((name) => !(duFieldNames as readonly string[]).includes(name))).toEqual([]);
  });
});

describe("tile columns", () => {
  it("code texts and references with a dictionary and give them back", () => {
    const texts = codeTexts("city", ["Oslo", null, "Oslo", "", "Bergen"]);
    expect(texts).toEqual({ key: "city", codes: "$#$#%", dict: ["Oslo", "Bergen"] });
    expect([0, 1, 4].map((row) => columnValue(openColumn(texts, 5), row))).toEqual(["Oslo", null, "Bergen"]);
    const references = codeReferences("region", [5, null, 6], new Map([[5, "North"]]));
    expect([0, 1, 2].map((row) => columnValue(openColumn(references, 3), row))).toEqual([[5, "North"], null, [6, "6"]]);
    expect(columnValue({ key: "progress", values: [50] }, 0)).toBe(50);
  });
});
