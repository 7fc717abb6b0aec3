import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { emptyBlock, type PlanBlock, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type CalendarDay, type WorkingDays, workingDays } from "#lib/scheduling/calendar/logic.ts";
import { findingCodes } from "#lib/scheduling/limits.ts";
import { rowRefusal, runSchedule, type ScheduleResult } from "#lib/scheduling/logic.ts";
import { type CompiledFlow, compileFlow } from "#lib/scheduling/network/logic.ts";
import type { ScheduleMode } from "#lib/scheduling/passes/limits.ts";
import type { RequestAnchor } from "#lib/scheduling/passes/logic.ts";

/** Schedules drawn as text: dates are MM-DD of one year, ranges "10-15..20" or "10-28..11-02". */
export const year = 2026;

/** A flow drawn as lines "E installation 4 | C FS 0, D FS 0": letter, name, lead time, predecessors. */
export type DrawnFlow = { letters: string[]; flow: CompiledFlow };

export function drawFlow(text: string, anchors = ""): DrawnFlow {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => line.trim());
  const letters = rows.map((line) => line[0]!);
  const nodeId = (letter: string) => 100 + letters.indexOf(letter);
  const relations = rows.flatMap((line) => {
    const [head, before] = line.split("|");
    return (before?.trim() ? before.split(",") : []).map((part) => {
      const [pre, type, offset] = part.trim().split(" ");
      return { pre: nodeId(pre!), node: nodeId(head![0]!), type: type as "FS" | "SS" | "FF" | "SF", offset: Number(offset) };
    });
  });
  const nodes = rows.map((line, place) => ({
    nodeId: 100 + place,
    slot: place + 1,
    leadTime: Number(line.split("|")[0]!.trim().split(" ").at(-1)),
    anchor: anchors.includes(letters[place]!),
  }));
  return { letters, flow: compileFlow(nodes, relations) };
}

/** The calendar drawn as "Mon-Fri free 10-01 10-02 working 10-10"; numbers instead of Mon-Fri are a weekday mask. */
export function drawCalendar(text: string): WorkingDays {
  const days: CalendarDay[] = [];
  let working = false;
  let weekdays = 62;
  for (const word of text.split(/\s+/)) {
    if (word === "free" || word === "working") working = word === "working";
    else if (/^\d{1,3}$/.test(word)) weekdays = Number(word);
    else if (word.includes("-") && word !== "Mon-Fri") days.push({ day: day(word), working });
  }
  return workingDays(weekdays, days);
}

/** "10-15" or "2027-10-15" as day number. */
export function day(text: string): number {
  return dayNumber(text.length > 5 ? text : `${year}-${text}`);
}

function range(text: string): [start: number, end: number] {
  const [from, to] = text.split("..");
  if (to === undefined) return [from ? day(from) : 0, from ? day(from) : 0];
  return [from ? day(from) : 0, to ? day(to.length === 2 ? `${from!.slice(0, -2)}${to}` : to) : 0];
}

/** Dates as drawn: "10-15..20", "10-28..11-02", "10-14", "..10-20" when there is no start, "-" for none. */
export function drawRange(start: number, end: number): string {
  const text = (number: number) => {
    const iso = isoDay(number) ?? "";
    return iso.startsWith(`${year}-`) ? iso.slice(5) : iso;
  };
  if (start === 0 && end === 0) return "-";
  if (start === end) return text(start);
  const [from, to] = [text(start), text(end)];
  return `${from}..${from.length === 5 && to.length === 5 && from.slice(0, 3) === to.slice(0, 3) ? to.slice(3) : to}`;
}

export type DrawnCase = {
  flow: DrawnFlow;
  calendar?: WorkingDays;
  mode?: ScheduleMode;
  /** "E fixed 10-19..22; A done 09-21..22; F 10-19..21 started 10-20; E NA; D asked 10-15; C 10-16; I ..10-28" */
  given: string;
  asOf?: string;
  latest?: number;
  changeControl?: boolean;
  released?: boolean;
};

