import { expect, test } from "vitest";
import { commandOf, type GridCommand, type Key } from "#components/grid/grid-keymap.ts";

const key = (text: string): Key => {
  const parts = text.split("+");
  return {
    key: parts.at(-1) === "Space" ? " " : (parts.at(-1) as string),
    ctrlKey: parts.includes("Ctrl"),
    metaKey: parts.includes("Meta"),
    shiftKey: parts.includes("Shift"),
    altKey: parts.includes("Alt"),
  };
};

test.each<[string, GridCommand | null]>([
  ["ArrowDown", { name: "move", direction: "down", by: "cell", extend: false }],
  ["Shift+ArrowLeft", { name: "move", direction: "left", by: "cell", extend: true }],
  ["Ctrl+Shift+ArrowRight", { name: "move", direction: "right", by: "edge", extend: true }],
  ["PageDown", { name: "move", direction: "down", by: "page", extend: false }],
  ["Home", { name: "line", end: "first", corner: false, extend: false }],
  ["Ctrl+End", { name: "line", end: "last", corner: true, extend: false }],
  ["Tab", { name: "tab", backwards: false }],
  ["Shift+Tab", { name: "tab", backwards: true }],
  ["Enter", { name: "enter", backwards: false }],
  ["F2", { name: "edit" }],
  ["Escape", { name: "escape" }],
  ["Delete", { name: "clear" }],
  ["Ctrl+d", { name: "fillDown" }],
  ["Ctrl+r", { name: "fillRight" }],
  ["Ctrl+z", { name: "undo" }],
  ["Meta+z", { name: "undo" }],
  ["Ctrl+y", { name: "redo" }],
  ["Ctrl+Shift+Z", { name: "redo" }],
  ["Ctrl+s", { name: "save" }],
  ["Ctrl+f", { name: "search" }],
  ["Ctrl+a", { name: "selectAll" }],
  ["Space", { name: "selectRow" }],
  ["Shift+Space", { name: "selectRowCells" }],
  ["Ctrl+Space", { name: "selectColumns" }],
  ["F8", { name: "problem", backwards: false }],
  ["Shift+F8", { name: "problem", backwards: true }],
  ["Alt+ArrowDown", { name: "columnMenu" }],
  ["Shift+F10", { name: "cellMenu" }],
  ["F6", { name: "leave", backwards: false }],
  ["Ctrl+c", null],
  ["Ctrl+v", null],
  ["Ctrl+k", null],
  ["a", null],
  ["7", null],
])("%s on a cell", (text, command) => {
  expect(commandOf(key(text), { editing: false })).toEqual(command);
});

test.each<[string, GridCommand | null]>([
  ["Enter", { name: "enter", backwards: false }],
  ["Tab", { name: "tab", backwards: false }],
  ["Escape", { name: "escape" }],
  ["Ctrl+s", { name: "save" }],
  ["ArrowLeft", null],
  ["Space", null],
  ["Delete", null],
  ["Ctrl+z", null],
  ["Alt+Enter", null],
])("%s in the editor", (text, command) => {
  expect(commandOf(key(text), { editing: true })).toEqual(command);
});

test("Ctrl+Enter ends the editor over the whole selection", () => {
  expect(commandOf(key("Ctrl+Enter"), { editing: true })).toEqual({ name: "enterAll" });
});
