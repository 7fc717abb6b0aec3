import type { CellLook } from "./cell-look.ts";
import { type CellNode, CellPainter, type Styles } from "./cell-painter.ts";
import { type ColumnLayout, type PlacedColumn, rowHeight } from "./column-layout.ts";
import { PassingPainter } from "./passing-painter.ts";
import type { VirtualWindow } from "./scroll-window.ts";

/** What there is to draw, wherever the area stands. */
export type BodyLook = {
  layout: ColumnLayout;
  /** Rows above the first data row in `aria-rowindex`. */
  headRows: number;
  look: (row: number, placed: PlacedColumn) => CellLook;
  /** Classes a cell has because of selection, copying and fresh changes by others. */
  marks: (row: number, column: number) => readonly string[];
  isSelected: (row: number, column: number) => boolean;
  rowMarks: (row: number) => RowMarks;
};

/** What the painter asks while it paints. */
export type PaintFrame = BodyLook & {
  window: VirtualWindow;
  /** Moves whenever anything but the scroll position changed: rows already in place are painted again. */
  stamp: number;
  /** The cell a screen reader is told of: it alone carries an id. */
  active: { row: number; column: number };
};

export type RowMarks = { current: boolean; chosen: boolean };

/** The classes of either part of a row. */
export const rowClass = (styles: Styles, { current, chosen }: RowMarks): string =>
  [styles.row, current && styles.current, chosen && styles.chosen].filter(Boolean).join(" ");

/** A row: its locked part, which stands still, and the part that scrolls sideways. */
type RowNode = {
  locked: HTMLDivElement;
  free: HTMLDivElement;
  number: HTMLDivElement;
  numberText: Text;
  lockedCells: CellNode[];
  /** By slot; none where no cell has been needed yet. */
  cells: (CellNode | undefined)[];
  /** Row it stands for; -1 for none. */
  index: number;
  stamp: number;
  /** Columns that are drawn. */
  firstColumn: number;
  lastColumn: number;
  className: string;
};

/**
 * Draws the body of the grid without React: a fixed set of row and cell elements that are filled anew as they scroll. Rows that pass quickly are drawn over them.
 * The locked parts of all rows stand in one box that sticks to the left: one layer to move, however many rows there are. The free parts stand in another, so that
 * what passes on the canvas in front of them has two elements to hide.
 */
export class BodyPainter {
  private rows: RowNode[] = [];
  private layout: ColumnLayout | null = null;
  /** Elements for unlocked cells in every row. */
  private slots = 0;
  private hovered: RowNode | null = null;
  private readonly root: HTMLElement;
  private readonly lockedBox: HTMLDivElement;
  private readonly freeBox: HTMLDivElement;
  private readonly cells: CellPainter;
  private readonly passing: PassingPainter;
  private readonly styles: Styles;
  private readonly id: string;
  private readonly rowName: (row: number) => string;

  /**
   * @param root element that holds the rows
   * @param styles class names of the style sheet
   * @param id prefix of cell ids
   * @param rowName name of a row for its choice mark
   */
  constructor(root: HTMLElement, styles: Styles, id: string, rowName: (row: number) => string) {
    this.root = root;
    this.styles = styles;
    this.id = id;
    this.rowName = rowName;
    this.cells = new CellPainter(styles);
    this.lockedBox = this.makeBox(styles.lockedBox);
    this.freeBox = this.makeBox(styles.freeBox);
    // What came with the page has stood there until now.
    root.replaceChildren(this.lockedBox, this.freeBox);
    this.passing = new PassingPainter(root, styles, this.cells);
    root.addEventListener("pointerover", this.hover);
    root.addEventListener("pointerleave", this.hover);
  }

  /** Brings the document in line with the frame. */
  paint(frame: PaintFrame): void {
    const { window } = frame;
    if (window.quick && this.passing.paint(frame)) return;
    this.passing.hide();
    if (this.layout !== frame.layout) this.setLayout(frame.layout);
    const slots = Math.max(this.slots, window.columnSlots, window.lastColumn - window.firstColumn + 1);
    if (slots > this.slots) {
      this.slots = slots;
      for (const row of this.rows) row.stamp = -1;
    }
    const needed = Math.max(window.rowSlots, window.lastRow - window.firstRow + 1);
    if (needed !== this.rows.length) this.setRows(needed);
    for (let index = window.now.firstRow; index <= window.now.lastRow; index++)
      this.paintRow(this.rows[index % this.rows.length] as RowNode, index, frame);
    // While something moves, rows that are left behind stand where they stood until they are needed elsewhere.
    if (window.moving) return;
    for (const row of this.rows) if (row.index < window.firstRow || row.index > window.lastRow) this.hideRow(row);
    if (!window.rested) return;
    this.fillRows();
    this.passing.prepare(frame);
  }

  /** The elements of the rows stay and are filled anew: a column whose edge is dragged has another layout in every frame. */
  private setLayout(layout: ColumnLayout): void {
    if (this.layout?.lockedCount !== layout.lockedCount) {
      this.setRows(0);
      this.slots = 0;
    }
    this.layout = layout;
    for (const row of this.rows) {
      this.hideRow(row);
      this.stretchRow(row);
    }
  }

  /** Gives every row the elements any window needs, while there is time for it. */
  private fillRows(): void {
    for (const { cells, free } of this.rows) for (let at = 0; at < this.slots; at++) cells[at] ??= this.cells.spare(free);
  }

