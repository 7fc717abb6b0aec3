"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { type Lock, locks } from "#components/ui/glyph-paths.ts";
import { BodyPainter } from "./body-painter.ts";
import { CellCallOut } from "./cell-call-out.tsx";
import { CellEditor, type Companions, commitField } from "./cell-editor.tsx";
import { cellLook, type LookWords, loadingLook } from "./cell-look.ts";
import { type ColumnLayout, type GridView, type PlacedColumn, rowHeight } from "./column-layout.ts";
import type { GridHandlers } from "./grid-commands.ts";
import type { AnyGrid } from "./grid-controller.ts";
import { cellBox, revealCell } from "./grid-geometry.ts";
import { type ColumnSort, GridHeadRows } from "./grid-head.tsx";
import type { CellAddress, GridHead } from "./grid-model.ts";
import { GridRings } from "./grid-rings.tsx";
import { asGrid, asRows } from "./grid-roles.ts";
import { GridSummary, type GroupFigures } from "./grid-summary.tsx";
import styles from "./planning-grid.module.css";
import { startFill, useGridPointer } from "./use-grid-pointer.ts";
import { useGridTable } from "./use-grid-table.ts";
import { headHeight, useVirtualWindow, type VirtualWindow } from "./use-virtual-window.ts";

export type PlanningGridProps = {
  grid: AnyGrid;
  label: string;
  head: GridHead;
  view: GridView;
  onView: (change: Partial<GridView>) => void;
  lockedTitle: string;
  /** Small text after the title of a group, by group key. */
  notes?: ReadonlyMap<string, string>;
  sorts?: readonly ColumnSort[];
  filtered?: ReadonlySet<string>;
  figures?: ReadonlyMap<string, GroupFigures>;
  summary?: { label: string; note: string };
  companions?: Companions;
  onSave: () => void;
  onSearch?: () => void;
  onConflict?: () => void;
  /** Opens the menu of a column at its head. */
  onColumnMenu?: (key: string, anchor: DOMRect) => void;
  columnMenu?: string | null;
  onCellMenu?: (cell: CellAddress, point: { x: number; y: number }) => void;
  /** Shown over the rows when there are none. */
  empty?: ReactNode;
};

const noFigures: ReadonlyMap<string, GroupFigures> = new Map();
const noNotes: ReadonlyMap<string, string> = new Map();
const noSorts: readonly ColumnSort[] = [];
const noKeys: ReadonlySet<string> = new Set();
const noMarks: readonly string[] = [];

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
  const key = grid.columnAt(column)?.key ?? "";
  const flashing = grid.isFlashing(grid.source.rowKey(row), key);
  if (active) return flashing ? ["flash", "active"] : ["active"];
  if (several && grid.isSelected(row, column)) return flashing ? ["range", "flash"] : ["range"];
  return flashing ? ["flash"] : noMarks;
}

function usePaint(grid: AnyGrid, painter: BodyPainter | null, window: VirtualWindow, layout: ColumnLayout, words: LookWords): void {
  useLayoutEffect(() => {
    if (!painter) return;
    const { source } = grid;
    const waiting = loadingLook(words);
    painter.paint({
      layout,
      ...window,
      stamp: grid.version,
      headRows: 2,
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
      active: grid.active,
      rowMarks: (row) => {
        const key = source.rowKey(row);
        return { current: row === grid.active.row, chosen: key !== undefined && grid.rows.has(key) };
      },
    });
  });
}

/**
 * The planning grid: locked columns, foldable groups, virtual rows and columns, one editor, and the keyboard of a spreadsheet.
 * Cells are painted outside React; this component draws the heads, the summary and what lies over the cells.
 */
