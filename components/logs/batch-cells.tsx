"use client";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import table from "#components/ui/data-table.module.css";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Filter, Page } from "#lib/core/paging.ts";
import { type LogField, loggedColumn, logValue } from "#lib/logs/logic.ts";
import type { LogRow } from "#lib/logs/queries.ts";
import classes from "./plan-log.module.css";

type Props = {
  /** Batches whose cells are shown: one, or the chunks of one task. */
  batches: readonly number[];
  /** Further conditions of the page. */
  filters: readonly Filter[];
  fields: ReadonlyMap<string, LogField>;
};

const pageSize = 100;

/** The changed cells of a batch: where, from what, to what. */
export function BatchCells({ batches, filters, fields }: Props) {
  const t = useTranslations("logs");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const href = useHref();
  const conditions: Filter[] = [
    ...filters.filter(({ field }) => field !== "batch" && field !== "at"),
    { field: "batch", type: "in", values: [...batches] },
  ];
  const cells = useInfiniteQuery({
    queryKey: ["plan log cells", project, conditions],
    queryFn: async ({ pageParam, signal }) =>
      dataOf(
        await callDoor<Page<LogRow> & { more: boolean }>(listAddress("planLog/list", pageParam, pageSize, conditions), {}, { signal }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * pageSize < total ? page + 1 : null),
  });
  if (cells.isError && !cells.isFetchNextPageError)
    return <ErrorPanel title={t("failed")} failed={cells.error} onRetry={() => void cells.refetch()} />;
  const rows = cells.data?.pages.flatMap(({ records }) => records) ?? [];
  const total = cells.data?.pages[0]?.total ?? 0;
  const text = (row: LogRow, value: LogRow["old"]) =>
    logValue(
      value,
      fields.get(row.field),
      (key) => t(key),
      (key) => common(key),
    );
  return (
    <div className={classes.cells} aria-busy={cells.isFetching}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{common("du")}</th>
            <th scope="col">{common("flow")}</th>
            <th scope="col">{common("activity")}</th>
            <th scope="col">{t("field")}</th>
            <th scope="col">{t("old")}</th>
            <th scope="col">{t("new")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.batchId} ${row.duId} ${row.activityId} ${row.field}`}>
              <td>
                <Link
                  className={classes.link}
                  href={href("rolloutPlan", { query: { du: row.duCode, cell: `${row.duId} ${loggedColumn(row)}` } })}
                  prefetch={false}
                  title={t("open", { du: row.duCode })}
                >
                  {row.duCode}
                </Link>
              </td>
              <td>{row.flow}</td>
              <td>{row.activity}</td>
              <td>{fields.get(row.field)?.title ?? row.field}</td>
              <td>
                <Side value={text(row, row.old)} blank={t("blank")} old />
              </td>
              <td>
                <Side value={text(row, row.new)} blank={t("blank")} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {cells.isFetchNextPageError ? (
        <ErrorPanel title={t("failed")} failed={cells.error} onRetry={() => void cells.fetchNextPage()} />
      ) : cells.hasNextPage ? (
        <Button m={8} size="xs" variant="subtle" loading={cells.isFetchingNextPage} onClick={() => void cells.fetchNextPage()}>
          {t("moreCells", { count: Math.min(pageSize, total - rows.length) })}
        </Button>
      ) : null}
    </div>
  );
}

/** One side of a change: struck through what was, marked what is. */
function Side({ value, blank, old = false }: { value: string; blank: string; old?: boolean }) {
  if (value === "") return <span className={classes.blank}>{blank}</span>;
  return old ? <del className={classes.old}>{value}</del> : <ins className={classes.new}>{value}</ins>;
}
