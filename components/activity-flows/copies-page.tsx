"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCopy, IconPlus, IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { copyTargetsMax } from "#lib/activity-flows/copies/limits.ts";
import type { CopyJob } from "#lib/activity-flows/copies/queries.ts";
import { emptyText, formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import classes from "./copies.module.css";
import { CopyDialog } from "./copy-dialog.tsx";
import { CopyItems, copyPollMs } from "./copy-items.tsx";
import { SearchField } from "./search-field.tsx";

/** Copies of attribute values from one DU to others: how far each has come; a row opens its targets. */
export function CopiesPage({ attributes, copy }: { attributes: readonly { id: number; name: string }[]; copy: number | null }) {
  const t = useTranslations("activity-flows.copies");
  const common = useTranslations("common");
  const href = useHref();
  const router = useRouter();
  const { can, offset } = useSession();
  const [code, setCode] = useState("");
  const [searched] = useDebouncedValue(code.trim(), 250);
  const [creating, setCreating] = useState(false);
  const mayCopy = can("duFlow.copyAssociation");
  const commands = useMemo(() => (mayCopy ? [{ key: "new", label: t("new"), run: () => setCreating(true) }] : []), [mayCopy, t]);
  useCommands(commands);
  const filters = useMemo<Filter[]>(() => (searched ? [{ field: "sourceCode", type: "like", values: [searched] }] : []), [searched]);
  const columns: Column<CopyJob>[] = [
    { key: "sourceCode", label: t("source"), render: (row) => `${row.sourceCode} · ${row.sourceName}` },
    { key: "progress", label: t("progressTitle"), width: 300, render: (row) => <Progress row={row} /> },
    { key: "attributes", label: t("attributes"), render: (row) => row.attributes.join(", ") || emptyText },
    {
      key: "options",
      label: t("settings"),
      width: 160,
      render: (row) => [row.alsoBind && t("bindsShort"), row.overwrite && t("overwriteShort")].filter(Boolean).join(", ") || emptyText,
    },
    {
      key: "createdAt",
      label: common("createdAt"),
      width: 220,
      render: (row) => `${formatMinute(row.createdAt, offset)} · ${row.createdByName}`,
    },
  ];
  const open = (id: number) => router.push(href("attributeCopies", { query: { copy: id } }));
  return (
    <>
      <PageBar>
        {copy === null ? null : <Button onClick={() => router.push(href("attributeCopies"))}>{t("back")}</Button>}
        {mayCopy ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setCreating(true)}>
            {t("new")}
          </Button>
        ) : null}
      </PageBar>
      {copy === null ? (
        <DataTable<CopyJob>
          label={t("jobs")}
          address="copyAttribute/list"
          rowKey={(row) => row.id}
          columns={columns}
          filters={filters}
          onOpen={(row) => open(row.id)}
          refetchInterval={copyPollMs}
          bar={<SearchField label={t("search")} value={code} onChange={setCode} />}
          empty={
            filters.length > 0 ? (
              <EmptyState icon={<IconSearch size={28} stroke={1} aria-hidden="true" />} />
            ) : (
              <EmptyState
                icon={<IconCopy size={28} stroke={1} aria-hidden="true" />}
                title={t("empty")}
                text={t("emptyText", { max: copyTargetsMax })}
              >
                {mayCopy ? (
                  <Button variant="filled" onClick={() => setCreating(true)}>
                    {t("new")}
                  </Button>
                ) : null}
              </EmptyState>
            )
          }
        />
      ) : (
        <CopyItems copy={copy} mayRetry={mayCopy} />
      )}
      <CopyDialog opened={creating} attributes={attributes} onClose={() => setCreating(false)} onStarted={open} />
    </>
  );
}

function Progress({ row }: { row: CopyJob }) {
  const t = useTranslations("activity-flows.copies");
  const done = row.completed + row.failed;
  const words = (["unprocessed", "processing", "completed", "failed"] as const).filter((key) => row[key] > 0);
  return (
    <span className={classes.progress}>
      <ProgressBar done={done} total={done + row.unprocessed + row.processing} label={t("progressTitle")} />
      <span>{words.map((key) => `${t(`progress.${key}`)} ${formatNumber(row[key])}`).join(" · ")}</span>
    </span>
  );
}
