import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { dayAt, dayLeft, type TimeAxis } from "#components/ui/time-axis.ts";
import { shiftedDates } from "#lib/rollout-plan/board/logic.ts";
import { shiftWorkingDays, type WorkingDays, workingDaysBetween } from "#lib/scheduling/calendar/logic.ts";
import { ganttHead, lineHeight, listWidth } from "./gantt-content.ts";
import type { ActivityBar, GanttLine } from "./gantt-model.ts";
import type { PlanDates } from "./plan-moves.ts";

/** What of a bar is taken hold of. */
type Grip = "move" | "start" | "end";

/** How long the pointer rests on a bar before it is explained. */
const restMs = 400;
/** Pixels at the ends of a bar that widen it, and how far the pointer goes before a press becomes a drag. */
const edge = 6;
const threshold = 4;

/** Dates after a drag from one day to another: a moved bar keeps its working days, a widened one its other end. */
export function draggedDates(calendar: WorkingDays, dates: PlanDates, grip: Grip, from: number, to: number): PlanDates {
  if (grip === "move") {
    const anchor = dates.planStart || dates.planEnd;
    const steps = workingDaysBetween(calendar, anchor, anchor + to - from);
    return (steps === null ? null : shiftedDates(calendar, dates, steps)) ?? dates;
  }
  const [start, end] = [dates.planStart || dates.planEnd, dates.planEnd || dates.planStart];
  return grip === "start"
    ? { planStart: Math.min(end, start + to - from), planEnd: end }
    : { planStart: start, planEnd: Math.max(start, end + to - from) };
}

type PointerOptions = {
  scroller: RefObject<HTMLElement | null>;
  lines: readonly GanttLine[];
  axis: TimeAxis;
  styles: Readonly<Record<string, string>>;
  readOnly: boolean;
  barOf: (line: GanttLine) => ActivityBar | null;
  datesOf: (line: GanttLine) => PlanDates;
  calendarOf: (line: GanttLine) => WorkingDays;
  onPreview: (line: GanttLine | null, dates: PlanDates | null) => void;
  onWant: (line: GanttLine, dates: PlanDates) => void;
  onChoose: (line: GanttLine) => void;
  onHover: (duId: number | null) => void;
  /** The pointer rests on a bar, or has left it. */
  onRest: (line: GanttLine | null, x: number) => void;
  onFold: (duId: number) => void;
};

type Drag = { line: GanttLine; grip: Grip; x: number; day: number; dates: PlanDates; wanted: PlanDates; moving: boolean };

