import { imageName } from "#components/grid/glyph-images.ts";
import { QuickScroll } from "#components/grid/quick-scroll.ts";
import { dayLeft } from "#components/ui/time-axis.ts";
import type { Arrow, BarPlace } from "./gantt-arrows.ts";
import { cutCells, type GanttContent, ganttHead, type LineLook, lineClasses, lineHeight, type Styles } from "./gantt-content.ts";
import type { GanttLine } from "./gantt-model.ts";
import { type GanttFrame, GanttPassing } from "./gantt-passing.ts";
import { diamond, lineShapes, type Span } from "./gantt-shapes.ts";

/** Lines kept ready above and below what is seen: a turn of the wheel finds them there. */
const overscan = 16;

/** The elements the painter draws into, and the one around list and axis. */
export type GanttPlaces = {
  scroller: HTMLElement;
  rows: HTMLElement;
  list: HTMLElement;
  shades: HTMLElement;
  tracks: HTMLElement;
  arrows: SVGSVGElement;
};

const svgSpace = "http://www.w3.org/2000/svg";

function part(parent: Element, className: string | undefined): HTMLElement {
  const element = document.createElement("div");
  element.className = className ?? "";
  parent.append(element);
  return element;
}

/** Both halves of a line: its cells in the list, its bars on the axis. */
class LineNode {
  line = -1;
  version = -1;
  readonly row: HTMLElement;
  readonly track: HTMLElement;
  private readonly styles: Styles;
  private readonly twist: HTMLElement;
  private readonly name: Text;
  private readonly more: Text;
  private readonly nameCell: HTMLElement;
  private readonly stateCell: HTMLElement;
  private readonly state: Text;
  private readonly end: Text;
  private readonly endCell: HTMLElement;
  private readonly slip: Text;
  private readonly slipCell: HTMLElement;
  private readonly base: HTMLElement;
  private readonly plan: HTMLElement;
  private readonly actual: HTMLElement;
  private readonly late: HTMLElement;
  private readonly label: HTMLElement;
  private readonly labelDay: Text;
  private readonly labelSlip: HTMLElement;

  constructor(places: GanttPlaces, styles: Styles) {
    this.styles = styles;
    this.row = part(places.list, styles.line);
    this.row.setAttribute("role", "row");
    const cell = (className: string | undefined) => {
      const element = part(this.row, className);
      element.setAttribute("role", "gridcell");
      return element;
    };
    const text = (parent: Element) => parent.appendChild(document.createTextNode(""));
    this.nameCell = cell(styles.name);
    this.twist = part(this.nameCell, styles.twist);
    this.twist.setAttribute("aria-hidden", "true");
    this.name = text(this.nameCell.appendChild(document.createElement("span")));
    const more = this.nameCell.appendChild(document.createElement("span"));
    more.className = styles.more ?? "";
    this.more = text(more);
    this.stateCell = cell(styles.state);
    this.state = text(this.stateCell);
    this.endCell = cell(styles.end);
    this.end = text(this.endCell);
    this.slipCell = cell(styles.slip);
    this.slip = text(this.slipCell);
    this.track = part(places.tracks, styles.track);
    this.base = part(this.track, styles.base);
    this.plan = part(this.track, styles.plan);
    this.actual = part(this.track, styles.actual);
    this.late = part(this.track, styles.late);
    this.label = part(this.track, styles.label);
    this.labelDay = text(this.label);
    this.labelSlip = this.label.appendChild(document.createElement("span"));
    this.row.hidden = true;
    this.track.hidden = true;
  }

  /** Shows a line, or nothing. */
  fill(index: number, line: GanttLine, look: LineLook, content: GanttContent, chosen: boolean, id: string): void {
    const styles = this.styles;
    const { row, track } = this;
    const top = `${index * lineHeight}px`;
    row.style.top = top;
    track.style.top = top;
    if (this.line < 0) {
      row.hidden = false;
      track.hidden = false;
    }
    row.id = `${id}-${index}`;
    row.setAttribute("aria-rowindex", String(index + 2));
    row.setAttribute("aria-level", line.activityId === null ? "1" : "2");
    row.setAttribute("aria-label", look.spoken);
    if (look.expanded === null) row.removeAttribute("aria-expanded");
    else row.setAttribute("aria-expanded", String(look.expanded));
    row.setAttribute("aria-selected", String(chosen));
    const classes = lineClasses(styles, line, look, chosen);
    row.className = classes.row;
    track.className = classes.track;
    this.twist.className = `${styles.twist} ${look.expanded === null ? "" : look.expanded ? styles.open : styles.shut}`;
    write(this.name, look.name);
    write(this.more, look.more);
    const cut = cutCells(look);
    const cutClass = (cell: keyof typeof cut) => (cut[cell] ? ` ${styles.cut}` : "");
    this.nameCell.className = `${styles.name}${cutClass("name")}`;
    if (look.tone) this.stateCell.style.setProperty("--lead", `var(${imageName("lead", look.tone)})`);
    else this.stateCell.style.removeProperty("--lead");
    write(this.state, look.state);
    this.stateCell.className = `${styles.state}${look.tone ? ` ${styles.led}` : ""}${cutClass("state")}`;
    write(this.end, look.end);
    this.endCell.className = `${styles.end}${look.isDone ? ` ${styles.quiet}` : ""}${cutClass("end")}`;
    write(this.slip, look.slip);
    this.slipCell.className = `${styles.slip} ${look.slipTone ? styles[look.slipTone] : ""}${cutClass("slip")}`;
    this.drawShapes(look, content);
  }

