"use client";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCopy, IconDots, IconPlayerPause, IconPlayerPlay, IconSearch, IconSitemap, IconTrash, IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { toast } from "#components/ui/toast.ts";
import { askToLeave } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteFlows, disableFlow, enableFlow } from "#lib/activity-flows/actions.ts";
import { exportFlows } from "#lib/activity-flows/flow-sheet/actions.ts";
import { sheetFlowsMax } from "#lib/activity-flows/flow-sheet/limits.ts";
import { type FlowStatus, flowStatuses } from "#lib/activity-flows/limits.ts";
import type { Answer } from "#lib/core/error.ts";
import { emptyText, formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { FlowRow } from "./flow-data.ts";
import { FlowDialog } from "./flow-dialog.tsx";
import classes from "./flow-list.module.css";
import { FlowTag } from "./flow-tag.tsx";
import { SearchField } from "./search-field.tsx";

type Asked = { kind: "delete"; rows: FlowRow[]; clear: () => void } | { kind: "disable"; row: FlowRow };

/** The flows of the project: a row opens the flow, drafts can be deleted, released ones disabled. */
export function FlowList({ onCreate }: { onCreate: () => void }) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const { can, offset } = useSession();
  const href = useHref();
  const router = useRouter();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [status, setStatus] = useState<FlowStatus | "">("");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [copying, setCopying] = useState<FlowRow | null>(null);
  const [searched] = useDebouncedValue(name.trim(), 250);
  const [runDelete] = useAction(deleteFlows);
  const [runDisable] = useAction(disableFlow);
  const [runEnable] = useAction(enableFlow);
  const [runExport, exporting] = useAction(exportFlows);
  const mayEdit = can("flow.edit");
  const mayExport = can("flow.export");

  const filters = useMemo<Filter[]>(
    () => [
      ...(searched ? [{ field: "name", type: "like" as const, values: [searched] }] : []),
      ...(status ? [{ field: "status", type: "eq" as const, values: [status] }] : []),
    ],
    [searched, status],
  );
  const after = async (answer: Answer<unknown>, text: string) => {
    if (answer.status >= 400) toast.problem(answer.msg ?? t("form.failed"));
    else toast.done(text);
    await refreshList(client, "flow/list");
  };
  const startExport = async (rows: readonly FlowRow[]) => {
    const answer = await runExport({ ids: rows.map((row) => row.id) });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("form.failed"));
    else {
      const show = () => askToLeave(() => router.push(href("exports")));
      toast.done(t("sheet.exportStarted"), { actions: [{ label: t("sheet.show"), run: show }] });
    }
  };
  const columns: Column<FlowRow>[] = [
    { key: "name", label: common("name"), sortable: true, render: (row) => <span className={classes.name}>{row.name}</span> },
    {
      key: "status",
      label: common("status"),
      width: 190,
      sortable: true,
      render: (row) => (
        <span className={classes.tags}>
          <FlowTag status={row.status} version={row.version} />
          {row.workingCopyId === null ? null : <FlowTag status="draft" version={row.version + 1} workingCopy />}
        </span>
      ),
    },
    {
      key: "activityCount",
      label: common("activities"),
      width: 96,
      align: "right",
      sortable: true,
      render: (row) => formatNumber(row.activityCount),
    },
    { key: "duCount", label: common("du"), width: 96, align: "right", sortable: true, render: (row) => formatNumber(row.duCount) },
    { key: "deliveryTypes", label: t("form.deliveryTypes"), render: (row) => row.deliveryTypes.join(", ") || emptyText },
    { key: "ownerName", label: common("owner"), width: 140 },
    {
      key: "updatedAt",
      label: common("updatedAt"),
      width: 220,
      sortable: true,
      render: (row) => `${formatMinute(row.updatedAt, offset)} · ${row.updatedByName}`,
    },
    ...(mayEdit || mayExport
      ? [
          {
            key: "actions",
            label: t("table.actions"),
            width: 72,
            render: (row: FlowRow) => (
              <RowMenu
                row={row}
                mayEdit={mayEdit}
                onExport={mayExport && row.activityCount > 0 ? () => startExport([row]) : null}
                onCopy={() => setCopying(row)}
                onAsk={setAsked}
                onEnable={async () =>
                  after(await runEnable({ id: row.id, rowVersion: row.rowVersion }), t("list.enabled", { name: row.name }))
                }
              />
            ),
          },
        ]
      : []),
  ];

  return (
    <>
      <DataTable<FlowRow>
        label={t("list.flows")}
        address="flow/list"
        rowKey={(row) => row.id}
        columns={columns}
        filters={filters}
        onOpen={(row) => router.push(href("activityFlows", { query: { flow: row.workingCopyId ?? row.id } }))}
        {...(mayEdit || mayExport
          ? {
              batch: (rows: FlowRow[], clear: () => void) => (
                <>
                  {mayExport ? (
                    <Button
                      leftSection={<IconUpload size={16} stroke={1.4} />}
                      loading={exporting}
                      disabled={rows.length > sheetFlowsMax}
                      title={rows.length > sheetFlowsMax ? t("sheet.tooMany", { max: sheetFlowsMax }) : undefined}
                      onClick={() => startExport(rows)}
                    >
                      {t("sheet.exportMany", { count: rows.length })}
                    </Button>
                  ) : null}
                  {mayEdit ? (
                    <Button
                      leftSection={<IconTrash size={16} stroke={1.4} />}
                      disabled={rows.some((row) => row.version > 0)}
                      title={rows.some((row) => row.version > 0) ? t("list.deleteDraftsOnly") : undefined}
                      onClick={() => setAsked({ kind: "delete", rows, clear })}
                    >
                      {t("list.delete", { count: rows.length })}
                    </Button>
                  ) : null}
                </>
              ),
            }
          : {})}
        bar={
          <>
            <SearchField label={t("list.search")} value={name} onChange={setName} />
            <select
              className={classes.select}
              aria-label={common("status")}
              value={status}
              onChange={(event) => setStatus(event.currentTarget.value as FlowStatus | "")}
            >
              <option value="">{t("list.everyStatus")}</option>
              {flowStatuses.map((given) => (
                <option key={given} value={given}>
                  {t(`statusName.${given}`)}
                </option>
              ))}
            </select>
          </>
        }
        empty={
          filters.length > 0 ? (
            <EmptyState icon={<IconSearch size={28} stroke={1} aria-hidden="true" />}>
              <Button
                onClick={() => {
                  setName("");
                  setStatus("");
                }}
              >
                {common("clear")}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState icon={<IconSitemap size={28} stroke={1} aria-hidden="true" />} title={t("list.empty")} text={t("list.emptyText")}>
              {mayEdit ? (
                <Button variant="filled" onClick={onCreate}>
                  {t("list.newFlow")}
                </Button>
              ) : null}
            </EmptyState>
          )
        }
      />
      <FlowDialog
        mode={copying ? { kind: "copy", id: copying.id, name: copying.name } : null}
        onClose={() => setCopying(null)}
        onDone={(id) => router.push(href("activityFlows", { query: { flow: id } }))}
      />
      <Confirm
        opened={asked?.kind === "delete"}
        danger
        verb={t("list.delete", { count: asked?.kind === "delete" ? asked.rows.length : 0 })}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked?.kind !== "delete") return;
          await after(await runDelete({ ids: asked.rows.map((row) => row.id) }), t("list.deleted", { count: asked.rows.length }));
          asked.clear();
        }}
      >
        {asked?.kind === "delete" ? asked.rows.map((row) => row.name).join(", ") : null}
      </Confirm>
      <Confirm
        opened={asked?.kind === "disable"}
        verb={common("disable")}
        title={asked?.kind === "disable" ? t("list.disableTitle", { name: asked.row.name }) : ""}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked?.kind !== "disable") return;
          const { id, rowVersion, name: flow } = asked.row;
          await after(await runDisable({ id, rowVersion }), t("list.disabled", { name: flow }));
        }}
      >
        {asked?.kind === "disable" ? t("list.disableText", { dus: asked.row.duCount ?? 0 }) : null}
      </Confirm>
    </>
  );
}

