"use client";

import { useTranslations } from "next-intl";
import { type CSSProperties, useSyncExternalStore } from "react";
import { type Lock, type Mark, markPaths } from "#components/ui/glyph-paths.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { LockGlyph, MarkGlyph } from "#components/ui/status-glyph.tsx";
import { type ColumnLayout, headHeight, placedRect, rowHeight } from "./column-layout.ts";
import type { AnyGrid } from "./grid-controller.ts";
import type { CellAddress, Refusal } from "./grid-model.ts";
import styles from "./planning-grid.module.css";
import type { ScrollWindow } from "./scroll-window.ts";

type Told = { cell: CellAddress; glyph: Mark | Lock | null; refusal: Refusal; keys: { key: string; text: string }[] };

const tall = 120;
// As in the style sheet: its width and where its point sits.
const wide = 286;
const point = 22;
const gap = 8;

/** What there is to say about a cell: an attempt that was refused, the cell under the pointer, or the active one. */
function useTold(controller: AnyGrid): Told | null {
  const t = useTranslations("grid");
  if (controller.editor) return null;
  const locked = controller.callOut;
  if (locked) {
    const column = controller.columnAt(locked.cell.column);
    const row = controller.source.row(locked.cell.row);
    const lock = column && row !== undefined ? controller.source.cellState(row, column).lock : undefined;
    return { cell: locked.cell, glyph: lock ?? null, refusal: locked.refusal, keys: [] };
  }
  const { hovered } = controller;
  const isActive = hovered?.row === controller.active.row && hovered.column === controller.active.column;
  for (const cell of hovered && !isActive ? [hovered, controller.active] : [controller.active]) {
    const column = controller.columnAt(cell.column);
    if (!column) continue;
    const edit = controller.editAt(cell.row, column);
    const active = cell === controller.active;
    const keys = active
      ? [
          { key: "Esc", text: t("revert") },
          { key: "F8", text: t("nextProblem") },
        ]
      : [];
    if (edit?.refusal) return { cell, glyph: "refused", refusal: edit.refusal, keys };
    if (edit?.conflict) {
      const theirs = controller.source.text(edit.conflict.theirs, column, controller.source.row(cell.row)) || "-";
      return {
        cell,
        glyph: "conflict",
        refusal: { code: "CONFLICT", cause: t("conflictCause", { name: edit.conflict.by, value: theirs }), remedy: t("conflictRemedy") },
        keys: active ? [{ key: "Enter", text: t("decide") }, ...keys] : [],
      };
    }
    if (edit?.warning) return { cell, glyph: "warning", refusal: edit.warning, keys: [] };
    if (cell === hovered || isActive) {
      const row = controller.source.row(cell.row);
      const lock = row === undefined ? undefined : controller.source.cellState(row, column).lock;
      const refusal = lock && row !== undefined ? controller.source.locked(row, column) : null;
      if (lock && refusal) return { cell, glyph: lock, refusal, keys: [] };
      const note = row === undefined ? undefined : controller.source.cellState(row, column).note;
      if (note) return { cell, glyph: note.mark, refusal: { code: note.mark, cause: note.text }, keys: [] };
    }
  }
  return null;
}

type CallOutProps = { controller: AnyGrid; scroll: ScrollWindow; layout: ColumnLayout; locked: boolean };

/** What there is to say about a cell, in the locked or in the other columns. */
export function CellCallOut({ controller, scroll, layout, locked }: CallOutProps) {
  const told = useTold(controller);
  const placed = told && layout.columns[told.cell.column];
  if (!told || !placed || placed.locked !== locked) return null;
  return <CallOutBox told={told} scroll={scroll} layout={layout} />;
}

/** Cause and remedy below a cell, above it where there is no room below, further left where there is none at the right. */
function CallOutBox({ told, scroll, layout }: { told: Told; scroll: ScrollWindow; layout: ColumnLayout }) {
  const port = useSyncExternalStore(
    scroll.subscribe,
    () => scroll.port,
    () => scroll.port,
  );
  const { left, top, height } = placedRect(layout, {
    top: told.cell.row,
    bottom: told.cell.row,
    left: told.cell.column,
    right: told.cell.column,
  });
  const above = top + height + tall > port.top + port.height - headHeight - rowHeight && top > tall;
  const start = Math.max(0, Math.min(left + gap, port.left + port.width - wide - gap));
  const place = { left: start, "--point": `${Math.min(wide - point, left + gap - start + point)}px` } as CSSProperties;
  const severe =
    told.glyph === "refused" ? styles.causeRefused : told.glyph === "warning" || told.glyph === "conflict" ? styles.causeWarned : "";
  return (
    <div
      role="status"
      className={`${styles.callOut} ${above ? styles.callOutAbove : ""}`}
      style={above ? { ...place, bottom: -(top - 7) } : { ...place, top: top + height + 7 }}
    >
      <div className={`${styles.cause} ${severe}`}>
        {told.glyph &&
          (told.glyph in markPaths ? <MarkGlyph mark={told.glyph as Mark} /> : <LockGlyph lock={told.glyph as Lock} size={12} />)}
        <span>{told.refusal.cause}</span>
      </div>
      {told.refusal.remedy && <div className={styles.remedy}>{told.refusal.remedy}</div>}
      {told.keys.length > 0 && (
        <div className={styles.keys}>
          {told.keys.map(({ key, text }) => (
            <span key={key}>
              <Kbd>{key}</Kbd> {text}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
