"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { closeDistributions, remindRecipients } from "#lib/plan-versions/distributions/actions.ts";
import { type DistributionStatus, distributionStatuses } from "#lib/plan-versions/distributions/limits.ts";
import type { DistributionRow } from "#lib/plan-versions/distributions/queries.ts";
import type { CompareChoices } from "./compare-filters.tsx";
import { DistributedPlan } from "./distributed-plan.tsx";
import { SendDialog } from "./send-dialog.tsx";
import classes from "./versions.module.css";

/** Address of the list up to its page. */
export const distributionsAddress = "planDistribution/list";
const tones: Record<DistributionStatus, Tone> = { sent: "neutral", opened: "info", answered: "ok", closed: "neutral" };

type Asked = { what: "close" | "remind"; rows: DistributionRow[]; clear: () => void };

/** Plans sent to others, with what came back; a recipient sees those sent to him and answers them. [VER-03] */
export function DistributionsPage({ regions }: { regions: CompareChoices["regions"] }) {
  const t = useTranslations("plan-versions.distributions");
  const common = useTranslations("common");
  const client = useQueryClient();
  const href = useHref();
  const { can, offset } = useSession();
  const mayLead = can("version.distribute");
  const [status, setStatus] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 250);
  const [sending, setSending] = useState(false);
  const [open, setOpen] = useState<DistributionRow | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [close] = useAction(closeDistributions);
  const [remind] = useAction(remindRecipients);
  const filters = useMemo<Filter[]>(
    () => [
      ...(status ? [{ field: "status", type: "eq" as const, values: [status] }] : []),
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
    ],
    [status, search],
  );
  const refresh = () => refreshList(client, distributionsAddress);
  const run = async () => {
    if (!asked) return;
    const ids = asked.rows.map(({ id }) => id);
    const answer = asked.what === "close" ? await close({ ids }) : await remind({ ids });
    if (!answer.data) toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    else if ("closed" in answer.data) toast.done(t("closed", { count: answer.data.closed }));
    else toast.done(t("reminded", { count: answer.data.reminded }));
    asked.clear();
    await refresh();
  };
  const columns: Column<DistributionRow>[] = [
    { key: "versionCode", label: t("column.version"), width: 190, render: (row) => `${row.versionCode} ${row.versionName}` },
    {
      key: "recipientName",
      label: t("column.recipient"),
      width: 200,
      render: (row) => `${row.recipientName} (${t(`kind.${row.recipientKind}`)})`,
    },
    {
      key: "status",
      label: common("status"),
      width: 110,
      sortable: true,
      render: (row) => <Tag tone={tones[row.status]}>{t(`status.${row.status}`)}</Tag>,
    },
    { key: "dueDate", label: t("column.dueDate"), width: 110, sortable: true, render: (row) => row.dueDate ?? emptyText },
    { key: "duCount", label: t("column.dus"), width: 70, align: "right", render: (row) => formatNumber(row.duCount) },
    {
      key: "answered",
      label: t("column.answered"),
      width: 120,
      align: "right",
      render: (row) => t("of", { answered: formatNumber(row.answered), all: formatNumber(row.activityCount) }),
    },
    { key: "open", label: t("column.open"), width: 90, align: "right", render: (row) => formatNumber(row.open) },
    { key: "notMapped", label: t("column.notMapped"), width: 110, align: "right", render: (row) => formatNumber(row.notMapped) },
    { key: "sentAt", label: t("column.sentAt"), width: 140, sortable: true, render: (row) => formatMinute(row.sentAt, offset) },
    { key: "sentByName", label: t("column.sentBy"), width: 120 },
    {
      key: "remindedAt",
      label: t("column.remindedAt"),
      width: 140,
      render: (row) => (row.remindedAt ? formatMinute(row.remindedAt, offset) : emptyText),
    },
  ];
  const verbs = (rows: DistributionRow[], clear: () => void) => {
    const live = rows.every((row) => row.status !== "closed");
    return (
      <>
        {rows.length === 1 ? (
          <Button variant="filled" onClick={() => setOpen(rows[0] ?? null)}>
            {t(rows[0]?.mine && rows[0].status !== "closed" ? "answer" : "show")}
          </Button>
        ) : null}
        {mayLead ? (
          <>
            <Button
              disabled={!live || rows.every((row) => row.status === "answered")}
              onClick={() => setAsked({ what: "remind", rows, clear })}
            >
              {t("remind")}
            </Button>
            <Button disabled={!live} onClick={() => setAsked({ what: "close", rows, clear })}>
              {t("close")}
            </Button>
          </>
        ) : null}
      </>
    );
  };
  return (
    <>
      <PageBar>
        <LinkButton href={href("planFeedback")}>{t("toFeedback")}</LinkButton>
        {mayLead ? (
          <Button variant="filled" leftSection={<IconSend size={16} stroke={1.4} />} onClick={() => setSending(true)}>
            {t("send")}
          </Button>
        ) : null}
      </PageBar>
      <DataTable<DistributionRow>
        label={t("label")}
        address={distributionsAddress}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        batch={verbs}
        onOpen={setOpen}
        bar={
          <div className={classes.filters}>
            <Select
              size="xs"
              w={160}
              aria-label={common("status")}
              placeholder={common("status")}
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={distributionStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
              value={status}
              onChange={setStatus}
            />
            <TextInput
              size="xs"
              w={220}
              type="search"
              aria-label={common("search")}
              placeholder={t("search")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </div>
        }
        empty={filters.length > 0 ? undefined : <EmptyState title={t("empty")} text={t(mayLead ? "emptyText" : "emptyMine")} />}
      />
      {sending ? <SendDialog regions={regions} onClose={() => setSending(false)} onSent={refresh} /> : null}
      {open ? <DistributedPlan distribution={open} onClose={() => setOpen(null)} onAnswered={refresh} /> : null}
      <Confirm
        opened={asked !== null}
        verb={asked ? t(`${asked.what}Many`, { count: asked.rows.length }) : ""}
        onClose={() => setAsked(null)}
        onConfirm={run}
      >
        {asked ? t(`${asked.what}Text`) : null}
      </Confirm>
    </>
  );
}
