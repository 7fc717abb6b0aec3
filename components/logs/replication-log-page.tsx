"use client";
import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight, IconDownload, IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Fragment, useMemo, useState } from "react";
import table from "#components/ui/data-table.module.css";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { useExport } from "#components/ui/use-export.ts";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList, useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { type ReplicationStatus, replicationStatuses } from "#lib/activity-flows/replications/limits.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { ReplicationRow } from "#lib/logs/replication-log/queries.ts";
import { datePresets } from "#lib/rollout-plan/conditions/limits.ts";
import classes from "./plan-log.module.css";

const address = "replicationLog/list";
const typingMs = 300;
const pollMs = 3_000;
const tones: Record<ReplicationStatus, Tone> = { running: "info", done: "ok", partly: "warn", failed: "danger" };

/** What became of activities that were copied with their flows: copy by copy, each with its activities; failed ones are tried again. [LOG-03] */
export function ReplicationLogPage() {
  const t = useTranslations("logs.replication");
  const common = useTranslations("common");
  const plan = useTranslations("plan-grid");
  const ui = useTranslations("ui");
  const { offset, rowsPerPage = 50 } = useSession();
  const client = useQueryClient();
  const [status, setStatus] = useState<string | null>(null);
  const [preset, setPreset] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), typingMs);
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(rowsPerPage);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [startExport, exporting] = useExport("replicationLog/export");
  const filters = useMemo<Filter[]>(
    () => [
      ...(status ? [{ field: "status", type: "eq" as const, values: [status] }] : []),
      ...(preset ? [{ field: "at", type: "preset" as const, values: [preset] }] : []),
      ...(searched ? [{ field: "flow", type: "like" as const, values: [searched] }] : []),
    ],
    [status, preset, searched],
  );
  const [polls, setPolls] = useState(false);
  const list = useList<ReplicationRow>({ address, page, size, filters, refetchInterval: polls ? pollMs : false });
  const rows = list.data?.records ?? [];
  const runs = rows.some((row) => row.status === "running");
  if (runs !== polls) setPolls(runs);
  const toggle = (id: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const retry = async (id: number) => {
    const answer = signalAnswer(await callDoor("replicationLog/retry", { id }));
    if (answer.status >= 400) toast.problem(answer.msg ?? t("statuses.failed"));
    else toast.done(t("retried"));
    await refreshList(client, address);
  };
  const restart =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setPage(1);
    };
  return (
    <>
      <PageBar>
        <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={exporting} onClick={() => void startExport({ filters })}>
          {common("export")}
        </Button>
        <ActionIcon size={28} aria-label={common("refresh")} loading={list.isRefetching} onClick={() => void list.refetch()}>
          <IconRefresh size={16} stroke={1.4} />
        </ActionIcon>
      </PageBar>
      <div className={table.frame}>
        <search className={table.bar}>
          <Select
            size="xs"
            w={150}
            aria-label={t("status")}
            placeholder={t("status")}
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            data={replicationStatuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            value={status}
            onChange={restart(setStatus)}
          />
          <Select
            size="xs"
            w={140}
            aria-label={t("period")}
            placeholder={t("period")}
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            data={datePresets.map((value) => ({ value, label: plan(`period.${value}`) }))}
            value={preset}
            onChange={restart(setPreset)}
          />
          <TextInput
            size="xs"
            w={200}
            type="search"
            aria-label={t("search")}
            placeholder={t("search")}
            value={text}
            onChange={(event) => restart(setText)(event.currentTarget.value)}
          />
        </search>
        <ScrollRegion className={table.scroll} label={t("label")} busy={list.isFetching}>
          {list.isError ? (
            <ErrorPanel title={ui("table.failed")} failed={list.error} onRetry={() => void list.refetch()} />
          ) : list.isSuccess && rows.length === 0 ? (
            <EmptyState text={t("emptyText")} />
          ) : (
            <table className={table.table} aria-label={t("label")}>
              <thead>
                <tr>
                  <th scope="col" style={{ width: 34 }}>
                    <span className={classes.hidden}>{t("activity")}</span>
                  </th>
                  <th scope="col" style={{ width: 156 }}>
                    {t("at")}
                  </th>
                  <th scope="col" style={{ width: 140 }}>
                    {t("actor")}
                  </th>
                  <th scope="col">{t("source")}</th>
                  <th scope="col" style={{ width: 150 }}>
                    {t("project")}
                  </th>
                  <th scope="col">{t("target")}</th>
                  <th scope="col" style={{ width: 140 }}>
                    {t("status")}
                  </th>
                  <th scope="col" data-align="right" style={{ width: 110 }}>
                    {common("activities")}
                  </th>
                  <th scope="col" style={{ width: 190 }} />
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => {
                  const shown = open.has(row.id);
                  return (
                    <Fragment key={row.id}>
                      <tr>
                        <td>
                          <ActionIcon
                            size={24}
                            aria-expanded={shown}
                            aria-label={t("show", { name: row.targetName })}
                            onClick={() => toggle(row.id)}
                          >
                            {shown ? <IconChevronDown size={16} stroke={1.4} /> : <IconChevronRight size={16} stroke={1.4} />}
                          </ActionIcon>
                        </td>
                        <td>{formatMoment(row.at, offset)}</td>
                        <td>{row.actor}</td>
                        <td>
                          <FlowLink id={row.sourceFlowId} name={row.sourceName} />
                        </td>
                        <td>{row.targetProject ?? t("here")}</td>
                        <td>
                          {/* A flow of another project is opened there. */}
                          <FlowLink id={row.targetProject === null ? row.targetFlowId : null} name={row.targetName} />
                        </td>
                        <td>
                          <Tag tone={tones[row.status]}>{t(`statuses.${row.status}`)}</Tag>
                        </td>
                        <td data-align="right">
                          {t("counts", { success: formatNumber(row.successCount), all: formatNumber(row.activityCount) })}
                        </td>
                        <td data-align="right">
                          {row.mayRetry ? (
                            <Button size="compact-xs" onClick={() => void retry(row.id)}>
                              {t("retry", { count: row.failedCount || row.activityCount })}
                            </Button>
                          ) : null}
                        </td>
                      </tr>
                      {shown ? (
                        <tr>
                          <td colSpan={9}>
                            <Activities row={row} />
                          </td>
                        </tr>
                      ) : null}
                    </Fragment>
                  );
                })}
              </tbody>
            </table>
          )}
        </ScrollRegion>
        {list.data ? <TableFoot page={page} size={size} total={list.data.total} onPage={setPage} onSize={restart(setSize)} /> : null}
      </div>
    </>
  );
}

function FlowLink({ id, name }: { id: number | null; name: string }) {
  const t = useTranslations("logs.replication");
  const href = useHref();
  if (id === null) return name;
  return (
    <Link className={classes.link} href={href("activityFlows", { query: { flow: id } })} prefetch={false} title={t("openFlow", { name })}>
      {name}
    </Link>
  );
}

/** The activities of a copy: found in the library of the target, made there, or why not copied. */
function Activities({ row }: { row: ReplicationRow }) {
  const t = useTranslations("logs.replication");
  if (row.detail.length === 0) return <p className={classes.blank}>{t("nothing")}</p>;
  return (
    <div className={classes.cells}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("activity")}</th>
            <th scope="col">{t("outcome")}</th>
            <th scope="col">{t("reason")}</th>
          </tr>
        </thead>
        <tbody>
          {row.detail.map(({ activity, outcome, msg }) => (
            <tr key={activity}>
              <td>{activity}</td>
              <td>{outcome === "failed" ? <Tag tone="danger">{t("outcomes.failed")}</Tag> : t(`outcomes.${outcome}`)}</td>
              <td>{msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
