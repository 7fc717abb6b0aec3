"use client";
import { Button, Checkbox } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter, Sort } from "#lib/core/paging.ts";
import classes from "./data-table.module.css";
import { EmptyState } from "./empty-state.tsx";
import { ErrorPanel } from "./error-panel.tsx";
import { TableFoot } from "./table-foot.tsx";
import { type Column, TableHead, TableRow } from "./table-parts.tsx";
import { useList } from "./use-list.ts";
import { useLoading } from "./use-loading.ts";
import { useSession } from "./use-session.tsx";

export type { Column } from "./table-parts.tsx";

type Key = string | number;

type Props<Row> = {
  /** What the table lists, read by screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => Key;
  /** Address of the paged list up to its page: `memberRole/list`. */
  address: string;
  filters?: Filter[];
  /** Further input of the call. */
  input?: Record<string, unknown>;
  sort?: Sort;
  pageSize?: number;
  /** Tool bar above the table: filter chips, search. While rows are selected, the batch bar takes its place. */
  bar?: ReactNode;
  /** Shows check boxes; gives the verbs for the selected rows. */
  batch?: (rows: Row[], clear: () => void) => ReactNode;
  onOpen?: (row: Row) => void;
  empty?: ReactNode;
  refetchInterval?: number | false;
  /** Rows have a grip that puts them into another order, as long as no column sorts them. */
  order?: {
    /** Name of a row, read when it is moved. */
    name: (row: Row) => string;
    /** Gives whether the row stands where it was put. */
    onMove: (rows: readonly Row[], from: number, to: number) => Promise<boolean>;
  };
};

