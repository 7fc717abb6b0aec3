"use client";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { GlobalForm } from "./global-form.tsx";
import { TabList } from "./tab-list.tsx";
import { type Activity, type TabList as List, useTabs } from "./use-tabs.ts";
import classes from "./views.module.css";

const TabDialog = onDemand(() => import("./tab-dialog.tsx").then((module) => module.TabDialog));

/** The tabs of everybody and what holds for all views of the project. [MDV-02] */
export function SettingsPage({ first, activities }: { first: List; activities: readonly Activity[] }) {
  const t = useTranslations("dimension-views");
  const { can } = useSession();
  const [{ tabs, config }, refresh] = useTabs(first);
  const [edited, setEdited] = useState<Partial<Tab> | null>(null);
  const own = tabs.filter(({ global }) => global);
  const readOnly = !can("multiDim.global");
  return (
    <>
      <PageBar>
        {readOnly ? null : (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setEdited({})}>
            {t("addGlobal")}
          </Button>
        )}
      </PageBar>
      <ScrollRegion className={classes.settings} label={t("settings.label")}>
        <section className={classes.card} aria-labelledby="dimension-tabs">
          <h2 id="dimension-tabs">{t("settings.tabs")}</h2>
          {own.length === 0 ? (
            <p className={classes.hint}>{t("settings.none")}</p>
          ) : (
            <TabList tabs={own} readOnly={readOnly} onEdit={setEdited} onChanged={refresh} />
          )}
        </section>
        <section className={classes.card} aria-labelledby="dimension-settings">
          <h2 id="dimension-settings">{t("settings.all")}</h2>
          <GlobalForm config={config} tabs={own} readOnly={readOnly} onRefresh={refresh} />
        </section>
      </ScrollRegion>
      {edited ? (
        <TabDialog
          tab={edited}
          global
          tabs={tabs}
          activities={activities}
          onClose={() => setEdited(null)}
          onSaved={async () => {
            await refresh();
          }}
        />
      ) : null}
    </>
  );
}
