"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconMailCog, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { ruleTypes } from "#lib/reminders/rules/limits.ts";
import type { MailRuleRow, ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { ActualDialog } from "./actual-dialog.tsx";
import { MailLog } from "./mail-log-page.tsx";
import { receiverCount } from "./reminder-view.ts";
import { useTimeColumns } from "./rule-columns.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { SwitchActions } from "./switch-actions.tsx";

const address = "emailAuto/list";
const typingMs = 300;
const tabs = ["rules", "actual", "log"] as const;
type Tab = (typeof tabs)[number];
type Status = "all" | "ENABLED" | "DISABLED";

/** Automatic mails, reminders to enter actual dates, and what became of all mails. [REM-01] */
export function MailRulesPage({ choices }: { choices: ReminderChoices }) {
  const t = useTranslations("reminder-rules");
  const { can } = useSession();
  const client = useQueryClient();
  const [tab, setTab] = useState<Tab>("rules");
  const [open, setOpen] = useState<MailRuleRow | "new" | null>(null);
  const mayEdit = can("notice.edit");
  const label = t(tab === "actual" ? "newActual" : "newRule");
  const commands = useMemo(
    () => (mayEdit && tab !== "log" ? [{ key: "new", label, run: () => setOpen("new") }] : []),
    [mayEdit, tab, label],
  );
  useCommands(commands);
  const refresh = () => refreshList(client, address);
  const Dialog = tab === "actual" ? ActualDialog : RuleDialog;
  return (
    <>
      <PageBar
        tabs={tabs.map((key) => ({ key, label: t(`tab.${key}`) }))}
        tab={tab}
        onTab={(key) => {
          setTab(key as Tab);
          setOpen(null);
        }}
      >
        {mayEdit && tab !== "log" ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen("new")}>
            {label}
          </Button>
        ) : null}
      </PageBar>
      {tab === "log" ? <MailLog /> : <RuleList key={tab} tab={tab} mayEdit={mayEdit} onOpen={setOpen} onChange={refresh} />}
      {open && mayEdit ? (
        <Dialog key={open === "new" ? "new" : open.id} row={open} choices={choices} onClose={() => setOpen(null)} onSaved={refresh} />
      ) : null}
    </>
  );
}

type ListProps = { tab: "rules" | "actual"; mayEdit: boolean; onOpen: (row: MailRuleRow | "new") => void; onChange: () => unknown };

function RuleList({ tab, mayEdit, onOpen, onChange }: ListProps) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const [status, setStatus] = useState<Status>("all");
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), typingMs);
  const times = useTimeColumns<MailRuleRow>();
  const filters = useMemo<Filter[]>(
    () => [
      { field: "type", type: "in", values: tab === "actual" ? ["ACTUAL_TIME"] : [...ruleTypes] },
      ...(status === "all" ? [] : [{ field: "status", type: "eq" as const, values: [status] }]),
      ...(name ? [{ field: "name", type: "like" as const, values: [name] }] : []),
    ],
    [tab, status, name],
  );
  const what = ({ type, activities, attributes, deviationDays, offsetDays }: MailRuleRow) => {
    const names = (type === "CHANGE_COL_VALUE" ? attributes : activities).map((one) => one.name).join(", ");
    const days = type === "ACTUAL_TIME" ? offsetDays : deviationDays;
    return days === null ? names || emptyText : `${names} · ${common("days", { count: days })}`;
  };
  const columns: Column<MailRuleRow>[] = [
    { key: "name", label: common("name"), render: (row) => <span title={row.name}>{row.name}</span> },
    ...(tab === "rules"
      ? [{ key: "type", label: common("type"), width: 170, render: (row: MailRuleRow) => t(`type.${row.type}` as "type.ACT_DEVIATION") }]
      : []),
    { key: "what", label: t("column.what"), width: 200, render: (row) => <span title={what(row)}>{what(row)}</span> },
    {
      key: "receivers",
      label: t("column.receivers"),
      width: 90,
      align: "right",
      render: ({ receivers, mailTo, ccUserIds }) => formatNumber(receiverCount(receivers) + mailTo.length + ccUserIds.length),
    },
    ...times,
  ];
  const narrowed = status !== "all" || name !== "";
  return (
    <DataTable<MailRuleRow>
      label={t(`tab.${tab}`)}
      address={address}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      {...(mayEdit
        ? {
            onOpen,
            batch: (rows: MailRuleRow[], clear: () => void) => (
              <SwitchActions
                kind={tab === "actual" ? "ACTUAL_TIME" : "RULE"}
                rows={rows}
                onDone={() => {
                  clear();
                  return onChange();
                }}
              />
            ),
          }
        : {})}
      bar={
        <>
          <GroupFilter
            label={common("status")}
            groups={(["all", "ENABLED", "DISABLED"] as const).map((key) => ({
              key,
              label: common(key === "all" ? "all" : key === "ENABLED" ? "enabled" : "disabled"),
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
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </>
      }
      empty={
        <EmptyState
          icon={<IconMailCog size={28} stroke={1} aria-hidden="true" />}
          title={narrowed ? undefined : t(`empty.${tab}`)}
          text={narrowed ? undefined : t(`emptyText.${tab}`)}
        >
          {narrowed || !mayEdit ? null : <Button onClick={() => onOpen("new")}>{t(tab === "actual" ? "newActual" : "newRule")}</Button>}
        </EmptyState>
      }
    />
  );
}
