"use client";
import { IconHistory } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import type { RunRow } from "#lib/plan-rules/runs/queries.ts";
import { RunDialog } from "./run-result.tsx";

const lookMs = 3_000;
const tones = { QUEUED: "info", RUNNING: "info", DONE: "ok", FAILED: "danger" } as const;

/** Runs of the rules: who or what started them, and what they filled. */
export function HistoryTab() {
  const t = useTranslations("owners");
  const { offset } = useSession();
  const [open, setOpen] = useState<RunRow | null>(null);
  const columns: Column<RunRow>[] = [
    { key: "startedAt", label: t("column.at"), width: 150, render: ({ startedAt }) => formatMoment(startedAt, offset) },
    { key: "mode", label: t("column.startMode"), width: 120, render: ({ mode }) => t(`runMode.${mode as "AUTO"}`) },
    { key: "startedByName", label: t("column.startedBy"), width: 140, render: ({ startedByName }) => startedByName ?? t("nobody") },
    {
      key: "status",
      label: t("column.status"),
      width: 100,
      render: ({ status }) => <Tag tone={tones[status]}>{t(`runStatus.${status}`)}</Tag>,
    },
    { key: "scopeCount", label: t("result.scope"), width: 100, align: "right", render: ({ scopeCount }) => formatNumber(scopeCount) },
    {
      key: "changedCount",
      label: t("result.changed"),
      width: 90,
      align: "right",
      render: ({ changedCount }) => formatNumber(changedCount),
    },
    {
      key: "skippedCount",
      label: t("result.skipped"),
      width: 90,
      align: "right",
      render: ({ skippedCount }) => formatNumber(skippedCount),
    },
    {
      key: "rules",
      label: t("tab.rules"),
      wrap: true,
      render: ({ rules }) => rules.map(({ name, changed }) => `${name}: ${formatNumber(changed)}`).join(" · "),
    },
  ];
  return (
    <>
      <DataTable<RunRow>
        label={t("history.label")}
        address="ownerRule/run/list"
        rowKey={({ id }) => id}
        columns={columns}
        refetchInterval={lookMs}
        onOpen={setOpen}
        empty={
          <EmptyState
            icon={<IconHistory size={28} stroke={1} aria-hidden="true" />}
            title={t("history.none")}
            text={t("history.noneText")}
          />
        }
      />
      <RunDialog
        run={open}
        title={open ? t("result.runTitle", { at: formatMoment(open.startedAt, offset) }) : ""}
        onClose={() => setOpen(null)}
      />
    </>
  );
}
