import { describe, expect, it } from "vitest";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import { dateOrderOf, type ImportField, matchKey, nameKey, parseDay, readCell } from "#lib/imports/kind/logic.ts";
import { chunkRows, wholeCells } from "#lib/imports/limits.ts";
import {
  headRow,
  makeTally,
  mappedColumns,
  mappingProblems,
  readRow,
  rememberMapping,
  rowReader,
  rowsOfTransaction,
  settledCells,
  suggestMapping,
  valueText,
  writableRows,
} from "#lib/imports/logic.ts";

const field = (key: string, title: string, names: string[] = [], more: Partial<ImportField> = {}): ImportField => ({
  key,
  title,
  type: "text",
  group: "du",
  names,
  ...more,
});
const fields = [
  field("code", "DU ID", ["DU 编号", "DU code"], { required: true }),
  field("siteCode", "Customer site ID", ["Site ID"]),
  field("region", "Delivery region", ["交付区域", "Borough"]),
  field("address", "Address", ["地址", "Street address"]),
  field("a5.actualEnd", "Installation · Actual end", ["Installation complete", "安装 实际结束"], { type: "day" }),
  field("a5.planEnd", "Installation · Plan end", ["安装 计划结束"], { type: "day" }),
];

describe("suggestMapping", () => {
  it.each([
    [
      ["DU ID", "Borough"],
      ["code", "region"],
    ],
    [
      ["du_id", "BOROUGH "],
      ["code", "region"],
    ],
    [
      ["DU 编号", "交付区域", "安装·实际结束"],
      ["code", "region", "a5.actualEnd"],
    ],
    [
      ["ＤＵ　ＩＤ", "地址"],
      ["code", "address"],
    ],
    [
      ["DU ID", "Shop street address"],
      ["code", "address"],
    ],
    [
      ["DU ID", "Site address (street)", "Address"],
      ["code", null, "address"],
    ],
    [
      ["DU ID", "DU code"],
      ["code", null],
    ],
    [
      ["Zoning", ""],
      [null, null],
    ],
  ])("%o feeds %o", (heads, expected) => expect(suggestMapping(heads, fields)).toEqual(expected));

  it("names DUs by their site where no column does", () => {
    const fallbacks = [{ field: "code", from: "siteCode" }];
    expect(suggestMapping(["Site ID", "Borough"], fields, {}, fallbacks)).toEqual(["code", "region"]);
    expect(suggestMapping(["Site ID", "DU ID"], fields, {}, fallbacks)).toEqual(["siteCode", "code"]);
  });

  it("takes what the person chose before, columns left out on purpose included", () => {
    const heads = ["Key", "Borough", "DU ID"];
    const remembered = rememberMapping(heads, ["code", null, null]);
    expect(suggestMapping(heads, fields, remembered)).toEqual(["code", null, null]);
    expect(suggestMapping(["Key"], fields, { [matchKey("Key")]: "gone" })).toEqual([null]);
  });
});

describe("mappingProblems", () => {
  it.each([
    [["code", "region"], { repeated: [], unknown: [], missing: [] }],
    [["code", "region", "region"], { repeated: ["region"], unknown: [], missing: [] }],
    [["region", null], { repeated: [], unknown: [], missing: ["code"] }],
    [["code", "nonsense"], { repeated: [], unknown: ["nonsense"], missing: [] }],
  ])("of %o are %o", (mapping, problems) => expect(mappingProblems(mapping, fields)).toEqual(problems));
});

