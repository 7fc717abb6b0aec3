"use client";
import { MultiSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { Lock } from "#components/ui/glyph-paths.ts";
import { PageBar } from "#components/ui/page-bar.tsx";
import { LockGlyph } from "#components/ui/status-glyph.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { type LockKind, lockKinds } from "#lib/scheduling/locks/limits.ts";
import type { LockRow } from "#lib/scheduling/locks/queries.ts";
import { type LockChoices, LockFilters } from "./lock-filters.tsx";
import classes from "./locks.module.css";

/** Which plan data is locked, by what, and how the lock is lifted. */
export function LocksPage({ choices }: { choices: LockChoices }) {
  const t = useTranslations("scheduling.locks");
  const common = useTranslations("common");
  const { offset } = useSession();
  const [filters, setFilters] = useState<Filter[]>([]);
  const [kinds, setKinds] = useState<string[]>([]);
  const conditions = useMemo<Filter[]>(
    () => (kinds.length > 0 ? [...filters, { field: "kind", type: "in", values: kinds }] : filters),
    [filters, kinds],
  );
  const has = (field: string) => conditions.some((filter) => filter.field === field);
  const asked = has("search") || has("kind") || (has("flowId") && has("activityId"));
  const columns: Column<LockRow>[] = [
    { key: "code", label: common("du"), width: 140, sortable: true, render: (row) => row.duCode },
    { key: "duName", label: common("name"), width: 150 },
    { key: "flowName", label: common("flow"), width: 120 },
    { key: "activity", label: common("activity"), width: 180, sortable: true, render: (row) => row.activityName },
    {
      key: "kind",
      label: t("kind"),
      width: 110,
      render: (row) => (
        <span className={classes.kind}>
          {glyphs[row.kind] ? <LockGlyph lock={glyphs[row.kind]!} /> : null}
          {t(`kinds.${row.kind}`)}
        </span>
      ),
    },
    { key: "field", label: t("field"), width: 80, render: (row) => t(`fields.${row.field}`) },
    { key: "since", label: t("since"), width: 130, render: (row) => formatMinute(row.since, offset) },
    { key: "by", label: t("by"), width: 80 },
    { key: "lift", label: t("lift"), width: 280, wrap: true, render: (row) => t(`lifts.${row.kind}`) },
  ];
  return (
    <>
      <PageBar />
      <DataTable<LockRow>
        label={t("label")}
        address="lockLogic/list"
        columns={columns}
        rowKey={(row) => `${row.duId} ${row.activityId} ${row.kind}`}
        filters={conditions}
        bar={
          <LockFilters choices={choices} onChange={setFilters}>
            <MultiSelect
              size="xs"
              w={240}
              aria-label={t("kind")}
              placeholder={kinds.length === 0 ? t("kind") : undefined}
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={lockKinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
              value={kinds}
              onChange={setKinds}
            />
          </LockFilters>
        }
        empty={<EmptyState title={asked ? undefined : t("hint")} />}
      />
    </>
  );
}

const glyphs: Partial<Record<LockKind, Lock>> = {
  FROZEN: "frozen",
  FIXED: "fixed",
  TOOL: "tool",
  APPROVING: "approving",
  CLOSED: "closed",
  REVENUE: "revenue",
  RELEASED: "control",
};
