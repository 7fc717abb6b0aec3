"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { CellCallOut } from "./cell-call-out.tsx";
import { CellEditor, type Companions, commitField } from "./cell-editor.tsx";
import { type GridView, headHeight, rowHeight } from "./column-layout.ts";
import type { GridHandlers } from "./grid-commands.ts";
import type { AnyGrid } from "./grid-controller.ts";
import { cellBox, revealCell } from "./grid-geometry.ts";
import { type ColumnSort, GridHeadRows } from "./grid-head.tsx";
import type { CellAddress, GridHead } from "./grid-model.ts";
import { GridRings } from "./grid-rings.tsx";
import { asGrid, asRows } from "./grid-roles.ts";
import { GridSummary, type GroupFigures, type SummaryProps } from "./grid-summary.tsx";
import styles from "./planning-grid.module.css";
import { ScrollWindow } from "./scroll-window.ts";
import { TileFailures } from "./tile-failures.tsx";
import { useBodyPainter } from "./use-body-painter.ts";
import { startFill, useGridPointer } from "./use-grid-pointer.ts";
import { useGridTable } from "./use-grid-table.ts";

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
  summary?: Pick<SummaryProps, "label" | "note" | "failed">;
  companions?: Companions;
  onSave: () => void;
  onSearch?: () => void;
  onConflict?: () => void;
  /** Opens the menu of a column at its head. */
  onColumnMenu?: (key: string, anchor: DOMRect) => void;
  columnMenu?: string | null;
  /** Without column menus: a click on the head of a sortable column asks for its order. */
  onSort?: (key: string) => void;
  onCellMenu?: (cell: CellAddress, point: { x: number; y: number }) => void;
  /** Shown over the rows when there are none. */
  empty?: ReactNode;
};

const noFigures: ReadonlyMap<string, GroupFigures> = new Map();
const noNotes: ReadonlyMap<string, string> = new Map();
const noSorts: readonly ColumnSort[] = [];
const noKeys: ReadonlySet<string> = new Set();
/**
 * The planning grid: locked columns, foldable groups, virtual rows and columns, one editor, and the keyboard of a spreadsheet.
 * Cells are painted outside React; this component draws the heads, the summary and what lies over the cells.
 */
export function PlanningGrid(props: PlanningGridProps) {
  const { grid, head, view, onView, onSave, onSearch, onConflict, onColumnMenu, onCellMenu } = props;
  const t = useTranslations("grid");
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const { total } = grid.source;

  const { layout, resizeStart } = useGridTable(head, view, total, (widths) => onView({ widths }));
  useLayoutEffect(() => grid.setLayout(layout), [grid, layout]);
  const [scroll] = useState(() => new ScrollWindow(layout, total));
  const firstRows = useBodyPainter({ grid, scroll, scroller, body, layout, total, id });
  const finishEdit = useCallback(() => commitField(grid, field.current), [grid]);
  useLayoutEffect(() => {
    grid.viewport = {
      reveal: (cell) => scroll.reveal((element) => revealCell(element, grid.layout, cell)),
      drawnRows: () => {
        const { firstRow, lastRow } = scroll.window();
        return { from: firstRow, to: lastRow };
      },
      pageRows: () => Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight - rowHeight) / rowHeight),
      focus: () => field.current?.focus({ preventScroll: true }),
      keepTyped: finishEdit,
    };
    return () => {
      grid.viewport = null;
    };
  }, [grid, scroll, finishEdit]);

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
      if (!key) return;
      if (onColumnMenu && anchor) onColumnMenu(key, anchor.getBoundingClientRect());
      else if (grid.columnAt(grid.active.column)?.sortable) props.onSort?.(key);
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
  return (
    <div ref={frame} className={styles.frame}>
      <div ref={scroller} className={styles.scroller}>
        <div className={styles.content} style={{ width: layout.width, height: headHeight + (total + 1) * rowHeight }}>
          {total > 0 && (
            <GridRings {...rings} locked>
              <CellCallOut controller={grid} scroll={scroll} layout={layout} locked />
              <TileFailures
                grid={grid}
                scroll={scroll}
                onRetry={(from) => {
                  grid.source.retry(from);
                  // The button goes, the focus stays in the grid.
                  field.current?.focus({ preventScroll: true });
                }}
              />
            </GridRings>
          )}
          <div
            id={id}
            {...asGrid(props.label, grid.source.open ? -1 : total + 3, layout.columns.length + 1, grid.readOnly)}
            className={styles.table}
          >
            <GridHeadRows
              controller={grid}
              scroll={scroll}
              layout={layout}
              lockedTitle={props.lockedTitle}
              notes={props.notes ?? noNotes}
              sorts={props.sorts ?? noSorts}
              filtered={props.filtered ?? noKeys}
              resizeStart={resizeStart}
              onResetWidth={resetWidth}
              onFold={fold}
              onMenu={onColumnMenu && openMenu}
              onSort={props.onSort}
              menuOpen={props.columnMenu ?? null}
            />
            <div
              ref={body}
              {...asRows}
              className={styles.body}
              style={{ width: layout.width, minHeight: total * rowHeight }}
              suppressHydrationWarning
              // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `firstBody`, which escapes every text
              dangerouslySetInnerHTML={firstRows}
            />
            {props.summary && (
              <GridSummary scroll={scroll} layout={layout} figures={props.figures ?? noFigures} {...props.summary} rowIndex={total + 3} />
            )}
          </div>
          {total > 0 && (
            <GridRings {...rings} locked={false}>
              <CellCallOut controller={grid} scroll={scroll} layout={layout} locked={false} />
            </GridRings>
          )}
        </div>
      </div>
      <CellEditor
        grid={grid}
        gridId={id}
        scroll={scroll}
        scroller={scroller}
        handlers={handlers}
        companions={props.companions ?? {}}
        fieldRef={field}
        readOnly={grid.readOnly}
      />
      <span id={`${id}-help`} hidden>
        {t("help")}
      </span>
      {props.empty && <div className={styles.empty}>{props.empty}</div>}
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
