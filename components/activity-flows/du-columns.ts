"use client";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "#components/ui/table-parts.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import type { DuRow } from "./flow-data.ts";

/** Columns of lists of DUs with the flow they follow. */
export function useDuColumns(): Column<DuRow>[] {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const { offset } = useSession();
  return useMemo(
    () => [
      { key: "code", label: t("du.code"), width: 140, sortable: true },
      { key: "name", label: common("name"), sortable: true },
      {
        key: "siteName",
        label: common("site"),
        render: (row) => (row.siteName === row.siteCode ? row.siteCode : `${row.siteCode} · ${row.siteName}`),
      },
      { key: "region", label: common("region"), width: 130, sortable: true },
      { key: "deliveryType", label: t("du.deliveryType"), width: 120 },
      {
        key: "flow",
        label: common("flow"),
        sortable: true,
        render: (row) => (row.flowName ? t("du.flow", { name: row.flowName, version: row.flowVersion ?? 0 }) : emptyText),
      },
      { key: "source", label: t("du.source"), width: 96, render: (row) => (row.source ? t(`source.${row.source}`) : emptyText) },
      { key: "boundAt", label: t("du.boundAt"), width: 130, sortable: true, render: (row) => formatMinute(row.boundAt, offset) },
    ],
    [t, common, offset],
  );
}
