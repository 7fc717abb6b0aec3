"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconChecks, IconHistory } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { type UnmatchedReason, unmatchedReasons } from "#lib/activity-flows/rule-runs/limits.ts";
import type { RunRow, UnmatchedRow } from "#lib/activity-flows/rule-runs/queries.ts";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { SearchField } from "./search-field.tsx";

const typingMs = 250;
const lookMs = 3_000;

/** DUs that no rule has bound, with the reason. */
export function UnmatchedTable() {
  const t = useTranslations("flow-rules");
  const href = useHref();
  const { can, offset } = useSession();
  const [reason, setReason] = useState<UnmatchedReason | "all">("all");
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), typingMs);
  const filters = useMemo<Filter[]>(
    () => [
      ...(reason === "all" ? [] : [{ field: "reason", type: "eq" as const, values: [reason] }]),
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
    ],
    [reason, searched],
  );
  const columns: Column<UnmatchedRow>[] = [
    { key: "code", label: t("column.du"), sortable: true },
    { key: "name", label: t("column.name") },
    { key: "region", label: t("column.region"), width: 160, render: ({ region }) => region ?? "-" },
    { key: "deliveryType", label: t("column.deliveryType"), width: 160, render: ({ deliveryType }) => deliveryType ?? "-" },
    { key: "reason", label: t("column.reason"), sortable: true, render: (row) => t(`reason.${row.reason}`) },
    { key: "at", label: t("column.at"), width: 160, render: ({ at }) => formatMoment(at, offset) },
  ];
  return (
    <DataTable<UnmatchedRow>
      label={t("tab.unmatched")}
      address="duFlowRule/unmatched/list"
      rowKey={({ id }) => id}
      columns={columns}
      filters={filters}
      bar={
        <>
          <GroupFilter<UnmatchedReason | "all">
            label={t("column.reason")}
            groups={(["all", ...unmatchedReasons] as const).map((key) => ({ key, label: key === "all" ? t("all") : t(`reason.${key}`) }))}
            value={reason}
            onChange={setReason}
          />
          <SearchField label={t("searchDu")} value={text} onChange={setText} />
        </>
      }
      empty={
        <EmptyState
          icon={<IconChecks size={28} stroke={1} aria-hidden="true" />}
          title={t("unmatched.none")}
          text={t("unmatched.noneText")}
        >
          {can("duFlow.bind") ? <LinkButton href={href("bindDus")}>{t("unmatched.bind")}</LinkButton> : null}
        </EmptyState>
      }
    />
  );
}

/** Runs of the rules: who or what started them, and what they bound. */
export function RunsTable() {
  const t = useTranslations("flow-rules");
  const { offset } = useSession();
  const [round, setRound] = useState(0);
  const tones = { done: "ok", running: "info", failed: "danger" } as const;
  const columns: Column<RunRow>[] = [
    { key: "startedAt", label: t("column.at"), width: 160, render: ({ startedAt }) => formatMoment(startedAt, offset) },
    { key: "mode", label: t("column.mode"), width: 140, render: ({ mode }) => t(`mode.${mode}`) },
    { key: "startedByName", label: t("column.startedBy"), width: 150, render: ({ startedByName }) => startedByName ?? t("nobody") },
    {
      key: "status",
      label: t("column.status"),
      width: 110,
      render: ({ status }) => <Tag tone={tones[status]}>{t(`runStatus.${status}`)}</Tag>,
    },
    { key: "scopeCount", label: t("preview.scope"), width: 110, align: "right", render: ({ scopeCount }) => formatNumber(scopeCount) },
    { key: "boundCount", label: t("column.bound"), width: 90, align: "right", render: ({ boundCount }) => formatNumber(boundCount) },
    {
      key: "unmatchedCount",
      label: t("preview.unmatched"),
      width: 110,
      align: "right",
      render: ({ unmatchedCount }) => formatNumber(unmatchedCount),
    },
    {
      key: "rules",
      label: t("tab.rules"),
      wrap: true,
      render: ({ rules }) => rules.map(({ name, bound }) => `${name}: ${formatNumber(bound)}`).join(" · "),
    },
  ];
  return (
    <DataTable<RunRow>
      key={round}
      label={t("tab.runs")}
      address="duFlowRule/run/list"
      rowKey={({ id }) => id}
      columns={columns}
      refetchInterval={lookMs}
      empty={
        <EmptyState icon={<IconHistory size={28} stroke={1} aria-hidden="true" />} title={t("runs.none")} text={t("runs.noneText")}>
          <Button onClick={() => setRound(round + 1)}>{t("runs.look")}</Button>
        </EmptyState>
      }
    />
  );
}