/** Choosing lines and dragging bars with the pointer. */
export function useGanttPointer(options: PointerOptions) {
  const { scroller, lines, axis, styles, readOnly } = options;
  const drag = useRef<Drag | null>(null);
  const hover = useRef<{ duId: number | null; timer: ReturnType<typeof setTimeout> | undefined }>({ duId: null, timer: undefined });
  const rest = useRef<{ line: GanttLine | null; timer: ReturnType<typeof setTimeout> | undefined }>({ line: null, timer: undefined });
  useEffect(
    () => () => {
      clearTimeout(hover.current.timer);
      clearTimeout(rest.current.timer);
    },
    [],
  );
  const restOn = (line: GanttLine | null, x: number) => {
    if (rest.current.line === line) return;
    rest.current.line = line;
    clearTimeout(rest.current.timer);
    options.onRest(null, 0);
    if (line) rest.current.timer = setTimeout(() => options.onRest(line, x), restMs);
  };

  const at = (event: PointerEvent) => {
    const element = scroller.current;
    if (!element) return null;
    const box = element.getBoundingClientRect();
    const y = event.clientY - box.top;
    const x = event.clientX - box.left;
    const line = y < ganttHead ? undefined : lines[Math.floor((y - ganttHead + element.scrollTop) / lineHeight)];
    return line ? { line, x: x - listWidth + element.scrollLeft, onList: x < listWidth } : null;
  };
  const gripAt = (line: GanttLine, x: number): Grip | null => {
    const bar = line.activityId === null ? null : options.barOf(line);
    if (!bar || (bar.planStart === 0 && bar.planEnd === 0)) return null;
    if (bar.milestone) {
      const middle = dayLeft(axis, bar.planEnd || bar.planStart) + axis.dayWidth / 2;
      return Math.abs(x - middle) <= 9 ? "move" : null;
    }
    const left = dayLeft(axis, bar.planStart || bar.planEnd);
    const right = dayLeft(axis, (bar.planEnd || bar.planStart) + 1);
    if (x < left - 2 || x > right + 2) return null;
    // A short bar is moved; its ends are typed or moved by key.
    if (right - left >= 4 * edge && x <= left + edge) return "start";
    return x >= right - Math.min(edge, (right - left) / 3) ? "end" : "move";
  };
  const pointAt = (duId: number | null) => {
    if (hover.current.duId === duId) return;
    hover.current.duId = duId;
    clearTimeout(hover.current.timer);
    hover.current.timer = setTimeout(() => options.onHover(duId), 60);
  };
  const cursor = (name: string | undefined) => {
    const element = scroller.current;
    if (!element) return;
    for (const one of ["movable", "widening", "moving"] as const) element.classList.toggle(styles[one] ?? one, styles[one] === name);
  };
  const end = (keep: boolean) => {
    const held = drag.current;
    drag.current = null;
    cursor(undefined);
    if (!held?.moving) return;
    options.onPreview(null, null);
    const changed = held.wanted.planStart !== held.dates.planStart || held.wanted.planEnd !== held.dates.planEnd;
    if (keep && changed) options.onWant(held.line, held.wanted);
  };

  return {
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        const hit = at(event);
        restOn(null, 0);
        if (!hit) return;
        options.onChoose(hit.line);
        if (hit.onList) {
          if (hit.line.activityId === null) options.onFold(hit.line.duId);
          return;
        }
        const grip = readOnly ? null : gripAt(hit.line, hit.x);
        if (!grip) return;
        const dates = options.datesOf(hit.line);
        drag.current = { line: hit.line, grip, x: hit.x, day: dayAt(axis, hit.x), dates, wanted: dates, moving: false };
        scroller.current?.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        const hit = at(event);
        const held = drag.current;
        if (!held) {
          pointAt(hit && !hit.onList ? hit.line.duId : null);
          const touched = hit && !hit.onList ? gripAt(hit.line, hit.x) : null;
          restOn(touched ? (hit?.line ?? null) : null, event.clientX);
          const grip = readOnly ? null : touched;
          cursor(grip === "move" ? styles.movable : grip ? styles.widening : undefined);
          return;
        }
        const element = scroller.current;
        if (!element) return;
        const x = event.clientX - element.getBoundingClientRect().left - listWidth + element.scrollLeft;
        if (!held.moving && Math.abs(x - held.x) < threshold) return;
        held.moving = true;
        cursor(held.grip === "move" ? styles.moving : styles.widening);
        const days = Math.round((x - held.x) / axis.dayWidth);
        held.wanted = draggedDates(options.calendarOf(held.line), held.dates, held.grip, held.day, held.day + days);
        options.onPreview(held.line, held.wanted);
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      onPointerLeave: () => {
        restOn(null, 0);
        if (!drag.current) pointAt(null);
      },
    },
    /** Escape lets go of a bar; answers whether it did. */
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (event.key !== "Escape" || !drag.current) return false;
      event.preventDefault();
      end(false);
      return true;
    },
  };
}

type KeyOptions = {
  at: number;
  line: GanttLine | null;
  page: number;
  count: number;
  isFolded: boolean;
  datesOf: (line: GanttLine) => PlanDates;
  calendarOf: (line: GanttLine) => WorkingDays;
  go: (at: number) => void;
  fold: (duId: number) => void;
  want: (line: GanttLine, dates: PlanDates) => void;
  ask: (line: GanttLine) => void;
  toToday: () => void;
  undo: () => void;
  redo: () => void;
};

/** What a key does: up and down go, left and right move the bar by a working day or, with Shift, its end; answers whether it did something. */
export function ganttKey(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">, options: KeyOptions): boolean {
  const { at, line, page, count, go } = options;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) options.undo();
    else if (key === "y" || key === "z") options.redo();
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(count - 1);
    else return false;
    return true;
  }
  const targets: Partial<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - page,
    PageDown: at + page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[event.key];
  if (target !== undefined) {
    go(target);
    return true;
  }
  if (event.key.toLowerCase() === "t" && !event.altKey) {
    options.toToday();
    return true;
  }
  if (!line) return false;
  const right = event.key === "ArrowRight";
  if (right || event.key === "ArrowLeft") {
    if (line.activityId === null) {
      if (options.isFolded === right) options.fold(line.duId);
      return true;
    }
    const dates = options.datesOf(line);
    if (dates.planStart === 0 && dates.planEnd === 0) return true;
    const calendar = options.calendarOf(line);
    const moved = event.shiftKey ? widened(calendar, dates, right ? 1 : -1) : shiftedDates(calendar, dates, right ? 1 : -1);
    if (moved) options.want(line, moved);
    return true;
  }
  if (event.key === "Enter" || event.key === " ") {
    if (line.activityId === null) options.fold(line.duId);
    else options.ask(line);
    return true;
  }
  return false;
}

/** The end moved by working days, never before the start. */
function widened(calendar: WorkingDays, { planStart, planEnd }: PlanDates, steps: number): PlanDates | null {
  const [start, last] = [planStart || planEnd, planEnd || planStart];
  const end = shiftWorkingDays(calendar, last, steps);
  return end === null || end < start ? null : { planStart: start, planEnd: end };
}
