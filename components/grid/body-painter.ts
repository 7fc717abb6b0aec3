import { type CellGlyph, glyphDash, glyphPath } from "./cell-glyphs.ts";
import type { CellLook } from "./cell-look.ts";
import { type ColumnLayout, type PlacedColumn, rowHeight } from "./column-layout.ts";

const svgSpace = "http://www.w3.org/2000/svg";
/** Rows kept for reuse beyond those in use; more are thrown away. */
const spareRows = 8;

/** What the painter asks while it paints. */
export type PaintFrame = {
  layout: ColumnLayout;
  firstRow: number;
  lastRow: number;
  /** Unlocked columns to draw; empty when `lastColumn` is smaller. */
  firstColumn: number;
  lastColumn: number;
  /** Moves whenever anything but the scroll position changed: rows already in place are painted again. */
  stamp: number;
  /** Rows above the first data row in `aria-rowindex`. */
  headRows: number;
  look: (row: number, placed: PlacedColumn) => CellLook;
  /** Classes a cell has because of selection, copying and fresh changes by others. */
  marks: (row: number, column: number) => readonly string[];
  isSelected: (row: number, column: number) => boolean;
  /** The cell a screen reader is told of: it alone carries an id. */
  active: { row: number; column: number };
  rowMarks: (row: number) => { current: boolean; chosen: boolean };
};

type CellNode = {
  element: HTMLDivElement;
  text: Text;
  lead: SVGSVGElement | null;
  mark: SVGSVGElement | null;
  shown: {
    className: string;
    text: string;
    lead: CellGlyph | null;
    mark: CellGlyph | null;
    column: number;
    row: number;
    place: string;
    spoken: string | null;
    selected: boolean;
    readOnly: boolean;
    named: boolean;
  };
};

type RowNode = {
  element: HTMLDivElement;
  locked: HTMLDivElement;
  number: HTMLDivElement;
  numberText: Text;
  lockedCells: CellNode[];
  cells: CellNode[];
  index: number;
  stamp: number;
  firstColumn: number;
  lastColumn: number;
  className: string;
};

/**
 * Draws the body of the grid without React: a fixed set of row and cell elements that are filled anew as they scroll, plain text in each,
 * and nothing written to the document that is already there.
 */
export class BodyPainter {
  private rows: RowNode[] = [];
  private layout: ColumnLayout | null = null;
  private pool = 0;
  private readonly root: HTMLElement;
  private readonly styles: Readonly<Record<string, string>>;
  private readonly id: string;
  private readonly rowName: (row: number) => string;

  /**
   * @param root element that holds the rows
   * @param styles class names of the style sheet
   * @param id prefix of cell ids
   * @param rowName name of a row for its choice mark
   */
  constructor(root: HTMLElement, styles: Readonly<Record<string, string>>, id: string, rowName: (row: number) => string) {
    this.root = root;
    this.styles = styles;
    this.id = id;
    this.rowName = rowName;
  }

  /** Id of a cell's element while it is the active one. */
  cellId(row: number, column: number): string {
    return `${this.id}-${row}-${column}`;
  }

  /** Number of cell elements in the document. */
  get cellCount(): number {
    return this.rows.reduce((sum, row) => sum + row.cells.length + row.lockedCells.length + 1, 0);
  }

  /** Brings the document in line with the frame. */
  paint(frame: PaintFrame): void {
    if (this.layout !== frame.layout) {
      this.layout = frame.layout;
      this.dropRows(0);
      this.pool = 0;
    }
    const columns = Math.max(0, frame.lastColumn - frame.firstColumn + 1);
    if (columns > this.pool) {
      this.pool = columns;
      for (const row of this.rows) row.stamp = -1;
    }
    const needed = Math.max(0, frame.lastRow - frame.firstRow + 1);
    if (needed > this.rows.length) this.addRows(needed);
    else if (this.rows.length > needed + spareRows) this.dropRows(needed);
    const used = new Set<RowNode>();
    for (let index = frame.firstRow; index <= frame.lastRow; index++) {
      const row = this.rows[index % this.rows.length] as RowNode;
      used.add(row);
      this.paintRow(row, index, frame);
    }
    for (const row of this.rows) if (!used.has(row)) this.hideRow(row);
  }

  /** Removes everything. */
  clear(): void {
    this.dropRows(0);
  }

