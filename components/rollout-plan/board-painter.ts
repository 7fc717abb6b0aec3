import { imageName } from "#components/grid/glyph-images.ts";
import { QuickScroll } from "#components/grid/quick-scroll.ts";
import {
  type BoardContent,
  type BoardPlace,
  type CardLook,
  type CellLook,
  cardClass,
  cellClass,
  codeClass,
  type LaneLook,
  type Styles,
} from "./board-content.ts";
import { type BoardLayout, boardHead, cardStep, columnAt, laneAt, laneHead, laneHeight, shownCards } from "./board-layout.ts";
import { type BoardFrame, BoardPassing } from "./board-passing.ts";

/** Columns and pixels of lanes kept ready beyond what is seen. */
const overscanColumns = 3;
const overscanPixels = 320;

function part(parent: Element, className: string | undefined): HTMLElement {
  const element = document.createElement("div");
  element.className = className ?? "";
  parent.append(element);
  return element;
}

class CardNode {
  readonly element: HTMLElement;
  private readonly codePart: HTMLElement;
  private readonly code: Text;
  private readonly name: Text;
  private readonly styles: Styles;
  private look: CardLook | null = null;
  private isActive = false;

  constructor(parent: HTMLElement, styles: Styles) {
    this.styles = styles;
    this.element = part(parent, styles.card);
    this.element.setAttribute("role", "button");
    const text = (className: string | undefined) => {
      const span = this.element.appendChild(document.createElement("span"));
      span.className = className ?? "";
      return span.appendChild(document.createTextNode(""));
    };
    this.code = text(styles.code);
    this.codePart = this.code.parentElement as HTMLElement;
    this.name = text(styles.activity);
  }

  fill(look: CardLook, id: string, isActive: boolean): void {
    const { element } = this;
    element.hidden = false;
    element.id = id;
    element.dataset.key = look.key;
    if (look !== this.look || isActive !== this.isActive) this.dress(look, isActive);
    this.look = look;
    this.isActive = isActive;
  }

  private dress(look: CardLook, isActive: boolean): void {
    const { element } = this;
    const styles = this.styles;
    element.className = cardClass(styles, look, isActive);
    element.setAttribute("aria-label", look.spoken);
    element.title = look.spoken;
    element.style.setProperty("--lead", `var(${imageName("lead", look.tone)})`);
    this.codePart.className = codeClass(styles, look);
    write(this.code, `${look.code} `);
    write(this.name, look.name);
  }

  park(): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.element.removeAttribute("id");
    delete this.element.dataset.key;
  }
}

function write(text: Text, value: string): void {
  if (text.data !== value) text.data = value;
}

class CellNode {
  column = -1;
  version = -1;
  readonly element: HTMLElement;
  private readonly cards: CardNode[] = [];
  private readonly name: Text;
  private readonly note: HTMLElement;
  private readonly badge: HTMLElement;
  private readonly styles: Styles;

  constructor(parent: HTMLElement, styles: Styles) {
    this.styles = styles;
    this.element = part(parent, styles.cell);
    this.element.setAttribute("role", "gridcell");
    this.name = part(this.element, "visually-hidden").appendChild(document.createTextNode(""));
    this.badge = part(this.element, styles.badge);
    this.note = part(this.element, styles.more);
    this.badge.setAttribute("aria-hidden", "true");
    this.element.hidden = true;
  }

  fill(lane: number, column: number, look: CellLook, content: BoardContent, id: string, active: BoardPlace | null): void {
    const { element } = this;
    const note = this.note;
    const badge = this.badge;
    const styles = this.styles;
    const here = active?.lane === lane && active.column === column ? active.at : null;
    element.style.left = `${laneHead + column * content.layout.columnWidth}px`;
    element.hidden = false;
    element.id = `${id}-${lane}-${column}`;
    element.setAttribute("aria-colindex", String(column + 2));
    write(this.name, look.spoken);
    element.className = cellClass(styles, look, here === -1);
    badge.hidden = look.over === null;
    if (look.over !== null) badge.textContent = look.over;
    const room = content.layout.rooms[lane] ?? 0;
    const given = look.cards;
    const shown = given ? shownCards(given.length, room) : 0;
    for (let at = 0; at < shown; at++) {
      const node = this.cards[at] ?? new CardNode(element, styles);
      this.cards[at] = node;
      node.fill(given?.[at] as CardLook, `${id}-${lane}-${column}-${at}`, here === at);
    }
    for (let at = shown; at < this.cards.length; at++) this.cards[at]?.park();
    const left = given ? given.length - shown : 0;
    const text = given ? (left > 0 ? content.more(left) : "") : look.count === null ? "…" : look.count > 0 ? String(look.count) : "";
    note.hidden = text === "";
    note.textContent = text;
    note.className = `${given ? styles.more : styles.count}${here === shown && left > 0 ? ` ${styles.active}` : ""}`;
    if (text === "") note.removeAttribute("id");
    else note.id = `${id}-${lane}-${column}-${shown}`;
    note.style.top = given && left > 0 ? `${4 + shown * cardStep}px` : "";
    if (text === "" || text === "…") note.removeAttribute("role");
    else note.setAttribute("role", "button");
  }

