"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsExchange, IconChecklist, IconPlus, IconSearch } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { changeCode } from "#lib/activity-flows/approvers/logic.ts";
import { type ChangeKind, type ChangeStatus, changeKinds, changeStatuses } from "#lib/activity-flows/changes/limits.ts";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { SearchField } from "../search-field.tsx";
import { type ChangeRow, changesAddress } from "./change-data.ts";
import { ChangeDrawer } from "./change-drawer.tsx";
import { ChangeStatusTag } from "./change-status.tsx";
import classes from "./changes.module.css";
import { DecideDialog, type Verb } from "./decide-dialog.tsx";

const shownStatuses = changeStatuses.filter((status) => status !== "applying");

type Props = {
  /** Flows to narrow the list by: those from or to one. */
  flows: readonly { flowId: number; name: string }[];
  /** Only changes of DUs of this delivery type, from the address. */
  deliveryType: string | null;
  /** The change the address asks for. */
  change: number | null;
  /** Only what the reader is to decide. */
  inbox?: boolean;
};

/** Changes of the flow of DUs with their filters, or, as the inbox, those that wait for the reader. */
export function ChangesPage({ flows, deliveryType, change, inbox = false }: Props) {
  const t = useTranslations("flow-changes");
  const href = useHref();
  const client = useQueryClient();
  const { can, offset } = useSession();
  const [text, setText] = useState("");
  const [statuses, setStatuses] = useState<readonly ChangeStatus[]>([]);
  const [kind, setKind] = useState<ChangeKind | "">("");
  const [flowId, setFlowId] = useState("");
  const [opened, setOpened] = useState<number | null>(change);
  const [decision, setDecision] = useState<{ verb: Verb; rows: ChangeRow[]; clear: () => void } | null>(null);
  const [searched] = useDebouncedValue(text.trim(), 250);
  const filters = useMemo<Filter[]>(
    () => [
      ...(inbox ? [{ field: "mine", type: "eq" as const, values: [true] }] : []),
      ...(deliveryType ? [{ field: "deliveryType", type: "eq" as const, values: [deliveryType] }] : []),
      ...(statuses.length > 0 ? [{ field: "status", type: "in" as const, values: [...statuses] }] : []),
      ...(kind ? [{ field: "kind", type: "eq" as const, values: [kind] }] : []),
      ...(flowId ? [{ field: "flowId", type: "eq" as const, values: [Number(flowId)] }] : []),
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
    ],
    [inbox, deliveryType, statuses, kind, flowId, searched],
  );
  const columns: Column<ChangeRow>[] = [
    { key: "number", label: t("column.number"), width: 104, sortable: true, render: (row) => changeCode(row.number) },
    { key: "status", label: t("column.status"), width: 130, sortable: true, render: (row) => <ChangeStatusTag status={row.status} /> },
    { key: "kind", label: t("column.kind"), width: 110, render: (row) => t(`kinds.${row.kind}`) },
    {
      key: "dus",
      label: t("column.dus"),
      width: 240,
      render: (row) => {
        const more = row.duCount - row.duCodes.length;
        return `${row.duCodes.join(", ")}${more > 0 ? ` ${t("moreDus", { count: more })}` : ""}`;
      },
    },
    { key: "flow", label: t("column.newFlow"), width: 170, render: (row) => row.newFlows.join(", ") || emptyText },
    { key: "reason", label: t("column.reason") },
    { key: "submitter", label: t("column.submitter"), width: 120, render: (row) => row.submitterName },
    {
      key: "submittedAt",
      label: t("column.submittedAt"),
      width: 140,
      sortable: true,
      render: (row) => formatMinute(row.submittedAt, offset),
    },
    {
      key: "approver",
      label: t("column.approver"),
      width: 130,
      render: (row) =>
        row.status === "approving" && row.tlApproverName && !row.tlApprovedAt
          ? row.tlApproverName
          : (row.decidedByName ?? row.approverName ?? emptyText),
    },
  ];
  const toggle = (status: ChangeStatus) =>
    setStatuses(statuses.includes(status) ? statuses.filter((given) => given !== status) : [...statuses, status]);
  const query = deliveryType ? { query: { deliveryType } } : {};
  const filtered = statuses.length > 0 || kind !== "" || flowId !== "" || searched !== "";
  return (
    <>
      <PageBar>
        {inbox ? null : (
          <>
            <LinkButton href={href("retentionMappings")}>{t("toMappings")}</LinkButton>
            <LinkButton href={href("approveDuChanges", query)} icon={<IconChecklist size={16} stroke={1.4} aria-hidden="true" />}>
              {t("toInbox")}
            </LinkButton>
            {can("duChange.submit") ? (
              <LinkButton href={href("submitDuChange", query)} primary icon={<IconPlus size={16} stroke={1.4} aria-hidden="true" />}>
                {t("new")}
              </LinkButton>
            ) : null}
          </>
        )}
      </PageBar>
      <DataTable<ChangeRow>
        label={t(inbox ? "inbox" : "list")}
        address={changesAddress}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        onOpen={(row) => setOpened(row.id)}
        bar={
          <>
            <SearchField label={t("search")} value={text} onChange={setText} />
            {inbox ? null : (
              <fieldset className={classes.chips} aria-label={t("column.status")}>
                {shownStatuses.map((status) => (
                  <button
                    key={status}
                    type="button"
                    className={classes.chip}
                    aria-pressed={statuses.includes(status)}
                    onClick={() => toggle(status)}
                  >
                    {t(`status.${status}`)}
                  </button>
                ))}
              </fieldset>
            )}
            <select
              className={classes.select}
              aria-label={t("column.kind")}
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value as ChangeKind | "")}
            >
              <option value="">{t("everyKind")}</option>
              {changeKinds.map((value) => (
                <option key={value} value={value}>
                  {t(`kinds.${value}`)}
                </option>
              ))}
            </select>
            <select
              className={classes.select}
              aria-label={t("column.flows")}
              value={flowId}
              onChange={(event) => setFlowId(event.currentTarget.value)}
            >
              <option value="">{t("everyFlow")}</option>
              {flows.map((flow) => (
                <option key={flow.flowId} value={flow.flowId}>
                  {flow.name}
                </option>
              ))}
            </select>
          </>
        }
        batch={(rows, clear) => {
          const verbs = [
            { verb: "approve" as const, fit: rows.filter((row) => row.mayDecide) },
            { verb: "reject" as const, fit: rows.filter((row) => row.mayDecide) },
            { verb: "transfer" as const, fit: rows.filter((row) => row.mayTransfer) },
            { verb: "withdraw" as const, fit: rows.filter((row) => row.mayWithdraw) },
          ].filter(({ fit, verb }) => fit.length > 0 && !(inbox && verb === "withdraw"));
          if (verbs.length === 0) return <span className={classes.quiet}>{t("nothingToDo")}</span>;
          return verbs.map(({ verb, fit }) => (
            <Button key={verb} onClick={() => setDecision({ verb, rows: fit, clear })}>
              {t(`verb.${verb}`, { count: fit.length })}
            </Button>
          ));
        }}
        empty={
          filtered ? (
            <EmptyState icon={<IconSearch size={28} stroke={1} aria-hidden="true" />} />
          ) : (
            <EmptyState
              icon={<IconArrowsExchange size={28} stroke={1} aria-hidden="true" />}
              title={t(inbox ? "emptyInbox" : "empty")}
              text={t(inbox ? "emptyInboxText" : "emptyText")}
            >
              {inbox ? (
                <LinkButton href={href("duChanges", query)}>{t("toList")}</LinkButton>
              ) : can("duChange.submit") ? (
                <LinkButton href={href("submitDuChange", query)} primary>
                  {t("new")}
                </LinkButton>
              ) : null}
            </EmptyState>
          )
        }
      />
      <ChangeDrawer id={opened} onClose={() => setOpened(null)} />
      <DecideDialog
        {...(decision === null
          ? { verb: null }
          : {
              verb: decision.verb,
              rows: decision.rows,
              onClose: (done: boolean) => {
                if (done) decision.clear();
                setDecision(null);
                void refreshList(client, changesAddress);
              },
            })}
      />
    </>
  );
}