  private addRows(count: number): void {
    while (this.rows.length < count) this.rows.push(this.makeRow());
    // A row's element follows from its index and the number of elements.
    for (const row of this.rows) row.index = -1;
  }

  private dropRows(count: number): void {
    for (const row of this.rows.splice(count)) row.element.remove();
    for (const row of this.rows) row.index = -1;
  }

  private makeRow(): RowNode {
    const element = document.createElement("div");
    element.setAttribute("role", "row");
    const locked = document.createElement("div");
    locked.setAttribute("role", "presentation");
    locked.className = this.styles.lockedPart ?? "";
    const number = document.createElement("div");
    number.setAttribute("role", "rowheader");
    number.setAttribute("aria-colindex", "1");
    number.className = this.styles.number ?? "";
    const check = document.createElement("i");
    check.className = this.styles.check ?? "";
    const numberText = document.createTextNode("");
    number.append(check, numberText);
    locked.append(number);
    element.append(locked);
    this.root.append(element);
    return {
      element,
      locked,
      number,
      numberText,
      lockedCells: [],
      cells: [],
      index: -1,
      stamp: -1,
      firstColumn: 0,
      lastColumn: -1,
      className: "",
    };
  }

  private makeCell(parent: HTMLElement): CellNode {
    const element = document.createElement("div");
    element.setAttribute("role", "gridcell");
    const text = document.createTextNode("");
    element.append(text);
    parent.append(element);
    return {
      element,
      text,
      lead: null,
      mark: null,
      shown: {
        className: "",
        text: "",
        lead: null,
        mark: null,
        column: -1,
        row: -1,
        place: "",
        spoken: null,
        selected: false,
        readOnly: false,
        named: false,
      },
    };
  }

  private hideRow(row: RowNode): void {
    if (row.index === -2) return;
    row.index = -2;
    row.element.hidden = true;
    row.element.removeAttribute("aria-rowindex");
    for (const cell of [...row.lockedCells, ...row.cells]) forgetPlace(cell);
  }

  private paintRow(row: RowNode, index: number, frame: PaintFrame): void {
    const moved = row.index !== index;
    const sameColumns = row.firstColumn === frame.firstColumn && row.lastColumn === frame.lastColumn;
    if (!moved && sameColumns && row.stamp === frame.stamp) return;
    const { layout } = frame;
    if (moved) {
      row.element.hidden = false;
      row.element.style.top = `${index * rowHeight}px`;
      row.element.setAttribute("aria-rowindex", String(index + frame.headRows + 1));
      row.numberText.data = String(index + 1);
      row.number.setAttribute("aria-label", this.rowName(index));
    }
    if (row.locked.style.width !== `${layout.lockedWidth}px`) {
      row.locked.style.width = `${layout.lockedWidth}px`;
      row.number.style.width = `${layout.numberWidth}px`;
      row.element.style.width = `${layout.width}px`;
    }
    const { current, chosen } = frame.rowMarks(index);
    const className = [this.styles.row, current && this.styles.current, chosen && this.styles.chosen].filter(Boolean).join(" ");
    if (row.className !== className) {
      row.className = className;
      row.element.className = className;
      row.element.setAttribute("aria-selected", String(chosen));
    }
    while (row.lockedCells.length < layout.lockedCount) row.lockedCells.push(this.makeCell(row.locked));
    for (let column = 0; column < layout.lockedCount; column++) this.paintCell(row.lockedCells[column] as CellNode, index, column, frame);
    while (row.cells.length < this.pool) row.cells.push(this.makeCell(row.element));
    for (let at = 0; at < row.cells.length; at++) {
      const cell = row.cells[at] as CellNode;
      // The column of the window that this element stands for.
      const column = frame.firstColumn + ((((at - frame.firstColumn) % this.pool) + this.pool) % this.pool);
      if (column <= frame.lastColumn) this.paintCell(cell, index, column, frame);
      else if (cell.shown.place !== "none") {
        cell.shown.place = "none";
        cell.element.style.display = "none";
        forgetPlace(cell);
      }
    }
    row.index = index;
    row.stamp = frame.stamp;
    row.firstColumn = frame.firstColumn;
    row.lastColumn = frame.lastColumn;
  }

