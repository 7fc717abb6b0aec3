import { type PaintFrame, type RowMarks, rowClass } from "./body-painter.ts";
import { CanvasTexts } from "./canvas-texts.ts";
import type { CellGlyph } from "./cell-glyphs.ts";
import type { CellPainter, Styles } from "./cell-painter.ts";
import { headHeight, type PlacedColumn, rowHeight } from "./column-layout.ts";
import { type DrawnLook, drawnLook } from "./drawn-look.ts";
import { hatchName } from "./glyph-bitmaps.ts";
import { type GlyphPlace, glyphSideOf, imageName } from "./glyph-images.ts";

/** Where pictures, corner and bar of a cell stand, as the style sheet has them; a mark by the distance from the right end. */
const glyphs = { lead: { top: 7, left: 8 }, mark: { top: 8, right: 3 } } as const;
const corner = 7;
const bar = { left: 8, top: 10, height: 8, share: 0.7, free: 16 };
const cellHeight = rowHeight - 1;
const line = 1;
/** The mark of a chosen row: its box from the right end of the number, and the stroke in it. */
const check = { right: 8, top: 6, side: 14, radius: 3, stroke: 1.5, path: [3.5, 7, 6, 9.5, 10.5, 4.5] } as const;

type Context = CanvasRenderingContext2D;
/** Elements that nobody sees: both parts of a row, its number, a cell. */
type Probes = Readonly<Record<"free" | "locked" | "number" | "cell", HTMLElement>>;

const noLooks = (): Record<keyof Probes, Map<string, DrawnLook>> => ({
  free: new Map(),
  locked: new Map(),
  number: new Map(),
  cell: new Map(),
});

/**
 * Draws the rows on a canvas while they pass quickly: laying out, painting and drawing thousands of elements a second takes the browser three times as long. How a cell
 * looks is read from the style sheet, once for all cells of the same classes.
 */
export class PassingPainter {
  private readonly root: HTMLElement;
  private readonly styles: Styles;
  private readonly cells: CellPainter;
  private readonly place: HTMLDivElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly context: Context | null;
  private texts: CanvasTexts | null = null;
  private readonly probes: Probes;
  private looks = noLooks();
  private colors = { ground: "", check: "", tick: "" };
  private skin: string | null = null;
  private prepared = "";
  private drawn: Pick<PaintFrame, "stamp" | "layout"> | null = null;
  /** By address, and those of this scroll by the custom property that holds the address: bitmaps take the place of outlines in between. */
  private readonly pictures = new Map<string, HTMLImageElement>();
  private held = new Map<string, HTMLImageElement | null>();

  /**
   * @param root element that holds the rows
   * @param styles class names of the style sheet
   * @param cells knows the classes of a cell
   */
  constructor(root: HTMLElement, styles: Styles, cells: CellPainter) {
    this.root = root;
    this.styles = styles;
    this.cells = cells;
    const made = (parent: HTMLElement, className = "") => {
      const element = document.createElement("div");
      element.className = className;
      parent.append(element);
      return element;
    };
    this.place = document.createElement("div");
    this.place.className = styles.passing ?? "";
    this.place.setAttribute("aria-hidden", "true");
    this.place.hidden = true;
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.place.append(this.canvas);
    // Elements that nobody sees, of which the browser tells how they would look.
    const hidden = made(this.place);
    hidden.hidden = true;
    const free = made(hidden);
    const locked = made(made(hidden, styles.lockedBox));
    this.probes = { free, locked, number: made(locked, styles.number), cell: made(free) };
    root.append(this.place);
  }

  /** Draws what is seen, in place of the elements. @returns whether it could be drawn */
  paint(frame: PaintFrame): boolean {
    if (this.place.hidden) this.held.clear();
    if (!this.draw(frame)) return false;
    if (this.place.hidden) this.show(true);
    this.drawn = { stamp: frame.stamp, layout: frame.layout };
    return true;
  }

  /** Whether it still shows what there is to draw, as far as the area has not moved. */
  shows({ stamp, layout }: PaintFrame): boolean {
    return stamp === this.drawn?.stamp && layout === this.drawn.layout;
  }

