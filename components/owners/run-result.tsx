"use client";
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Page } from "#lib/core/paging.ts";
import { previewOwnerRules } from "#lib/owners/owner-runs/actions.ts";
import type { OwnerChangeRow } from "#lib/owners/owner-runs/queries.ts";
import type { RunRow } from "#lib/plan-rules/runs/queries.ts";
import classes from "./owners.module.css";

const lookMs = 700;
const isOver = (run: RunRow | undefined) => run !== undefined && run.status !== "QUEUED" && run.status !== "RUNNING";

/** What a run did, or a dry run would do: counts, why cells stay as they are, and every cell. A run that is not over is waited for. */
export function RunResult({ runId }: { runId: number }) {
  const t = useTranslations("owners");
  const project = useProjectNumber();
  const filters = useMemo(() => [{ field: "runId", type: "eq" as const, values: [runId] }], [runId]);
  const found = useQuery({
    queryKey: ["owner-run", project, runId],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<Page<RunRow>>(listAddress("ownerRule/run/list", 1, 10, filters), {}, { signal })).records[0],
    refetchInterval: ({ state }) => (isOver(state.data) ? false : lookMs),
    retry: false,
  });
  const run = found.data;
  if (found.isError) return <ErrorPanel title={t("result.notRead")} failed={found.error} onRetry={() => found.refetch()} />;
  if (!run || !isOver(run))
    return (
      <p className={classes.help} role="status">
        {t("result.waiting")}
      </p>
    );
  if (run.status === "FAILED")
    return (
      <p className={classes.problem} role="alert">
        {t("result.failed")}
      </p>
    );
  const nobody = run.rules.reduce((all, rule) => all + rule.sourceEmpty, 0);
  const tiles = [
    ["scope", run.scopeCount],
    ["matched", run.matchedCount],
    ["changed", run.changedCount],
    ["skipped", run.skippedCount],
    ["nobody", nobody],
  ] as const;
  const skipped = Object.entries(run.skipped);
  return (
    <section className={classes.form} aria-live="polite">
      <dl className={classes.tiles}>
        {tiles.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`result.${key}`)}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {skipped.length > 0 ? (
        <p className={classes.help}>
          {skipped.map(([reason, count]) => `${t(`outcome.${reason as "FROZEN"}`)}: ${formatNumber(Number(count))}`).join(" · ")}
        </p>
      ) : null}
      <div className={classes.changes}>
        <ChangeTable filters={filters} />
      </div>
    </section>
  );
}

function ChangeTable({ filters }: { filters: { field: string; type: "eq"; values: number[] }[] }) {
  const t = useTranslations("owners");
  const columns: Column<OwnerChangeRow>[] = [
    { key: "code", label: t("column.du"), width: 130 },
    { key: "activity", label: t("column.activity"), width: 150, render: ({ activity }) => activity ?? "-" },
    { key: "field", label: t("column.field"), width: 110, render: ({ field }) => t(`field.${field as "PLAN_OWNER"}`) },
    { key: "old", label: t("column.old"), render: ({ old }) => old ?? "-" },
    { key: "now", label: t("column.now"), render: ({ now }) => now ?? "-" },
    { key: "rule", label: t("column.rule"), width: 150 },
    { key: "outcome", label: t("column.outcome"), width: 130, render: ({ outcome }) => t(`outcome.${outcome as "CHANGED"}`) },
  ];
  return (
    <DataTable<OwnerChangeRow>
      label={t("result.changes")}
      address="ownerRule/run/changes/list"
      rowKey={({ duId, activity, field }) => `${duId} ${activity} ${field}`}
      columns={columns}
      filters={filters}
      empty={<EmptyState title={t("result.nothing")} />}
    />
  );
}

/** A run of the history with everything it did. */
export function RunDialog({ run, title, onClose }: { run: RunRow | null; title: string; onClose: () => void }) {
  const common = useTranslations("common");
  return (
    <Modal opened={run !== null} onClose={onClose} title={title} size={980} closeButtonProps={{ "aria-label": common("close") }}>
      {run ? <RunResult runId={run.id} /> : null}
    </Modal>
  );
}

/** A dry run of chosen rules. */
export function PreviewDialog({ input, onClose }: { input: { ruleIds: number[] }; onClose: () => void }) {
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const [start] = useAction(previewOwnerRules);
  const [runId, setRunId] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // One dry run for one opening, whatever is rendered meanwhile.
  const [asked] = useState(input);
  useEffect(() => {
    let open = true;
    void start(asked).then((answer) => {
      if (!open) return;
      if (answer.data) setRunId(answer.data.runId);
      else setProblem(answer.msg ?? t("failed"));
    });
    return () => {
      open = false;
    };
  }, [start, asked, t]);
  return (
    <Modal opened onClose={onClose} title={t("result.title")} size={980} closeButtonProps={{ "aria-label": common("close") }}>
      <div className={classes.form}>
        {problem ? (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        ) : runId === null ? (
          <p className={classes.help} role="status">
            {t("result.waiting")}
          </p>
        ) : (
          <RunResult runId={runId} />
        )}
        <div className={classes.foot}>
          <Button data-autofocus onClick={onClose}>
            {common("close")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
