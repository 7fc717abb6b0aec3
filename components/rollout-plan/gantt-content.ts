import { textWidthMost } from "#components/grid/text-width.ts";
import type { Status } from "#components/ui/glyph-paths.ts";
import type { TimeAxis } from "#components/ui/time-axis.ts";
import type { ActivityBar, DuBar, GanttLine } from "./gantt-model.ts";

/** Heights of a line and of the head, width of the list at the left, in pixels. */
export const lineHeight = 28;
export const ganttHead = 48;
export const listWidth = 432;
/** Room for a text in the cells of the list: what the style sheet leaves of their width beside glyph, padding and border, in pixels. */
const room = { name: 150, state: 81, end: 78, slip: 28 };

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

export type Styles = Readonly<Record<string, string>>;

/** The classes of both halves of a line. */
export function lineClasses(styles: Styles, { activityId }: GanttLine, look: LineLook, isChosen: boolean): { row: string; track: string } {
  const tone = look.tone ? ` ${styles[`tone_${look.tone}`]}` : "";
  const kind = activityId === null ? ` ${styles.du}` : "";
  const chosen = isChosen ? ` ${styles.chosen}` : "";
  return {
    row: `${styles.line}${kind}${chosen}`,
    track: `${styles.track}${kind}${tone}${chosen}${look.mark ? ` ${styles[look.mark]}` : ""}`,
  };
}

/** Which cells of the list hold a text that might not fit: what is cut off is painted by itself. */
export function cutCells(look: LineLook): Record<"name" | "state" | "end" | "slip", boolean> {
  const isCut = (text: string, width: number) => textWidthMost(text) > width;
  return {
    // A DU's name stands behind its code and wider than others.
    name: isCut(look.name, look.du ? 0 : room.name),
    state: isCut(look.state, room.state),
    end: isCut(look.end, room.end),
    slip: isCut(look.slip, room.slip),
  };
}
