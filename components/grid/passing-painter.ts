import { type PaintFrame, type RowMarks, rowClass } from "./body-painter.ts";
import type { CellPainter, Styles } from "./cell-painter.ts";
import { headHeight, type PlacedColumn, rowHeight } from "./column-layout.ts";
import type { DrawnLook } from "./drawn-look.ts";
import { hatchName } from "./glyph-bitmaps.ts";
import { imageName } from "./glyph-images.ts";
import { type Context, PassingCanvas, snapped } from "./passing-canvas.ts";

/** Where pictures, corner and bar of a cell stand, as the style sheet has them; a mark by the distance from the right end. */
const glyphs = { lead: { top: 7, left: 8 }, mark: { top: 8, right: 3 } } as const;
const corner = 7;
const bar = { left: 8, top: 10, height: 8, share: 0.7, free: 16 };
const cellHeight = rowHeight - 1;
const line = 1;
/** The mark of a chosen row: its box from the right end of the number, and the stroke in it. */
const check = { right: 8, top: 6, side: 14, radius: 3, stroke: 1.5, path: [3.5, 7, 6, 9.5, 10.5, 4.5] } as const;

/** Draws the rows of a table on a canvas while they pass quickly. */
export class PassingPainter {
  private readonly styles: Styles;
  private readonly cells: CellPainter;
  private readonly canvas: PassingCanvas;
  private readonly looks: Readonly<Record<"free" | "locked" | "number" | "cell", (className: string) => DrawnLook>>;

  /**
   * @param root element that holds the rows
   * @param styles class names of the style sheet
   * @param cells knows the classes of a cell
   */
  constructor(root: HTMLElement, styles: Styles, cells: CellPainter) {
    this.styles = styles;
    this.cells = cells;
    this.canvas = new PassingCanvas(root, headHeight, styles.passed);
    const { canvas } = this;
    this.looks = {
      free: canvas.probe(),
      locked: canvas.probe([styles.lockedBox]),
      number: canvas.probe([styles.lockedBox, ""], styles.number),
      cell: canvas.probe([""]),
    };
  }

  /** Draws what is seen, in place of the elements. @returns whether it could be drawn */
  paint(frame: PaintFrame): boolean {
    return this.canvas.paint(frame.window.port, (context) => this.draw(context, frame));
  }

  prepare(frame: PaintFrame): void {
    this.canvas.prepare(frame.window.port, (context) => this.draw(context, frame));
  }

  hide(): void {
    this.canvas.hide();
  }

  clear(): void {
    this.canvas.clear();
  }

  private draw(context: Context, frame: PaintFrame): void {
    this.paintRows(context, frame, "free");
    this.paintRows(context, frame, "locked");
    this.paintNumbers(context, frame);
  }

  private paintRows(context: Context, frame: PaintFrame, part: "free" | "locked"): void {
    const { layout, window } = frame;
    const [top, left] = [snapped(window.port.top), snapped(window.port.left)];
    const isLocked = part === "locked";
    const { firstRow, lastRow, firstColumn, lastColumn } = window.seen;
    const [from, to] = isLocked ? [0, layout.lockedCount - 1] : [firstColumn, lastColumn];
    const end = isLocked ? layout.lockedWidth : layout.width - left;
    for (let row = firstRow; row <= lastRow; row++) {
      const y = row * rowHeight - top;
      const marks = frame.rowMarks(row);
      const look = this.looks[part](rowClass(this.styles, marks));
      this.canvas.fill(look.fills, 0, y, end, rowHeight);
      for (let column = from; column <= to; column++) {
        const placed = layout.columns[column] as PlacedColumn;
        this.paintCell(context, frame, row, placed, isLocked ? placed.left : placed.left - left, y);
      }
      if (look.bottom) this.canvas.fill([look.bottom], 0, y + cellHeight, end, line);
    }
  }

  /** One after the other: their font is another than that of the cells, and the canvas is told of it once. */
  private paintNumbers(context: Context, { layout, window, rowMarks }: PaintFrame): void {
    const top = snapped(window.port.top);
    for (let row = window.seen.firstRow; row <= window.seen.lastRow; row++)
      this.paintNumber(context, row, row * rowHeight - top, layout.numberWidth - line, rowMarks(row));
  }

  private paintNumber(context: Context, row: number, y: number, width: number, marks: RowMarks): void {
    const look = this.looks.number(rowClass(this.styles, marks));
    if (look.right) this.canvas.fill([look.right], width, y, line, cellHeight);
    this.canvas.texts?.write(look, String(row + 1), 0, y, width, cellHeight);
    if (marks.chosen) this.paintCheck(context, width - check.right - check.side, y + check.top);
  }

  private paintCheck(context: Context, x: number, y: number): void {
    const [fromX, fromY, overX, overY, toX, toY] = check.path;
    context.beginPath();
    context.roundRect(x, y, check.side, check.side, check.radius);
    context.fillStyle = this.canvas.token("accent-fill");
    context.fill();
    context.beginPath();
    context.moveTo(x + fromX, y + fromY);
    context.lineTo(x + overX, y + overY);
    context.lineTo(x + toX, y + toY);
    context.strokeStyle = this.canvas.token("on-accent");
    context.lineWidth = check.stroke;
    context.stroke();
  }

  private paintCell(context: Context, frame: PaintFrame, row: number, placed: PlacedColumn, x: number, y: number): void {
    const cell = frame.look(row, placed);
    const look = this.looks.cell(this.cells.className(placed, cell, frame.marks(row, placed.index)));
    const width = placed.width - line;
    this.canvas.fill(look.fills, x, y, width, cellHeight);
    if (cell.classes.includes("outside")) this.paintHatch(context, x, y, width);
    if (look.right) this.canvas.fill([look.right], x + width, y, line, cellHeight);
    if (cell.lead) this.canvas.glyph(imageName("lead", cell.lead), x + glyphs.lead.left, y + glyphs.lead.top);
    if (cell.mark) this.canvas.glyph(imageName("mark", cell.mark), x + width - glyphs.mark.right, y + glyphs.mark.top, true);
    if (look.bar) this.canvas.fill([look.bar], x + bar.left, y + bar.top, Math.min(width * bar.share, width - bar.free), bar.height);
    if (cell.text !== "") this.canvas.texts?.write(look, cell.text, x, y, width, cellHeight);
    this.canvas.frames(look, x, y, width, cellHeight);
    if (look.corner) this.canvas.corner(look.corner, x, y, corner);
  }

  /** What one bitmap covers of a cell, which is all of nearly every one. */
  private paintHatch(context: Context, x: number, y: number, width: number): void {
    const tile = this.canvas.picture(hatchName);
    if (!tile) return;
    const shown = Math.min(width, Math.floor(tile.width / devicePixelRatio));
    context.drawImage(tile, 0, 0, shown * devicePixelRatio, cellHeight * devicePixelRatio, x, y, shown, cellHeight);
  }
}
