import type { DrawnLook } from "#components/grid/drawn-look.ts";
import { imageName } from "#components/grid/glyph-images.ts";
import { type Context, PassingCanvas, snapped } from "#components/grid/passing-canvas.ts";
import { dayLeft } from "#components/ui/time-axis.ts";
import type { Arrow } from "./gantt-arrows.ts";
import { cutCells, type GanttContent, ganttHead, type LineLook, lineClasses, lineHeight, listWidth, type Styles } from "./gantt-content.ts";
import type { GanttLine } from "./gantt-model.ts";
import { type LineShapes, lineShapes, type Span } from "./gantt-shapes.ts";

/** Lines, and where parts of a line stand in it, as the style sheet has them; in pixels. */
const line = 1;
const cells = {
  name: { left: 0, width: 185 },
  state: { left: 185, width: 112 },
  end: { left: 297, width: 92 },
  slip: { left: 389, width: 42 },
} as const;
const cellHeight = lineHeight - line;
const lead = { left: 7, top: 8 } as const;
const twist = { left: 7 + 4, side: 6, right: 10, bottom: 2, stroke: 1.5 } as const;
const moreGap = 6;
const heights = {
  base: { top: 22, height: 3 },
  plan: { top: 4, height: 15 },
  diamond: { top: 7, height: 10 },
  span: { top: 11, height: 6 },
  actual: { top: 9, height: 6 },
} as const;
const late = 11;
const spanEnd = { width: 5, height: 10 } as const;
const label = { top: 3, height: 18, gap: 5 } as const;
const today = 1.25;
const arrow = { width: 1.1, hot: 1.6, halo: 4 } as const;

/** What is seen of the Gantt, with the looks of its lines and the free days of its DUs. */
export type GanttFrame = {
  content: GanttContent;
  port: { top: number; left: number; width: number; height: number };
  chosen: number;
  look: (line: number) => LineLook;
  bands: { start: number; end: number; image: string }[];
  arrows: readonly Arrow[];
};

/** Draws the lines of the Gantt on a canvas while they pass quickly. */
export class GanttPassing {
  private readonly styles: Styles;
  private readonly canvas: PassingCanvas;
  private readonly looks;

  /**
   * @param rows element that holds list and axis
   * @param styles class names of the style sheet
   */
  constructor(rows: HTMLElement, styles: Styles) {
    this.styles = styles;
    this.canvas = new PassingCanvas(rows, ganttHead, styles.passed);
    const { canvas } = this;
    const row = [styles.list, ""];
    const track = [styles.field, ""];
    this.looks = {
      row: canvas.probe([styles.list]),
      name: canvas.probe(row, styles.name),
      more: canvas.probe([styles.list, styles.line, styles.name]),
      end: canvas.probe(row, styles.end),
      slip: canvas.probe(row, styles.slip),
      inRow: canvas.probe([styles.list, styles.line]),
      track: canvas.probe([styles.field]),
      base: canvas.probe(track, styles.base),
      plan: canvas.probe(track, styles.plan),
      diamond: canvas.probe(track, styles.diamond),
      solid: canvas.probe(track, `${styles.diamond} ${styles.solid}`),
      span: canvas.probe(track, styles.span),
      actual: canvas.probe(track, styles.actual),
      spanDone: canvas.probe(track, styles.spanDone),
      late: canvas.probe(track, styles.late),
      label: canvas.probe(track, styles.label),
      inLabel: canvas.probe([styles.field, styles.track, styles.label]),
    };
  }

  /** Draws what is seen, in place of the elements. @returns whether it could be drawn */
  paint(frame: GanttFrame): boolean {
    return this.canvas.paint(frame.port, (context) => this.draw(context, frame));
  }

  prepare(frame: GanttFrame): void {
    this.canvas.prepare(frame.port, (context) => this.draw(context, frame));
  }

  hide(): void {
    this.canvas.hide();
  }

