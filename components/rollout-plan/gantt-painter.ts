import { imageName } from "#components/grid/glyph-images.ts";
import { textWidthMost } from "#components/grid/text-width.ts";
import type { Status } from "#components/ui/glyph-paths.ts";
import { dayLeft, type TimeAxis } from "#components/ui/time-axis.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Arrow, BarPlace } from "./gantt-arrows.ts";
import type { ActivityBar, DuBar, GanttLine } from "./gantt-model.ts";

/** Heights of a line and of the head, width of the list at the left, in pixels. */
export const lineHeight = 28;
export const ganttHead = 48;
export const listWidth = 432;
/** Lines kept ready above and below what is seen: a turn of the wheel finds them there. */
const overscan = 16;
/** Room for a text in the cells of the list: what the style sheet leaves of their width beside glyph, padding and border, in pixels. */
const room = { name: 150, state: 81, end: 78, slip: 28 };
/** A milestone's half width, and the gap between a bar and its label. */
const diamond = 7;
const labelGap = 13;

/** A line as it is drawn. */
export type LineLook = {
  name: string;
  more: string;
  expanded: boolean | null;
  tone: Status | null;
  state: string;
  end: string;
  isDone: boolean;
  slip: string;
  slipTone: "over" | "under" | null;
  spoken: string;
  bar: ActivityBar | null;
  du: DuBar | null;
  mark: "dirty" | "refused" | "conflict" | null;
};

/** What the painter draws; another object for other lines or another axis. */
export type GanttContent = {
  lines: readonly GanttLine[];
  axis: TimeAxis;
  today: number;
  options: { baseline: boolean; free: boolean };
  look: (line: GanttLine) => LineLook;
  /** Which free days a DU has: a picture of the axis, one pixel a day. */
  shade: (duId: number) => string;
};

/** The elements the painter draws into. */
export type GanttPlaces = { scroller: HTMLElement; list: HTMLElement; shades: HTMLElement; tracks: HTMLElement; arrows: SVGSVGElement };

type Styles = Readonly<Record<string, string>>;

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
    const tone = look.tone ? ` ${styles[`tone_${look.tone}`]}` : "";
    const kind = line.activityId === null ? ` ${styles.du}` : "";
    row.className = `${styles.line}${kind}${chosen ? ` ${styles.chosen}` : ""}`;
    track.className = `${styles.track}${kind}${tone}${chosen ? ` ${styles.chosen}` : ""}${look.mark ? ` ${styles[look.mark]}` : ""}`;
    this.twist.className = `${styles.twist} ${look.expanded === null ? "" : look.expanded ? styles.open : styles.shut}`;
    write(this.name, look.name);
    write(this.more, look.more);
    // A DU's name stands behind its code and wider than others.
    this.nameCell.className = `${styles.name}${this.cut(look.name, look.du ? 0 : room.name)}`;
    if (look.tone) this.stateCell.style.setProperty("--lead", `var(${imageName("lead", look.tone)})`);
    else this.stateCell.style.removeProperty("--lead");
    write(this.state, look.state);
    this.stateCell.className = `${styles.state}${look.tone ? ` ${styles.led}` : ""}${this.cut(look.state, room.state)}`;
    write(this.end, look.end);
    this.endCell.className = `${styles.end}${look.isDone ? ` ${styles.quiet}` : ""}${this.cut(look.end, room.end)}`;
    write(this.slip, look.slip);
    this.slipCell.className = `${styles.slip} ${look.slipTone ? styles[look.slipTone] : ""}${this.cut(look.slip, room.slip)}`;
    if (look.du) this.drawDu(look.du, content.axis);
    else if (look.bar) this.drawBar(look.bar, look, content);
  }

  /** Takes the line out of use. */
  park(): void {
    if (this.line < 0) return;
    this.line = -1;
    this.row.hidden = true;
    this.row.removeAttribute("id");
    this.track.hidden = true;
  }

  /** The class of a cell whose text might not fit: what is cut off is painted by itself. */
  private cut(text: string, width: number): string {
    return textWidthMost(text) > width ? ` ${this.styles.cut}` : "";
  }

  private drawDu(du: DuBar, axis: TimeAxis): void {
    const styles = this.styles;
    for (const element of [this.base, this.late, this.label]) element.style.display = "none";
    const none = du.from === 0;
    this.plan.style.display = none ? "none" : "";
    this.actual.style.display = none || du.done === 0 ? "none" : "";
    if (none) return;
    this.plan.className = styles.span ?? "";
    const left = dayLeft(axis, du.from);
    const width = dayLeft(axis, du.to + 1) - left;
    place(this.plan, left, width);
    this.actual.className = styles.spanDone ?? "";
    place(this.actual, left, (width * du.done) / Math.max(1, du.applicable));
  }

  private drawBar(bar: ActivityBar, look: LineLook, { axis, today, options }: GanttContent): void {
    const styles = this.styles;
    const x = (day: number) => dayLeft(axis, day);
    const show = (element: HTMLElement, shown: boolean) => {
      element.style.display = shown ? "" : "none";
      return shown;
    };
    const middle = (day: number) => x(day) + axis.dayWidth / 2;
    const planEnd = bar.planEnd || bar.planStart;
    const planStart = bar.planStart || bar.planEnd;
    const baseEnd = bar.baselineEnd || bar.baselineStart;
    const baseStart = bar.baselineStart || bar.baselineEnd;
    let right = 0;
    if (show(this.base, options.baseline && baseEnd !== 0)) {
      if (bar.milestone) place(this.base, middle(baseEnd) - diamond / 2, diamond);
      else place(this.base, x(baseStart), x(baseEnd + 1) - x(baseStart));
    }
    if (bar.milestone) {
      const at = bar.actualEnd || planEnd;
      show(this.actual, false);
      if (show(this.plan, at !== 0)) {
        this.plan.className = `${styles.diamond} ${bar.actualEnd ? styles.solid : ""}`;
        place(this.plan, middle(at) - diamond + 2, 2 * diamond - 4);
        right = middle(at) + diamond;
      }
    } else {
      if (show(this.plan, planEnd !== 0)) {
        this.plan.className = styles.plan ?? "";
        place(this.plan, x(planStart), x(planEnd + 1) - x(planStart));
        right = x(planEnd + 1);
      }
      const begun = bar.actualStart || bar.actualEnd;
      const done = bar.actualEnd || Math.max(begun, today);
      if (show(this.actual, begun !== 0)) {
        this.actual.className = styles.actual ?? "";
        place(this.actual, x(begun), x(done + 1) - x(begun) - 1);
        right = Math.max(right, x(done + 1));
      }
    }
    if (show(this.late, bar.late)) {
      place(this.late, right, Math.max(0, x(today) - right));
      right = Math.max(right, x(today));
    }
    const end = bar.actualEnd || planEnd;
    if (show(this.label, end !== 0)) {
      this.label.style.left = `${right + labelGap}px`;
      write(this.labelDay, isoDay(end)?.slice(5) ?? "");
      this.labelSlip.textContent = bar.slip ? look.slip : "";
      this.labelSlip.className = look.slipTone ? (styles[look.slipTone] ?? "") : "";
    }
  }
}

