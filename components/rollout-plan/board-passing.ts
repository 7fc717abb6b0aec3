import { imageName } from "#components/grid/glyph-images.ts";
import { type Context, PassingCanvas, snapped } from "#components/grid/passing-canvas.ts";
import {
  type BoardContent,
  type BoardPlace,
  type CardLook,
  type CellLook,
  cardClass,
  cellClass,
  codeWidth,
  isCodeCut,
  type LaneLook,
  type Styles,
} from "./board-content.ts";
import { boardHead, cardStep, laneHead, laneHeight, shownCards } from "./board-layout.ts";

/** Lines, and where parts of cells, cards and heads stand, as the style sheet has them; in pixels. */
const line = 1;
const cellPadding = 4;
const cardHeight = 28;
const gap = { code: 1, cutCode: 5 } as const;
const lead = { left: 6, side: 12 } as const;
const corner = 7;
const noteHeight = 24;
const count = { top: 6, height: 18 } as const;
const badge = { height: 16, padding: 5, radius: 3 } as const;
const today = 1.25;
const ring = 2;
const head = { left: 10, top: 8, height: 18 } as const;
const meter = { top: 48, height: 4, radius: 2 } as const;

/** What is seen of the board, with the looks of its lanes and cells. */
export type BoardFrame = {
  content: BoardContent;
  port: { top: number; left: number; width: number; height: number };
  seen: { firstLane: number; lastLane: number; firstColumn: number; lastColumn: number };
  active: BoardPlace | null;
  lane: (lane: number) => LaneLook;
  cell: (lane: number, column: number) => CellLook;
};

/** Draws the lanes of the board on a canvas while they pass quickly. */
export class BoardPassing {
  private readonly styles: Styles;
  private readonly canvas: PassingCanvas;
  private readonly looks;

  /**
   * @param body element that holds the lanes
   * @param styles class names of the style sheet
   */
  constructor(body: HTMLElement, styles: Styles) {
    this.styles = styles;
    this.canvas = new PassingCanvas(body, boardHead, styles.passed);
    const { canvas } = this;
    const card = [styles.lane, styles.cell, ""];
    this.looks = {
      lane: canvas.probe(),
      cell: canvas.probe([styles.lane]),
      card: canvas.probe([styles.lane, styles.cell]),
      code: canvas.probe(card, styles.code),
      activity: canvas.probe(card, styles.activity),
      inCell: canvas.probe([styles.lane, styles.cell]),
      head: canvas.probe([styles.heads, styles.heading]),
      inHead: canvas.probe([styles.heads, styles.heading, styles.laneHead]),
    };
  }

  /** Draws what is seen, in place of the elements. @returns whether it could be drawn */
  paint(frame: BoardFrame): boolean {
    return this.canvas.paint(frame.port, (context) => this.draw(context, frame));
  }

  prepare(frame: BoardFrame): void {
    this.canvas.prepare(frame.port, (context) => this.draw(context, frame));
  }

  hide(): void {
    this.canvas.hide();
  }

  private draw(context: Context, frame: BoardFrame): void {
    const { port, seen, content } = frame;
    const { layout } = content;
    const [top, left] = [snapped(port.top), snapped(port.left)];
    const end = laneHead + layout.width - left;
    for (let lane = seen.firstLane; lane <= seen.lastLane; lane++) {
      const y = (layout.tops[lane] ?? 0) - top;
      const height = laneHeight(layout, lane) - line;
      for (let column = seen.firstColumn; column <= seen.lastColumn; column++)
        this.drawCell(context, frame, lane, column, laneHead + column * layout.columnWidth - left, y, height);
      const look = this.looks.lane(this.styles.lane ?? "");
      if (look.bottom) this.canvas.fill([look.bottom], 0, y + height, end, line);
      this.drawHead(context, frame.lane(lane), y, height);
    }
  }

