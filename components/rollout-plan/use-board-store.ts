import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CellValue } from "#components/grid/grid-model.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { Board } from "#lib/rollout-plan/board/queries.ts";
import { type BoardItem, BoardStore } from "./board-store.ts";
import { CalendarTables } from "./calendar-tables.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { columnKey } from "./plan-keys.ts";

type Given = {
  desk: PlanDesk;
  board: Board | null;
  ask: (lanes: readonly number[], from: number, to: number) => Promise<Board | null>;
  first: number;
  last: number;
  /** Says which board it is: another one keeps nothing of the one before. */
  key: string;
};

/** The cards of the board in step with what is read, with unsaved edits and with what was just saved; `version` counts their changes. */
export function useBoardStore({ desk, board, ask, first, last, key }: Given) {
  const [store] = useState(() => new BoardStore());
  const [version, setVersion] = useState(0);
  const calendars = useMemo(() => (board?.calendars ? new CalendarTables(board.calendars) : null), [board]);
  const shown = useRef("");
  const reading = useRef(0);
  const saves = useRef(new Map<string, CellValue>());

  useLayoutEffect(() => {
    /** What was saved since the board was read; its row may have been read again before the board is. */
    const savedValue = (rowKey: string, name: string): CellValue | undefined => {
      const value = desk.source.savedSince(rowKey, name, reading.current);
      if (value === undefined) return saves.current.get(`${rowKey} ${name}`);
      saves.current.set(`${rowKey} ${name}`, value);
      return value;
    };
    const dates =
      (isSaved: boolean) =>
      ({ du, activityId, planStart, planEnd }: BoardItem) => {
        const rowKey = String(du.id);
        const one = (field: "planStart" | "planEnd", saved: number) => {
          const name = columnKey(field, activityId);
          const edit = isSaved ? undefined : desk.edits.get(rowKey, name);
          const value = edit && edit.typed === undefined ? edit.mine : savedValue(rowKey, name);
          return value === undefined ? saved : typeof value === "string" ? dayNumber(value) : 0;
        };
        return { planStart: one("planStart", planStart), planEnd: one("planEnd", planEnd) };
      };
    store.wanted = dates(false);
    store.saved = dates(true);
    store.calendarOf = (regionId) => calendars?.of(regionId) ?? null;
  }, [store, desk, calendars]);

  useLayoutEffect(() => {
    if (!board) return;
    if (shown.current === key) store.refresh(board, ask);
    else {
      shown.current = key;
      store.reset(board, first, last, ask);
    }
    reading.current = desk.source.reading;
    // The store has taken them over: its cards are read again.
    saves.current.clear();
  }, [store, board, ask, first, last, key, desk]);

  useEffect(() => store.subscribe(() => setVersion((count) => count + 1)), [store]);
  useEffect(() => desk.edits.subscribe(() => store.replace()), [desk, store]);
  return { store, calendars, version };
}
