"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlus, IconTopologyStar } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { type ProcessStatus, processStatuses } from "#lib/milestones/processes/limits.ts";
import type { TempProcess } from "#lib/milestones/processes/queries.ts";
import { useMilestoneTabs } from "./milestone-tabs.ts";
import { OrdersDialog } from "./orders-dialog.tsx";
import { ProcessDialog } from "./process-dialog.tsx";
import { RejectedDialog } from "./rejected-dialog.tsx";
import { useSteps } from "./use-steps.ts";

const address = "tempProcess/list";
const typingMs = 300;
const tones: Record<ProcessStatus, Tone> = { draft: "neutral", released: "ok", disabled: "warn" };
type Asked = { what: "disable" | "delete"; rows: TempProcess[]; clear: () => void };

/** Steps outside all flows, kept as drafts, released and disabled; work orders are made from released ones. [MDV-06] */
export function ProcessesPage({ flows }: { flows: readonly { id: number; name: string }[] }) {
  const t = useTranslations("milestones.process");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const tabs = useMilestoneTabs();
  const [status, setStatus] = useState<ProcessStatus | "all">("all");
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const [open, setOpen] = useState<TempProcess | "new" | null>(null);
  const [orders, setOrders] = useState<TempProcess | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const refresh = () => refreshList(client, address);
  const steps = useSteps(refresh);
  const filters = useMemo<Filter[]>(
    () => [
      ...(status === "all" ? [] : [{ field: "status", type: "eq" as const, values: [status] }]),
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
    ],
    [status, search],
  );
  const columns: Column<TempProcess>[] = [
    { key: "name", label: common("name"), width: 240, sortable: true },
    { key: "flow", label: common("flow"), width: 200, sortable: true, render: ({ flow }) => flow ?? t("allFlows") },
    { key: "steps", label: t("steps"), render: (row) => row.steps.map((step) => step.workOrderName).join(" → ") || "-" },
    {
      key: "status",
      label: common("status"),
      width: 110,
      sortable: true,
      render: (row) => <Tag tone={tones[row.status]}>{t(`status.${row.status}`)}</Tag>,
    },
    {
      key: "orders",
      label: t("orders"),
      width: 150,
      align: "right",
      sortable: true,
      render: (row) => t("ordersOpen", { all: formatNumber(row.orders), open: formatNumber(row.openOrders) }),
    },
  ];
  return (
    <>
      <PageBar tabs={tabs} tab="temporaryProcesses">
        <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("new")}>
          {t("new")}
        </Button>
      </PageBar>
      <DataTable<TempProcess>
        label={t("label")}
        address={address}
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        onOpen={setOpen}
        batch={(rows, clear) => (
          <>
            {rows.length === 1 && rows[0]!.status === "released" && can("workOrder.dispatch") ? (
              <Button variant="filled" onClick={() => setOrders(rows[0]!)}>
                {t("createOrders")}
              </Button>
            ) : null}
            <Button
              disabled={!rows.some((row) => row.status !== "released")}
              onClick={() => steps.run("tempProcess/release", rows, (count) => t("released", { count }), clear)}
            >
              {t("release")}
            </Button>
            <Button disabled={!rows.some((row) => row.status === "released")} onClick={() => setAsked({ what: "disable", rows, clear })}>
              {common("disable")}
            </Button>
            <Button disabled={!rows.some((row) => row.status !== "released")} onClick={() => setAsked({ what: "delete", rows, clear })}>
              {common("delete")}
            </Button>
          </>
        )}
        bar={
          <>
            <GroupFilter
              label={common("status")}
              groups={(["all", ...processStatuses] as const).map((key) => ({
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
          <EmptyState
            icon={<IconTopologyStar size={28} stroke={1} aria-hidden="true" />}
            title={filters.length > 0 ? undefined : t("empty")}
            text={filters.length > 0 ? undefined : t("emptyText")}
          >
            {filters.length > 0 ? null : <Button onClick={() => setOpen("new")}>{t("new")}</Button>}
          </EmptyState>
        }
      />
      {open ? <ProcessDialog process={open === "new" ? null : open} flows={flows} onSaved={refresh} onClose={() => setOpen(null)} /> : null}
      {orders ? <OrdersDialog process={orders} onDone={refresh} onClose={() => setOrders(null)} /> : null}
      {asked ? (
        <Confirm
          opened
          danger={asked.what === "delete"}
          verb={t(`${asked.what}Verb`, { count: asked.rows.length })}
          onConfirm={() =>
            steps.run(
              `tempProcess/${asked.what}`,
              asked.rows,
              (count) => t(asked.what === "disable" ? "disabled" : "deleted", { count }),
              asked.clear,
            )
          }
          onClose={() => setAsked(null)}
        >
          {asked.rows.map(({ name }) => name).join(", ")}
        </Confirm>
      ) : null}
      {steps.rejected ? <RejectedDialog {...steps.rejected} onClose={steps.close} /> : null}
    </>
  );
}
