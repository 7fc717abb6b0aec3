import { describe, expect, test } from "vitest";
import { detailLines } from "#lib/logs/audit/logic.ts";

describe("what a line of the audit log says", () => {
  test.each([
    ["nothing", null, []],
    ["nothing beside the event", { before: null, after: null }, []],
    ["a new record", { before: null, after: { a: 1 } }, [["a", null, "1", true]]],
    ["a removed record", { before: { a: "x" }, after: null }, [["a", "x", null, true]]],
    [
      "changed fields first",
      { before: { a: 1, b: [1] }, after: { a: 1, b: [2] } },
      [
        ["b", "[1]", "[2]", true],
        ["a", "1", "1", false],
      ],
    ],
    ["values that are no records", { before: "a", after: "b" }, [["", "a", "b", true]]],
  ])("%s", (_, detail, expected) => {
    expect(detailLines(detail).map(({ field, before, after, changed }) => [field, before, after, changed])).toEqual(expected);
  });
});