  private paintCell(cell: CellNode, row: number, column: number, frame: PaintFrame): void {
    const { element, shown } = cell;
    const placed = frame.layout.columns[column] as PlacedColumn;
    const place = `${placed.left}|${placed.width}`;
    if (shown.place !== place) {
      if (shown.place === "none") element.style.display = "";
      shown.place = place;
      element.style.left = `${placed.left}px`;
      element.style.width = `${placed.width}px`;
    }
    if (shown.row !== row || shown.column !== column) {
      if (shown.column !== column) element.setAttribute("aria-colindex", String(column + 2));
      shown.row = row;
      shown.column = column;
    }
    const named = frame.active.row === row && frame.active.column === column;
    if (named || shown.named) {
      if (named) element.id = this.cellId(row, column);
      else element.removeAttribute("id");
      shown.named = named;
    }
    const look = frame.look(row, placed);
    this.writeLook(cell, look);
    const className = this.classNameOf(placed, look, frame.marks(row, column));
    if (shown.className !== className) {
      shown.className = className;
      element.className = className;
    }
    const selected = frame.isSelected(row, column);
    if (shown.selected !== selected) {
      shown.selected = selected;
      if (selected) element.setAttribute("aria-selected", "true");
      else element.removeAttribute("aria-selected");
    }
  }

  private writeLook(cell: CellNode, look: CellLook): void {
    const { element, shown } = cell;
    if (shown.text !== look.text) {
      shown.text = look.text;
      cell.text.data = look.text;
    }
    if (shown.lead !== look.lead) {
      cell.lead = setGlyph(element, cell.lead, look.lead, cell.text, this.styles.lead ?? "");
      shown.lead = look.lead;
    }
    if (shown.mark !== look.mark) {
      cell.mark = setGlyph(element, cell.mark, look.mark, null, this.styles.mark ?? "");
      shown.mark = look.mark;
      if (look.mark === "refused") element.setAttribute("aria-invalid", "true");
      else element.removeAttribute("aria-invalid");
    }
    if (shown.readOnly !== look.readOnly) {
      shown.readOnly = look.readOnly;
      if (look.readOnly) element.setAttribute("aria-readonly", "true");
      else element.removeAttribute("aria-readonly");
    }
    if (shown.spoken !== look.spoken) {
      shown.spoken = look.spoken;
      if (look.spoken === null) element.removeAttribute("aria-label");
      else element.setAttribute("aria-label", look.spoken);
    }
  }

  private classNameOf(placed: PlacedColumn, look: CellLook, marks: readonly string[]): string {
    const { styles } = this;
    let name = styles.cell ?? "";
    if (placed.lastLocked) name += ` ${styles.lastLocked}`;
    else if (placed.groupEnd) name += ` ${styles.groupEnd}`;
    if (placed.column.kind === "bar") name += ` ${styles.bar}`;
    else if (placed.column.kind === "status") name += placed.locked ? ` ${styles.statusPlain}` : ` ${styles.status}`;
    for (const one of look.classes) name += ` ${styles[one]}`;
    for (const one of marks) name += ` ${styles[one]}`;
    if (look.mark) name += ` ${styles.marked}`;
    return name;
  }
}

/** An element out of use stands for no cell any more. */
function forgetPlace(cell: CellNode): void {
  if (cell.shown.named) cell.element.removeAttribute("id");
  cell.shown.named = false;
  cell.element.removeAttribute("aria-colindex");
  cell.shown.row = -1;
  cell.shown.column = -1;
}

function setGlyph(
  parent: HTMLElement,
  svg: SVGSVGElement | null,
  glyph: CellGlyph | null,
  before: Node | null,
  className: string,
): SVGSVGElement | null {
  if (glyph === null) {
    svg?.remove();
    return null;
  }
  let drawn = svg;
  if (!drawn) {
    drawn = document.createElementNS(svgSpace, "svg");
    drawn.setAttribute("viewBox", "0 0 16 16");
    drawn.setAttribute("aria-hidden", "true");
    drawn.append(document.createElementNS(svgSpace, "path"));
    parent.insertBefore(drawn, before);
  }
  drawn.setAttribute("class", className);
  const path = drawn.firstChild as SVGPathElement;
  path.setAttribute("d", glyphPath(glyph));
  const dash = glyphDash(glyph);
  if (dash) path.setAttribute("stroke-dasharray", dash);
  else path.removeAttribute("stroke-dasharray");
  return drawn;
}