  /** Removes everything. */
  clear(): void {
    this.setRows(0);
    this.lockedBox.remove();
    this.freeBox.remove();
    this.passing.clear();
    this.root.removeEventListener("pointerover", this.hover);
    this.root.removeEventListener("pointerleave", this.hover);
  }

  /** Which element stands for a row follows from its index and the number of elements. */
  private setRows(count: number): void {
    for (const { locked, free } of this.rows.splice(count)) {
      locked.remove();
      free.remove();
    }
    for (const row of this.rows) this.hideRow(row);
    while (this.rows.length < count) this.rows.push(this.makeRow());
  }

  private makeBox(className = ""): HTMLDivElement {
    const box = document.createElement("div");
    box.setAttribute("role", "presentation");
    box.className = className;
    return box;
  }

  private makeRow(): RowNode {
    const locked = document.createElement("div");
    const free = document.createElement("div");
    for (const part of [locked, free]) {
      part.setAttribute("role", "row");
      part.hidden = true;
    }
    const number = document.createElement("div");
    number.setAttribute("role", "rowheader");
    number.setAttribute("aria-colindex", "1");
    number.className = this.styles.number ?? "";
    const check = document.createElement("i");
    check.className = this.styles.check ?? "";
    const numberText = document.createTextNode("");
    number.append(check, numberText);
    locked.append(number);
    this.lockedBox.append(locked);
    this.freeBox.append(free);
    const row: RowNode = {
      locked,
      free,
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
    this.stretchRow(row);
    return row;
  }

  /** Makes a row as wide as its columns. */
  private stretchRow({ locked, number, free }: RowNode): void {
    if (!this.layout) return;
    locked.style.width = `${this.layout.lockedWidth}px`;
    number.style.width = `${this.layout.numberWidth}px`;
    free.style.width = `${this.layout.width}px`;
  }

  private hideRow(row: RowNode): void {
    if (row.index === -1) return;
    row.index = -1;
    for (const part of [row.locked, row.free]) {
      part.hidden = true;
      part.removeAttribute("aria-rowindex");
    }
    for (const cell of [...row.lockedCells, ...row.cells]) if (cell) this.cells.unname(cell);
  }

  private paintRow(row: RowNode, index: number, frame: PaintFrame): void {
    const { layout, window } = frame;
    const { firstColumn, lastColumn } = window.now;
    const moved = row.index !== index;
    const same = !moved && row.stamp === frame.stamp;
    if (same && row.firstColumn <= firstColumn && row.lastColumn >= lastColumn) return;
    if (moved) this.moveRow(row, index, frame);
    if (!same) {
      this.writeRow(row, frame.rowMarks(index));
      while (row.lockedCells.length < layout.lockedCount) row.lockedCells.push(this.cells.make(row.locked));
      for (let column = 0; column < layout.lockedCount; column++) this.paintCell(row.lockedCells[column] as CellNode, index, column, frame);
    }
    for (let at = 0; at < this.slots; at++) {
      let cell = row.cells[at];
      // The column of the window that this element stands for.
      const column = window.firstColumn + ((((at - window.firstColumn) % this.slots) + this.slots) % this.slots);
      if (column >= firstColumn && column <= lastColumn) {
        cell ??= row.cells[at] = this.cells.make(row.free);
        if (!same || cell.shown.placed?.index !== column) this.paintCell(cell, index, column, frame);
      } else if (cell && !same) this.cells.park(cell);
    }
    row.index = index;
    row.stamp = frame.stamp;
    row.firstColumn = firstColumn;
    row.lastColumn = lastColumn;
  }

  private moveRow(row: RowNode, index: number, frame: PaintFrame): void {
    for (const part of [row.locked, row.free]) {
      if (row.index === -1) part.hidden = false;
      part.style.top = `${index * rowHeight}px`;
      part.setAttribute("aria-rowindex", String(index + frame.headRows + 1));
    }
    row.numberText.data = String(index + 1);
    row.number.setAttribute("aria-label", this.rowName(index));
  }

  private writeRow(row: RowNode, marks: RowMarks): void {
    const { chosen } = marks;
    const className = `${rowClass(this.styles, marks)}${row === this.hovered ? ` ${this.styles.hovered}` : ""}`;
    if (row.className === className) return;
    row.className = className;
    for (const part of [row.locked, row.free]) {
      part.className = className;
      part.setAttribute("aria-selected", String(chosen));
    }
  }

  private paintCell(cell: CellNode, row: number, column: number, frame: PaintFrame): void {
    const placed = frame.layout.columns[column] as PlacedColumn;
    const isActive = frame.active.row === row && frame.active.column === column;
    this.cells.paint(cell, {
      placed,
      look: frame.look(row, placed),
      marks: frame.marks(row, column),
      selected: frame.isSelected(row, column),
      id: isActive ? `${this.id}-${row}-${column}` : null,
    });
  }

  /** Both parts of a row are one under the pointer. */
  private hover = (event: PointerEvent): void => {
    const part = event.type === "pointerleave" ? null : (event.target as Element).closest("[role=row]");
    const row = part ? (this.rows.find(({ locked, free }) => locked === part || free === part) ?? null) : null;
    if (row === this.hovered) return;
    for (const one of [this.hovered, row]) {
      if (!one) continue;
      const hovered = one === row;
      for (const element of [one.locked, one.free]) element.classList.toggle(this.styles.hovered ?? "", hovered);
      one.className = one.free.className;
    }
    this.hovered = row;
  };
}
