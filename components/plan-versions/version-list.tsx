"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import { versionKinds } from "#lib/plan-versions/snapshots/limits.ts";
import classes from "./versions.module.css";

/** Address of the list up to its page. */
export const versionsAddress = "dataVersion/list";
/** What can be done with chosen versions. */
export type VersionVerb = "compare" | "rename" | "restore" | "delete";

/** The versions of the project with what can be done with the chosen ones. [VER-05] */
export function VersionList({ onRun }: { onRun: (verb: VersionVerb, rows: VersionRow[], clear: () => void) => void }) {
  const t = useTranslations("plan-versions");
  const common = useTranslations("common");
  const { offset, can } = useSession();
  const [startExport, exporting] = useExport("dataVersion/export");
  const [kind, setKind] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 250);
  const filters = useMemo<Filter[]>(
    () => [
      ...(kind ? [{ field: "kind", type: "eq" as const, values: [kind] }] : []),
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
    ],
    [kind, search],
  );
  const columns: Column<VersionRow>[] = [
    { key: "kind", label: t("column.kind"), width: 130, sortable: true, render: (row) => <KindTag row={row} /> },
    { key: "code", label: common("code"), width: 90, sortable: true },
    { key: "name", label: common("name"), width: 220, sortable: true },
    { key: "scope", label: t("column.scope"), width: 110, render: (row) => t(`scope.${row.scope}`) },
    { key: "inForce", label: t("column.inForce"), width: 80, render: (row) => (row.inForce ? common("yes") : common("no")) },
    { key: "duCount", label: t("column.dus"), width: 80, align: "right", sortable: true, render: (row) => formatNumber(row.duCount) },
    { key: "activityCount", label: common("activities"), width: 100, align: "right", render: (row) => formatNumber(row.activityCount) },
    { key: "source", label: t("column.source"), width: 100, render: (row) => t(`source.${row.source}`) },
    {
      key: "createdAt",
      label: common("createdAt"),
      width: 140,
      sortable: true,
      render: (row) => formatMinute(row.createdAt, offset),
    },
    { key: "createdByName", label: common("createdBy"), width: 110 },
    { key: "remark", label: common("remark"), width: 220 },
  ];
  const verbs = (rows: VersionRow[], clear: () => void) => {
    const [row] = rows;
    const one = rows.length === 1;
    return (
      <>
        {rows.length <= 2 ? (
          <Button variant="filled" onClick={() => onRun("compare", rows, clear)}>
            {t(one ? "verb.compareCurrent" : "verb.compare")}
          </Button>
        ) : null}
        {can("version.edit") && one && row?.kind !== "historical" ? (
          <Button onClick={() => onRun("rename", rows, clear)}>{common("rename")}</Button>
        ) : null}
        {can("version.edit") && one ? <Button onClick={() => onRun("restore", rows, clear)}>{t("verb.restore")}</Button> : null}
        {can("rollout.export") && one ? (
          <Button loading={exporting} onClick={() => void startExport({ id: row?.id })}>
            {common("export")}
          </Button>
        ) : null}
        {can("version.edit") && rows.every((version) => version.kind === "historical") ? (
          <Button onClick={() => onRun("delete", rows, clear)}>{common("delete")}</Button>
        ) : null}
      </>
    );
  };
  return (
    <DataTable<VersionRow>
      label={t("label")}
      address={versionsAddress}
      columns={columns}
      rowKey={(row) => row.id}
      filters={filters}
      batch={verbs}
      bar={
        <div className={classes.filters}>
          <Select
            size="xs"
            w={160}
            aria-label={t("column.kind")}
            placeholder={t("column.kind")}
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            data={versionKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            value={kind}
            onChange={setKind}
          />
          <TextInput
            size="xs"
            w={220}
            type="search"
            aria-label={common("search")}
            placeholder={t("search")}
            leftSection={<IconSearch size={14} stroke={1.4} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
      }
      empty={filters.length > 0 ? undefined : <EmptyState title={t("empty")} text={t("emptyText")} />}
    />
  );
}

function KindTag({ row }: { row: VersionRow }) {
  const t = useTranslations("plan-versions");
  const former = row.formerKind ? ` (${t(`kind.${row.formerKind}`)})` : "";
  return (
    <Tag tone={row.kind === "historical" ? "neutral" : row.kind === "published" ? "ok" : "info"}>
      {t(`kind.${row.kind}`)}
      {former}
    </Tag>
  );
}
