"use client";
import { Button, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute, formatRange } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { FreezeRow } from "#lib/scheduling/locks/queries.ts";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { type LockChoices, LockFilters } from "./lock-filters.tsx";
import { UnfreezeForm } from "./unfreeze-form.tsx";

const address = "planFreeze/list";

/** What is frozen, what was, and both verbs: freeze by condition, and unfreeze for those who may. */
export function FreezesPage({ choices }: { choices: LockChoices }) {
  const t = useTranslations("scheduling");
  const common = useTranslations("common");
  const { offset, can } = useSession();
  const client = useQueryClient();
  const [tab, setTab] = useState("open");
  const [filters, setFilters] = useState<Filter[]>([]);
  const [freezing, setFreezing] = useState(false);
  const [ending, setEnding] = useState<{ rows: FreezeRow[]; clear: () => void } | null>(null);
  const open = tab === "open";
  const conditions = useMemo<Filter[]>(() => [...filters, { field: "open", type: "eq", values: [open] }], [filters, open]);
  const columns: Column<FreezeRow>[] = [
    { key: "code", label: common("du"), width: 140, sortable: true, render: (row) => row.duCode },
    { key: "duName", label: common("name"), width: 150 },
    { key: "region", label: common("region"), width: 110 },
    { key: "flowName", label: common("flow"), width: 120 },
    { key: "activity", label: common("activity"), width: 180, sortable: true, render: (row) => row.activityName },
    { key: "planStart", label: common("period"), width: 190, sortable: true, render: (row) => formatRange(row.planStart, row.planEnd) },
    {
      key: "reason",
      label: common("reason"),
      width: 200,
      render: (row) => (open ? row.reason : `${row.reason} / ${row.unfreezeReason ?? "-"}`),
    },
    {
      key: "frozenAt",
      label: t("freezes.column.frozen"),
      width: 200,
      sortable: true,
      render: (row) => `${formatMinute(row.frozenAt, offset)} ${row.frozenBy}`,
    },
  ];
  if (!open)
    columns.push({
      key: "unfrozenAt",
      label: t("freezes.column.unfrozen"),
      width: 200,
      sortable: true,
      render: (row) => `${formatMinute(row.unfrozenAt, offset)} ${row.unfrozenBy ?? ""}`,
    });
  const refresh = () => refreshList(client, address);

  return (
    <>
      <PageBar
        tabs={[
          { key: "open", label: t("freezes.open") },
          { key: "history", label: t("freezes.history") },
        ]}
        tab={tab}
        onTab={setTab}
      >
        {can("plan.freeze") ? (
          <Button variant="filled" onClick={() => setFreezing(true)}>
            {t("freezes.byCondition")}
          </Button>
        ) : null}
      </PageBar>
      <DataTable<FreezeRow>
        key={tab}
        label={t("freezes.label")}
        address={address}
        columns={columns}
        rowKey={(row) => row.id}
        filters={conditions}
        bar={<LockFilters choices={choices} onChange={setFilters} />}
        empty={<EmptyState title={filters.length > 0 ? undefined : t(open ? "freezes.empty" : "freezes.emptyHistory")} />}
        {...(open && can("plan.frozenChange")
          ? {
              batch: (rows: FreezeRow[], clear: () => void) => (
                <Button onClick={() => setEnding({ rows, clear })}>{t("freezes.unfreeze", { count: rows.length })}</Button>
              ),
            }
          : {})}
      />
      <FreezeDialog choices={choices} opened={freezing} onClose={() => setFreezing(false)} onFrozen={refresh} />
      <Modal
        opened={ending !== null}
        onClose={() => setEnding(null)}
        closeButtonProps={{ "aria-label": common("close") }}
        title={t("lock.title.unfreeze")}
        size={480}
      >
        {ending ? (
          <UnfreezeForm
            rows={ending.rows}
            onClose={() => setEnding(null)}
            onDone={async () => {
              ending.clear();
              await refresh();
            }}
          />
        ) : null}
      </Modal>
    </>
  );
}