  park(): void {
    if (this.column < 0) return;
    this.column = -1;
    this.element.hidden = true;
    this.element.removeAttribute("id");
  }
}

class LaneNode {
  lane = -1;
  version = -1;
  readonly element: HTMLElement;
  readonly cells: CellNode[] = [];
  private readonly heading: HTMLElement;
  private readonly styles: Styles;
  private readonly title: Text;
  private readonly note: Text;
  private readonly meter: HTMLElement;
  private readonly bar: HTMLElement;

  constructor(parent: HTMLElement, heads: HTMLElement, styles: Styles) {
    this.styles = styles;
    this.element = part(parent, styles.lane);
    this.heading = part(heads, styles.heading);
    for (const half of this.halves()) {
      half.setAttribute("role", "row");
      half.hidden = true;
    }
    const head = part(this.heading, styles.laneHead);
    head.setAttribute("role", "rowheader");
    this.title = part(head, styles.laneTitle).appendChild(document.createTextNode(""));
    this.note = part(head, styles.laneNote).appendChild(document.createTextNode(""));
    this.meter = part(head, styles.meter);
    this.meter.setAttribute("aria-hidden", "true");
    this.bar = part(this.meter, styles.meterBar);
  }

  /** Its head, which stands still while the days scroll by, and its days. */
  private halves(): HTMLElement[] {
    return [this.heading, this.element];
  }

  fill(lane: number, layout: BoardLayout, look: LaneLook): void {
    const styles = this.styles;
    for (const half of this.halves()) {
      half.hidden = false;
      half.style.top = `${layout.tops[lane] ?? 0}px`;
      half.style.height = `${laneHeight(layout, lane)}px`;
      half.setAttribute("aria-rowindex", String(lane + 2));
    }
    write(this.title, look.title);
    write(this.note, look.note);
    this.meter.hidden = look.share === null;
    if (look.share === null) return;
    this.bar.style.width = `${Math.min(100, Math.round(look.share * 100))}%`;
    this.bar.className = `${styles.meterBar} ${look.tone ? styles[look.tone] : ""}`;
  }

  park(): void {
    if (this.lane < 0) return;
    this.lane = -1;
    for (const half of this.halves()) half.hidden = true;
    for (const cell of this.cells) cell.park();
  }
}

/** Draws the lanes and days that are in sight into elements that are used again, and on a canvas while they pass quickly; lives outside React. */
export class BoardPainter {
  port = { top: 0, left: 0, width: 0, height: 0 };
  active: BoardPlace | null = null;
  private readonly scroller: HTMLElement;
  private readonly body: HTMLElement;
  /** One box for the heads of all lanes: one layer to move, however many lanes there are. */
  private readonly heads: HTMLElement;
  private readonly styles: Styles;
  private readonly id: string;
  private content: BoardContent | null = null;
  private lanes: LaneNode[] = [];
  private version = 0;
  private readonly passing: BoardPassing;
  private readonly quick = new QuickScroll(() => this.draw());
  /** How lanes and cells look, by their places, as long as the content stays. */
  private laneLooks = new Map<number, LaneLook>();
  private cellLooks = new Map<string, CellLook>();

  constructor(scroller: HTMLElement, body: HTMLElement, styles: Styles, id: string) {
    this.scroller = scroller;
    this.body = body;
    this.heads = part(body, styles.heads);
    this.heads.setAttribute("role", "presentation");
    this.styles = styles;
    this.id = id;
    this.passing = new BoardPassing(body, styles);
  }

  setContent(content: BoardContent): void {
    this.content = content;
    this.repaint();
  }