/** A dense list of the server: sortable heads, pages, selection with batch verbs; loading, empty and failed states in place. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rowKey, address, filters = [], input, batch, onOpen, bar, empty, refetchInterval, order } = props;
  const t = useTranslations("ui");
  const [page, setPage] = useState(1);
  const { rowsPerPage } = useSession();
  const [size, setSize] = useState(rowsPerPage ?? props.pageSize ?? 50);
  const [sort, setSort] = useState<Sort | undefined>(props.sort);
  const [selected, setSelected] = useState<ReadonlyMap<Key, Row>>(new Map());
  const [current, setCurrent] = useState(0);
  const [drag, setDrag] = useState<{ dragged: Key; over: Key } | null>(null);
  const [told, setTold] = useState("");
  const body = useRef<HTMLTableSectionElement>(null);
  const moving = useRef<readonly Row[]>(null);
  const conditions = JSON.stringify([address, filters, input]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other conditions make another list, which starts at its first page
  useEffect(() => {
    setPage(1);
    setSelected(new Map());
  }, [conditions]);

  const list = useList<Row>({
    address,
    page,
    size,
    filters,
    ...(input ? { input } : {}),
    ...(sort ? { sort: [sort] } : {}),
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
  const rows = list.data?.records ?? [];
  const loading = useLoading(list.isPending);
  const clear = () => setSelected(new Map());
  const toggle = (row: Row) =>
    setSelected((before) => {
      const after = new Map(before);
      if (!after.delete(rowKey(row))) after.set(rowKey(row), row);
      return after;
    });
  const all = rows.length > 0 && rows.every((row) => selected.has(rowKey(row)));
  const toggleAll = () =>
    setSelected((before) => {
      const after = new Map(before);
      for (const row of rows) all ? after.delete(rowKey(row)) : after.set(rowKey(row), row);
      return after;
    });
  const focusRow = (index: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setCurrent(to);
    body.current?.querySelectorAll<HTMLTableRowElement>("tr[data-row]")[to]?.focus();
  };

  const ordering = sort === undefined ? order : undefined;
  const move = async (from: number, to: number) => {
    const row = rows[from];
    // The next move is made upon what is shown after this one.
    if (!ordering || !row || to < 0 || to >= rows.length || from === to || moving.current === rows) return;
    moving.current = rows;
    const moved = await ordering.onMove(rows, from, to).finally(() => {
      moving.current = null;
    });
    setTold(moved ? t("table.moved", { name: ordering.name(row), place: (page - 1) * size + to + 1 }) : "");
    body.current?.querySelector<HTMLButtonElement>(`[data-grip="${rowKey(row)}"]`)?.focus();
  };

  const shown = (): ReactNode => {
    if (list.isError && rows.length === 0)
      return <ErrorPanel title={t("table.failed")} failed={list.error} onRetry={() => list.refetch()} />;
    if (loading.state === "late")
      return (
        <ErrorPanel
          title={t("table.failed")}
          text={t("error.late")}
          onRetry={() => {
            loading.again();
            void list.refetch();
          }}
        />
      );
    if (list.isSuccess && rows.length === 0) return empty ?? <EmptyState />;
    return null;
  };

  // A table without anything to press is scrolled by the keys all the same.
  const isStill = !batch && !onOpen && !columns.some(({ sortable }) => sortable);

  return (
    <div className={classes.frame}>
      {selected.size > 0 && batch ? (
        <div className={classes.bar} role="toolbar" aria-label={t("table.batch")}>
          <span aria-live="polite">{t("table.selected", { count: selected.size })}</span>
          {batch([...selected.values()], clear)}
          <Button variant="subtle" color="gray" onClick={clear}>
            {t("table.clear")}
          </Button>
        </div>
      ) : bar ? (
        <div className={classes.bar}>
          {bar}
          <span className={classes.count}>{list.data ? formatNumber(list.data.total) : ""}</span>
        </div>
      ) : null}
      <section className={classes.scroll} aria-label={label} aria-busy={list.isFetching} tabIndex={isStill ? 0 : undefined}>
        {shown() ?? (
          <table
            className={classes.table}
            role={batch || onOpen ? "grid" : undefined}
            aria-label={label}
            aria-rowcount={list.data?.total ?? -1}
          >
            <thead>
              <tr>
                {ordering ? <th className={classes.order} aria-label={t("table.order")} /> : null}
                {batch ? (
                  <th className={classes.check}>
                    <Checkbox
                      size="xs"
                      aria-label={t("table.all")}
                      checked={all}
                      indeterminate={!all && selected.size > 0}
                      onChange={toggleAll}
                    />
                  </th>
                ) : null}
                {columns.map((column) => (
                  <TableHead key={column.key} column={column} sort={sort} onSort={setSort} />
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {list.isPending
                ? loading.state === "shown" && <LoadingRows rows={8} columns={columns.length + (batch ? 1 : 0) + (ordering ? 1 : 0)} />
                : rows.map((row, index) => (
                    <TableRow
                      key={rowKey(row)}
                      row={row}
                      rowNumber={(page - 1) * size + index + 2}
                      columns={columns}
                      isCurrent={index === current}
                      selected={batch ? selected.has(rowKey(row)) : undefined}
                      onToggle={() => toggle(row)}
                      onOpen={onOpen ? () => onOpen(row) : undefined}
                      onMove={(step) => focusRow(index + step)}
                      onFocus={() => setCurrent(index)}
                      grip={
                        ordering && {
                          name: ordering.name(row),
                          rowKey: rowKey(row),
                          isOver: drag !== null && drag.over === rowKey(row) && drag.dragged !== rowKey(row),
                          onMove: (step) => void move(index, index + step),
                          onDrag: () => setDrag({ dragged: rowKey(row), over: rowKey(row) }),
                          onOver: () => drag && drag.over !== rowKey(row) && setDrag({ ...drag, over: rowKey(row) }),
                          // The list may have been read again since the row was taken up.
                          onDrop: () =>
                            drag &&
                            void move(
                              rows.findIndex((one) => rowKey(one) === drag.dragged),
                              index,
                            ),
                          onEnd: () => setDrag(null),
                          dragging: drag !== null,
                        }
                      }
                    />
                  ))}
            </tbody>
          </table>
        )}
      </section>
      {order ? (
        <p className={classes.told} aria-live="polite">
          {told}
        </p>
      ) : null}
      {list.data && list.data.total > 0 ? (
        <TableFoot
          page={page}
          size={size}
          total={list.data.total}
          onPage={setPage}
          onSize={(next) => {
            setSize(next);
            setPage(1);
          }}
        />
      ) : null}
    </div>
  );
}

function LoadingRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  ));
}
