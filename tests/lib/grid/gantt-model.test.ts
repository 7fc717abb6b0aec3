import { describe, expect, test, vi } from "vitest";
import { arrowsOf } from "#components/rollout-plan/gantt-arrows.ts";
import { bindingOf } from "#components/rollout-plan/gantt-binding.ts";
import { draggedDates, ganttKey } from "#components/rollout-plan/gantt-input.ts";
import { activityBar, duBar, GanttFlows, ganttLines, ganttSpan } from "#components/rollout-plan/gantt-model.ts";
import { readGanttOptions } from "#components/rollout-plan/gantt-options.ts";
import { PlanCells } from "#components/rollout-plan/plan-cells.ts";
import { dayAt, dayLeft, timeAxis, timeHead } from "#components/ui/time-axis.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";
import { planHead, planRow } from "./plan-fixture.ts";

const day = (iso: string | null) => dayNumber(iso);
const cells = new PlanCells(planHead, "2026-10-14", false);
const flows = new GanttFlows(planHead, [
  {
    flowId: 2,
    version: 4,
    nodes: [
      [7, 3, false],
      [9, 0, true],
      [8, 5, false],
    ],
    relations: [[7, 8, "FS", 2]],
  },
]);
const weekdays = workingDays(62, []);
const dates = (planStart: string, planEnd: string) => ({ planStart: day(planStart), planEnd: day(planEnd) });
const texts = ({ planStart, planEnd }: { planStart: number; planEnd: number }) => [isoDay(planStart), isoDay(planEnd)];

describe("lines and bars", () => {
  const row = planRow({
    3: {
      dates: {
        planStart: "2026-10-01",
        planEnd: "2026-10-06",
        actualStart: "2026-10-01",
        actualEnd: "2026-10-08",
        baselineEnd: "2026-10-05",
      },
    },
    5: { dates: { planStart: "2026-10-09", planEnd: "2026-10-13", baselineStart: "2026-10-08", baselineEnd: "2026-10-12" } },
  });

  test("are a DU and the activities of its flow that it has, or the DU alone where it is folded", () => {
    expect(ganttLines([row], cells, flows, new Set()).map(({ activityId }) => activityId)).toEqual([null, 7, 8]);
    expect(ganttLines([row], cells, flows, new Set([42])).map(({ activityId }) => activityId)).toEqual([null]);
  });

  test("slip by the actual end, by today where they are late, by the plan end otherwise", () => {
    expect(activityBar(cells, flows, row, 7, undefined)).toMatchObject({ status: "completed", slip: 3, late: false, milestone: false });
    expect(activityBar(cells, flows, row, 8, undefined)).toMatchObject({ status: "delayed", slip: 2, late: true });
    const wanted = (key: string) => (key === "8:planEnd" ? "2026-10-20" : undefined);
    expect(activityBar(cells, flows, row, 8, wanted)).toMatchObject({
      status: "within7",
      slip: 8,
      late: false,
      planEnd: day("2026-10-20"),
    });
  });

  test("take what needs no time for a milestone", () => {
    expect(activityBar(cells, flows, planRow({ 4: {} }), 9, undefined).milestone).toBe(true);
  });

  test("of a DU go from its first to its last day, with what is done and how far it slipped", () => {
    expect(duBar(cells, flows, row, undefined)).toEqual({
      from: day("2026-10-01"),
      to: day("2026-10-13"),
      done: 1,
      applicable: 2,
      planEnd: day("2026-10-13"),
      slip: 1,
    });
    expect(duBar(cells, flows, planRow({ 3: {} }), undefined)).toMatchObject({ from: 0, to: 0, slip: null });
  });

  test("span all days of the rows, and today", () => {
    expect(ganttSpan([row], day("2026-10-14"))).toEqual({ first: day("2026-10-01"), last: day("2026-10-14") });
    expect(ganttSpan([], 7)).toEqual({ first: 7, last: 7 });
  });
});

describe("arrows", () => {
  const places: Record<number, { left: number; right: number; middle: number }> = {
    7: { left: 10, right: 50, middle: 12 },
    8: { left: 120, right: 160, middle: 40 },
  };
  const placeOf = (id: number) => places[id] ?? null;

  test("go from end to start, or from and to where the type says, with a label at those of the chosen activity", () => {
    const [plain] = arrowsOf([[7, 8, "FS", 2]], placeOf, null);
    expect(plain).toMatchObject({ line: "M50 12H57V40H115", hot: false, labelAt: null });
    expect(arrowsOf([[7, 8, "FS", 2]], placeOf, 8)[0]).toMatchObject({ hot: true, label: "FS+2", labelAt: { y: 40 } });
    expect(arrowsOf([[7, 8, "SF", -1]], placeOf, null)[0]).toMatchObject({ label: "SF-1", line: expect.stringMatching(/^M10 12H3/) });
  });

  test("go around where the later bar begins too early, and are left out where a bar is missing", () => {
    expect(arrowsOf([[8, 7, "FS", 0]], placeOf, null)[0]?.line).toBe("M160 40H167V26H1V12H5");
    expect(arrowsOf([[7, 9, "FS", 0]], placeOf, null)).toEqual([]);
  });
});

