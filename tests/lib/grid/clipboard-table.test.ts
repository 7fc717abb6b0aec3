import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTable, parseTable } from "#components/grid/clipboard-table.ts";

test.each([
  [
    "a\tb\nc\td",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    "a\tb\r\nc\td\r\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["one", [["one"]]],
  ["", []],
  [
    "a\t\n\tb",
    [
      ["a", ""],
      ["", "b"],
    ],
  ],
  ['"line 1\nline 2"\tx', [["line 1\nline 2", "x"]]],
  ['"say ""yes"""', [['say "yes"']]],
  ['19" rack\tx', [['19" rack', "x"]]],
  ['"quoted" tail\tx', [['"quoted" tail', "x"]]],
  ['"open\tx', [['"open', "x"]]],
])("reads %j", (text, rows) => {
  expect(parseTable(text)).toEqual(rows);
});

test("what is copied is what is pasted", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", "\n", " ", "é", "日") });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
      expect(parseTable(formatTable(rows))).toEqual(rows);
    }),
  );
});