  private draw(context: Context, frame: GanttFrame): void {
    const { port, content } = frame;
    const height = port.height - ganttHead;
    const [top, left] = [snapped(port.top), snapped(port.left)];
    const x = listWidth - left;
    const first = Math.max(0, Math.floor(top / lineHeight));
    const last = Math.min(content.lines.length - 1, Math.floor((top + height) / lineHeight));
    this.drawBands(context, frame, x, top);
    const lines = Array.from({ length: last - first + 1 }, (_, at) => {
      const index = first + at;
      const look = frame.look(index);
      return {
        y: index * lineHeight - top,
        look,
        ...lineClasses(this.styles, content.lines[index] as GanttLine, look, index === frame.chosen),
      };
    });
    for (const { y, look, track } of lines) {
      const own = this.looks.track(track);
      this.canvas.fill(own.fills, x, y, content.axis.width, lineHeight);
      if (own.bottom) this.canvas.fill([own.bottom], x, y + cellHeight, content.axis.width, line);
      this.drawShapes(context, lineShapes(look, content), look, track, x, y);
    }
    this.drawArrows(context, frame.arrows, x, top);
    const now = x + dayLeft(content.axis, content.today) + content.axis.dayWidth / 2;
    this.canvas.fill([this.canvas.token("accent")], snapped(now), 0, snapped(now + today) - snapped(now), height);
    for (const { y, look, row } of lines) this.drawCells(context, look, row, y);
  }

  private drawBands(context: Context, { bands, content }: GanttFrame, x: number, top: number): void {
    context.imageSmoothingEnabled = false;
    for (const { start, end, image } of bands) {
      const picture = this.canvas.image(image);
      if (picture)
        context.drawImage(picture, 0, 0, picture.width, 1, x, start * lineHeight - top, content.axis.width, (end - start) * lineHeight);
    }
    context.imageSmoothingEnabled = true;
  }

  private drawShapes(context: Context, shapes: LineShapes, look: LineLook, track: string, x: number, y: number): void {
    const { base, plan, actual } = shapes;
    if (base) this.drawBox(this.looks.base(track), base, heights.base, x, y);
    if (plan?.kind === "diamond" || plan?.kind === "solid") this.drawDiamond(context, this.looks[plan.kind](track), plan, x, y);
    else if (plan) this.drawBox(this.looks[plan.kind](track), plan, heights[plan.kind], x, y);
    if (plan?.kind === "span") this.drawSpanEnds(context, plan, x, y);
    if (actual) this.drawBox(this.looks[actual.kind](track), actual, actual.kind === "actual" ? heights.actual : heights.span, x, y);
    if (shapes.late) this.drawDots(context, this.looks.late(track), shapes.late, x, y);
    const { texts } = this.canvas;
    if (!shapes.label || !texts) return;
    const own = this.looks.label(track);
    const [from, room] = [x + shapes.label.left, Number.POSITIVE_INFINITY];
    texts.write(own, shapes.label.day, from, y + label.top, room, label.height);
    if (shapes.label.slip === "") return;
    const slip = look.slipTone ? this.looks.inLabel(this.styles[look.slipTone] ?? "").color : own.color;
    texts.write(
      { ...own, color: slip },
      shapes.label.slip,
      from + texts.laidOut(own, shapes.label.day) + label.gap,
      y + label.top,
      room,
      label.height,
    );
  }

  /** A bar, on whole pixels of the screen as the browser has it. */
  private drawBox(look: DrawnLook, span: Span, { top, height }: { top: number; height: number }, x: number, y: number): void {
    const left = snapped(x + span.left);
    this.canvas.box(look, left, y + top, snapped(x + span.left + span.width) - left, height);
  }

  private drawDiamond(context: Context, look: DrawnLook, span: Span, x: number, y: number): void {
    const side = span.width;
    const { top, height } = heights.diamond;
    const edge = look.edge?.width ?? 0;
    context.save();
    context.translate(snapped(x + span.left) + side / 2, y + top + height / 2);
    context.rotate(Math.PI / 4);
    context.fillStyle = look.fills[0] ?? "transparent";
    context.fillRect(-side / 2, -height / 2, side, height);
    if (look.edge) {
      context.strokeStyle = look.edge.color;
      context.lineWidth = edge;
      if (look.edge.dashed) context.setLineDash([2 * edge, 2 * edge]);
      context.strokeRect((edge - side) / 2, (edge - height) / 2, side - edge, height - edge);
      context.setLineDash([]);
    }
    context.restore();
  }

  private drawSpanEnds(context: Context, span: Span, x: number, y: number): void {
    const [left, right] = [snapped(x + span.left), snapped(x + span.left + span.width)];
    const { top } = heights.span;
    context.fillStyle = this.canvas.token("fg-2");
    for (const [at, width] of [
      [left, spanEnd.width],
      [right, -spanEnd.width],
    ] as const) {
      context.beginPath();
      context.moveTo(at, y + top);
      context.lineTo(at + width, y + top);
      context.lineTo(at, y + top + spanEnd.height);
      context.fill();
    }
  }

