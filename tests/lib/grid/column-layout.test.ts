import { describe, expect, test } from "vitest";
import {
  cellsMax,
  columnAt,
  columnsAround,
  columnsAroundMost,
  columnsWithin,
  columnWidth,
  layoutColumns,
  layoutView,
  numberColumnWidth,
  overscanFor,
  rowHeight,
  shownColumns,
} from "#components/grid/column-layout.ts";
import type { GridColumn, GridGroup } from "#components/grid/grid-model.ts";

const column = (key: string, width = 100, kind: GridColumn["kind"] = "text"): GridColumn => ({ key, title: key, kind, width });
const fields: GridGroup = { key: "fields", title: "Fields", columns: [column("code"), column("name", 120), column("region", 60)] };
const install: GridGroup = {
  key: "a7",
  title: "Installation",
  columns: [column("a7:ps"), column("a7:pe"), column("a7:st", 84)],
  bar: column("a7:bar", 108, "bar"),
};
const head = { groups: [fields, install] };
const view = { widths: {}, hidden: [] as string[], locked: ["code", "name"], folded: [] as string[] };
const keys = (shown: { column: GridColumn }[]) => shown.map((item) => item.column.key);
const sized = (shown: { column: GridColumn; group: GridGroup }[]) => shown.map((item) => ({ ...item, width: item.column.width }));

describe("shown columns", () => {
  test("hidden ones are left out", () => {
    expect(keys(shownColumns(head, { ...view, hidden: ["region", "a7:pe"] }))).toEqual(["code", "name", "a7:ps", "a7:st"]);
  });
  test("a folded group is one bar", () => {
    expect(keys(shownColumns(head, { ...view, folded: ["a7"] }))).toEqual(["code", "name", "region", "a7:bar"]);
  });
  test("a locked column of a folded group stays beside the bar", () => {
    expect(keys(shownColumns(head, { ...view, folded: ["a7"], locked: ["a7:pe"] }))).toEqual(["code", "name", "region", "a7:pe", "a7:bar"]);
  });
  test("a folded group without shown columns has no bar", () => {
    expect(keys(shownColumns(head, { ...view, folded: ["a7"], hidden: ["a7:ps", "a7:pe", "a7:st"] }))).toEqual(["code", "name", "region"]);
  });
});

describe("the layout of a view", () => {
  const placed = (change: object) => {
    const layout = layoutView(head, { ...view, ...change }, 38);
    return [layout.lockedCount, ...layout.columns.map((item) => `${item.column.key} ${item.width}`)];
  };
  test("has the locked columns first, in the order they were locked, and the others in that of the head", () => {
    expect(placed({ locked: ["region", "a7:pe", "code"] })).toEqual([
      3,
      "region 60",
      "a7:pe 100",
      "code 100",
      "name 120",
      "a7:ps 100",
      "a7:st 84",
    ]);
  });
  test("locks nothing that is hidden or that the head does not have", () => {
    expect(placed({ locked: ["gone", "name", "code"], hidden: ["name"] }).slice(0, 3)).toEqual([1, "code 100", "region 60"]);
    expect(layoutView(head, { ...view, locked: [] }, 38)).toMatchObject({ lockedCount: 0, lockedWidth: 38 });
  });
  test("has chosen widths within their bounds", () => {
    expect(placed({ widths: { code: 43, name: 44, region: 600, "a7:ps": 601 } }).slice(1, 5)).toEqual([
      "code 44",
      "name 44",
      "region 600",
      "a7:ps 600",
    ]);
  });
  test("has the bar of a folded group in its place", () => {
    expect(placed({ folded: ["a7"], locked: ["a7:pe"] })).toEqual([1, "a7:pe 100", "code 100", "name 120", "region 60", "a7:bar 108"]);
  });
});

