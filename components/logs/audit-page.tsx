"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { auditEvents, isAuditEvent } from "#lib/core/audit-events.ts";
import { formatMoment } from "#lib/core/format.ts";
import { exportAudit } from "#lib/logs/audit/actions.ts";
import { auditRowsMax } from "#lib/logs/audit/limits.ts";
import { objectText } from "#lib/logs/audit/logic.ts";
import type { AuditRow } from "#lib/logs/audit/queries.ts";
import { datePresets } from "#lib/rollout-plan/conditions/limits.ts";
import classes from "./audit.module.css";
import { AuditDialog } from "./audit-dialog.tsx";
import { type AuditQuestion, anything, auditFilters } from "./audit-question.ts";
import { ErrorReports } from "./error-reports.tsx";

const address = "audit/list";
const pageSize = 50;
const typingMs = 300;

type Props = {
  /** Who has written something in the project. */
  actors: { id: number; name: string }[];
  /** Number of a request to begin with. */
  request: string | null;
  tab: "lines" | "reports";
};

/** Who did what in the project and when, with values before and after; and what people reported about errors. */
export function AuditPage({ actors, request, tab }: Props) {
  const t = useTranslations("audit");
  const plan = useTranslations("plan-grid");
  const href = useHref();
  const { offset } = useSession();
  const [question, setQuestion] = useState<AuditQuestion>({ ...anything, request });
  const [object] = useDebouncedValue(question.object, typingMs);
  const [shown, setShown] = useState<AuditRow | null>(null);
  const [start, starting] = useAction(exportAudit);
  const filters = auditFilters({ ...question, object });
  const first = useList<AuditRow>({ address, page: 1, size: pageSize, filters });
  const more = (first.data as { more?: boolean } | undefined)?.more === true;
  const set = (part: Partial<AuditQuestion>) => setQuestion((before) => ({ ...before, ...part }));
  const runExport = async () => {
    const answer = await start({ filters });
    if (answer.status >= 400) toast.problem(answer.msg ?? answer.code);
    else toast.done(t("exportStarted"), { actions: [{ label: t("show"), run: () => window.location.assign(href("exports")) }] });
  };
  const columns: Column<AuditRow>[] = [
    { key: "at", label: t("column.at"), width: 156, render: ({ at }) => formatMoment(at, offset) },
    { key: "actor", label: t("column.actor"), width: 160, render: ({ actor }) => actor ?? t("system") },
    {
      key: "event",
      label: t("column.event"),
      width: 170,
      render: ({ event }) => (
        <Tag tone={event === "permission_denied" || event === "sign_in_failed" ? "warn" : "neutral"}>
          {isAuditEvent(event) ? t(`event.${event}`) : event}
        </Tag>
      ),
    },
    {
      key: "object",
      label: t("column.object"),
      // The filter takes what is stored.
      render: ({ object: what }) => <span title={what ?? ""}>{what === null ? "-" : objectText(what, t)}</span>,
    },
    {
      key: "address",
      label: t("column.address"),
      width: 260,
      render: ({ address: call }) => <span title={call ?? ""}>{call ?? "-"}</span>,
    },
    { key: "ip", label: t("column.ip"), width: 120 },
  ];
  const tabs = [
    { key: "lines", label: t("tab.lines"), href: href("auditLog") },
    { key: "reports", label: t("tab.reports"), href: href("auditLog", { query: { tab: "reports" } }) },
  ];
  const select = (label: string, width: number, data: { value: string; label: string }[], key: "actor" | "event" | "preset") => (
    <Select
      size="xs"
      w={width}
      aria-label={label}
      placeholder={label}
      clearable
      searchable
      data={data}
      value={question[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  if (tab === "reports")
    return (
      <>
        <PageBar tabs={tabs} tab={tab} />
        <ErrorReports />
      </>
    );
  return (
    <>
      <PageBar tabs={tabs} tab={tab}>
        <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={starting} onClick={runExport}>
          {t("export")}
        </Button>
      </PageBar>
      <DataTable<AuditRow>
        label={t("title")}
        address={address}
        filters={filters}
        pageSize={pageSize}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={setShown}
        bar={
          <>
            {select(
              t("column.actor"),
              170,
              actors.map(({ id, name }) => ({ value: String(id), label: name })),
              "actor",
            )}
            {select(
              t("column.event"),
              190,
              auditEvents.map((event) => ({ value: event, label: t(`event.${event}`) })),
              "event",
            )}
            {select(
              t("filter.period"),
              140,
              datePresets.map((preset) => ({ value: preset, label: plan(`period.${preset}`) })),
              "preset",
            )}
            <TextInput
              size="xs"
              w={180}
              type="search"
              aria-label={t("filter.object")}
              placeholder={t("filter.object")}
              value={question.object}
              onChange={(event) => set({ object: event.currentTarget.value })}
            />
            {question.request ? (
              <FilterChip name={t("filter.request")} value={question.request} onDrop={() => set({ request: null })} />
            ) : null}
            {filters.length > 0 ? (
              <Button variant="subtle" color="gray" size="xs" onClick={() => setQuestion(anything)}>
                {t("filter.clear")}
              </Button>
            ) : null}
            {more ? <span className={classes.quiet}>{t("more", { max: auditRowsMax })}</span> : null}
          </>
        }
        empty={<EmptyState text={t("emptyText")} />}
      />
      <AuditDialog
        line={shown}
        onClose={() => setShown(null)}
        onRequest={(requestId) => {
          setShown(null);
          setQuestion({ ...anything, request: requestId });
        }}
      />
    </>
  );
}
