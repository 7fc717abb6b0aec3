"use client";
import { Drawer } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLoading } from "#components/ui/use-loading.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatMoment } from "#lib/core/format.ts";
import type { Page } from "#lib/core/paging.ts";
import { historyPageMax } from "#lib/du-tabs/limits.ts";
import type { Tab, TabColumns } from "#lib/du-tabs/queries.ts";
import type { HistoryLine } from "#lib/du-tabs/rows/queries.ts";
import classes from "./du-tabs.module.css";
import type { RowFacts } from "./tab-list.ts";

type Props = {
  tab: Tab;
  columns: TabColumns;
  /** The row the grid stands on. */
  row: RowFacts | null;
  title: (key: string) => string;
  onClose: () => void;
};

/** Who changed what and when in a row, or in the whole tab, newest first. */
export function HistoryDrawer({ tab, columns, row, title, onClose }: Props) {
  const t = useTranslations("du-tabs.history");
  const common = useTranslations("common");
  const { offset } = useSession();
  const project = useProjectNumber();
  const [what, setWhat] = useState<"row" | "tab">(row?.id ? "row" : "tab");
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(50);
  const input = { tabId: tab.id, ...(what === "row" && row?.id ? { rowId: row.id } : {}), page, size };
  const lines = useQuery({
    queryKey: ["du-tab history", project, input],
    queryFn: async ({ signal }) => dataOf(await callDoor<Page<HistoryLine>>("duTabAttr/getHistory", input, { signal })),
    placeholderData: keepPreviousData,
    // What was just saved is to be seen.
    staleTime: 0,
  });
  const loading = useLoading(lines.isPending);
  const attributes = new Map(columns.attributes.map((attribute) => [attribute.key, attribute]));
  const shown = (key: string, value: unknown): string => {
    if (value === null || value === undefined || value === "") return emptyText;
    const attribute = attributes.get(key);
    const choice = attribute?.choices.find(({ id }) => String(id) === String(value))?.value;
    return choice ?? String(value);
  };
  const name = (key: string) => (key === "sn" ? title("sn") : (attributes.get(key)?.name ?? key));
  const rowName = row ? [row.code, row.sn].filter(Boolean).join(" · ") : "";
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={t("title", { tab: tab.name })}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {row?.id ? (
        <GroupFilter
          label={t("of")}
          groups={[
            { key: "row", label: rowName },
            { key: "tab", label: t("wholeTab") },
          ]}
          value={what}
          onChange={(key) => {
            setWhat(key);
            setPage(1);
          }}
        />
      ) : null}
      {lines.isError ? (
        <ErrorPanel title={t("failed")} failed={lines.error} onRetry={() => lines.refetch()} />
      ) : lines.isPending ? (
        <p className={classes.quiet} aria-busy="true">
          {loading.state === "hidden" ? "" : t("loading")}
        </p>
      ) : lines.data.records.length === 0 ? (
        <EmptyState title={t("empty")} />
      ) : (
        <ol className={classes.history} aria-label={t("title", { tab: tab.name })}>
          {lines.data.records.map((line) => (
            <li key={line.id}>
              <p className={classes.who}>
                <b>{line.by}</b> <span>{t(`source.${line.source}` as "source.UI")}</span>
                {what === "tab" ? <span>{[line.duCode, line.sn].filter(Boolean).join(" · ")}</span> : null}
                <time dateTime={new Date(line.at).toISOString()}>{formatMoment(new Date(line.at), offset)}</time>
              </p>
              <ul>
                {Object.entries(line.changes).map(([key, [old, value]]) => (
                  <li key={key}>
                    {name(key)}: <s>{shown(key, old)}</s> <span aria-hidden="true">→</span> {shown(key, value)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
      {lines.data && lines.data.total > size ? (
        <TableFoot page={page} size={size} total={lines.data.total} max={historyPageMax} onPage={setPage} onSize={setSize} />
      ) : null}
    </Drawer>
  );
}