describe("readCell", () => {
  const read = (cell: Cell, type: ImportField["type"], format: DateFormat = "ymd", values?: ImportField["values"]) =>
    readCell(cell, { type, ...(values && { values }) }, format);

  it.each([
    ["2026-10-14", "ymd", "2026-10-14"],
    ["2026/10/14", "dmy", "2026-10-14"],
    ["2026.1.4", "mdy", "2026-01-04"],
    ["20261014", "ymd", "2026-10-14"],
    ["2026年10月14日", "ymd", "2026-10-14"],
    ["2026-10-14 17:41:08", "ymd", "2026-10-14"],
    ["10/09/2026", "mdy", "2026-10-09"],
    ["10/09/2026", "dmy", "2026-09-10"],
    ["14.10.2026", "dmy", "2026-10-14"],
    ["１０／１４／２０２６", "mdy", "2026-10-14"],
    [{ d: "2026-10-14T17:00:00" }, "ymd", "2026-10-14"],
    [46_309, "ymd", "2026-10-14"],
    ["2000-01-02", "ymd", "2000-01-02"],
    ["2089-09-17", "ymd", "2089-09-17"],
  ] as [Cell, DateFormat, string][])("reads the day %o (%s) as %s", (cell, format, day) =>
    expect(read(cell, "day", format)).toEqual({ value: day }));

  it.each([
    ["10/14/2026", "dmy", "DATE_FORMAT"],
    ["10/09/2026", "ymd", "DATE_FORMAT"],
    ["2026-02-30", "ymd", "DATE_FORMAT"],
    ["14.10.26", "dmy", "DATE_FORMAT"],
    ["soon", "dmy", "DATE_FORMAT"],
    [true, "ymd", "DATE_FORMAT"],
    [0, "ymd", "DATE_FORMAT"],
    ["12/01/1971", "mdy", "DATE_OUT_OF_RANGE"],
    ["2000-01-01", "ymd", "DATE_OUT_OF_RANGE"],
    ["2089-09-18", "ymd", "DATE_OUT_OF_RANGE"],
    [{ d: "1992-05-28" }, "ymd", "DATE_OUT_OF_RANGE"],
    ["#N/A", "ymd", "CELL_ERROR"],
  ] as [Cell, DateFormat, string][])("refuses the day %o (%s): %s", (cell, format, code) =>
    expect(read(cell, "day", format).problem?.code).toBe(code));

  it.each([
    ["  x ", "text", "x"],
    [10_003_026, "text", "10003026"],
    ["", "text", null],
    [" 　", "text", null],
    [12.5, "number", 12.5],
    ["1,234,567.8", "number", 1_234_567.8],
    ["-73.92", "number", -73.92],
    ["１２", "number", 12],
    ["2026-10", "month", "2026-10"],
    [{ d: "2026-10-14" }, "month", "2026-10"],
    ["是", "flag", true],
    ["No", "flag", false],
    [true, "flag", true],
    ["zhang, li；wang", "accounts", ["zhang", "li", "wang"]],
    ["张三 (zhang), Li Si (li)", "accounts", ["zhang", "li"]],
  ] as [Cell, ImportField["type"], unknown][])("reads %o as %s: %o", (cell, type, value) => expect(read(cell, type)).toEqual({ value }));

  it.each([
    ["12,5", "number", "NUMBER_FORMAT"],
    ["abc", "number", "NUMBER_FORMAT"],
    ["1e5", "number", "NUMBER_FORMAT"],
    ["10/2026", "month", "MONTH_FORMAT"],
    ["2026-13", "month", "MONTH_FORMAT"],
    ["perhaps", "flag", "VALUE_UNKNOWN"],
    ["#REF!", "text", "CELL_ERROR"],
  ] as [Cell, ImportField["type"], string][])("refuses %o as %s: %s", (cell, type, code) =>
    expect(read(cell, type).problem?.code).toBe(code));

  it("knows the words of a choice in every language", () => {
    const values = [{ value: "install", names: ["安装", "設置"] }];
    expect([read("Install", "choice", "ymd", values), read("安装", "choice", "ymd", values)]).toEqual([
      { value: "install" },
      { value: "install" },
    ]);
    expect(read("paint", "choice", "ymd", values).problem?.code).toBe("VALUE_UNKNOWN");
  });
});

describe("dateOrderOf", () => {
  it.each([
    [["04/22/2017", "06/08/2017"], { format: "mdy", certain: true }],
    [["22/04/2017"], { format: "dmy", certain: true }],
    [["04/08/2017"], { format: "dmy", certain: false }],
    [["2017-04-22", { d: "2017-04-22" }, null], null],
  ] as [Cell[], unknown][])("of %o is %o", (cells, order) => expect(dateOrderOf(cells)).toEqual(order));

  it("reads no text differently than parseDay", () => {
    expect(parseDay("13/01/2020", "mdy")).toBeNull();
    expect(parseDay("13/01/2020", "dmy")).toBe("2020-01-13");
  });
});

describe("names", () => {
  it("match heads loosely and things closely", () => {
    expect(matchKey("Installation · Plan end")).toBe(matchKey("installation_plan-end"));
    expect(nameKey("Zone 1.2")).not.toBe(nameKey("Zone 12"));
    expect(nameKey(" North  East")).toBe(nameKey("north east"));
  });
});

describe("headRow", () => {
  it.each([
    [[["title"], ["a", "b"], ["1", "2"]], false, 1],
    [
      [
        ["a", "b"],
        ["1", "2"],
      ],
      false,
      0,
    ],
    [[["a"], ["1"]], false, 0],
    [
      [
        ["code", "name"],
        ["DU ID", "DU name"],
      ],
      true,
      1,
    ],
  ] as [string[][], boolean, number][])("of %o (keyed %s) is row %d", (rows, keyed, index) =>
    expect(
      headRow(
        rows.map((cells, no) => ({ no: no + 1, cells })),
        keyed,
      ),
    ).toBe(index));
});

