"use client";
import { Button, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlus, IconShieldLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { IsolationAttribute, IsolationDetail } from "#lib/resources/isolation/queries.ts";
import { DetailDialog } from "./detail-dialog.tsx";
import { useSubcontractorTabs } from "./subcontractor-tabs.ts";
import classes from "./subcontractors.module.css";
import { refreshFound, useFound } from "./use-found.ts";

const address = "subcon/findIsolationDetail/list";
const typingMs = 300;

/** Which company sees which DUs: the switch, and the attribute values that give DUs to a company. [RES-05] */
export function IsolationPage() {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const tabs = useSubcontractorTabs();
  const state = useFound<{ enabled: boolean; unmatched: number }>("subcon/findIsolation");
  const attributes = useFound<IsolationAttribute[]>("subcon/findIsolationAttrList", {}, { meta: lookup });
  const companies = useFound<{ id: number; code: string; name: string }[]>("subcon/findSubcontractors", {}, { meta: lookup });
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const [open, setOpen] = useState<IsolationDetail | "new" | null>(null);
  const [switching, setSwitching] = useState(false);
  const [asked, setAsked] = useState<{ rows: IsolationDetail[]; clear: () => void } | null>(null);
  const filters = useMemo(() => (search ? [{ field: "search", type: "like" as const, values: [search] }] : []), [search]);
  const mayEdit = can("subcon.isolation");
  const enabled = state.data?.enabled ?? false;
  const refresh = () => Promise.all([refreshList(client, address), refreshFound(client, "subcon/findIsolation")]);
  const write = async (call: string, input: object) => {
    const answer = await callDoor(call, input);
    if (answer.status >= 400) toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? common("failed"));
    await refresh();
  };
  const columns: Column<IsolationDetail>[] = [
    { key: "attribute", label: common("attribute"), sortable: true },
    { key: "value", label: common("value"), sortable: true, render: ({ title }) => title },
    {
      key: "subcontractor",
      label: common("subcontractor"),
      sortable: true,
      render: (row) => `${row.subcontractorCode} ${row.subcontractor}`,
    },
    { key: "duCount", label: t("isolation.matched"), width: 130, align: "right", render: ({ duCount }) => formatNumber(duCount) },
  ];
  return (
    <>
      <PageBar tabs={tabs} tab="isolation">
        {mayEdit ? (
          <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("new")}>
            {t("isolation.new")}
          </Button>
        ) : null}
      </PageBar>
      {state.isError && !state.data ? (
        <ErrorPanel title={t("failed")} failed={state.error} onRetry={() => state.refetch()} />
      ) : (
        <div className={classes.state} aria-busy={state.isPending}>
          <Switch label={t("isolation.switch")} checked={enabled} disabled={!mayEdit || !state.data} onChange={() => setSwitching(true)} />
          {state.data ? (
            <>
              <p className={classes.note}>{t(enabled ? "isolation.on" : "isolation.off")}</p>
              <p className={classes.note}>{t("isolation.unmatched", { count: state.data.unmatched })}</p>
            </>
          ) : null}
        </div>
      )}
      <DataTable<IsolationDetail>
        label={t("isolation.label")}
        address={address}
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        {...(mayEdit && {
          onOpen: setOpen,
          batch: (rows: IsolationDetail[], clear: () => void) => (
            <Button onClick={() => setAsked({ rows, clear })}>{common("delete")}</Button>
          ),
        })}
        bar={
          <TextInput
            size="xs"
            w={220}
            type="search"
            aria-label={common("search")}
            placeholder={common("search")}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        }
        empty={
          <EmptyState icon={<IconShieldLock size={28} stroke={1} aria-hidden="true" />} title={search ? undefined : t("isolation.empty")}>
            {mayEdit && !search ? <Button onClick={() => setOpen("new")}>{t("isolation.new")}</Button> : null}
          </EmptyState>
        }
      />
      {open ? (
        <DetailDialog
          detail={open === "new" ? null : open}
          attributes={attributes.data ?? []}
          companies={companies.data ?? []}
          onSaved={() => {
            setOpen(null);
            void refresh();
          }}
          onClose={() => {
            setOpen(null);
            // What was refused as stale is opened again as it is by then.
            void refresh();
          }}
        />
      ) : null}
      {switching ? (
        <Confirm
          opened
          verb={t(enabled ? "isolation.turnOff" : "isolation.turnOn")}
          onConfirm={() => write("subcon/save", { enabled: !enabled })}
          onClose={() => setSwitching(false)}
        >
          {t(enabled ? "isolation.off" : "isolation.on")}
        </Confirm>
      ) : null}
      {asked ? (
        <Confirm
          opened
          danger
          verb={t("isolation.delete", { count: asked.rows.length })}
          onConfirm={async () => {
            await write("subcon/delete", { ids: asked.rows.map(({ id }) => id) });
            asked.clear();
          }}
          onClose={() => setAsked(null)}
        >
          {asked.rows.map(({ attribute, title }) => `${attribute} ${title}`).join(", ")}
        </Confirm>
      ) : null}
    </>
  );
}