  /** Takes the line out of use. */
  park(): void {
    if (this.line < 0) return;
    this.line = -1;
    this.row.hidden = true;
    this.row.removeAttribute("id");
    this.track.hidden = true;
  }

  private drawShapes(look: LineLook, content: GanttContent): void {
    const styles = this.styles;
    const { base, plan, actual, late, label } = lineShapes(look, content);
    const show = (element: HTMLElement, span: Span | null) => {
      element.style.display = span ? "" : "none";
      if (!span) return;
      element.style.left = `${span.left}px`;
      element.style.width = `${span.width}px`;
    };
    show(this.base, base);
    if (plan) this.plan.className = plan.kind === "solid" ? `${styles.diamond} ${styles.solid}` : (styles[plan.kind] ?? "");
    show(this.plan, plan);
    if (actual) this.actual.className = styles[actual.kind] ?? "";
    show(this.actual, actual);
    show(this.late, late);
    this.label.style.display = label ? "" : "none";
    if (!label) return;
    this.label.style.left = `${label.left}px`;
    write(this.labelDay, label.day);
    this.labelSlip.textContent = label.slip;
    this.labelSlip.className = look.slipTone ? (styles[look.slipTone] ?? "") : "";
  }
}

function write(text: Text, value: string): void {
  if (text.data !== value) text.data = value;
}

/** Draws the lines that are in sight into elements that are used again, and on a canvas while they pass quickly; lives outside React, which draws the head and what lies around. */
export class GanttPainter {
  /** Place and size of what is seen, read once in a frame. */
  port = { top: 0, left: 0, width: 0, height: 0 };
  chosen = -1;

  private readonly places: GanttPlaces;
  private readonly styles: Styles;
  private readonly id: string;
  private content: GanttContent | null = null;
  private nodes: LineNode[] = [];
  private readonly bands: { element: HTMLElement; key: string }[] = [];
  private version = 0;
  private duStarts: number[] = [];
  private arrows: readonly Arrow[] = [];
  private readonly passing: GanttPassing;
  private readonly quick = new QuickScroll(() => this.draw());
  /** How lines look, as long as the content stays. */
  private readonly looks = new Map<number, LineLook>();

  constructor(places: GanttPlaces, styles: Styles, id: string) {
    this.places = places;
    this.styles = styles;
    this.id = id;
    this.passing = new GanttPassing(places.rows, styles);
  }

  /** Other lines or another axis. */
  setContent(content: GanttContent): void {
    this.content = content;
    this.duStarts = content.lines.flatMap((line, at) => (line.activityId === null ? [at] : []));
    for (const band of this.bands) band.key = "";
    this.repaint();
  }

  /** Draws everything in sight anew: values or marks have changed. */
  repaint(): void {
    this.version++;
    this.looks.clear();
    this.measure();
    this.draw();
  }

  /** Reads how much is seen and where it stands. */
  measure(): void {
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.places.scroller;
    this.port = { top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight };
  }

  /** Follows a scroll; `reveals`: it goes to what is to be read. */
  scrolled(reveals = false): void {
    const { top } = this.port;
    this.port.top = this.places.scroller.scrollTop;
    this.port.left = this.places.scroller.scrollLeft;
    // Sideways the same lines pass, which the browser moves as they are.
    this.quick.moved(Math.abs(this.port.top - top), reveals);
    this.draw();
  }

  /** Removes what does not end with the elements. */
  stop(): void {
    this.quick.stop();
  }

  /** Lines that are drawn. */
  range(): { from: number; to: number } {
    const count = this.content?.lines.length ?? 0;
    const seen = Math.max(0, this.port.height - ganttHead);
    const from = Math.max(0, Math.floor(this.port.top / lineHeight) - overscan);
    const to = Math.min(count - 1, Math.ceil((this.port.top + seen) / lineHeight) + overscan);
    return { from, to };
  }