  /** Draws what is seen without showing it, once for a skin and a size: the first rows that pass do not wait for what all of them need. */
  prepare(frame: PaintFrame): void {
    const { width, height } = frame.window.port;
    const kind = `${this.nameSkin()} ${width} ${height}`;
    if (kind === this.prepared || !this.place.hidden) return;
    this.prepared = kind;
    this.draw(frame);
  }

  private draw(frame: PaintFrame): boolean {
    const context = this.context;
    const canvas = this.canvas;
    if (!context) return false;
    const { port } = frame.window;
    const [width, height] = [port.width, port.height - headHeight];
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (wide < 1 || high < 1) return false;
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      this.texts = new CanvasTexts(context, cellHeight);
    }
    this.followSkin();
    context.setTransform(wide / width, 0, 0, high / height, 0, 0);
    context.fillStyle = this.colors.ground;
    context.fillRect(0, 0, width, height);
    this.paintRows(context, frame, "free");
    this.paintRows(context, frame, "locked");
    return true;
  }

  hide(): void {
    if (!this.place.hidden) this.show(false);
  }

  /** The elements below are not drawn meanwhile: scrolled sideways they would be, though nobody sees them. */
  private show(shown: boolean): void {
    this.place.hidden = !shown;
    this.root.classList.toggle(this.styles.passed ?? "", shown);
  }

  clear(): void {
    this.place.remove();
  }

  private nameSkin(): string {
    return `${document.documentElement.dataset.mantineColorScheme} ${devicePixelRatio}`;
  }

  /** Other colours: what was read of the style sheet is read anew. */
  private followSkin(): void {
    const skin = this.nameSkin();
    if (skin === this.skin) return;
    this.skin = skin;
    this.looks = noLooks();
    const computed = getComputedStyle(this.place);
    const token = (name: string) => computed.getPropertyValue(`--${name}`);
    this.colors = { ground: token("bg-base"), check: token("accent-fill"), tick: token("on-accent") };
  }

  private paintRows(context: Context, frame: PaintFrame, part: "free" | "locked"): void {
    const { layout, window } = frame;
    // As the browser does it, whole pixels of the screen.
    const snapped = (length: number) => Math.round(length * devicePixelRatio) / devicePixelRatio;
    const [top, left] = [snapped(window.port.top), snapped(window.port.left)];
    const isLocked = part === "locked";
    const { firstRow, lastRow, firstColumn, lastColumn } = window.seen;
    const [from, to] = isLocked ? [0, layout.lockedCount - 1] : [firstColumn, lastColumn];
    const end = isLocked ? layout.lockedWidth : layout.width - left;
    for (let row = firstRow; row <= lastRow; row++) {
      const y = row * rowHeight - top;
      const marks = frame.rowMarks(row);
      const look = this.look(part, rowClass(this.styles, marks));
      this.fill(context, look.fills, 0, y, end, rowHeight);
      if (isLocked) this.paintNumber(context, row, y, layout.numberWidth - line, marks);
      for (let column = from; column <= to; column++) {
        const placed = layout.columns[column] as PlacedColumn;
        this.paintCell(context, frame, row, placed, isLocked ? placed.left : placed.left - left, y);
      }
      if (look.bottom) this.fill(context, [look.bottom], 0, y + cellHeight, end, line);
    }
  }

  private paintNumber(context: Context, row: number, y: number, width: number, marks: RowMarks): void {
    const look = this.look("number", rowClass(this.styles, marks));
    if (look.right) this.fill(context, [look.right], width, y, line, cellHeight);
    this.texts?.write(look, String(row + 1), 0, y, width);
    if (marks.chosen) this.paintCheck(context, width - check.right - check.side, y + check.top);
  }

  private paintCheck(context: Context, x: number, y: number): void {
    const [fromX, fromY, overX, overY, toX, toY] = check.path;
    context.beginPath();
    context.roundRect(x, y, check.side, check.side, check.radius);
    context.fillStyle = this.colors.check;
    context.fill();
    context.beginPath();
    context.moveTo(x + fromX, y + fromY);
    context.lineTo(x + overX, y + overY);
    context.lineTo(x + toX, y + toY);
    context.strokeStyle = this.colors.tick;
    context.lineWidth = check.stroke;
    context.stroke();
  }

  private paintCell(context: Context, frame: PaintFrame, row: number, placed: PlacedColumn, x: number, y: number): void {
    const cell = frame.look(row, placed);
    const look = this.look("cell", this.cells.className(placed, cell, frame.marks(row, placed.index)));
    const width = placed.width - line;
    this.fill(context, look.fills, x, y, width, cellHeight);
    if (cell.classes.includes("outside")) this.paintHatch(context, x, y, width);
    if (look.right) this.fill(context, [look.right], x + width, y, line, cellHeight);
    if (cell.lead) this.paintGlyph(context, "lead", cell.lead, x + glyphs.lead.left, y);
    if (cell.mark) this.paintGlyph(context, "mark", cell.mark, x + width - glyphs.mark.right, y);
    if (look.bar) this.fill(context, [look.bar], x + bar.left, y + bar.top, Math.min(width * bar.share, width - bar.free), bar.height);
    if (cell.text !== "") this.texts?.write(look, cell.text, x, y, width);
    this.paintFrames(context, look, x, y, width);
  }

  private paintFrames(context: Context, look: DrawnLook, x: number, y: number, width: number): void {
    for (const { width: thick, color } of look.frames) {
      context.strokeStyle = color;
      context.lineWidth = thick;
      context.strokeRect(x + thick / 2, y + thick / 2, width - thick, cellHeight - thick);
    }
    if (!look.corner) return;
    context.fillStyle = look.corner;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + corner, y);
    context.lineTo(x, y + corner);
    context.fill();
  }

  private fill(context: Context, colors: readonly string[], x: number, y: number, width: number, height: number): void {
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(x, y, width, height);
    }
  }

  /** @param x left end of a picture in front, right end of one behind the text */
  private paintGlyph(context: Context, place: GlyphPlace, glyph: CellGlyph, x: number, y: number): void {
    const name = imageName(place, glyph);
    const picture = this.picture(name);
    if (!picture) return;
    const side = glyphSideOf(name);
    context.drawImage(picture, place === "mark" ? x - side : x, y + glyphs[place].top, side, side);
  }

  /** What one bitmap covers of a cell, which is all of nearly every one. */
  private paintHatch(context: Context, x: number, y: number, width: number): void {
    const tile = this.picture(hatchName);
    if (!tile) return;
    const shown = Math.min(width, Math.floor(tile.naturalWidth / devicePixelRatio));
    context.drawImage(tile, 0, 0, shown * devicePixelRatio, cellHeight * devicePixelRatio, x, y, shown, cellHeight);
  }

  /** The picture that a custom property holds, as soon as it is read. */
  private picture(property: string): HTMLImageElement | null {
    let held = this.held.get(property);
    if (held === undefined) {
      const address = /url\("([^"]+)"\)/.exec(getComputedStyle(this.root).getPropertyValue(property))?.[1];
      held = address === undefined ? null : this.read(address);
      this.held.set(property, held);
    }
    return held?.complete && held.naturalWidth > 0 ? held : null;
  }

  private read(address: string): HTMLImageElement {
    const picture = this.pictures.get(address) ?? new Image();
    if (picture.src === "") picture.src = address;
    this.pictures.set(address, picture);
    return picture;
  }

  /** How elements of a class look, a number by the class of its row; read once for a skin. */
  private look(kind: keyof Probes, className: string): DrawnLook {
    const known = this.looks[kind].get(className);
    if (known) return known;
    const probe = this.probes[kind];
    (kind === "number" ? this.probes.locked : probe).className = className;
    const read = drawnLook(getComputedStyle(probe), getComputedStyle(probe, "::before"), getComputedStyle(probe, "::after"));
    this.looks[kind].set(className, read);
    return read;
  }
}
