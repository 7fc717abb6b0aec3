"use client";

import { useEffect, useMemo, useState } from "react";
import type { CompanionProps } from "./cell-editor.tsx";
import styles from "./companion.module.css";

/** Choices of a cell: typing narrows them, arrows go through them, Enter takes the marked one. */
export function ChoiceCompanion({ grid, editor, query, commit }: CompanionProps) {
  const word = (query ?? "").trim().toLowerCase();
  const above = grid.aboveAt(editor.cell.row, editor.column);
  // Where the row does not show what chooses among them, all are offered.
  const choices = useMemo(
    () => (editor.column.choices ?? []).filter((choice) => above === undefined || choice.parent === undefined || choice.parent === above),
    [editor.column.choices, above],
  );
  const items = useMemo(
    () => (word ? choices.filter((choice) => choice.label.toLowerCase().includes(word) || choice.value.toLowerCase() === word) : choices),
    [choices, word],
  );
  const present = grid.valueAt(editor.cell.row, editor.column);
  const [marked, setMarked] = useState(() =>
    Math.max(
      0,
      choices.findIndex((choice) => choice.value === present),
    ),
  );
  useEffect(() => {
    if (word) setMarked(0);
  }, [word]);
  useEffect(() => {
    grid.editorKeys = (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const step = event.key === "ArrowDown" ? 1 : -1;
        setMarked((now) => Math.max(0, Math.min(items.length - 1, now + step)));
        return true;
      }
      if (event.key !== "Enter" && event.key !== "Tab") return false;
      const choice = items[marked];
      if (!choice || (query !== null && !word)) return false;
      commit(choice.value);
      if (event.key === "Tab") grid.tab(event.shiftKey);
      else grid.enter(false);
      return true;
    };
    return () => {
      grid.editorKeys = null;
    };
  });
  if (items.length === 0) return null;
  return (
    <div className={styles.list} role="listbox" aria-label={editor.column.title} tabIndex={-1}>
      {items.map((choice, at) => (
        <div
          key={choice.value}
          role="option"
          tabIndex={-1}
          aria-selected={choice.value === present}
          className={at === marked ? `${styles.option} ${styles.marked}` : styles.option}
          onMouseEnter={() => setMarked(at)}
          onClick={() => {
            commit(choice.value);
            grid.viewport?.focus();
          }}
          onKeyDown={() => {}}
        >
          <span className={styles.name}>{choice.label}</span>
        </div>
      ))}
    </div>
  );
}