describe("what binds an activity", () => {
  const bar = (planStart: string, planEnd: string, actualEnd: string | null = null) => ({
    ...dates(planStart, planEnd),
    actualStart: 0,
    actualEnd: day(actualEnd),
    baselineStart: 0,
    baselineEnd: 0,
  });
  const days: Record<number, ReturnType<typeof bar>> = {
    7: bar("2026-10-12", "2026-10-14"),
    9: bar("2026-10-14", "2026-10-15"),
    8: bar("2026-10-20", "2026-10-22"),
  };
  const daysOf = (id: number) => days[id] ?? null;

  test("is the relation that leaves the least room, in working days", () => {
    const relations: [number, number, "FS" | "SS", number][] = [
      [7, 8, "FS", 2],
      [9, 8, "FS", 0],
      [7, 9, "SS", 0],
    ];
    expect(bindingOf(8, relations, daysOf, weekdays, false)).toEqual({ pre: 7, type: "FS", offset: 2, spare: 1 });
    expect(bindingOf(9, relations, daysOf, weekdays, false)).toEqual({ pre: 7, type: "SS", offset: 0, spare: 2 });
    expect(bindingOf(8, [[7, 8, "FS", 5]], daysOf, weekdays, true)).toMatchObject({ spare: -1 });
  });

  test("is looked for by actual dates first, and nothing where dates are missing", () => {
    const late = (id: number) => (id === 7 ? bar("2026-10-12", "2026-10-14", "2026-10-19") : daysOf(id));
    expect(bindingOf(8, [[7, 8, "FS", 0]], late, weekdays, false)).toMatchObject({ spare: 0 });
    expect(bindingOf(8, [[5, 8, "FS", 0]], daysOf, weekdays, false)).toBeNull();
    expect(bindingOf(7, [[7, 8, "FS", 0]], daysOf, weekdays, false)).toBeNull();
  });
});

describe("dragging and keys", () => {
  const plan = dates("2026-10-14", "2026-10-16");

  test("a moved bar keeps its working days, a widened one its other end", () => {
    expect(texts(draggedDates(weekdays, plan, "move", 10, 13))).toEqual(["2026-10-19", "2026-10-21"]);
    expect(texts(draggedDates(weekdays, plan, "end", 10, 12))).toEqual(["2026-10-14", "2026-10-18"]);
    expect(texts(draggedDates(weekdays, plan, "end", 10, 1))).toEqual(["2026-10-14", "2026-10-14"]);
    expect(texts(draggedDates(weekdays, plan, "start", 10, 19))).toEqual(["2026-10-16", "2026-10-16"]);
  });

  const press = (
    key: string,
    given: Partial<KeyboardEvent> = {},
    line: { duId: number; activityId: number | null } = { duId: 42, activityId: 7 },
  ) => {
    const done = { go: vi.fn(), fold: vi.fn(), want: vi.fn(), ask: vi.fn(), toToday: vi.fn(), undo: vi.fn(), redo: vi.fn() };
    const event = { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...given };
    const answer = ganttKey(event, {
      ...done,
      at: 3,
      line,
      page: 20,
      count: 100,
      isFolded: false,
      datesOf: () => plan,
      calendarOf: () => weekdays,
    });
    return { ...done, answer };
  };

  test.each([
    ["ArrowRight", {}, ["2026-10-15", "2026-10-19"]],
    ["ArrowLeft", { altKey: true }, ["2026-10-13", "2026-10-15"]],
    ["ArrowRight", { shiftKey: true }, ["2026-10-14", "2026-10-19"]],
  ])("%s moves the bar by a working day, with Shift its end", (key, given, expected) => {
    const { want, answer } = press(key, given);
    expect(answer).toBe(true);
    expect(texts(want.mock.calls[0]?.[1])).toEqual(expected);
  });

  test("up and down go, left and right fold a DU, Enter asks for days, Ctrl Z takes back", () => {
    expect(press("ArrowDown").go).toHaveBeenCalledWith(4);
    expect(press("PageUp").go).toHaveBeenCalledWith(-17);
    expect(press("ArrowLeft", {}, { duId: 42, activityId: null }).fold).toHaveBeenCalledWith(42);
    expect(press("ArrowRight", {}, { duId: 42, activityId: null }).fold).not.toHaveBeenCalled();
    expect(press("Enter").ask).toHaveBeenCalledTimes(1);
    expect(press("z", { ctrlKey: true }).undo).toHaveBeenCalledTimes(1);
    expect(press("x").answer).toBe(false);
  });
});

describe("the axis", () => {
  const axis = timeAxis("week", day("2026-09-06"), day("2026-11-21"));

  test("places days and finds them again", () => {
    expect(dayLeft(axis, day("2026-09-13"))).toBe(77);
    expect(isoDay(dayAt(axis, 80))).toBe("2026-09-13");
    expect(dayAt(axis, 1e9)).toBe(axis.last);
  });

  test("names months and weeks, a week from Sunday by its Monday", () => {
    const { upper, lower } = timeHead(axis, axis.first, day("2026-10-10"), "en");
    expect(upper.map(({ text }) => text)).toEqual(["September 2026", "October 2026"]);
    expect(lower.map(({ text, width }) => [text, width])[0]).toEqual(["W37", 77]);
    expect(timeHead(timeAxis("quarter", axis.first, axis.last), axis.first, axis.last, "en").lower.map(({ text }) => text)).toEqual([
      "Q3",
      "Q4",
    ]);
  });
});

test("the kept choice of a Gantt is read, and what is unknown left out", () => {
  expect(readGanttOptions({ scale: "day", baseline: false, other: 1 })).toEqual({
    scale: "day",
    baseline: false,
    relations: true,
    free: true,
  });
  expect(readGanttOptions(null)).toEqual({ scale: "week", baseline: true, relations: true, free: true });
});
