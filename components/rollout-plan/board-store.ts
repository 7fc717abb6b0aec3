import { weekday } from "#lib/core/clock.ts";
import { boardCardsMax, boardLanesMax } from "#lib/rollout-plan/board/limits.ts";
import { standing, weekOf, weekStart } from "#lib/rollout-plan/board/logic.ts";
import type { Board, BoardCard, BoardDu, BoardLane } from "#lib/rollout-plan/board/queries.ts";
import { isWorkingDay, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import type { PlanDates } from "./plan-moves.ts";

/** An activity on the board, with its dates as they are saved. */
export type BoardItem = { key: string; du: BoardDu; activityId: number; state: number; lanes: readonly number[] } & PlanDates;

/** Cards that are needed: lanes in order, and the weeks from one to another. */
export type CardsWanted = { lanes: number[]; fromWeek: number; toWeek: number };

type Ask = (lanes: readonly number[], from: number, to: number) => Promise<Board | null>;
/**
 * What is known of the cards of a lane in a week; `stale`: shown, but to be read again; `again`: shown while that is under way; `failed`: not read until
 * somebody asks for it.
 */
type Known = "asked" | "loaded" | "stale" | "again" | "many" | "failed";
const shownStates = new Set<Known | undefined>(["loaded", "stale", "again"]);

/** Cards of a lane in a week up to which they are read unasked: of more, a cell would show a few and count the rest. */
const weekCardsMax = 400;
/** Questions under way at once. */
const runningMax = 2;

export const itemKey = (duId: number, activityId: number) => `${duId}:${activityId}`;

/** Items of an answer. */
export function boardItems(dus: readonly BoardDu[], cards: readonly BoardCard[]): BoardItem[] {
  return cards.map(([at, activityId, planStart, planEnd, state, lanes]) => {
    const du = dus[at] as BoardDu;
    return { key: itemKey(du.id, activityId), du, activityId, planStart, planEnd, state, lanes };
  });
}

/**
 * Cut what is needed into questions that stay below the limit of cards: `numberOf` says how many cards a lane has in a week.
 * What is more than the limit by itself is left out: its number stands in its place.
 */
export function cardQuestions(
  wanted: readonly { lane: number; fromWeek: number; toWeek: number }[],
  numberOf: (lane: number, week: number) => number,
): CardsWanted[] {
  const questions: (CardsWanted & { cards: number })[] = [];
  const add = (lane: number, fromWeek: number, toWeek: number) => {
    let cards = 0;
    for (let week = fromWeek; week <= toWeek; week++) cards += numberOf(lane, week);
    if (cards > boardCardsMax) {
      if (fromWeek === toWeek) return;
      const middle = Math.floor((fromWeek + toWeek) / 2);
      add(lane, fromWeek, middle);
      add(lane, middle + 1, toWeek);
      return;
    }
    const found = questions.find(
      (one) => one.fromWeek === fromWeek && one.toWeek === toWeek && one.cards + cards <= boardCardsMax && one.lanes.length < boardLanesMax,
    );
    if (!found) questions.push({ lanes: [lane], fromWeek, toWeek, cards });
    else {
      found.lanes.push(lane);
      found.cards += cards;
    }
  };
  for (const { lane, fromWeek, toWeek } of wanted) add(lane, fromWeek, toWeek);
  return questions.map(({ lanes, fromWeek, toWeek }) => ({ lanes, fromWeek, toWeek }));
}

/**
 * The cards of a board: which are read, where they stand with unsaved dates, and how full that makes the lanes. Lives outside React.
 * Lanes are read week by week as they come into sight.
 */
export class BoardStore {
  lanes: readonly BoardLane[] = [];
  first = 0;
  last = -1;
  /** Dates that are wanted or were just saved, in place of those of the card. */
  wanted: (item: BoardItem) => PlanDates = (item) => item;
  /** Dates that were saved here since the cards were read, in place of those of the card. */
  saved: (item: BoardItem) => PlanDates = (item) => item;
  calendarOf: (regionId: number | null) => WorkingDays | null = () => null;

  private ask: Ask = () => Promise.resolve(null);
  private readonly items = new Map<string, BoardItem>();
  private readonly known = new Map<string, Known>();
  private readonly places = new Map<number, Map<number, Set<BoardItem>>>();
  private readonly placed = new Map<string, { from: number; to: number; lanes: readonly number[] }>();
  private readonly shifts = new Map<number, { count: number[]; load: number[]; weeks: number[] }>();
  private readonly byId = new Map<number, BoardLane>();
  private readonly listeners = new Set<() => void>();
  private queue: CardsWanted[] = [];
  private running = 0;
  private turn = 0;

  /** Another board: other days, lanes or DUs. Nothing of the one before is kept. */
  reset(board: Board, first: number, last: number, ask: Ask): void {
    this.turn++;
    this.items.clear();
    this.known.clear();
    this.queue = [];
    this.first = first;
    this.last = last;
    this.take(board, ask);
  }

  /** The same board, read again: what stands there stays until its cards are read again. */
  refresh(board: Board, ask: Ask): void {
    // What was saved here is counted by the board that was read after it.
    for (const [key, item] of this.items) {
      const { planStart, planEnd } = this.saved(item);
      if (planStart !== item.planStart || planEnd !== item.planEnd) this.items.set(key, { ...item, planStart, planEnd });
    }
    for (const [key, known] of this.known) {
      if (shownStates.has(known)) this.known.set(key, "stale");
      else this.known.delete(key);
    }
    this.queue = [];
    this.turn++;
    this.take(board, ask);
  }

  private take(board: Board, ask: Ask): void {
    this.ask = ask;
    this.running = 0;
    this.lanes = board.lanes ?? [];
    this.byId.clear();
    for (const lane of this.lanes) this.byId.set(lane.id, lane);
    this.replace();
  }

  /** Items that stand nowhere yet, such as what is not planned: they are placed once dates are wanted for them. */
  know(items: readonly BoardItem[]): void {
    for (const item of items) if (!this.items.has(item.key)) this.items.set(item.key, item);
    this.replace();
  }

  item(key: string): BoardItem | undefined {
    return this.items.get(key);
  }

  /** Works out anew where everything stands: wanted dates have changed. */
  replace(): void {
    this.places.clear();
    this.placed.clear();
    this.shifts.clear();
    for (const item of this.items.values()) this.place(item);
    this.changed();
  }

  private place(item: BoardItem): void {
    const dates = this.wanted(item);
    const now = standing(dates.planStart, dates.planEnd);
    if (now) {
      this.placed.set(item.key, { ...now, lanes: item.lanes });
      this.put(item, now.from, now.to);
    }
    this.count(item, now, 1);
  }

  /** Takes an item from where it was placed. */
  private unplace(item: BoardItem): void {
    const now = this.placed.get(item.key) ?? null;
    this.placed.delete(item.key);
    if (now)
      for (const lane of item.lanes)
        for (let day = Math.max(now.from, this.first); day <= Math.min(now.to, this.last); day++)
          this.places.get(lane)?.get(day)?.delete(item);
    this.count(item, now, -1);
  }

  /** Counts an item where it stands now instead of where it is saved, or no more (`by` -1). */
  private count(item: BoardItem, now: { from: number; to: number } | null, by: 1 | -1): void {
    const before = standing(item.planStart, item.planEnd);
    if (now?.from === before?.from && now?.to === before?.to) return;
    for (const lane of item.lanes) {
      if (before) this.shift(lane, item, before, -by);
      if (now) this.shift(lane, item, now, by);
    }
  }

  /** Puts an item in the place of what is known of it, null to forget it. What else stands on the board stays where it is. */
  private exchange(key: string, next: BoardItem | null): void {
    const known = this.items.get(key);
    if (known) this.unplace(known);
    if (!next) this.items.delete(key);
    else {
      this.items.set(key, next);
      this.place(next);
    }
  }

  private put(item: BoardItem, from: number, to: number): void {
    for (const lane of item.lanes) {
      const days = this.places.get(lane) ?? new Map<number, Set<BoardItem>>();
      this.places.set(lane, days);
      for (let day = Math.max(from, this.first); day <= Math.min(to, this.last); day++) {
        const cell = days.get(day);
        if (cell) cell.add(item);
        else days.set(day, new Set([item]));
      }
    }
  }

  private shift(lane: number, item: BoardItem, { from, to }: { from: number; to: number }, by: number): void {
    const { first, last } = this;
    if (from > last || to < first) return;
    const days = last - first + 1;
    const weeks = weekOf(last) - weekOf(first) + 1;
    const found = this.shifts.get(lane) ?? {
      count: new Array<number>(days).fill(0),
      load: new Array<number>(days).fill(0),
      weeks: new Array<number>(weeks).fill(0),
    };
    this.shifts.set(lane, found);
    const calendar = this.calendarOf(item.du.regionId);
    const [start, end] = [Math.max(from, first), Math.min(to, last)];
    for (let day = start; day <= end; day++) {
      found.count[day - first]! += by;
      if (!calendar || isWorkingDay(calendar, day)) found.load[day - first]! += by;
    }
    for (let week = weekOf(start); week <= weekOf(end); week++) found.weeks[week - weekOf(first)]! += by;
  }

  /** Cards of a lane on some days, in the order of their codes; null while they are not read. */
  cards(lane: number, from: number, to: number): BoardItem[] | null {
    const found = new Set<BoardItem>();
    const days = this.places.get(lane);
    for (let day = from; day <= to; day++) for (const item of days?.get(day) ?? []) found.add(item);
    // A few of many would look like all of them.
    if (!this.isRead(lane, from, to)) return null;
    return [...found].sort((a, b) => (a.du.code === b.du.code ? a.activityId - b.activityId : a.du.code < b.du.code ? -1 : 1));
  }

  private isRead(lane: number, from: number, to: number): boolean {
    for (let week = weekOf(from); week <= weekOf(to); week++)
      if (!shownStates.has(this.known.get(`${lane} ${week}`)) && this.numberIn(lane, week) !== 0) return false;
    return true;
  }

  /** How many cards stand in a lane on some days, with unsaved dates; null where numbers are hidden. */
  number(lane: number, from: number, to: number): number | null {
    const given = this.byId.get(lane);
    if (!given?.count || !given.weeks) return given ? null : this.moved(lane, from, to);
    const here = from === to ? given.count[from - this.first] : given.weeks[weekOf(from) - weekOf(this.first)];
    return Math.max(0, (here ?? 0) + this.moved(lane, from, to));
  }

  private moved(lane: number, from: number, to: number): number {
    const shift = this.shifts.get(lane);
    return (from === to ? shift?.count[from - this.first] : shift?.weeks[weekOf(from) - weekOf(this.first)]) ?? 0;
  }

  /** What a lane has to do: on a day what is worked on, in a week its different activities; null where numbers are hidden. */
  load(lane: number, from: number, to: number): number | null {
    if (from !== to) return this.number(lane, from, to);
    const given = this.byId.get(lane)?.load;
    const shift = this.shifts.get(lane)?.load[from - this.first] ?? 0;
    return given ? Math.max(0, (given[from - this.first] ?? 0) + shift) : this.byId.has(lane) ? null : shift;
  }

  /** Cards of a lane in a week as the server counts them; null where numbers are hidden. */
  private numberIn(lane: number, week: number): number | null {
    return this.byId.get(lane)?.weeks?.[week - weekOf(this.first)] ?? null;
  }

  /** Reads the cards of lanes and days in sight that are not read yet. */
  need(lanes: readonly number[], from: number, to: number): void {
    const wanted: { lane: number; fromWeek: number; toWeek: number }[] = [];
    for (const lane of lanes) {
      let begun: number | null = null;
      for (let week = weekOf(from); week <= weekOf(to) + 1; week++) {
        const lacks = week <= weekOf(to) && this.lacks(lane, week);
        if (lacks && begun === null) begun = week;
        if (!lacks && begun !== null) {
          wanted.push({ lane, fromWeek: begun, toWeek: week - 1 });
          begun = null;
        }
      }
    }
    if (wanted.length === 0) return;
    const questions = cardQuestions(wanted, (lane, week) => this.numberIn(lane, week) ?? 1);
    const asked = new Set<string>();
    for (const { lanes: some, fromWeek, toWeek } of questions)
      for (const lane of some) for (let week = fromWeek; week <= toWeek; week++) asked.add(`${lane} ${week}`);
    for (const { lane, fromWeek, toWeek } of wanted)
      for (let week = fromWeek; week <= toWeek; week++) {
        const key = `${lane} ${week}`;
        this.known.set(key, !asked.has(key) ? "many" : shownStates.has(this.known.get(key)) ? "again" : "asked");
      }
    this.queue.push(...questions);
    this.run();
  }

  /** What could not be read may be asked for again. */
  retry(): void {
    const failed = [...this.known].filter(([, known]) => known === "failed");
    for (const [key] of failed) this.known.delete(key);
    if (failed.length > 0) this.changed();
  }

  private lacks(lane: number, week: number): boolean {
    if ((this.numberIn(lane, week) ?? 0) > weekCardsMax) return false;
    const known = this.known.get(`${lane} ${week}`);
    if (known === undefined || known === "stale") return this.numberIn(lane, week) !== 0 || known === "stale";
    return false;
  }

  private run(): void {
    while (this.running < runningMax) {
      // What came into sight last is read first.
      const next = this.queue.pop();
      if (!next) return;
      this.running++;
      void this.read(next, this.turn);
    }
  }

  private async read(question: CardsWanted, turn: number): Promise<void> {
    const { lanes, fromWeek, toWeek } = question;
    const [from, to] = [Math.max(this.first, weekStart(fromWeek)), Math.min(this.last, weekStart(toWeek) + 6)];
    const answer = await this.ask(lanes, from, to);
    if (turn !== this.turn) return;
    this.running--;
    const markAll = (known: Known) => {
      for (const lane of lanes) for (let week = fromWeek; week <= toWeek; week++) this.known.set(`${lane} ${week}`, known);
    };
    if (!answer) markAll("failed");
    else if (answer.cards) {
      this.forget(lanes, from, to);
      for (const item of boardItems(answer.dus, answer.cards)) {
        // It may stand in lanes that were asked for at another time.
        const others = this.items.get(item.key)?.lanes ?? [];
        this.exchange(item.key, { ...item, lanes: [...new Set([...item.lanes, ...others])] });
      }
      markAll("loaded");
    } else if (lanes.length > 1) {
      const half = Math.ceil(lanes.length / 2);
      this.queue.push({ ...question, lanes: lanes.slice(0, half) }, { ...question, lanes: lanes.slice(half) });
    } else if (toWeek > fromWeek) {
      const middle = Math.floor((fromWeek + toWeek) / 2);
      this.queue.push({ lanes, fromWeek, toWeek: middle }, { lanes, fromWeek: middle + 1, toWeek });
    } else markAll("many");
    this.run();
    this.changed();
  }

  /** Takes saved cards out of lanes in which they stood on some days: those that still do come with the answer. */
  private forget(lanes: readonly number[], from: number, to: number): void {
    const asked = new Set(lanes);
    for (const [key, item] of this.items) {
      const stood = standing(item.planStart, item.planEnd);
      if (!stood || stood.from > to || stood.to < from || !item.lanes.some((lane) => asked.has(lane))) continue;
      const left = item.lanes.filter((lane) => !asked.has(lane));
      this.exchange(key, left.length === 0 ? null : { ...item, lanes: left });
    }
  }

  /** First and last day an item stands on. */
  standingOf(key: string): { from: number; to: number } | null {
    return this.placed.get(key) ?? null;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Columns of a board: its days, or its weeks from Sunday to Saturday. */
export function boardColumns(unit: "day" | "week", first: number, last: number): { from: number; to: number }[] {
  const columns: { from: number; to: number }[] = [];
  for (let from = first; from <= last; ) {
    const to = unit === "day" ? from : Math.min(last, from + 6 - weekday(from));
    columns.push({ from, to });
    from = to + 1;
  }
  return columns;
}
