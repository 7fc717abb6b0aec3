import { describe, expect, test, vi } from "vitest";
import type { BoardPlace } from "#components/rollout-plan/board-content.ts";
import { boardKey } from "#components/rollout-plan/board-keys.ts";
import { boardLayout, columnAt, laneAt, shownCards } from "#components/rollout-plan/board-layout.ts";
import { readBoardOptions } from "#components/rollout-plan/board-options.ts";
import { BoardStore, boardColumns, boardItems, cardQuestions } from "#components/rollout-plan/board-store.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { boardCardsMax } from "#lib/rollout-plan/board/limits.ts";
import { weekOf } from "#lib/rollout-plan/board/logic.ts";
import type { Board, BoardCard, BoardDu } from "#lib/rollout-plan/board/queries.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";

const first = dayNumber("2026-10-11");
const last = first + 13;
const day = (iso: string) => dayNumber(`2026-10-${iso}`);
const weekdays = workingDays(62, []);
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const dus: BoardDu[] = [1, 2, 3].map((id) => ({ id, code: `GD-${id}`, name: `Name ${id}`, regionId: null, releaseState: 0 }));

const counts = (given: Record<string, number>) => Array.from({ length: 14 }, (_, at) => given[isoDay(first + at)?.slice(8) ?? ""] ?? 0);
const lane = (id: number, count: number[], weeks: number[]) => ({ id, title: `Lane ${id}`, count, load: count, weeks });
const board = (lanes: Board["lanes"], cards: BoardCard[] | null = null): Board => ({
  seq: 1,
  from: "2026-10-11",
  to: "2026-10-24",
  groupBy: "owner",
  lanes,
  dus,
  cards,
  unscheduled: null,
  calendars: [],
});

function opened(cards: BoardCard[], lanes = [lane(7, counts({ 14: 1, 15: 1, 16: 1 }), [1, 0]), lane(8, counts({}), [0, 0])]) {
  const store = new BoardStore();
  const ask = vi.fn(async (_lanes: readonly number[], _from: number, _to: number): Promise<Board | null> => board(null, cards));
  store.calendarOf = () => weekdays;
  store.reset(board(lanes), first, last, ask);
  return { store, ask };
}
const codes = (store: BoardStore, id: number, iso: string) => store.cards(id, day(iso), day(iso))?.map((item) => item.du.code) ?? null;

