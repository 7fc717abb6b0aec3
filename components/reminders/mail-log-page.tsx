"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconMailPause } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { refreshList, useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import type { MailRow, MailSummary } from "#lib/reminders/outbox/queries.ts";
import { MailActions } from "./mail-actions.tsx";
import { MailDialog } from "./mail-dialog.tsx";
import classes from "./mail-log.module.css";
import { MailError, MailState } from "./mail-state.tsx";
import { countOf, filtersOf, type Group, groups, isGroup, kindKey } from "./mail-view.ts";

const address = "emailAuto/mailLog/list";
const pageSize = 50;
const pollMs = 5_000;
const typingMs = 300;

/** The mail log as a screen of its own. */
export function MailLogPage({ group }: { group?: string | undefined }) {
  return (
    <>
      <PageBar />
      <MailLog group={group} />
    </>
  );
}

/**
 * Every mail of the project with what became of it; what failed can be sent again, what waits can be taken back.
 * @param group the states shown at first: any, waiting, sent or trouble
 */
export function MailLog({ group: first }: { group?: string | undefined }) {
  const t = useTranslations("reminders");
  const client = useQueryClient();
  const { can, offset } = useSession();
  const [group, setGroup] = useState<Group>(isGroup(first) ? first : "any");
  const [typed, setTyped] = useState("");
  const [receiver] = useDebouncedValue(typed, typingMs);
  const [shown, setShown] = useState<number | null>(null);
  const filters = filtersOf(group, receiver);
  const list = useList<MailRow>({ address, page: 1, size: pageSize, filters });
  const summary = list.data as (MailSummary & object) | undefined;
  const counts = summary?.counts ?? {};
  const moving = summary?.transport === true && countOf("waiting", counts) > 0;
  const refresh = () => void refreshList(client, address);
  const time = (mail: MailRow) =>
    mail.sentAt
      ? t("when.sent", { time: formatMoment(mail.sentAt, offset) })
      : mail.status === "RETRY"
        ? t("when.next", { time: formatMoment(mail.nextAttemptAt, offset) })
        : t("when.made", { time: formatMoment(mail.createdAt, offset) });
  const columns: Column<MailRow>[] = [
    { key: "status", label: t("column.status"), width: 124, render: ({ status }) => <MailState status={status} /> },
    { key: "subject", label: t("column.subject"), render: ({ subject }) => <span title={subject}>{subject}</span> },
    {
      key: "toAddress",
      label: t("column.receiver"),
      width: 230,
      render: ({ toName, toAddress }) => <span title={toAddress}>{toName ? `${toName} <${toAddress}>` : toAddress}</span>,
    },
    { key: "kind", label: t("column.kind"), width: 120, render: ({ kind }) => t(`kind.${kindKey(kind)}`) },
    { key: "attempts", label: t("column.attempts"), width: 84, align: "right", render: ({ attempts }) => formatNumber(attempts) },
    { key: "when", label: t("column.when"), width: 224, render: time },
    { key: "lastError", label: t("column.error"), width: 240, render: ({ lastError }) => <MailError error={lastError} /> },
  ];
  return (
    <>
      {summary && !summary.transport ? (
        <p className={classes.banner} role="status">
          <IconMailPause size={16} stroke={1.4} aria-hidden="true" />
          {t("log.stored")}
        </p>
      ) : null}
      <DataTable<MailRow>
        label={t("log.label")}
        address={address}
        filters={filters}
        pageSize={pageSize}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id, readable }) => readable && setShown(id)}
        refetchInterval={moving ? pollMs : false}
        {...(can("notice.edit")
          ? { batch: (mails: MailRow[], clear: () => void) => <MailActions mails={mails} onChange={refresh} onDone={clear} /> }
          : {})}
        bar={
          <>
            <GroupFilter
              label={t("group.label")}
              groups={(Object.keys(groups) as Group[]).map((key) => ({
                key,
                label: t(`group.${key}`),
                count: summary ? countOf(key, counts) : undefined,
              }))}
              value={group}
              onChange={setGroup}
            />
            <TextInput
              size="xs"
              w={200}
              type="search"
              aria-label={t("log.search")}
              placeholder={t("log.searchHint")}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </>
        }
        empty={
          filters.length > 0 ? (
            <EmptyState>
              <Button
                onClick={() => {
                  setGroup("any");
                  setTyped("");
                }}
              >
                {t("log.show")}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title={t("log.empty")} text={t("log.emptyText")} />
          )
        }
      />
      <MailDialog id={shown} onClose={() => setShown(null)} onChange={refresh} />
    </>
  );
}
