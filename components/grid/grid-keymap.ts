import type { Direction } from "./cell-movement.ts";

/** What a key means on the grid. */
export type GridCommand =
  | { name: "move"; direction: Direction; by: "cell" | "edge" | "page"; extend: boolean }
  | { name: "line"; end: "first" | "last"; corner: boolean; extend: boolean }
  | { name: "tab"; backwards: boolean }
  | { name: "enter"; backwards: boolean }
  | { name: "edit" | "escape" | "clear" | "fillDown" | "fillRight" | "undo" | "redo" | "save" | "search" | "selectRow" | "selectAll" }
  | { name: "selectColumns" | "selectRowCells" | "enterAll" }
  | { name: "cellMenu" | "columnMenu" }
  | { name: "problem"; backwards: boolean }
  | { name: "leave"; backwards: boolean };

/** The parts of a keyboard event that decide. */
export type Key = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean };

const arrows: Record<string, Direction> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

const withControl: Record<string, GridCommand> = {
  a: { name: "selectAll" },
  d: { name: "fillDown" },
  f: { name: "search" },
  r: { name: "fillRight" },
  s: { name: "save" },
  y: { name: "redo" },
  z: { name: "undo" },
};

/**
 * The command of a key while no cell is being edited; null leaves the key to the browser (typing, copy and paste).
 * @param query whether a cell editor is open: then only the keys that end it count
 */
export function commandOf(event: Key, query: { editing: boolean }): GridCommand | null {
  const control = event.ctrlKey || event.metaKey;
  if (query.editing) return whileEditing(event, control);
  const direction = arrows[event.key];
  if (direction && event.altKey) return direction === "down" ? { name: "columnMenu" } : null;
  if (direction) return { name: "move", direction, by: control ? "edge" : "cell", extend: event.shiftKey };
  if (control && event.shiftKey && event.key.toLowerCase() === "z") return { name: "redo" };
  if (control && !event.altKey) {
    if (event.key === "Home" || event.key === "End")
      return { name: "line", end: event.key === "Home" ? "first" : "last", corner: true, extend: event.shiftKey };
    if (event.key === " ") return { name: "selectColumns" };
    return withControl[event.key.toLowerCase()] ?? null;
  }
  if (event.altKey) return null;
  switch (event.key) {
    case "Home":
    case "End":
      return { name: "line", end: event.key === "Home" ? "first" : "last", corner: false, extend: event.shiftKey };
    case "PageUp":
    case "PageDown":
      return { name: "move", direction: event.key === "PageUp" ? "up" : "down", by: "page", extend: event.shiftKey };
    case "Tab":
      return { name: "tab", backwards: event.shiftKey };
    case "Enter":
      return { name: "enter", backwards: event.shiftKey };
    case "F2":
      return { name: "edit" };
    case "Escape":
      return { name: "escape" };
    case "Delete":
    case "Backspace":
      return { name: "clear" };
    case " ":
      return { name: event.shiftKey ? "selectRowCells" : "selectRow" };
    case "F6":
      return { name: "leave", backwards: event.shiftKey };
    case "F8":
      return { name: "problem", backwards: event.shiftKey };
    case "F10":
      return event.shiftKey ? { name: "cellMenu" } : null;
    case "ContextMenu":
      return { name: "cellMenu" };
    default:
      return null;
  }
}

function whileEditing(event: Key, control: boolean): GridCommand | null {
  if (control && event.key.toLowerCase() === "s") return { name: "save" };
  if (control && event.key === "Enter") return { name: "enterAll" };
  if (control || event.altKey) return null;
  if (event.key === "Enter") return { name: "enter", backwards: event.shiftKey };
  if (event.key === "Tab") return { name: "tab", backwards: event.shiftKey };
  if (event.key === "Escape") return { name: "escape" };
  return null;
}
