import type { CellGlyph } from "./cell-glyphs.ts";
import type { CellLook } from "./cell-look.ts";
import type { PlacedColumn } from "./column-layout.ts";
import { type GlyphPlace, imageName } from "./glyph-images.ts";
import { textWidthMost } from "./text-width.ts";

/** What the style sheet leaves free at either end of a cell, for its glyph or without one, and the line at its right. */
const glyphWidth: Readonly<Record<GlyphPlace, number>> = { lead: 25, mark: 17 };
const padding = 8;
const border = 1;

/** Classes of the style sheet. */
export type Styles = Readonly<Record<string, string>>;

/** All there is to draw of one cell. */
export type CellPaint = {
  placed: PlacedColumn;
  look: CellLook;
  /** Classes the cell has because of selection, copying and fresh changes by others. */
  marks: readonly string[];
  selected: boolean;
  /** Set on the one cell a screen reader is told of. */
  id: string | null;
};

/** An element that stands for one cell after the other, and what is written to it. */
export type CellNode = {
  element: HTMLDivElement;
  text: Text;
  shown: {
    placed: PlacedColumn | null;
    className: string;
    text: string;
    lead: CellGlyph | null;
    mark: CellGlyph | null;
    spoken: string | null;
    selected: boolean;
    readOnly: boolean;
    id: string | null;
  };
};

/** Fills cell elements: plain text in each, and nothing written to the document that is already there. */
export class CellPainter {
  private readonly styles: Styles;
  /** The class of an element by what it follows from: column, list of classes, glyphs, room. */
  private readonly classNames = new WeakMap<PlacedColumn, Map<CellLook["classes"], string[]>>();

  /** @param styles class names of the style sheet */
  constructor(styles: Styles) {
    this.styles = styles;
  }

  make(parent: HTMLElement): CellNode {
    const element = document.createElement("div");
    element.setAttribute("role", "gridcell");
    const text = document.createTextNode("");
    element.append(text);
    parent.append(element);
    return {
      element,
      text,
      shown: { placed: null, className: "", text: "", lead: null, mark: null, spoken: null, selected: false, readOnly: false, id: null },
    };
  }

  /** An element for which there is no cell yet. */
  spare(parent: HTMLElement): CellNode {
    const cell = this.make(parent);
    this.hide(cell);
    return cell;
  }

  paint(cell: CellNode, { placed, look, marks, selected, id }: CellPaint): void {
    const { element, shown } = cell;
    if (shown.placed !== placed) {
      shown.placed = placed;
      element.style.marginLeft = `${placed.left}px`;
      element.style.width = `${placed.width}px`;
      element.setAttribute("aria-colindex", String(placed.index + 2));
    }
    this.write(cell, look);
    const className = this.className(placed, look, marks);
    if (shown.className !== className) {
      shown.className = className;
      element.className = className;
    }
    if (shown.selected !== selected) {
      shown.selected = selected;
      setOrRemove(element, "aria-selected", selected ? "true" : null);
    }
    if (shown.id !== id) {
      shown.id = id;
      setOrRemove(element, "id", id);
    }
  }

  /** The classes of a cell; `marks` as in `cellClass`. */
  className(placed: PlacedColumn, look: CellLook, marks: readonly string[]): string {
    if (marks.length > 0) return cellClass(this.styles, placed, look, marks);
    let known = this.classNames.get(placed);
    if (!known) {
      known = new Map();
      this.classNames.set(placed, known);
    }
    let names = known.get(look.classes);
    if (!names) {
      names = [];
      known.set(look.classes, names);
    }
    const variant = (look.lead ? 1 : 0) + (look.mark ? 2 : 0) + (fits(placed, look) ? 4 : 0);
    names[variant] ??= cellClass(this.styles, placed, look, marks);
    return names[variant];
  }

  /** Takes an element out of use: it stands for no cell any more. */
  park(cell: CellNode): void {
    if (cell.shown.placed === null) return;
    cell.shown.placed = null;
    cell.element.removeAttribute("aria-colindex");
    this.hide(cell);
    this.unname(cell);
  }

  /** It stays in the layout, so that it is there at once when it is needed. */
  private hide({ element, shown }: CellNode): void {
    element.style.width = "0";
    shown.className = element.className = this.styles.parked ?? "";
  }

  /** Takes the id from a cell whose row is out of use. */
  unname({ element, shown }: CellNode): void {
    if (shown.id === null) return;
    shown.id = null;
    element.removeAttribute("id");
  }

  private write(cell: CellNode, look: CellLook): void {
    const { element, shown } = cell;
    if (shown.text !== look.text) {
      shown.text = look.text;
      cell.text.data = look.text;
    }
    if (shown.lead !== look.lead) {
      shown.lead = look.lead;
      setImage(element, "lead", look.lead);
    }
    if (shown.mark !== look.mark) {
      shown.mark = look.mark;
      setImage(element, "mark", look.mark);
      setOrRemove(element, "aria-invalid", look.mark === "refused" ? "true" : null);
    }
    if (shown.readOnly !== look.readOnly) {
      shown.readOnly = look.readOnly;
      setOrRemove(element, "aria-readonly", look.readOnly ? "true" : null);
    }
    if (shown.spoken !== look.spoken) {
      shown.spoken = look.spoken;
      setOrRemove(element, "aria-label", look.spoken);
    }
  }
}

/** The classes of a cell. @param marks those it has because of selection, copying and fresh changes by others */
export function cellClass(styles: Styles, placed: PlacedColumn, look: CellLook, marks: readonly string[]): string {
  let name = styles.cell ?? "";
  if (placed.lastLocked) name += ` ${styles.lastLocked}`;
  else if (placed.groupEnd) name += ` ${styles.groupEnd}`;
  if (placed.column.kind === "bar") name += ` ${styles.bar}`;
  else if (placed.column.kind === "status") name += placed.locked ? ` ${styles.statusPlain}` : ` ${styles.status}`;
  for (const one of look.classes) if (styles[one]) name += ` ${styles[one]}`;
  for (const one of marks) name += ` ${styles[one]}`;
  if (look.lead) name += ` ${styles.led}`;
  if (look.mark) name += ` ${styles.marked}`;
  if (!fits(placed, look)) name += ` ${styles.cut}`;
  return name;
}

/** Whether a text surely stands in its cell as a whole. */
function fits({ width }: PlacedColumn, { text, lead, mark }: CellLook): boolean {
  const beside = (lead ? glyphWidth.lead : padding) + (mark ? glyphWidth.mark : padding) + border;
  return textWidthMost(text) <= width - beside;
}

function setOrRemove(element: HTMLElement, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function setImage(element: HTMLElement, place: GlyphPlace, glyph: CellGlyph | null): void {
  if (glyph === null) element.style.removeProperty(`--${place}`);
  else element.style.setProperty(...cellImage(place, glyph));
}

/** The custom property by which a cell shows a picture, and its value. */
export const cellImage = (place: GlyphPlace, glyph: CellGlyph): [property: string, value: string] => [
  `--${place}`,
  `var(${imageName(place, glyph)})`,
];

/** Whether a glyph of a cell is what stands at a place, in pixels from its left end. */
export function isOnGlyph({ style, clientWidth }: Pick<HTMLElement, "style" | "clientWidth">, x: number): boolean {
  const has = (place: GlyphPlace) => style.getPropertyValue(`--${place}`) !== "";
  return (x < glyphWidth.lead && has("lead")) || (x >= clientWidth - glyphWidth.mark && has("mark"));
}
