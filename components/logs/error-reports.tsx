"use client";
import { useTranslations } from "next-intl";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import type { ErrorReportRow } from "#lib/logs/audit/queries.ts";
import classes from "./audit.module.css";

/** What people reported about errors, with the number of the request to look for. */
export function ErrorReports() {
  const t = useTranslations("audit");
  const { offset } = useSession();
  const columns: Column<ErrorReportRow>[] = [
    { key: "id", label: t("column.ticket"), width: 80, align: "right" },
    { key: "at", label: t("column.at"), width: 156, render: ({ at }) => formatMoment(at, offset) },
    { key: "person", label: t("column.actor"), width: 160 },
    { key: "code", label: t("column.code"), width: 180 },
    {
      key: "requestId",
      label: t("column.requestId"),
      width: 300,
      render: ({ requestId }) => <span className={classes.code}>{requestId}</span>,
    },
    { key: "screen", label: t("column.screen"), width: 220 },
    { key: "text", label: t("column.text"), wrap: true },
  ];
  return (
    <DataTable<ErrorReportRow>
      label={t("tab.reports")}
      address="error/report/list"
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("reports.empty")} text={t("reports.emptyText")} />}
    />
  );
}