export function PlanningGrid(props: PlanningGridProps) {
  const { grid, head, view, onView, onSave, onSearch, onConflict, onColumnMenu, onCellMenu } = props;
  const t = useTranslations("grid");
  const words = useLookWords();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const painter = useRef<BodyPainter | null>(null);
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const { total } = grid.source;

  const { layout, resizeStart } = useGridTable(head, view, total, (widths) => onView({ widths }));
  useLayoutEffect(() => grid.setLayout(layout), [grid, layout]);
  const window = useVirtualWindow(scroller, layout, total);
  const { seenFrom, seenTo } = window;

  useLayoutEffect(() => {
    if (!body.current) return;
    const made = new BodyPainter(body.current, styles, id, (row) => t("selectRow", { row: row + 1 }));
    painter.current = made;
    return () => {
      made.clear();
      painter.current = null;
    };
  }, [id, t]);
  usePaint(grid, painter.current ?? null, window, layout, words);

  useEffect(() => {
    if (seenTo >= seenFrom) grid.source.requestRange(seenFrom, seenTo);
  }, [grid, seenFrom, seenTo]);

  const finishEdit = useCallback(() => commitField(grid, field.current), [grid]);
  useLayoutEffect(() => {
    grid.viewport = {
      reveal: (cell) => scroller.current && revealCell(scroller.current, grid.layout, cell),
      pageRows: () => Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight - rowHeight) / rowHeight),
      focus: () => field.current?.focus({ preventScroll: true }),
    };
    return () => {
      grid.viewport = null;
    };
  }, [grid]);

  const fold = useCallback(
    (key: string) => {
      onView({ folded: view.folded.includes(key) ? view.folded.filter((name) => name !== key) : [...view.folded, key] });
      field.current?.focus({ preventScroll: true });
    },
    [onView, view.folded],
  );
  const handlers: GridHandlers = {
    save: onSave,
    search: () => onSearch?.(),
    conflict: () => onConflict?.(),
    finishEdit,
    leave: (backwards) => leave(frame.current, backwards),
    unfold: () => {
      const key = grid.layout.columns[grid.active.column]?.groupKey;
      if (key) fold(key);
    },
    columnMenu: () => {
      const key = grid.columnAt(grid.active.column)?.key;
      const anchor = frame.current?.querySelector(`[data-column="${CSS.escape(key ?? "")}"]`);
      if (key && anchor) onColumnMenu?.(key, anchor.getBoundingClientRect());
    },
    cellMenu: () => {
      const box = scroller.current;
      if (!box || !onCellMenu) return;
      const outer = box.getBoundingClientRect();
      const cell = cellBox(box, grid.layout, grid.active);
      onCellMenu(grid.active, { x: outer.left + cell.left + 8, y: outer.top + cell.top + rowHeight });
    },
  };
  useGridPointer(grid, scroller, body, finishEdit, onCellMenu);

  const openMenu = useCallback((key: string, element: HTMLElement) => onColumnMenu?.(key, element.getBoundingClientRect()), [onColumnMenu]);
  const resetWidth = useCallback(
    (key: string) => onView({ widths: Object.fromEntries(Object.entries(view.widths).filter(([name]) => name !== key)) }),
    [onView, view.widths],
  );
  const drawn = { layout, firstColumn: window.firstColumn, lastColumn: window.lastColumn };
  const right = (scroller.current?.scrollLeft ?? 0) + (scroller.current?.clientWidth ?? 0);
  const bottom = (scroller.current?.scrollTop ?? 0) + window.height - headHeight - rowHeight;
  const activeDrawn = grid.active.row >= window.firstRow && grid.active.row <= window.lastRow;
  const rings = {
    layout,
    range: grid.range,
    copied: grid.copied,
    filling: grid.filling,
    onHandle:
      grid.readOnly || grid.editor || total === 0
        ? undefined
        : (event: React.PointerEvent) => {
            event.preventDefault();
            event.stopPropagation();
            if (scroller.current) startFill(grid, scroller.current, event.nativeEvent);
          },
  };
  const failures = grid.source.failures().filter((range) => range.from <= window.seenTo && range.to >= window.seenFrom);
  return (
    <div ref={frame} className={styles.frame}>
      <div ref={scroller} className={styles.scroller}>
        <div className={styles.content} style={{ width: layout.width, height: headHeight + (total + 1) * rowHeight }}>
          {total > 0 && (
            <GridRings {...rings} locked>
              <CellCallOut controller={grid} layout={layout} locked bottom={bottom} right={right} />
              {failures.map((range) => (
                <TileFailure
                  key={range.from}
                  top={(Math.max(range.from, window.seenFrom) + Math.min(range.to, window.seenTo)) / 2}
                  width={scroller.current?.clientWidth ?? 0}
                  onRetry={() => {
                    grid.source.retry(range.from);
                    // The button goes, the focus stays in the grid.
                    field.current?.focus({ preventScroll: true });
                  }}
                />
              ))}
            </GridRings>
          )}
          <div
            id={id}
            {...asGrid(props.label, grid.source.open ? -1 : total + 3, layout.columns.length + 1, grid.readOnly)}
            className={styles.table}
          >
            <GridHeadRows
              controller={grid}
              {...drawn}
              lockedTitle={props.lockedTitle}
              notes={props.notes ?? noNotes}
              sorts={props.sorts ?? noSorts}
              filtered={props.filtered ?? noKeys}
              resizeStart={resizeStart}
              onResetWidth={resetWidth}
              onFold={fold}
              onMenu={onColumnMenu && openMenu}
              menuOpen={props.columnMenu ?? null}
            />
            <div ref={body} {...asRows} className={styles.body} style={{ width: layout.width, minHeight: total * rowHeight }} />
            {props.summary && <GridSummary {...drawn} figures={props.figures ?? noFigures} {...props.summary} rowIndex={total + 3} />}
          </div>
          {total > 0 && (
            <GridRings {...rings} locked={false}>
              <CellCallOut controller={grid} layout={layout} locked={false} bottom={bottom} right={right} />
            </GridRings>
          )}
        </div>
      </div>
      <CellEditor
        grid={grid}
        gridId={id}
        scroller={scroller}
        handlers={handlers}
        companions={props.companions ?? {}}
        fieldRef={field}
        activeId={activeDrawn && total > 0 ? `${id}-${grid.active.row}-${grid.active.column}` : undefined}
        readOnly={grid.readOnly}
      />
      <span id={`${id}-help`} hidden>
        {t("help")}
      </span>
      {props.empty && <div className={styles.empty}>{props.empty}</div>}
    </div>
  );
}

function TileFailure({ top, width, onRetry }: { top: number; width: number; onRetry: () => void }) {
  const t = useTranslations("grid");
  return (
    <div role="alert" className={styles.failure} style={{ top: top * rowHeight - 8, left: Math.max(8, width / 2 - 120) }}>
      {t("rowsFailed")}
      <button type="button" className={styles.retry} onClick={onRetry}>
        {t("retry")}
      </button>
    </div>
  );
}

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), textarea, select, [tabindex="0"]';

/** F6: out of the grid to the control before or after it, because Tab stays inside. */
function leave(frame: HTMLElement | null, backwards: boolean): void {
  if (!frame) return;
  const all = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && !frame.contains(element) && element.getClientRects().length > 0,
  );
  const side = backwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const outside = all.filter((element) => frame.compareDocumentPosition(element) & side);
  (backwards ? outside.at(-1) : outside[0])?.focus();
}