  private drawDots(context: Context, look: DrawnLook, span: Span, x: number, y: number): void {
    if (!look.edge) return;
    const left = snapped(x + span.left);
    const right = snapped(x + span.left + span.width);
    const thick = look.edge.width;
    context.strokeStyle = look.edge.color;
    context.lineWidth = thick;
    context.setLineDash([thick, thick]);
    context.beginPath();
    context.moveTo(left, y + late + thick / 2);
    context.lineTo(right, y + late + thick / 2);
    context.stroke();
    context.setLineDash([]);
  }

  private drawArrows(context: Context, arrows: readonly Arrow[], x: number, top: number): void {
    if (arrows.length === 0) return;
    context.save();
    context.translate(x, -top);
    for (const { line: path, head, hot, label: text, labelAt } of arrows) {
      const color = this.canvas.token(hot ? "accent" : "line-ctl");
      context.strokeStyle = color;
      context.lineWidth = hot ? arrow.hot : arrow.width;
      context.stroke(new Path2D(path));
      context.fillStyle = color;
      context.fill(new Path2D(head));
      if (!labelAt) continue;
      const own = this.looks.label(this.styles.track ?? "");
      const width = this.canvas.texts?.laidOut(own, text) ?? 0;
      this.canvas.fill(
        [this.canvas.token("bg-base")],
        labelAt.x - width / 2 - arrow.halo / 2,
        labelAt.y - label.height / 2,
        width + arrow.halo,
        label.height,
      );
      this.canvas.texts?.write(
        { ...own, color },
        text,
        labelAt.x - width / 2,
        labelAt.y - label.height / 2,
        Number.POSITIVE_INFINITY,
        label.height,
      );
    }
    context.restore();
  }

  private drawCells(context: Context, look: LineLook, row: string, y: number): void {
    const { canvas, styles } = this;
    const { texts } = canvas;
    const own = this.looks.row(row);
    canvas.fill(own.fills, 0, y, listWidth, lineHeight);
    if (own.right) canvas.fill([own.right], listWidth - line, y, line, lineHeight);
    if (own.bottom) canvas.fill([own.bottom], 0, y + cellHeight, listWidth, line);
    if (!texts) return;
    const cut = cutCells(look);
    const write = (cell: keyof typeof cells, given: DrawnLook, text: string) =>
      texts.write({ ...given, cut: cut[cell] }, text, cells[cell].left, y, cells[cell].width, cellHeight);
    const name = this.looks.name(row);
    if (look.du) this.drawDuName(context, look, name, y);
    else write("name", name, look.name);
    if (look.tone) canvas.glyph(imageName("lead", look.tone), cells.state.left + lead.left, y + lead.top);
    write("state", this.looks.inRow(`${styles.state}${look.tone ? ` ${styles.led}` : ""}`), look.state);
    const end = this.looks.end(row);
    write("end", look.isDone ? { ...end, color: this.looks.inRow(styles.quiet ?? "").color } : end, look.end);
    const slip = this.looks.slip(row);
    write("slip", look.slipTone ? { ...slip, color: this.looks.inRow(styles[look.slipTone] ?? "").color } : slip, look.slip);
  }

  /** The code of a DU behind the mark that folds it, and its name. */
  private drawDuName(context: Context, look: LineLook, code: DrawnLook, y: number): void {
    const { texts } = this.canvas;
    if (!texts) return;
    const half = twist.side / 2;
    context.save();
    context.translate(twist.left + half, y + cellHeight / 2 - twist.bottom / 2);
    context.rotate(look.expanded ? Math.PI / 4 : -Math.PI / 4);
    context.strokeStyle = this.canvas.token("fg-3");
    // A border is as wide as whole pixels of the screen allow.
    const thick = Math.floor(twist.stroke * devicePixelRatio) / devicePixelRatio;
    context.lineWidth = thick;
    context.beginPath();
    const inner = half - thick / 2;
    context.moveTo(inner, -half);
    context.lineTo(inner, inner);
    context.lineTo(-half, inner);
    context.stroke();
    context.restore();
    const from = twist.left + twist.side + twist.right;
    const end = cells.name.width - code.after;
    const flat = { before: 0, after: 0, cut: true } as const;
    texts.write({ ...code, ...flat }, look.name, from, y, end - from, cellHeight);
    const more = from + texts.laidOut(code, look.name) + moreGap;
    if (more < end) texts.write({ ...this.looks.more(this.styles.more ?? ""), ...flat }, look.more, more, y, end - more, cellHeight);
  }
}
