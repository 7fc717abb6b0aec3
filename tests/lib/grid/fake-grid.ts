import { type ColumnLayout, layoutColumns } from "#components/grid/column-layout.ts";
import { EditStore } from "#components/grid/edit-store.ts";
import { GridController, type GridNotice } from "#components/grid/grid-controller.ts";
import type { Arrived, CellValue, GridColumn, GridSource } from "#components/grid/grid-model.ts";

export type FakeRow = { key: string; values: Record<string, CellValue>; locked?: string[]; outside?: string[] };

const column = (key: string, kind: GridColumn["kind"]): GridColumn => ({ key, title: key.toUpperCase(), kind, width: 100, editable: true });
/** Columns of the fake: a text, two dates, a number. */
export const fakeColumns = [column("name", "text"), column("start", "date"), column("end", "date"), column("qty", "number")];

export function fakeLayout(columns: readonly GridColumn[] = fakeColumns): ColumnLayout {
  const group = { key: "g", title: "G", columns };
  return layoutColumns(
    columns.map((given) => ({ column: given, group, width: given.width })),
    1,
    38,
  );
}

/** A grid over rows in memory; `loadedTo` rows are there, the others arrive when they are asked for. */
export function fakeGrid(rows: FakeRow[], loadedTo = rows.length) {
  let loaded = loadedTo;
  const listeners = new Set<(arrived?: Arrived) => void>();
  const source: GridSource<FakeRow> = {
    total: rows.length,
    open: false,
    row: (index) => (index < loaded ? rows[index] : undefined),
    rowKey: (index) => rows[index]?.key,
    indexOf: (key) => {
      const index = rows.findIndex((row) => row.key === key);
      return index < 0 ? undefined : index;
    },
    requestRange: () => {},
    ensureRange: async () => {
      loaded = rows.length;
      for (const listener of listeners) listener();
      return true;
    },
    value: (row, given) => row.values[given.key] ?? null,
    text: (value) => (value === null ? "" : String(value)),
    cellState: (row, given) => ({
      ...(row.outside?.includes(given.key) ? { outside: true as const } : {}),
      ...(row.locked?.includes(given.key) ? { lock: "frozen" as const } : {}),
    }),
    locked: (row, given) =>
      row.locked?.includes(given.key) || row.outside?.includes(given.key) ? { code: "FROZEN", cause: "The plan is frozen" } : null,
    failures: () => [],
    retry: () => {},
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const edits = new EditStore({ unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: typed }), now: () => 1 });
  const grid = new GridController(source, edits);
  grid.setLayout(fakeLayout());
  const notices: GridNotice[] = [];
  grid.notify = (notice) => notices.push(notice);
  const shown = () => rows.map((_row, index) => fakeColumns.map((given) => grid.textAt(index, given)));
  const arrive = (arrived: Arrived) => {
    for (const listener of listeners) listener(arrived);
  };
  return { grid, edits, notices, shown, arrive };
}

/** Rows r0, r1 ... with a start and an end. */
export function fakeRows(count: number): FakeRow[] {
  return Array.from({ length: count }, (_, at) => ({
    key: `r${at}`,
    values: { name: `n${at}`, start: `2026-10-${10 + at}`, end: `2026-11-${10 + at}`, qty: at },
  }));
}