describe("the cards of a board", () => {
  const card: BoardCard = [0, 5, day("14"), day("16"), 1, [7]];

  test("are read lane by lane and week by week as they come into sight, each once, empty lanes never", async () => {
    const { store, ask } = opened([card]);
    expect(codes(store, 7, "14")).toBeNull();
    expect(codes(store, 8, "14")).toEqual([]);
    store.need([7, 8], day("12"), day("16"));
    expect(ask.mock.calls).toEqual([[[7], first, first + 6]]);
    await settle();
    expect(codes(store, 7, "14")).toEqual(["GD-1"]);
    expect(codes(store, 7, "12")).toEqual([]);
    store.need([7, 8], day("12"), day("16"));
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("stand where unsaved dates put them, and lanes count them there", async () => {
    const { store } = opened([card]);
    store.need([7], day("12"), day("16"));
    await settle();
    store.wanted = (item) => ({ planStart: item.planStart + 2, planEnd: item.planEnd + 4 });
    store.replace();
    expect([codes(store, 7, "14"), codes(store, 7, "16"), codes(store, 7, "20")]).toEqual([[], ["GD-1"], ["GD-1"]]);
    expect(["14", "16", "17", "20"].map((iso) => store.number(7, day(iso), day(iso)))).toEqual([0, 1, 1, 1]);
    // Nothing is worked on a Saturday.
    expect(["16", "17", "19"].map((iso) => store.load(7, day(iso), day(iso)))).toEqual([1, 0, 1]);
    expect([store.number(7, first, first + 6), store.number(7, first + 7, last)]).toEqual([1, 1]);
    expect(store.standingOf("1:5")).toMatchObject({ from: day("16"), to: day("20") });
  });

  test("come in where they would stand if everything were worked out anew, with unsaved dates and those of other lanes", async () => {
    const lanes = [7, 8].map((id) => lane(id, counts({ 14: 2, 15: 2, 16: 2, 20: 1 }), [2, 1]));
    const { store, ask } = opened([], lanes);
    store.wanted = (item) => (item.du.id === 2 ? { planStart: item.planStart + 1, planEnd: item.planEnd + 5 } : item);
    const answers: BoardCard[][] = [
      [card, [1, 5, day("15"), day("15"), 1, [7, 8]]],
      [
        [1, 5, day("15"), day("15"), 1, [8]],
        [2, 6, day("16"), day("20"), 1, [8]],
      ],
      [[2, 6, day("16"), day("20"), 1, [7]]],
      // Read again: one has gone, one has moved.
      [[0, 5, day("15"), day("16"), 1, [7]]],
    ];
    const places = () =>
      [7, 8].map((id) =>
        Array.from({ length: 14 }, (_, at) => [
          store.cards(id, first + at, first + at)?.map((item) => `${item.key} ${item.lanes}`),
          store.number(id, first + at, first + at),
          store.load(id, first + at, first + at),
        ]),
      );
    const needs: [lanes: number[], from: string, to: string][] = [
      [[7], "12", "16"],
      [[8], "12", "16"],
      [[7], "19", "20"],
      [[7], "12", "16"],
    ];
    for (const [at, [some, from, to]] of needs.entries()) {
      ask.mockResolvedValueOnce(board(null, answers[at]!));
      if (at === 3) store.refresh(board(lanes), ask);
      store.need(some, day(from), day(to));
      await settle();
      const come = [places(), store.standingOf("2:5"), store.standingOf("3:6")];
      store.replace();
      expect(come, `answer ${at}`).toEqual([places(), store.standingOf("2:5"), store.standingOf("3:6")]);
    }
    expect(ask).toHaveBeenCalledTimes(4);
    expect(codes(store, 7, "14")).toEqual([]);
  });

  test("that were not planned come in with their first dates", () => {
    const { store } = opened([]);
    const [item] = boardItems(dus, [[1, 5, 0, 0, 1, [8]]]);
    store.know([item!]);
    expect(store.standingOf("2:5")).toBeNull();
    store.wanted = () => ({ planStart: day("20"), planEnd: day("20") });
    store.replace();
    expect(codes(store, 8, "20")).toEqual(["GD-2"]);
    expect(store.number(8, day("20"), day("20"))).toBe(1);
  });

  test("stay while the board is read again, and go where the answer no longer has them", async () => {
    const { store, ask } = opened([card]);
    store.need([7], day("12"), day("16"));
    await settle();
    ask.mockResolvedValueOnce(board(null, [[1, 5, day("15"), day("15"), 1, [7]]]));
    store.refresh(board([lane(7, counts({ 15: 1 }), [1, 0])]), ask);
    expect(codes(store, 7, "14")).toEqual(["GD-1"]);
    store.need([7], day("12"), day("16"));
    // While the answer is under way too.
    expect(codes(store, 7, "14")).toEqual(["GD-1"]);
    await settle();
    expect([codes(store, 7, "14"), codes(store, 7, "15")]).toEqual([[], ["GD-2"]]);
  });

  test("that were moved and saved here stay where they were put while the board is read again", async () => {
    const { store, ask } = opened([card]);
    store.need([7], day("12"), day("16"));
    await settle();
    const moved = () => ({ planStart: day("15"), planEnd: day("15") });
    store.wanted = moved;
    store.saved = moved;
    store.refresh(board([lane(7, counts({ 15: 1 }), [1, 0])]), ask);
    store.wanted = (item) => item;
    store.replace();
    expect([codes(store, 7, "14"), codes(store, 7, "15")]).toEqual([[], ["GD-1"]]);
    expect(["14", "15", "16"].map((iso) => store.number(7, day(iso), day(iso)))).toEqual([0, 1, 0]);
  });

  test("of several owners stay in the lane of the one while that of the other is read", async () => {
    const lanes = [lane(7, counts({ 14: 1 }), [1, 0]), lane(8, counts({ 14: 1 }), [1, 0])];
    const { store, ask } = opened([], lanes);
    ask.mockImplementation(async ([id]) => board(null, [[0, 5, day("14"), day("14"), 1, [id as number]]]));
    store.need([7], day("14"), day("14"));
    await settle();
    store.need([8], day("14"), day("14"));
    await settle();
    expect([codes(store, 7, "14"), codes(store, 8, "14")]).toEqual([["GD-1"], ["GD-1"]]);
  });

  test("are not read unasked where a lane has hundreds in a week: their number stands for them", async () => {
    const { store, ask } = opened([], [lane(7, counts({ 14: 300, 15: 300 }), [500, 0]), lane(8, counts({ 14: 400 }), [400, 0])]);
    store.need([7, 8], day("12"), day("16"));
    expect(ask.mock.calls.map(([ids]) => ids)).toEqual([[8]]);
    await settle();
    expect([codes(store, 7, "14"), store.number(7, day("14"), day("14"))]).toEqual([null, 300]);
    // One of them that is known does not stand for all.
    store.know(boardItems(dus, [[1, 5, day("14"), day("14"), 1, [7]]]));
    expect(codes(store, 7, "14")).toBeNull();
  });

  test("are asked for again in halves where an answer has too many, until their number stands for them", async () => {
    const hidden = [7, 8].map((id) => ({ id, title: "", count: null, load: null, weeks: null }));
    const { store, ask } = opened([], hidden as never);
    ask.mockImplementation(async (ids) => board(null, ids.length > 1 ? null : []));
    store.need([7, 8], day("12"), day("12"));
    for (let turn = 0; turn < 4; turn++) await settle();
    expect(ask.mock.calls.map(([ids]) => ids)).toEqual([[7, 8], [8], [7]]);
    expect([codes(store, 7, "12"), store.number(7, day("12"), day("12"))]).toEqual([[], null]);
  });
});

test("questions for cards keep below the limit, one lane and week at the least", () => {
  const number = (lane: number) => (lane === 3 ? boardCardsMax + 1 : boardCardsMax / 2);
  const wanted = [1, 2, 3, 4].map((id) => ({ lane: id, fromWeek: 10, toWeek: id === 4 ? 12 : 10 }));
  expect(cardQuestions(wanted, number)).toEqual([
    { lanes: [1, 2], fromWeek: 10, toWeek: 10 },
    { lanes: [4], fromWeek: 10, toWeek: 11 },
    { lanes: [4], fromWeek: 12, toWeek: 12 },
  ]);
});

describe("columns and lanes", () => {
  test("are the days, or the weeks from Sunday to Saturday that they touch", () => {
    expect(boardColumns("day", first, first + 2)).toHaveLength(3);
    expect(boardColumns("week", first + 3, first + 15).map(({ from, to }) => [isoDay(from), isoDay(to)])).toEqual([
      ["2026-10-14", "2026-10-17"],
      ["2026-10-18", "2026-10-24"],
      ["2026-10-25", "2026-10-26"],
    ]);
    expect(weekOf(first + 3)).toBe(weekOf(first));
  });

  const layout = boardLayout("day", boardColumns("day", first, last), [0, 5, 40, null]);

  test("are as high as their fullest cell, within bounds, and are found again", () => {
    expect(layout.rooms).toEqual([2, 5, 8, 8]);
    expect(layout.tops).toEqual([0, 80, 250, 510]);
    expect([laneAt(layout, 0), laneAt(layout, 79), laneAt(layout, 80), laneAt(layout, 9999)]).toEqual([0, 0, 1, 3]);
    expect([columnAt(layout, 0), columnAt(layout, 132), columnAt(layout, 1e6)]).toEqual([0, 1, 13]);
  });

  test("show all cards where they fit, else one less and how many are left", () => {
    expect([shownCards(2, 2), shownCards(3, 2), shownCards(0, 2)]).toEqual([2, 1, 0]);
  });

  const press = (key: string, place: BoardPlace | null, given: Partial<KeyboardEvent> = {}, count = 3) => {
    const done = { go: vi.fn(), shift: vi.fn(), open: vi.fn(), list: vi.fn(), toToday: vi.fn(), undo: vi.fn(), redo: vi.fn() };
    const event = { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...given };
    return { ...done, answer: boardKey(event, { ...done, place, layout, countAt: () => count }) };
  };

  test("arrows go from card to card, over the line that counts the others into the next lane", () => {
    const at = (card: number) => ({ lane: 0, column: 4, at: card });
    expect(press("ArrowDown", at(0)).go).toHaveBeenCalledWith({ lane: 0, column: 4, at: 1 });
    expect(press("ArrowDown", at(1)).go).toHaveBeenCalledWith({ lane: 1, column: 4, at: 0 });
    expect(press("ArrowUp", { lane: 1, column: 4, at: 0 }).go).toHaveBeenCalledWith({ lane: 0, column: 4, at: 1 });
    expect(press("ArrowRight", at(1), {}, 0).go).toHaveBeenCalledWith({ lane: 0, column: 5, at: -1 });
    expect(press("ArrowRight", { lane: 0, column: 13, at: 0 }).go).toHaveBeenCalledWith({ lane: 0, column: 13, at: 0 });
  });

  test("with Alt they move the card by a working day; Enter plans it, or lists what is not shown", () => {
    const place = { lane: 0, column: 4, at: 0 };
    expect(press("ArrowLeft", place, { altKey: true }).shift).toHaveBeenCalledWith(-1);
    expect(press("Enter", place).open).toHaveBeenCalledTimes(1);
    expect(press("Enter", { ...place, at: 1 }).list).toHaveBeenCalledTimes(1);
    expect(press("Enter", { ...place, at: -1 }).open).not.toHaveBeenCalled();
    expect(press("Enter", { ...place, at: -1 }).list).toHaveBeenCalledTimes(1);
    expect(press("z", place, { ctrlKey: true }).undo).toHaveBeenCalledTimes(1);
    expect(press("ArrowDown", null).answer).toBe(false);
  });
});

test("the kept choice of a board is read, and what is unknown left out", () => {
  expect(readBoardOptions({ groupBy: "region", unit: "week", capacity: { day: 3, week: 0 } })).toEqual({
    groupBy: "region",
    unit: "week",
    capacity: { day: 3, week: null },
  });
  expect(readBoardOptions({ groupBy: "x", other: 1, capacity: { day: 1.5 } })).toEqual({
    groupBy: "owner",
    unit: "day",
    capacity: { day: null, week: null },
  });
});