const conflict = (path: string) => ({ path, base: "1", mine: "2", theirs: "3", by: null, at: null, seen: "3" });

describe("rowReader", () => {
  const cells: Cell[] = ["D1", { d: "2026-03-02" }, null, 7];

  it.each([
    ["cells taken as they stand", true],
    ["cells read by their fields", undefined],
  ])("reads each row as readRow does: %s", (_, raw) => {
    const own = [
      field("code", "DU"),
      field("day", "Day", [], { type: "day" }),
      field("none", "None"),
      field("count", "Count", [], { type: "number" }),
    ];
    const columns = mappedColumns(
      ["code", "day", "none", "count"],
      own.map((one) => ({ ...one, ...(raw && { raw }) })),
    );
    const read = rowReader(columns, "ymd");
    const rows = [
      { no: 3, cells },
      { no: 4, cells: ["D2"] },
    ];
    expect(rows.map(read)).toEqual(rows.map((row) => readRow(row, columns, "ymd")));
    expect(read({ no: 3, cells }).values).toEqual({ code: "D1", day: "2026-03-02", none: null, count: 7 });
  });
});

describe("rowsOfTransaction", () => {
  it.each([
    ["all", wholeCells, 0, chunkRows],
    ["all", wholeCells - 1, 1, chunkRows],
    ["all", wholeCells, 1, 1_000],
    ["valid", 1, 0, 1_000],
  ] as const)("%s with %i changed cells and %i in conflict", (mode, changedCells, conflictCells, rows) => {
    expect(rowsOfTransaction({ chunkRows: 1_000 }, mode, { changedCells, conflictCells })).toBe(rows);
  });

  it("is the same for kinds that say nothing", () => {
    expect(rowsOfTransaction({}, "valid", { changedCells: 1, conflictCells: 0 })).toBe(chunkRows);
  });
});

describe("makeTally", () => {
  it("adds up outcomes, reasons and changed columns", () => {
    const tally = makeTally();
    tally.add([
      {
        no: 2,
        outcome: "new",
        changes: [
          ["code", null, "A"],
          ["name", null, "x"],
        ],
        problems: [],
      },
      { no: 3, outcome: "changed", changes: [["name", "x", "y"]], problems: [], needsReason: true, reopens: true },
      { no: 4, outcome: "unchanged", changes: [], problems: [] },
      {
        no: 5,
        outcome: "rejected",
        changes: [["name", "x", "z"]],
        problems: [
          { path: "a", code: "PLAN_ORDER" },
          { path: "b", code: "FROZEN" },
        ],
      },
      { no: 6, outcome: "rejected", changes: [], problems: [{ path: "b", code: "FROZEN" }] },
      { no: 7, outcome: "conflict", changes: [], problems: [], conflicts: [conflict("a"), conflict("b")] },
      { no: 8, outcome: "conflict", changes: [["name", "x", "w"]], problems: [], conflicts: [conflict("b")] },
    ]);
    const summary = tally.summary(30);
    expect(summary).toEqual({
      rows: 7,
      cells: 30,
      counts: { new: 1, changed: 1, unchanged: 1, conflict: 2, rejected: 2 },
      changedCells: 2,
      rejectedCells: 3,
      conflictCells: 3,
      mixedRows: 1,
      reasons: [
        { code: "FROZEN", count: 2 },
        { code: "PLAN_ORDER", count: 1 },
      ],
      changed: [
        { key: "name", count: 3 },
        { key: "code", count: 1 },
      ],
      refused: [
        { key: "b", count: 2 },
        { key: "a", count: 1 },
      ],
      disputed: [
        { key: "b", count: 2 },
        { key: "a", count: 1 },
      ],
      needsReason: true,
      reopens: 1,
    });
    // Rows in conflict are written for their other changes, or for the file's value in a cell.
    expect(writableRows(summary, { side: "theirs", except: [] }, 0)).toBe(3);
    expect(writableRows(summary, { side: "theirs", except: [] }, 1)).toBe(4);
    expect(writableRows(summary, { side: "mine", except: [] }, 0)).toBe(4);
    expect(
      settledCells(7, [conflict("a"), conflict("b")], {
        side: "mine",
        except: [
          { row: 7, path: "b" },
          { row: 8, path: "a" },
        ],
      }),
    ).toEqual({
      a: { side: "mine", seen: "3" },
      b: { side: "theirs", seen: "3" },
    });
  });
});

it.each([
  [null, ""],
  [12.5, "12.5"],
  [["a", "b"], "a, b"],
  [false, "false"],
])("shows %o as %s", (value, text) => expect(valueText(value)).toBe(text));
