"use client";
import { useEffect, useState } from "react";
import type { CompanionProps } from "#components/grid/cell-editor.tsx";
import classes from "./master-page.module.css";

/** Choices below a cell: typing narrows them, arrows go through them, Enter takes the marked one. */
export function ChoiceList({ grid, editor, query, commit }: CompanionProps) {
  const word = (query ?? "").trim().toLowerCase();
  const choices = editor.column.choices ?? [];
  const items = word ? choices.filter((choice) => choice.label.toLowerCase().includes(word)) : choices;
  const present = grid.valueAt(editor.cell.row, editor.column);
  const [marked, setMarked] = useState(() =>
    Math.max(
      0,
      choices.findIndex((choice) => choice.value === present),
    ),
  );
  const at = Math.min(marked, items.length - 1);
  useEffect(() => {
    if (word) setMarked(0);
  }, [word]);
  useEffect(() => {
    grid.editorKeys = (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        setMarked(Math.max(0, Math.min(items.length - 1, at + (event.key === "ArrowDown" ? 1 : -1))));
        return true;
      }
      const choice = items[at];
      // Emptied text clears the cell; that is the editor's own business.
      if ((event.key !== "Enter" && event.key !== "Tab") || !choice || (query !== null && !word)) return false;
      commit(choice.value);
      if (event.key === "Tab") grid.tab(event.shiftKey);
      else grid.move("down", "cell", false);
      return true;
    };
    return () => {
      grid.editorKeys = null;
    };
  });
  if (items.length === 0) return null;
  return (
    <div className={classes.choices} role="listbox" aria-label={editor.column.title} tabIndex={-1}>
      {items.map((choice, index) => (
        <div
          key={choice.value}
          role="option"
          tabIndex={-1}
          aria-selected={choice.value === present}
          data-marked={index === at || undefined}
          onPointerEnter={() => setMarked(index)}
          onPointerDown={(event) => {
            event.preventDefault();
            commit(choice.value);
            grid.viewport?.focus();
          }}
        >
          {choice.label}
        </div>
      ))}
    </div>
  );
}