/** The block of one DU as given, with the anchors asked for. */
export function drawPlan(drawn: DrawnCase): { block: PlanBlock; anchors: RequestAnchor[] } {
  const { letters } = drawn.flow;
  const block = emptyBlock([1], letters.length + 1);
  block.releaseStates[0] = drawn.released ? 1 : 0;
  const anchors: RequestAnchor[] = [];
  letters.forEach((_, place) => {
    block.state[place + 1] = 1;
  });
  for (const part of drawn.given.split(";").map((text) => text.trim())) {
    if (part === "") continue;
    const words = part.split(" ");
    const slot = letters.indexOf(words[0]!) + 1;
    let kind = "planned";
    for (const word of words.slice(1)) {
      const bits = block.state[slot]!;
      if (word === "done" || word === "started" || word === "asked") kind = word;
      else if (word === "NA" || word === "INV") block.state[slot] = withState(bits, "na", word === "NA" ? 1 : 2);
      else if (word === "fixed" || word === "frozen" || word === "mosFrozen") block.state[slot] = withState(bits, word, 1);
      else if (word === "suspended") block.state[slot] = withState(bits, "workOrder", 5);
      else if (word === "missing") block.state[slot] = 0;
      else {
        const [start, end] = range(word);
        if (kind === "asked") anchors.push({ row: 0, slot, start, end });
        else if (kind === "done") [block.actualStart[slot], block.actualEnd[slot]] = [start, end];
        else if (kind === "started") block.actualStart[slot] = start;
        else [block.planStart[slot], block.planEnd[slot]] = [start, end];
        kind = "planned";
      }
    }
  }
  return { block, anchors };
}

export type DrawnResult = {
  /** "FROZEN_BLOCKS E", or null. */
  refused: string | null;
  plan: Record<string, string>;
  warnings: string;
  moved: number;
};

/** Runs a drawn case and draws its result. Warnings: "CONFLICT E 2, PAST_DATE A". */
export function runDrawn(drawn: DrawnCase): DrawnResult {
  const { block, anchors } = drawPlan(drawn);
  const result = runSchedule({
    plan: block,
    flows: [drawn.flow.flow],
    flowOfRow: new Int32Array(1),
    calendars: [drawn.calendar ?? drawCalendar("Mon-Fri")],
    calendarOfRow: new Int32Array(1),
    mode: drawn.mode ?? "BOTH",
    asOf: day(drawn.asOf ?? "09-01"),
    latestDay: drawn.latest ?? day("2029-09-01"),
    changeControl: drawn.changeControl ?? false,
    anchors,
  });
  return drawResult(drawn.flow, block, result);
}

function drawResult({ letters }: DrawnFlow, block: PlanBlock, result: ScheduleResult): DrawnResult {
  const { findings, moves } = result;
  const found = Array.from({ length: findings.count }, (_, at) => {
    const letter = letters[findings.slots[at]! - 1] ?? "";
    return { code: findingCodes[findings.codes[at]!]!, letter, days: findings.days[at]! };
  });
  const refused = rowRefusal(result, 0);
  const starts = block.planStart.slice();
  const ends = block.planEnd.slice();
  moves.slots.forEach((slot, at) => {
    starts[slot] = moves.starts[at]!;
    ends[slot] = moves.ends[at]!;
  });
  return {
    refused: refused && [refused, ...found.map(({ letter }) => letter).sort()].filter((word) => word !== "").join(" "),
    plan: Object.fromEntries(letters.map((letter, place) => [letter, drawRange(starts[place + 1]!, ends[place + 1]!)])),
    warnings: refused
      ? ""
      : found
          .map(({ code, letter, days }) => `${code} ${letter}${days ? ` ${days}` : ""}`)
          .sort()
          .join(", "),
    moved: moves.slots.length,
  };
}