function write(text: Text, value: string): void {
  if (text.data !== value) text.data = value;
}

function place(element: HTMLElement, left: number, width: number): void {
  element.style.left = `${left}px`;
  element.style.width = `${Math.max(1, width)}px`;
}

/** Draws the lines that are in sight into elements that are used again; lives outside React, which draws the head and what lies around. */
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

  constructor(places: GanttPlaces, styles: Styles, id: string) {
    this.places = places;
    this.styles = styles;
    this.id = id;
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
    this.measure();
    this.draw();
  }

  /** Reads how much is seen and where it stands. */
  measure(): void {
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.places.scroller;
    this.port = { top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight };
  }

  /** Follows a scroll. */
  scrolled(): void {
    this.port.top = this.places.scroller.scrollTop;
    this.port.left = this.places.scroller.scrollLeft;
    this.draw();
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
      node.fill(line, given, content.look(given), content, line === this.chosen, id);
      node.line = line;
      node.version = version;
    }
    for (const node of this.nodes) if (!used.has(node)) node.park();
    this.drawBands(from, to);
  }

  /** The free days of each DU in sight, one element a DU. */
  private drawBands(from: number, to: number): void {
    const { content } = this;
    const duStarts = this.duStarts;
    if (!content) return;
    let at = 0;
    if (content.options.free && content.axis.scale !== "quarter") {
      let first = 0;
      while (first + 1 < duStarts.length && (duStarts[first + 1] as number) <= from) first++;
      for (let du = first; du < duStarts.length && (duStarts[du] as number) <= to; du++) {
        const start = duStarts[du] as number;
        const end = duStarts[du + 1] ?? content.lines.length;
        const band = this.bands[at] ?? { element: part(this.places.shades, this.styles.shade), key: "" };
        this.bands[at++] = band;
        const key = `${start} ${end}`;
        if (band.key === key) continue;
        band.key = key;
        band.element.hidden = false;
        band.element.style.top = `${start * lineHeight}px`;
        band.element.style.height = `${(end - start) * lineHeight}px`;
        const image = content.shade((content.lines[start] as GanttLine).duId);
        if (band.element.style.backgroundImage !== image) band.element.style.backgroundImage = image;
      }
    }
    for (; at < this.bands.length; at++) {
      const band = this.bands[at] as (typeof this.bands)[number];
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
    this.places.arrows.replaceChildren(
      ...arrows
        .toSorted((a, b) => Number(a.hot) - Number(b.hot))
        .flatMap(({ line, head, hot, label, labelAt }) => {
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