  private draw(): void {
    const { content, version } = this;
    const styles = this.styles;
    const id = this.id;
    if (!content) return;
    const { from, to } = this.range();
    const frame: GanttFrame = {
      content,
      port: this.port,
      chosen: this.chosen,
      look: this.look,
      bands: this.bandsIn(from, to),
      arrows: this.arrows,
    };
    if (this.quick.isPassing && this.passing.paint(frame)) return;
    this.passing.hide();
    // As many as any place to scroll to needs: places in the pool move with its size, and everything would be filled anew.
    const wanted = Math.min(content.lines.length, Math.ceil(this.port.height / lineHeight) + 2 * overscan + 2);
    if (this.nodes.length < wanted) {
      for (const node of this.nodes) node.park();
      while (this.nodes.length < wanted) this.nodes.push(new LineNode(this.places, styles));
    }
    const size = this.nodes.length;
    for (const node of this.nodes) if (node.line >= 0 && (node.line < from || node.line > to)) node.version = -1;
    const used = new Set<LineNode>();
    for (let line = from; line <= to; line++) {
      const node = this.nodes[line % size] as LineNode;
      used.add(node);
      if (node.line === line && node.version === version) continue;
      const given = content.lines[line] as GanttLine;
      node.fill(line, given, this.look(line), content, line === this.chosen, id);
      node.line = line;
      node.version = version;
    }
    for (const node of this.nodes) if (!used.has(node)) node.park();
    this.drawBands(frame.bands);
    this.passing.prepare(frame);
  }

  private look = (line: number): LineLook => {
    const { lines, look } = this.content as GanttContent;
    const known = this.looks.get(line) ?? look(lines[line] as GanttLine);
    this.looks.set(line, known);
    return known;
  };

  /** The free days of each DU between two lines. */
  private bandsIn(from: number, to: number): GanttFrame["bands"] {
    const { content } = this;
    const duStarts = this.duStarts;
    if (!content?.options.free || content.axis.scale === "quarter") return [];
    let first = 0;
    while (first + 1 < duStarts.length && (duStarts[first + 1] as number) <= from) first++;
    const bands: GanttFrame["bands"] = [];
    for (let du = first; du < duStarts.length && (duStarts[du] as number) <= to; du++) {
      const start = duStarts[du] as number;
      bands.push({ start, end: duStarts[du + 1] ?? content.lines.length, image: content.shade((content.lines[start] as GanttLine).duId) });
    }
    return bands;
  }

  /** One element a DU. */
  private drawBands(given: GanttFrame["bands"]): void {
    for (const [at, { start, end, image }] of given.entries()) {
      const band = this.bands[at] ?? { element: part(this.places.shades, this.styles.shade), key: "" };
      this.bands[at] = band;
      const key = `${start} ${end}`;
      if (band.key === key) continue;
      band.key = key;
      band.element.hidden = false;
      band.element.style.top = `${start * lineHeight}px`;
      band.element.style.height = `${(end - start) * lineHeight}px`;
      if (band.element.style.backgroundImage !== image) band.element.style.backgroundImage = image;
    }
    for (const band of this.bands.slice(given.length)) {
      if (band.key === "none") continue;
      band.key = "none";
      band.element.hidden = true;
    }
  }

  /** Where the bar of an activity lies; null where it has none. */
  placeOf(duId: number, activityId: number): BarPlace | null {
    const { content } = this;
    if (!content) return null;
    const line = content.lines.findIndex((given) => given.duId === duId && given.activityId === activityId);
    if (line < 0) return null;
    // What was typed a moment ago is drawn in the next frame, an arrow at once.
    const { bar } = content.look(content.lines[line] as GanttLine);
    if (!bar) return null;
    const middle = line * lineHeight + lineHeight / 2 - 2;
    const planEnd = bar.planEnd || bar.planStart;
    if (bar.milestone) {
      const at = bar.actualEnd || planEnd;
      const x = dayLeft(content.axis, at) + content.axis.dayWidth / 2;
      return at === 0 ? null : { left: x - diamond, right: x + diamond, middle };
    }
    if (planEnd === 0) return null;
    return { left: dayLeft(content.axis, bar.planStart || bar.planEnd), right: dayLeft(content.axis, planEnd + 1), middle };
  }

  /** Draws arrows over the bars, or none. */
  drawArrows(arrows: readonly Arrow[]): void {
    const styles = this.styles;
    this.arrows = arrows.toSorted((a, b) => Number(a.hot) - Number(b.hot));
    this.places.arrows.replaceChildren(
      ...this.arrows.flatMap(({ line, head, hot, label, labelAt }) => {
        const path = (d: string, className: string | undefined) => {
          const element = document.createElementNS(svgSpace, "path");
          element.setAttribute("d", d);
          element.setAttribute("class", `${className} ${hot ? styles.hot : ""}`);
          return element;
        };
        const drawn: SVGElement[] = [path(line, styles.arrow), path(head, styles.arrowHead)];
        if (labelAt) {
          const text = document.createElementNS(svgSpace, "text");
          text.setAttribute("x", String(labelAt.x));
          text.setAttribute("y", String(labelAt.y + 4));
          text.setAttribute("class", styles.arrowLabel ?? "");
          text.textContent = label;
          drawn.push(text);
        }
        return drawn;
      }),
    );
  }
}