describe("layout", () => {
  const layout = layoutColumns(sized(shownColumns(head, view)), 2, 38);
  test("places columns one after another", () => {
    expect(layout.columns.map((item) => [item.left, item.width])).toEqual([
      [38, 100],
      [138, 120],
      [258, 60],
      [318, 100],
      [418, 100],
      [518, 84],
    ]);
    expect(layout).toMatchObject({ lockedWidth: 258, width: 602, lockedCount: 2 });
  });
  test("heads: the locked ones together, then one per group", () => {
    expect(layout.groups.map((item) => [item.group?.key ?? null, item.left, item.width, item.locked])).toEqual([
      [null, 38, 220, true],
      ["fields", 258, 60, false],
      ["a7", 318, 284, false],
    ]);
  });
  test("marks the last locked column and the last of each group", () => {
    expect(layout.columns.filter((item) => item.lastLocked).map((item) => item.column.key)).toEqual(["name"]);
    expect(layout.columns.filter((item) => item.groupEnd).map((item) => item.column.key)).toEqual(["region", "a7:st"]);
  });
  test("a folded group's head is one bar wide", () => {
    const folded = layoutColumns(sized(shownColumns(head, { ...view, folded: ["a7"] })), 2, 38, new Set(["a7"]));
    expect(folded.groups.at(-1)).toMatchObject({ width: 108, folded: true });
  });
  test.each([
    [0, 0],
    [258, 2],
    [317, 2],
    [318, 3],
    [9999, 5],
  ])("the column at %i is number %i", (x, index) => {
    expect(columnAt(layout, x)).toBe(index);
  });
  test("nothing but locked columns", () => {
    expect(layoutColumns(sized(shownColumns({ groups: [fields] }, view)), 3, 38)).toMatchObject({ lockedWidth: 318, width: 318 });
  });
});

test("widths stay within bounds", () => {
  expect([
    columnWidth(column("x"), 3),
    columnWidth(column("x"), 5000),
    columnWidth(column("x"), undefined),
    columnWidth(column("x"), 150.4),
  ]).toEqual([44, 600, 100, 150]);
});

test("row numbers of five digits need more room", () => {
  expect([numberColumnWidth(9_999), numberColumnWidth(10_000)]).toEqual([38, 46]);
});

test.each([
  [24, 16],
  [24, 22],
  [32, 30],
  [44, 26],
])("drawing %i rows x %i columns with overscan stays within the limit of cells", (rows, columns) => {
  const over = overscanFor(rows, columns);
  expect((rows + (2 * over) / rowHeight) * (columns + (2 * over) / 100)).toBeLessThanOrEqual(cellsMax);
});

test("overscan is more than a frame of 400 px on every side where there is room", () => {
  expect(overscanFor(26, 18)).toBe(448);
  expect(overscanFor(26, 19)).toBeLessThan(448);
});

describe("columns through a strip", () => {
  const widths = [60, 44, 200, 44, 44, 90, 300, 44, 44, 44, 120];
  const group = { key: "g", title: "G", columns: [] };
  const shown = [column("locked", 80), ...widths.map((width, at) => column(`c${at}`, width))];
  const layout = layoutColumns(
    shown.map((given) => ({ column: given, group, width: given.width })),
    1,
    38,
  );
  const free = layout.columns.slice(1);
  const strips = [1, 44, 100, 250, 600, 5_000];
  /** Which columns every place of the strip touches. */
  const places = (width: number) =>
    Array.from({ length: layout.width - layout.lockedWidth }, (_, place) => {
      const left = layout.lockedWidth + place + 0.5;
      return free.flatMap((one, at) => (one.left + one.width > left && one.left < left + width ? [at] : []));
    });
  test.each(strips)("as many are seen through %i pixels as any place of them shows", (width) => {
    expect(columnsWithin(layout, width)).toBe(Math.max(...places(width).map((seen) => seen.length)));
  });
  test("those around what is seen begin and end where the pixels beside it do", () => {
    expect(columnsAround(layout, 3, 4, 0)).toEqual([3, 5]);
    expect(columnsAround(layout, 3, 4, 1)).toEqual([2, 5]);
    expect(columnsAround(layout, 3, 4, 201)).toEqual([1, 6]);
    expect(columnsAround(layout, 0, 10, 5_000)).toEqual([0, 10]);
  });
  test.each(strips)("a row has elements for as many as are drawn around any place of %i pixels", (width) => {
    for (const reach of [0, 64, 448]) {
      const drawn = places(width).map((seen) => columnsAround(layout, seen[0] as number, seen.at(-1) as number, reach));
      expect(columnsAroundMost(layout, width, reach)).toBe(Math.max(...drawn.map(([first, last]) => last - first + 1)));
    }
  });
});
