"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFlag, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { type TempStatus, tempStatuses } from "#lib/milestones/temporary/limits.ts";
import type { TempMilestoneRow } from "#lib/milestones/temporary/queries.ts";
import { useMilestoneTabs } from "./milestone-tabs.ts";
import { RejectedDialog } from "./rejected-dialog.tsx";
import { TempMilestoneDialog } from "./temp-milestone-dialog.tsx";
import { useSteps } from "./use-steps.ts";

const address = "tempMilestone/list";
const typingMs = 300;

/** Milestones outside all flows: kept as drafts, released, linked to DUs with dates of their own. [MDV-05] */
export function TempMilestonesPage() {
  const t = useTranslations("milestones.temp");
  const common = useTranslations("common");
  const { offset } = useSession();
  const client = useQueryClient();
  const tabs = useMilestoneTabs();
  const [status, setStatus] = useState<TempStatus | "all">("all");
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const [open, setOpen] = useState<TempMilestoneRow | "new" | null>(null);
  const [asked, setAsked] = useState<{ rows: TempMilestoneRow[]; clear: () => void } | null>(null);
  const refresh = () => refreshList(client, address);
  const steps = useSteps(refresh);
  const filters = useMemo<Filter[]>(
    () => [
      ...(status === "all" ? [] : [{ field: "status", type: "eq" as const, values: [status] }]),
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
    ],
    [status, search],
  );
  const columns: Column<TempMilestoneRow>[] = [
    { key: "name", label: common("name"), sortable: true },
    { key: "productCode", label: t("field.productCode"), width: 140, sortable: true },
    { key: "product", label: t("field.product"), width: 200, sortable: true },
    { key: "deliverable", label: t("field.deliverable"), width: 200, sortable: true },
    {
      key: "status",
      label: common("status"),
      width: 110,
      sortable: true,
      render: (row) => <Tag tone={row.status === "released" ? "ok" : "neutral"}>{t(`status.${row.status}`)}</Tag>,
    },
    { key: "dus", label: common("du"), width: 80, align: "right", sortable: true, render: ({ dus }) => formatNumber(dus) },
    { key: "createdByName", label: common("createdBy"), width: 130 },
    { key: "createdAt", label: common("createdAt"), width: 140, sortable: true, render: (row) => formatMinute(row.createdAt, offset) },
  ];
  const names = new Map((asked?.rows ?? []).map(({ id, name }) => [id, name]));
  return (
    <>
      <PageBar tabs={tabs} tab="temporaryMilestones">
        <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("new")}>
          {t("new")}
        </Button>
      </PageBar>
      <DataTable<TempMilestoneRow>
        label={t("label")}
        address={address}
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        onOpen={setOpen}
        batch={(rows, clear) => (
          <>
            <Button
              variant="filled"
              disabled={!rows.some((row) => row.status === "draft")}
              onClick={() => steps.run("tempMilestone/release", rows, (count) => t("released", { count }), clear)}
            >
              {t("release")}
            </Button>
            <Button onClick={() => setAsked({ rows, clear })}>{common("delete")}</Button>
          </>
        )}
        bar={
          <>
            <GroupFilter
              label={common("status")}
              groups={(["all", ...tempStatuses] as const).map((key) => ({
                key,
                label: key === "all" ? common("all") : t(`status.${key}`),
              }))}
              value={status}
              onChange={setStatus}
            />
            <TextInput
              size="xs"
              w={200}
              type="search"
              aria-label={common("search")}
              placeholder={common("search")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </>
        }
        empty={
          <EmptyState icon={<IconFlag size={28} stroke={1} aria-hidden="true" />} title={filters.length > 0 ? undefined : t("empty")}>
            {filters.length > 0 ? null : <Button onClick={() => setOpen("new")}>{t("new")}</Button>}
          </EmptyState>
        }
      />
      {open ? <TempMilestoneDialog given={open === "new" ? null : open} onChanged={refresh} onClose={() => setOpen(null)} /> : null}
      {asked ? (
        <Confirm
          opened
          danger
          verb={t("delete", { count: asked.rows.length })}
          onConfirm={() => steps.run("tempMilestone/delete", asked.rows, (count) => t("deleted", { count }), asked.clear)}
          onClose={() => setAsked(null)}
        >
          {[...names.values()].join(", ")}
        </Confirm>
      ) : null}
      {steps.rejected ? <RejectedDialog {...steps.rejected} onClose={steps.close} /> : null}
    </>
  );
}
