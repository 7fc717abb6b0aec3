"use client";
import { Button } from "@mantine/core";
import { IconLayoutList, IconPencil, IconPlus, IconSettings } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { LinkButton } from "#components/ui/link-button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { NoTabs } from "./no-tabs.tsx";
import { TabView } from "./tab-view.tsx";
import { type Activity, type TabList, useTabs } from "./use-tabs.ts";

const TabDialog = onDemand(() => import("./tab-dialog.tsx").then((module) => module.TabDialog));
const OwnTabsDialog = onDemand(() => import("./own-tabs-dialog.tsx").then((module) => module.OwnTabsDialog));

type Props = {
  first: TabList;
  activities: readonly Activity[];
  /** Regions a view may be narrowed to. */
  regions: readonly { id: number; name: string }[];
  /** Tab the address names. */
  wanted: number | null;
};
type Open = { dialog: "tab"; tab: Partial<Tab> } | { dialog: "own" };

/** The plan cut by properties of its DUs: a tab for each, of everybody or of one's own. [MDV-01] */
export function ViewPage({ first, activities, regions, wanted }: Props) {
  const t = useTranslations("dimension-views");
  const href = useHref();
  const { can } = useSession();
  const [{ tabs, config }, refresh] = useTabs(first);
  const [chosen, setChosen] = useState(wanted);
  const [open, setOpen] = useState<Open | null>(null);
  const shown = tabs.filter(({ visible }) => visible);
  const find = (id: number | null) => shown.find((tab) => tab.id === id);
  const tab = find(chosen) ?? find(config.defaultTabId) ?? shown[0];
  const choose = (id: number) => {
    setChosen(id);
    window.history.replaceState(window.history.state, "", `${window.location.pathname}?tab=${id}`);
  };
  const mayOwn = can("multiDim.edit") && config.allowPersonal;
  const mayChange = tab && can(tab.global ? "multiDim.global" : "multiDim.edit");
  return (
    <>
      <PageBar
        tabs={shown.map(({ id, alias }) => ({ key: String(id), label: alias }))}
        {...(tab ? { tab: String(tab.id) } : {})}
        onTab={(key) => choose(Number(key))}
      >
        {mayChange ? (
          <Button leftSection={<IconPencil size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "tab", tab })}>
            {t("editTab")}
          </Button>
        ) : null}
        {mayOwn && tabs.some(({ global }) => !global) ? (
          <Button leftSection={<IconLayoutList size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "own" })}>
            {t("ownTabs")}
          </Button>
        ) : null}
        {can("multiDim.global") ? (
          <LinkButton href={href("dimensionViewSettings")} icon={<IconSettings size={16} stroke={1.4} />}>
            {t("toSettings")}
          </LinkButton>
        ) : null}
        {mayOwn ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "tab", tab: {} })}>
            {t("addTab")}
          </Button>
        ) : null}
      </PageBar>
      {tab ? (
        <TabView key={`${tab.id} ${tab.rowVersion}`} tab={tab} config={config} regions={regions} />
      ) : (
        <NoTabs mayAdd={mayOwn} onAdd={(given) => setOpen({ dialog: "tab", tab: given })} />
      )}
      {open?.dialog === "tab" ? (
        <TabDialog
          tab={open.tab}
          global={open.tab.global ?? false}
          tabs={tabs}
          activities={activities}
          onClose={() => setOpen(null)}
          onSaved={async (id) => {
            await refresh();
            choose(id);
          }}
        />
      ) : null}
      {open?.dialog === "own" ? (
        <OwnTabsDialog
          tabs={tabs}
          onEdit={(given) => setOpen({ dialog: "tab", tab: given })}
          onChanged={refresh}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}
