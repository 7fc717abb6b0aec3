"use client";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter, Page } from "#lib/core/paging.ts";
import type { PlanChangeRow } from "#lib/plan-rules/execution/queries.ts";
import type { Outcome } from "#lib/plan-rules/runs/limits.ts";
import type { RunRow } from "#lib/plan-rules/runs/queries.ts";
import classes from "./plan-rules.module.css";

const lookMs = 700;

/** One run, followed to its end. */
export function useRun(runId: number | null) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["rule-run", project, runId],
    queryFn: async ({ signal }) => {
      const filters = [{ field: "runId", type: "eq", values: [runId] }];
      const address = `planAutoRule/run/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`;
      return dataOf(await callDoor<Page<RunRow>>(address, {}, { signal })).records[0] ?? null;
    },
    enabled: runId !== null,
    refetchInterval: ({ state }) => (state.data && (state.data.status === "QUEUED" || state.data.status === "RUNNING") ? lookMs : false),
    retry: false,
  });
}

type Shown = "all" | "CHANGED" | "SKIPPED";

/** What a run did or would do: how many DUs and cells, why cells were left, and every cell. */
export function RunResult({ runId, narrow = false }: { runId: number; narrow?: boolean }) {
  const t = useTranslations("plan-rules");
  const href = useHref();
  const found = useRun(runId);
  const [shown, setShown] = useState<Shown>("all");
  const [exportCells, exporting] = useExport("planAutoRule/run/changes/export");
  const run = found.data;
  if (found.isError) return <ErrorPanel title={t("result.notLoaded")} failed={found.error} onRetry={() => found.refetch()} />;
  if (run === undefined) return <div aria-busy="true" />;
  if (run === null) return <p className={classes.help}>{t("result.gone")}</p>;
  if (run.status === "QUEUED" || run.status === "RUNNING")
    return (
      <p className={classes.help} role="status">
        {t("result.running")}
      </p>
    );
  if (run.status === "FAILED") return <p className={classes.problem}>{t("result.failed")}</p>;
  const tiles = [
    ["scope", run.scopeCount],
    ["matched", run.matchedCount],
    ["changed", run.changedCount],
    ["skipped", run.skippedCount],
  ] as const;
  const reasons = (Object.entries(run.skipped) as [Outcome, number][]).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...reasons.map(([, count]) => count));
  const filters: Filter[] = [
    { field: "runId", type: "eq", values: [runId] },
    ...(shown === "all" ? [] : [{ field: "outcome", type: "eq" as const, values: [shown] }]),
  ];
  const columns: Column<PlanChangeRow>[] = [
    { key: "code", label: t("column.du"), width: 120 },
    ...(narrow
      ? []
      : [
          { key: "name", label: t("column.name") },
          { key: "flow", label: t("column.flow"), width: 140 },
        ]),
    { key: "field", label: t("column.field"), ...(narrow ? {} : { width: 180 }) },
    { key: "old", label: t("column.old"), width: 92, render: ({ old }) => old ?? "-" },
    { key: "now", label: t("column.now"), width: 92, render: ({ now }) => now ?? "-" },
    ...(narrow ? [] : [{ key: "rule", label: t("column.rule"), width: 160 }]),
    { key: "outcome", label: t("column.outcome"), render: ({ outcome }) => t(`outcome.${outcome}`) },
  ];
  return (
    <section className={classes.result} aria-label={t("result.title")}>
      <dl className={classes.tiles}>
        {tiles.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`result.${key}`)}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {reasons.length > 0 ? (
        <>
          <h2>{t("result.why")}</h2>
          <dl className={classes.bars}>
            {reasons.map(([reason, count]) => (
              <Bar key={reason} label={t(`outcome.${reason}`)} count={count} share={count / most} />
            ))}
          </dl>
        </>
      ) : null}
      <div className={classes.table}>
        <DataTable<PlanChangeRow>
          label={t("changes.title")}
          address="planAutoRule/run/changes/list"
          rowKey={({ duId, field }) => `${duId} ${field}`}
          columns={columns}
          filters={filters}
          pageSize={20}
          bar={
            <>
              <GroupFilter<Shown>
                label={t("column.outcome")}
                groups={(["all", "CHANGED", "SKIPPED"] as const).map((key) => ({ key, label: t(`shown.${key}`) }))}
                value={shown}
                onChange={setShown}
              />
              <Button variant="subtle" loading={exporting} onClick={() => exportCells({ filters })}>
                {t("export")}
              </Button>
              {narrow ? null : <LinkButton href={href("rolloutPlan")}>{t("openPlan")}</LinkButton>}
            </>
          }
          empty={<EmptyState title={t("result.nothing")} text={t("result.nothingText")} />}
        />
      </div>
    </section>
  );
}

function Bar({ label, count, share }: { label: string; count: number; share: number }) {
  return (
    <>
      <dt>{label}</dt>
      <dd aria-hidden="true" style={{ margin: 0 }}>
        <div className={classes.bar} style={{ width: `${Math.max(2, Math.round(share * 100))}%` }} />
      </dd>
      <dd style={{ margin: 0 }}>{formatNumber(count)}</dd>
    </>
  );
}