  /** Draws everything in sight anew. */
  repaint(): void {
    this.version++;
    this.laneLooks.clear();
    this.cellLooks.clear();
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.scroller;
    this.port = { top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight };
    this.draw();
  }

  /** Follows a scroll; `reveals`: it goes to what is to be read. */
  scrolled(reveals = false): void {
    const { top, left } = this.port;
    this.port.top = this.scroller.scrollTop;
    this.port.left = this.scroller.scrollLeft;
    this.quick.moved(Math.max(Math.abs(this.port.top - top), Math.abs(this.port.left - left)), reveals);
    this.draw();
  }

  /** Removes what does not end with the elements. */
  stop(): void {
    this.quick.stop();
  }

  /** Lanes and columns that are seen. */
  seen(): { firstLane: number; lastLane: number; firstColumn: number; lastColumn: number } {
    const layout = this.content?.layout;
    if (!layout || layout.rooms.length === 0) return { firstLane: 0, lastLane: -1, firstColumn: 0, lastColumn: -1 };
    const { top, left, width, height } = this.port;
    return {
      firstLane: laneAt(layout, top),
      lastLane: laneAt(layout, Math.max(0, top + height - boardHead)),
      firstColumn: columnAt(layout, left),
      lastColumn: columnAt(layout, left + Math.max(0, width - laneHead)),
    };
  }

  private draw(): void {
    const { content } = this;
    if (!content) return;
    const frame: BoardFrame = {
      content,
      port: this.port,
      seen: this.seen(),
      active: this.active,
      lane: this.laneLook,
      cell: this.cellLook,
    };
    if (this.quick.isPassing && this.passing.paint(frame)) return;
    this.passing.hide();
    const { layout } = content;
    const count = layout.rooms.length;
    const { top, height } = this.port;
    const from = count === 0 ? 0 : laneAt(layout, Math.max(0, top - overscanPixels));
    const to = count === 0 ? -1 : laneAt(layout, top + height - boardHead + overscanPixels);
    const { firstColumn, lastColumn } = frame.seen;
    const first = Math.max(0, firstColumn - overscanColumns);
    const last = Math.min(layout.columns.length - 1, lastColumn + overscanColumns);
    const wanted = to - from + 1;
    if (this.lanes.length < wanted) {
      for (const node of this.lanes) node.park();
      while (this.lanes.length < wanted + 2) this.lanes.push(new LaneNode(this.body, this.heads, this.styles));
    }
    const used = new Set<LaneNode>();
    for (let lane = from; lane <= to; lane++) {
      const node = this.lanes[lane % this.lanes.length] as LaneNode;
      used.add(node);
      const isNew = node.lane !== lane || node.version !== this.version;
      if (isNew) node.fill(lane, layout, this.laneLook(lane));
      node.lane = lane;
      node.version = this.version;
      this.drawCells(node, lane, first, last, isNew);
    }
    for (const node of this.lanes) if (!used.has(node)) node.park();
    this.passing.prepare(frame);
  }

  private laneLook = (lane: number): LaneLook => {
    const look = this.laneLooks.get(lane) ?? (this.content as BoardContent).lane(lane);
    this.laneLooks.set(lane, look);
    return look;
  };

  private cellLook = (lane: number, column: number): CellLook => {
    const place = `${lane} ${column}`;
    const look = this.cellLooks.get(place) ?? (this.content as BoardContent).cell(lane, column);
    this.cellLooks.set(place, look);
    return look;
  };

  private drawCells(node: LaneNode, lane: number, first: number, last: number, isNew: boolean): void {
    const { content, version, active } = this;
    if (!content) return;
    const id = this.id;
    const styles = this.styles;
    const { columns, columnWidth } = content.layout;
    const wanted = Math.min(columns.length, Math.ceil(this.port.width / columnWidth) + 2 * overscanColumns + 2);
    if (node.cells.length < wanted) {
      for (const cell of node.cells) cell.park();
      while (node.cells.length < wanted) node.cells.push(new CellNode(node.element, styles));
    }
    const size = node.cells.length;
    for (let column = first; column <= last; column++) {
      const cell = node.cells[column % size] as CellNode;
      if (!isNew && cell.column === column && cell.version === version) continue;
      cell.fill(lane, column, this.cellLook(lane, column), content, id, active);
      cell.column = column;
      cell.version = version;
    }
    for (const cell of node.cells) if (cell.column < first || cell.column > last) cell.park();
  }
}
