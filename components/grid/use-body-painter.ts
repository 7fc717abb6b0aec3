import { useTranslations } from "next-intl";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Lock, locks } from "#components/ui/glyph-paths.ts";
import { type BodyLook, BodyPainter } from "./body-painter.ts";
import { cellLook, type LookWords, loadingLook } from "./cell-look.ts";
import type { ColumnLayout, PlacedColumn } from "./column-layout.ts";
import { firstBody } from "./first-body.ts";
import type { AnyGrid } from "./grid-controller.ts";
import styles from "./planning-grid.module.css";
import type { ScrollWindow } from "./scroll-window.ts";
import { useGlyphImages } from "./use-glyph-images.ts";

const noMarks: readonly string[] = [];
const headRows = 2;
const numberPlace = "\u0000";

type Painted = {
  grid: AnyGrid;
  scroll: ScrollWindow;
  scroller: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
  layout: ColumnLayout;
  total: number;
  id: string;
};

function useLookWords(): LookWords {
  const t = useTranslations("grid");
  const ui = useTranslations("ui");
  return useMemo(
    () => ({
      refused: t("spoken.refused"),
      warning: t("spoken.warning"),
      conflict: t("spoken.conflict"),
      unsaved: t("spoken.unsaved"),
      outside: t("spoken.outside"),
      loading: t("spoken.loading"),
      lock: Object.fromEntries(locks.map((lock) => [lock, ui(`lock.${lock}`)])) as Record<Lock, string>,
    }),
    [t, ui],
  );
}

/** Marks of a cell that do not come from what it holds. */
function marksOf(grid: AnyGrid, row: number, column: number): readonly string[] {
  const active = grid.active.row === row && grid.active.column === column;
  const several = grid.range.top !== grid.range.bottom || grid.range.left !== grid.range.right;
  const flashing = grid.isFlashing(row, column);
  if (active) return flashing ? ["flash", "active"] : ["active"];
  if (several && grid.isSelected(row, column)) return flashing ? ["range", "flash"] : ["range"];
  return flashing ? ["flash"] : noMarks;
}

/** What there is to draw of every cell, wherever the area stands. */
function bodyLook(grid: AnyGrid, layout: ColumnLayout, words: LookWords): BodyLook {
  const { source } = grid;
  const waiting = loadingLook(words);
  return {
    layout,
    headRows,
    look: (row: number, { column }: PlacedColumn) => {
      const data = source.row(row);
      if (data === undefined) return waiting;
      const state = source.cellState(data, column);
      if (state.outside) return cellLook(column, "", state, undefined, words);
      const edit = grid.editAt(row, column);
      return cellLook(column, source.text(edit ? edit.mine : source.value(data, column), column, data), state, edit, words);
    },
    marks: (row, column) => marksOf(grid, row, column),
    isSelected: (row, column) => grid.isSelected(row, column),
    rowMarks: (row) => {
      const key = source.rowKey(row);
      return { current: row === grid.active.row, chosen: key !== undefined && grid.rows.has(key) };
    },
  };
}

/** How many rows from the first on are here. */
function rowsHere(grid: AnyGrid, total: number): number {
  let count = 0;
  while (count < total && grid.source.row(count) !== undefined) count++;
  return count;
}

/**
 * Paints the cells: in the same frame whenever the area is scrolled, without React, and after every drawing of the grid.
 * @returns what the body holds until then: on the server its first rows; the browser has them from the document
 */
export function useBodyPainter({ grid, scroll, scroller, body, layout, total, id }: Painted): { __html: string } {
  const t = useTranslations("grid");
  const words = useLookWords();
  const painter = useRef<BodyPainter | null>(null);
  const paint = useRef(() => {});
  const asked = useRef("");
  useGlyphImages(scroller);

  useLayoutEffect(() => {
    if (!body.current) return;
    // Rows that scroll by are named many hundred times a second: the words around the number are asked for once.
    const [before, after] = t("selectRow", { row: numberPlace }).split(numberPlace);
    const made = new BodyPainter(body.current, styles, id, (row) => `${before}${row + 1}${after}`);
    painter.current = made;
    return () => {
      made.clear();
      painter.current = null;
    };
  }, [body, id, t]);

  useLayoutEffect(() => {
    if (!scroller.current) return;
    const detach = scroll.attach(scroller.current);
    const stop = scroll.subscribe(() => paint.current());
    return () => {
      stop();
      detach();
    };
  }, [scroll, scroller]);

  useLayoutEffect(() => {
    const look = bodyLook(grid, layout, words);
    paint.current = () => {
      const window = scroll.window();
      painter.current?.paint({ ...look, window, stamp: grid.version, active: grid.active });
      const { firstRow, lastRow } = window.seen;
      const seen = `${firstRow} ${lastRow}`;
      if (asked.current === seen) return;
      asked.current = seen;
      if (lastRow >= firstRow) grid.source.requestRange(firstRow, lastRow);
    };
    if (!scroll.setContent(layout, total)) paint.current();
  });

  const [first] = useState(() => ({
    __html: typeof window === "undefined" ? firstBody(bodyLook(grid, layout, words), rowsHere(grid, total), styles) : "",
  }));
  return first;
}
