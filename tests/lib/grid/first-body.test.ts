import { describe, expect, it } from "vitest";
import type { BodyLook } from "#components/grid/body-painter.ts";
import type { CellLook } from "#components/grid/cell-look.ts";
import { layoutColumns } from "#components/grid/column-layout.ts";
import { firstBody } from "#components/grid/first-body.ts";
import { firstDrawn } from "#components/grid/scroll-window.ts";
import { fakeColumns, fakeLayout } from "./fake-grid.ts";

const styles = Object.fromEntries(
  ["row", "current", "chosen", "number", "lockedBox", "cell", "lastLocked", "led", "active"].map((name) => [name, name]),
);
const plain: CellLook = { text: "", classes: [], lead: null, mark: null, spoken: null, readOnly: false };
const frame = (given: Partial<BodyLook> = {}): BodyLook => ({
  layout: fakeLayout(),
  headRows: 2,
  look: (row, { column }) => ({ ...plain, text: `${column.key} ${row}` }),
  marks: () => [],
  isSelected: () => false,
  rowMarks: () => ({ current: false, chosen: false }),
  ...given,
});
const count = (html: string, part: string) => html.split(part).length - 1;

describe("the rows that come with the page", () => {
  it("cannot be used before the program of the page is here", () => {
    expect(firstBody(frame(), 1, styles).startsWith("<div inert>")).toBe(true);
  });

  it("stand where the painter puts them: the locked column apart, rows and columns counted with their heads", () => {
    const html = firstBody(frame(), 2, styles);
    expect(html).toContain(
      '<div role="row" aria-rowindex="4" class="row" style="top:28px;width:138px"><div role="rowheader" aria-colindex="1" class="number" style="width:38px">2</div><div role="gridcell" aria-colindex="2" class="cell lastLocked" style="margin-left:38px;width:100px">name 1</div></div>',
    );
    expect(html).toContain('<div role="gridcell" aria-colindex="3" class="cell" style="margin-left:138px;width:100px">start 0</div>');
    expect(count(html, 'role="gridcell"')).toBe(2 * fakeColumns.length);
  });

  it("say nothing a person wrote as HTML", () => {
    const html = firstBody(frame({ look: () => ({ ...plain, text: `<img src=x onerror="alert('1')">&` }) }), 1, styles);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;");
  });

  it("show pictures and marks of a cell and of its row", () => {
    const html = firstBody(
      frame({
        look: () => ({ ...plain, text: "Late", lead: "delayed", mark: "frozen" }),
        marks: (row, column) => (row === 0 && column === 0 ? ["active"] : []),
        rowMarks: (row) => ({ current: row === 0, chosen: row === 1 }),
      }),
      2,
      styles,
    );
    expect(count(html, "--lead:var(--lead-delayed);--mark:var(--mark-frozen)")).toBe(2 * fakeColumns.length);
    expect(count(html, " active")).toBe(1);
    expect([count(html, 'class="row current"'), count(html, 'class="row chosen"')]).toEqual([2, 2]);
  });

  it("are as many as a large screen shows, down and across", () => {
    const wide = Array.from({ length: 40 }, (_, at) => ({ ...fakeColumns[0]!, key: `c${at}` }));
    const group = { key: "g", title: "G", columns: wide };
    const layout = layoutColumns(
      wide.map((column) => ({ column, group, width: 100 })),
      1,
      38,
    );
    const html = firstBody(frame({ layout }), firstDrawn.rows + 1, styles);
    expect(count(html, 'role="rowheader"')).toBe(firstDrawn.rows);
    // The last one reaches over the width.
    expect(count(html, 'role="gridcell"')).toBe(firstDrawn.rows * (Math.floor((firstDrawn.width - 38) / 100) + 1));
    expect(count(firstBody(frame({ layout }), firstDrawn.rows - 1, styles), 'role="rowheader"')).toBe(firstDrawn.rows - 1);
  });

  it("are none where no rows came", () => {
    expect(firstBody(frame(), 0, styles)).toBe("");
    expect(firstBody(frame({ layout: fakeLayout([]) }), 5, styles)).toBe("");
  });
});
