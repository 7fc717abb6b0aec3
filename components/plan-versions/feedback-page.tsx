"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList, useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute, formatRange } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { DistributionRow } from "#lib/plan-versions/distributions/queries.ts";
import { type Decision, decisions, mappings } from "#lib/plan-versions/feedback/limits.ts";
import type { FeedbackRow } from "#lib/plan-versions/feedback/queries.ts";
import type { CompareChoices } from "./compare-filters.tsx";
import { DecideDialog } from "./decide-dialog.tsx";
import { distributionsAddress } from "./distributions-page.tsx";
import { FeedbackProgress } from "./feedback-progress.tsx";
import { MapDialog } from "./map-dialog.tsx";
import classes from "./versions.module.css";

const address = "planFeedback/list";
const tones: Record<Decision, Tone> = { open: "info", accepted: "ok", refused: "danger" };
type Open = { what: "map" | "accepted" | "refused"; rows: FeedbackRow[]; clear: () => void };
type Props = { distribution: number | null; activities: CompareChoices["activities"] };

/** What recipients answered: how far each distribution is, answers to map, proposals to take over or to refuse. [VER-02] */
export function FeedbackPage({ distribution: first, activities }: Props) {
  const t = useTranslations("plan-versions.feedback");
  const common = useTranslations("common");
  const client = useQueryClient();
  const href = useHref();
  const { can, offset } = useSession();
  const leads = can("version.distribute");
  const [distribution, setDistribution] = useState<number | null>(first);
  const [mapping, setMapping] = useState<string | null>(null);
  const [decision, setDecision] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 250);
  const [open, setOpen] = useState<Open | null>(null);
  const sent = useList<DistributionRow>({ address: distributionsAddress, page: 1, size: 50 });
  const filters = useMemo<Filter[]>(
    () => [
      ...(distribution ? [{ field: "distributionId", type: "eq" as const, values: [distribution] }] : []),
      ...(mapping ? [{ field: "mapping", type: "eq" as const, values: [mapping] }] : []),
      ...(decision ? [{ field: "decision", type: "eq" as const, values: [decision] }] : []),
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
    ],
    [distribution, mapping, decision, search],
  );
  const refresh = async () => {
    open?.clear();
    await Promise.all([refreshList(client, address), refreshList(client, distributionsAddress)]);
  };
  const meant = (word: string, found: string | null) =>
    found === null ? <Tag tone="warn">{word}</Tag> : found === word ? word : `${found} (${word})`;
  const columns: Column<FeedbackRow>[] = [
    { key: "rawDu", label: common("du"), width: 150, sortable: true, render: (row) => meant(row.rawDu, row.duCode) },
    { key: "rawActivity", label: common("activity"), width: 170, render: (row) => meant(row.rawActivity, row.activityName) },
    { key: "told", label: t("column.told"), width: 170, render: (row) => formatRange(row.toldStart, row.toldEnd) || emptyText },
    ...(leads
      ? [
          {
            key: "plan",
            label: t("column.now"),
            width: 170,
            render: (row: FeedbackRow) => formatRange(row.planStart, row.planEnd) || emptyText,
          },
        ]
      : []),
    {
      key: "proposedEnd",
      label: t("column.proposed"),
      width: 170,
      sortable: true,
      render: (row) => formatRange(row.proposedStart, row.proposedEnd) || emptyText,
    },
    { key: "remark", label: common("remark"), width: 200 },
    {
      key: "mapping",
      label: t("column.mapping"),
      width: 100,
      render: (row) => <Tag tone={row.mapping === "mapped" ? "ok" : "warn"}>{t(`mapping.${row.mapping}`)}</Tag>,
    },
    {
      key: "decision",
      label: t("column.decision"),
      width: 100,
      render: (row) => (
        <span title={row.comment ?? ""}>
          <Tag tone={tones[row.decision]}>{t(`decision.${row.decision}`)}</Tag>
        </span>
      ),
    },
    { key: "late", label: t("column.late"), width: 70, render: (row) => (row.late ? common("yes") : common("no")) },
    { key: "recipientName", label: t("column.recipient"), width: 150 },
    {
      key: "submittedAt",
      label: t("column.submittedAt"),
      width: 140,
      sortable: true,
      render: (row) => formatMinute(row.submittedAt, offset),
    },
  ];
  const verbs = (rows: FeedbackRow[], clear: () => void) => {
    const undecided = rows.every((row) => row.decision === "open");
    return (
      <>
        {can("rollout.edit") ? (
          <Button variant="filled" disabled={!undecided} onClick={() => setOpen({ what: "accepted", rows, clear })}>
            {t("accept")}
          </Button>
        ) : null}
        {leads ? (
          <>
            <Button disabled={!undecided} onClick={() => setOpen({ what: "refused", rows, clear })}>
              {t("refuse")}
            </Button>
            <Button disabled={!undecided} onClick={() => setOpen({ what: "map", rows, clear })}>
              {t("map")}
            </Button>
          </>
        ) : null}
      </>
    );
  };
  const select = { size: "xs", clearable: true, clearButtonProps: { "aria-label": common("clear") } } as const;
  return (
    <>
      <PageBar>
        <LinkButton href={href("planDistributions")}>{t("toDistributions")}</LinkButton>
        {leads ? (
          <LinkButton
            href={href("planFeedback", { query: { import: "planFeedback" } })}
            icon={<IconDownload size={16} stroke={1.4} aria-hidden="true" />}
          >
            {t("import")}
          </LinkButton>
        ) : null}
      </PageBar>
      {sent.isError && !sent.data ? (
        <section className={classes.summary} aria-label={t("progress")}>
          <ErrorPanel title={t("progressFailed")} failed={sent.error} onRetry={() => sent.refetch()} />
        </section>
      ) : (
        <FeedbackProgress rows={sent.data?.records ?? []} chosen={distribution} onChoose={setDistribution} onReminded={refresh} />
      )}
      <DataTable<FeedbackRow>
        label={t("label")}
        address={address}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        {...(leads || can("rollout.edit") ? { batch: verbs } : {})}
        bar={
          <div className={classes.filters}>
            <Select
              {...select}
              w={130}
              aria-label={t("column.mapping")}
              placeholder={t("column.mapping")}
              data={mappings.map((value) => ({ value, label: t(`mapping.${value}`) }))}
              value={mapping}
              onChange={setMapping}
            />
            <Select
              {...select}
              w={130}
              aria-label={t("column.decision")}
              placeholder={t("column.decision")}
              data={decisions.map((value) => ({ value, label: t(`decision.${value}`) }))}
              value={decision}
              onChange={setDecision}
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
        empty={filters.length > 0 ? undefined : <EmptyState title={t("empty")} text={t("emptyText")} />}
      />
      {open?.what === "map" ? (
        <MapDialog rows={open.rows} activities={activities} onClose={() => setOpen(null)} onMapped={refresh} />
      ) : null}
      {open?.what === "accepted" || open?.what === "refused" ? (
        <DecideDialog decision={open.what} rows={open.rows} onClose={() => setOpen(null)} onDecided={refresh} />
      ) : null}
    </>
  );
}