type RowMenuProps = {
  row: FlowRow;
  mayEdit: boolean;
  /** Null where the person may not, or the flow holds nothing to export. */
  onExport: (() => void) | null;
  onCopy: () => void;
  onAsk: (asked: Asked) => void;
  onEnable: () => void;
};

function RowMenu({ row, mayEdit, onExport, onCopy, onAsk, onEnable }: RowMenuProps) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={24} aria-label={t("list.actions", { name: row.name })}>
          <IconDots size={16} stroke={1.4} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUpload size={16} stroke={1.4} />} disabled={onExport === null} onClick={onExport ?? undefined}>
          {t("sheet.exportVerb")}
        </Menu.Item>
        {mayEdit ? (
          <Menu.Item leftSection={<IconCopy size={16} stroke={1.4} />} onClick={onCopy}>
            {common("copy")}
          </Menu.Item>
        ) : null}
        {mayEdit && row.status === "released" ? (
          <Menu.Item leftSection={<IconPlayerPause size={16} stroke={1.4} />} onClick={() => onAsk({ kind: "disable", row })}>
            {common("disable")}
          </Menu.Item>
        ) : null}
        {mayEdit && row.status === "disabled" ? (
          <Menu.Item leftSection={<IconPlayerPlay size={16} stroke={1.4} />} onClick={onEnable}>
            {common("enable")}
          </Menu.Item>
        ) : null}
        {mayEdit && row.version === 0 ? (
          <Menu.Item
            leftSection={<IconTrash size={16} stroke={1.4} />}
            onClick={() => onAsk({ kind: "delete", rows: [row], clear: () => {} })}
          >
            {common("delete")}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