  private drawCell(context: Context, frame: BoardFrame, lane: number, column: number, x: number, y: number, height: number): void {
    const { canvas, styles } = this;
    const { layout } = frame.content;
    const cell = frame.cell(lane, column);
    const here = frame.active?.lane === lane && frame.active.column === column ? frame.active.at : null;
    const look = this.looks.cell(cellClass(styles, cell, here === -1));
    const width = layout.columnWidth - line;
    canvas.fill(look.fills, x, y, width, height);
    if (look.right) canvas.fill([look.right], x + width, y, line, height);
    // Both are shadows, of which an element has the one that is written last: the frame.
    if (cell.isToday && look.frames.length === 0) canvas.fill([canvas.token("accent")], x, y, today, height);
    canvas.frames(look, x, y, width, height);
    const { cards } = cell;
    const shown = cards ? shownCards(cards.length, layout.rooms[lane] ?? 0) : 0;
    const within = width - 2 * cellPadding;
    for (let at = 0; at < shown; at++)
      this.drawCard(context, cards?.[at] as CardLook, here === at, x + cellPadding, y + cellPadding + at * cardStep, within);
    const left = (cards?.length ?? 0) - shown;
    if (cards && left > 0) {
      const more = this.looks.inCell(`${styles.more}${here === shown ? ` ${styles.active}` : ""}`);
      const place = y + cellPadding + shown * cardStep;
      canvas.texts?.write(more, frame.content.more(left), x + cellPadding, place, within, noteHeight);
      canvas.frames(more, x + cellPadding, place, within, noteHeight);
    }
    if (!cards && cell.count !== 0) {
      const text = cell.count === null ? "…" : String(cell.count);
      canvas.texts?.write(this.looks.inCell(styles.count ?? ""), text, x + cellPadding, y + cellPadding + count.top, within, count.height);
    }
    if (cell.over !== null) this.drawBadge(context, cell.over, x + width, y + height);
  }

  private drawCard(context: Context, card: CardLook, isActive: boolean, x: number, y: number, width: number): void {
    const { canvas, styles } = this;
    const classes = cardClass(styles, card, isActive);
    const look = this.looks.card(classes);
    const edge = look.edge?.width ?? 0;
    canvas.box(look, x, y, width, cardHeight);
    if (card.mark === "dirty") canvas.corner(canvas.token("accent"), x + edge, y + edge, corner);
    if (isActive) {
      context.strokeStyle = canvas.token("accent");
      context.lineWidth = ring;
      context.beginPath();
      context.roundRect(x - ring / 2, y - ring / 2, width + ring, cardHeight + ring, look.radius + ring / 2);
      context.stroke();
    }
    canvas.glyph(imageName("lead", card.tone), x + edge + lead.left, y + (cardHeight - lead.side) / 2);
    const { texts } = canvas;
    if (!texts) return;
    const height = cardHeight - 2 * edge;
    const from = x + edge + look.before;
    const end = x + width - edge - look.after;
    const code = this.looks.code(classes);
    const isCut = isCodeCut(card);
    const written = isCut ? card.code : `${card.code} `;
    const wide = isCut ? Math.min(codeWidth, texts.width(code, card.code)) : texts.laidOut(code, written);
    const room = { before: 0, after: 0, cut: true } as const;
    texts.write({ ...code, ...room }, written, from, y + edge, isCut ? codeWidth : end - from, height);
    const name = from + wide + (isCut ? gap.cutCode : gap.code);
    if (name >= end) return;
    const activity = this.looks.activity(classes);
    // An ellipsis that stands for the whole name belongs to what is in front of it.
    const isDots = texts.width(activity, `${[...card.name][0] ?? ""}…`) > end - name;
    texts.write({ ...activity, ...room, ...(isDots && { color: code.color }) }, card.name, name, y + edge, end - name, height);
  }

  private drawBadge(context: Context, text: string, right: number, bottom: number): void {
    const look = this.looks.inCell(this.styles.badge ?? "");
    const { texts } = this.canvas;
    if (!texts) return;
    const width = texts.width(look, text) + 2 * badge.padding;
    context.fillStyle = look.fills[0] ?? "transparent";
    context.beginPath();
    context.roundRect(right - width, bottom - badge.height, width, badge.height, [badge.radius, 0, 0, 0]);
    context.fill();
    texts.write(look, text, right - width, bottom - badge.height, width, badge.height);
  }

  private drawHead(context: Context, lane: LaneLook, y: number, height: number): void {
    const { canvas, styles } = this;
    const own = this.looks.head(styles.laneHead ?? "");
    const outer = this.looks.lane(styles.heading ?? "");
    const width = laneHead - line;
    canvas.fill(own.fills, 0, y, laneHead, height);
    if (own.right) canvas.fill([own.right], width, y, line, height);
    if (outer.bottom) canvas.fill([outer.bottom], 0, y + height, laneHead, line);
    const room = width - 2 * head.left;
    canvas.texts?.write(this.looks.inHead(styles.laneTitle ?? ""), lane.title, head.left, y + head.top, room, head.height);
    canvas.texts?.write(this.looks.inHead(styles.laneNote ?? ""), lane.note, head.left, y + head.top + head.height, room, head.height);
    if (lane.share === null) return;
    const bar = (className: string | undefined, share: number) => {
      context.fillStyle = this.looks.inHead(className ?? "").fills[0] ?? "transparent";
      context.beginPath();
      context.roundRect(head.left, y + meter.top, room * share, meter.height, meter.radius);
      context.fill();
    };
    bar(styles.meter, 1);
    bar(lane.tone ? styles[lane.tone] : "", Math.min(1, Math.round(lane.share * 100) / 100));
  }
}
