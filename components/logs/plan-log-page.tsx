"use client";
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconDownload, IconRefresh } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Fragment, useMemo, useState } from "react";
import table from "#components/ui/data-table.module.css";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLoading } from "#components/ui/use-loading.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment } from "#lib/core/format.ts";
import type { LogField } from "#lib/logs/logic.ts";
import type { LogBatch } from "#lib/logs/plan-batches/queries.ts";
import { BatchCells } from "./batch-cells.tsx";
import classes from "./plan-log.module.css";
import { PlanLogFilters } from "./plan-log-filters.tsx";
import { anything, type LogQuestion, logFilters, logQuery } from "./plan-log-question.ts";

type Props = {
  flows: { id: number; name: string }[];
  /** Who changed something. */
  actors: { id: number; name: string }[];
  fields: LogField[];
  /** What the address asked for. */
  given: Partial<LogQuestion>;
};

/** A batch as shown: the chunks of one task are one. */
type Shown = LogBatch & { batchIds: number[] };

/** The history of plan changes: who changed what, when, from what to what, why; batch by batch, each with its cells. */
export function PlanLogPage({ flows, actors, fields, given }: Props) {
  const t = useTranslations("logs");
  const plan = useTranslations("plan-grid");
  const ui = useTranslations("ui");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const { offset } = useSession();
  const [question, setQuestion] = useState<LogQuestion>({ ...anything, ...given });
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [startExport, exporting] = useExport("planLog/export");
  const filters = useMemo(() => logFilters(question), [question]);
  const named = useMemo(() => new Map(fields.map((field) => [field.key, field])), [fields]);
  const ask = (next: LogQuestion) => {
    setQuestion(next);
    setOpen(new Set());
    window.history.replaceState(window.history.state, "", `${window.location.pathname}${logQuery(next)}`);
  };
  const list = useInfiniteQuery({
    queryKey: ["plan log", project, filters],
    queryFn: async ({ pageParam, signal }) =>
      dataOf(
        await callDoor<{ records: LogBatch[]; more: boolean }>(
          "planLog/batches",
          { filters, ...(pageParam === null ? {} : { beforeSeq: pageParam }) },
          { signal },
        ),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ records, more }) => (more ? (records.at(-1)?.seq ?? null) : null),
  });
  const batches = useMemo(() => joinTasks(list.data?.pages.flatMap(({ records }) => records) ?? []), [list.data]);
  const loading = useLoading(list.isPending);
  const hasFailed = list.isError && !list.isFetchNextPageError;
  const toggle = (id: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });

  return (
    <>
      <PageBar>
        <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={exporting} onClick={() => void startExport({ filters })}>
          {common("export")}
        </Button>
        <Tooltip label={common("refresh")}>
          <ActionIcon size={28} aria-label={common("refresh")} loading={list.isRefetching} onClick={() => void list.refetch()}>
            <IconRefresh size={16} stroke={1.4} />
          </ActionIcon>
        </Tooltip>
      </PageBar>
      <div className={table.frame}>
        <search className={table.bar}>
          <PlanLogFilters question={question} onChange={ask} flows={flows} actors={actors} fields={fields} />
        </search>
        <section className={table.scroll} aria-label={t("label")} aria-busy={list.isFetching}>
          {hasFailed || loading.state === "late" ? (
            <ErrorPanel
              title={ui("table.failed")}
              text={hasFailed ? undefined : ui("error.late")}
              failed={list.error}
              onRetry={() => {
                loading.again();
                void list.refetch();
              }}
            />
          ) : list.isSuccess && batches.length === 0 ? (
            <EmptyState text={t("emptyText")} />
          ) : (
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col" style={{ width: 34 }}>
                    <span className={classes.hidden}>{t("what")}</span>
                  </th>
                  <th scope="col" style={{ width: 160 }}>
                    {t("when")}
                  </th>
                  <th scope="col" style={{ width: 160 }}>
                    {t("actor")}
                  </th>
                  <th scope="col" style={{ width: 160 }}>
                    {t("source")}
                  </th>
                  <th scope="col" style={{ width: 180 }}>
                    {t("size")}
                  </th>
                  <th scope="col">{t("why")}</th>
                </tr>
              </thead>
              <tbody>
                {loading.state === "shown" ? <Bones /> : null}
                {batches.map((batch) => {
                  const shown = open.has(batch.batchId);
                  return (
                    <Fragment key={batch.batchId}>
                      <tr>
                        <td>
                          <ActionIcon
                            size={24}
                            aria-expanded={shown}
                            aria-label={t("show", { batch: batch.batchId })}
                            onClick={() => toggle(batch.batchId)}
                          >
                            {shown ? <IconChevronDown size={16} stroke={1.4} /> : <IconChevronRight size={16} stroke={1.4} />}
                          </ActionIcon>
                        </td>
                        <td>{formatMoment(batch.at, offset)}</td>
                        <td>{batch.actor ?? t("system")}</td>
                        <td>
                          {plan(`source.${batch.source}`)}{" "}
                          {batch.undoOf === null ? null : <Tag>{t("undoOf", { batch: batch.undoOf })}</Tag>}
                        </td>
                        <td>{t("counts", { dus: batch.dus, cells: batch.cells })}</td>
                        <td data-wrap>{batch.reason}</td>
                      </tr>
                      {shown ? (
                        <tr>
                          <td colSpan={6}>
                            <BatchCells batches={batch.batchIds} filters={filters} fields={named} />
                          </td>
                        </tr>
                      ) : null}
                    </Fragment>
                  );
                })}
              </tbody>
            </table>
          )}
          {list.isFetchNextPageError ? (
            <ErrorPanel title={t("failed")} failed={list.error} onRetry={() => void list.fetchNextPage()} />
          ) : list.hasNextPage && !hasFailed ? (
            <Button m={12} variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t("older")}
            </Button>
          ) : null}
        </section>
      </div>
    </>
  );
}

/** Puts the chunks of one task together under the newest of them. */
function joinTasks(batches: readonly LogBatch[]): Shown[] {
  const shown: Shown[] = [];
  const byTask = new Map<string, Shown>();
  for (const batch of batches) {
    const first = batch.task === null ? undefined : byTask.get(batch.task);
    if (first) {
      first.batchIds.push(batch.batchId);
      first.dus += batch.dus;
      first.cells += batch.cells;
      continue;
    }
    const own = { ...batch, batchIds: [batch.batchId] };
    shown.push(own);
    if (batch.task !== null) byTask.set(batch.task, own);
  }
  return shown;
}

function Bones() {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={`bone ${row + 1}`}>
      <td colSpan={6}>
        <span className={table.bone} />
      </td>
    </tr>
  ));
}
