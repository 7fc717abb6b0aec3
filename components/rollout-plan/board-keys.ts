import type { KeyboardEvent } from "react";
import type { BoardPlace } from "./board-content.ts";
import { type BoardLayout, shownCards } from "./board-layout.ts";

type KeyOptions = {
  place: BoardPlace | null;
  layout: BoardLayout;
  /** Cards of a cell that are read. */
  countAt: (place: Pick<BoardPlace, "lane" | "column">) => number;
  go: (place: BoardPlace) => void;
  /** Moves the active card by working days. */
  shift: (days: number) => void;
  open: () => void;
  /** Lists the cards of the active cell. */
  list: () => void;
  toToday: () => void;
  undo: () => void;
  redo: () => void;
};

/** Stops of the keyboard in a cell: its drawn cards and the line that counts the others. */
function stopsIn(layout: BoardLayout, lane: number, count: number): number {
  const shown = shownCards(count, layout.rooms[lane] ?? 0);
  return count > shown ? shown + 1 : shown;
}

/** What a key does: arrows go from card to card, with Alt they move the active one by a working day; answers whether it did something. */
export function boardKey(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">, options: KeyOptions): boolean {
  const { place, layout, countAt, go } = options;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) options.undo();
    else if (key === "y" || key === "z") options.redo();
    else return false;
    return true;
  }
  if (!place) return false;
  const across = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (across !== 0 && event.altKey) {
    options.shift(across);
    return true;
  }
  if (event.altKey) return false;
  const stops = (lane: number, column: number) => stopsIn(layout, lane, countAt({ lane, column }));
  const at = (lane: number, column: number, wanted: number): BoardPlace => ({
    lane,
    column,
    at: Math.min(wanted < 0 ? 0 : wanted, stops(lane, column) - 1),
  });
  if (across !== 0) {
    const column = Math.min(layout.columns.length - 1, Math.max(0, place.column + across));
    go(at(place.lane, column, place.at));
    return true;
  }
  switch (event.key) {
    case "ArrowDown":
      if (place.at + 1 < stops(place.lane, place.column)) go({ ...place, at: place.at + 1 });
      else if (place.lane + 1 < layout.rooms.length) go(at(place.lane + 1, place.column, 0));
      return true;
    case "ArrowUp":
      if (place.at > 0) go({ ...place, at: place.at - 1 });
      else if (place.lane > 0) go(at(place.lane - 1, place.column, Number.MAX_SAFE_INTEGER));
      return true;
    case "Home":
      go(at(place.lane, 0, 0));
      return true;
    case "End":
      go(at(place.lane, layout.columns.length - 1, 0));
      return true;
    case "PageDown":
      go(at(Math.min(layout.rooms.length - 1, place.lane + 1), place.column, 0));
      return true;
    case "PageUp":
      go(at(Math.max(0, place.lane - 1), place.column, 0));
      return true;
    case "Enter":
    case " ": {
      const count = countAt(place);
      if (place.at < 0 || place.at >= shownCards(count, layout.rooms[place.lane] ?? 0)) options.list();
      else options.open();
      return true;
    }
    case "t":
    case "T":
      options.toToday();
      return true;
    default:
      return false;
  }
}
