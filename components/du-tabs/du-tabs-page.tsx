"use client";
import { Button } from "@mantine/core";
import { IconChevronDown, IconLock, IconSettings, IconTable } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { useDirtyDesks } from "#components/grid/use-dirty-desks.ts";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLoading } from "#components/ui/use-loading.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Tab, TabColumns, TabFilters } from "#lib/du-tabs/queries.ts";
import classes from "./du-tabs.module.css";
import { makeDesk, type TabDesk } from "./tab-desk.ts";
import { TabTable } from "./tab-table.tsx";
import { TabsDialog } from "./tabs-dialog.tsx";

type Counted = Tab & { rows: number };
type Props = {
  tabs: readonly Counted[];
  filters: TabFilters;
  people: readonly { account: string; name: string }[];
  /** The tab that is opened first. */
  tab: number | null;
  search: string;
};

/** Tabs from which a list of all of them is offered beside the strip. */
const listedFrom = 5;

/** The data of DU tabs: one tab at a time, each keeping what is edited and not saved while another one is looked at. [DUT-01] */
export function DuTabsPage({ tabs: first, filters, people, tab: wanted, search }: Props) {
  const t = useTranslations("du-tabs");
  const words = useTranslations("grid");
  const project = useProjectNumber();
  const href = useHref();
  const { can } = useSession();
  const [chosen, setChosen] = useState(wanted);
  const [managing, setManaging] = useState<"list" | "new" | null>(null);
  const found = useQuery({
    queryKey: ["du-tabs", project],
    initialData: [...first],
    // The page has just read them.
    staleTime: 30_000,
    meta: lookup,
    queryFn: async ({ signal }) => dataOf(await callDoor<Counted[]>("duTabAttr/find/duTabList4Select", {}, { signal })),
  });
  const tabs = found.data;
  const tab = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const { refetch } = found;
  const refresh = useCallback(() => void refetch(), [refetch]);
  const columns = useQuery({
    queryKey: ["du-tab columns", project, tab?.id],
    enabled: tab !== undefined,
    queryFn: async ({ signal }) => dataOf(await callDoor<TabColumns>("duTabAttr/find/duTabAttrList", { tabId: tab?.id }, { signal })),
  });
  const loading = useLoading(columns.isPending && tab !== undefined);
  const [desks] = useState(() => new Map<string, TabDesk>());
  const deskOf = (given: Tab): TabDesk => {
    const key = `${given.id} ${given.keyMode} ${given.mode}`;
    const desk =
      desks.get(key) ??
      makeDesk(given, {
        unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: words("unreadable", { typed }) }),
        somebody: words("rowConflict.somebody"),
        texts: { yes: "", no: "", readOnly: { code: "NO_PERMISSION", cause: t("list.locked") } },
      });
    desks.set(key, desk);
    return desk;
  };
  const desk = tab && deskOf(tab);
  const isDirty = useDirtyDesks(desks, desk);
  const change = (id: number) => {
    setChosen(id);
    window.history.replaceState(null, "", href("duTabs", { query: { tab: id } }));
  };
  const manage = can("attribute.edit") ? (
    <Button leftSection={<IconSettings size={16} stroke={1.4} />} onClick={() => setManaging("list")}>
      {t("admin.verb")}
    </Button>
  ) : null;
  return (
    <>
      <PageBar
        edited={isDirty}
        tabs={tabs.map(({ id, name, rows, mode }) => ({
          key: String(id),
          label: name,
          count: formatNumber(rows),
          ...(mode === "RO" && { icon: <IconLock size={12} stroke={1.7} role="img" aria-label={t("list.readOnly")} /> }),
        }))}
        {...(tab && { tab: String(tab.id) })}
        onTab={(key) => change(Number(key))}
      >
        {tabs.length >= listedFrom ? (
          <DropMenu
            trigger={<Button rightSection={<IconChevronDown size={14} stroke={1.7} />}>{t("list.allTabs", { count: tabs.length })}</Button>}
            entries={tabs.map(({ id, name }) => ({
              key: String(id),
              text: name,
              current: id === tab?.id || undefined,
              onClick: () => change(id),
            }))}
          />
        ) : null}
        {manage}
      </PageBar>
      {!tab || !desk ? (
        <EmptyState
          icon={<IconTable size={28} stroke={1} aria-hidden="true" />}
          title={t("tabs.empty")}
          text={can("attribute.edit") ? t("tabs.emptyText") : t("tabs.emptyRead")}
        >
          {can("attribute.edit") ? (
            <Button variant="filled" onClick={() => setManaging("new")}>
              {t("admin.new")}
            </Button>
          ) : null}
        </EmptyState>
      ) : columns.data ? (
        <TabTable
          key={`${tab.id} ${tab.mode}`}
          tab={tab}
          desk={desk}
          columns={columns.data}
          filters={filters}
          people={people}
          search={tab.id === wanted || wanted === null ? search : ""}
          onCounts={refresh}
        />
      ) : columns.isError || loading.state === "late" ? (
        <ErrorPanel
          title={t("list.failed")}
          failed={columns.error}
          onRetry={() => {
            loading.again();
            void columns.refetch();
          }}
        />
      ) : (
        <div className={classes.loading} aria-busy="true">
          {loading.state === "shown" ? Array.from({ length: 8 }, (_, at) => <span key={at} className={classes.bone} />) : null}
        </div>
      )}
      {managing ? (
        <TabsDialog
          tabs={tabs}
          shown={tab && columns.data ? { id: tab.id, columns: columns.data } : null}
          startsNew={managing === "new"}
          onChanged={async (id) => {
            await refetch();
            if (id !== undefined) change(id);
          }}
          onClose={() => setManaging(null)}
        />
      ) : null}
    </>
  );
}
