"use client";
import { IconUpload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { DusTab } from "./dus-tab.tsx";
import { RegionsTab } from "./regions-tab.tsx";

const tabs = ["dus", "regions"] as const;
export type ResponsibleTab = (typeof tabs)[number];

/** Who is responsible for DUs and for regions. [OWN-02] */
export function ResponsiblePage({ tab: first }: { tab: ResponsibleTab }) {
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const { can } = useSession();
  const href = useHref();
  const [tab, setTab] = useState<ResponsibleTab>(first);
  const mayEdit = can("owner.duEdit");
  const choose = (key: string) => {
    setTab(key as ResponsibleTab);
    // The address names the tab, so that a link to it can be sent.
    const url = new URL(window.location.href);
    if (key === "dus") url.searchParams.delete("tab");
    else url.searchParams.set("tab", key);
    window.history.replaceState(null, "", url);
  };
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`tab.${key}`) }))} tab={tab} onTab={choose}>
        {mayEdit ? (
          <LinkButton
            href={href("responsibleOwners", { query: { import: tab === "dus" ? "duOwners" : "regionOwners" } })}
            icon={<IconUpload size={16} stroke={1.4} aria-hidden="true" />}
          >
            {common("import")}
          </LinkButton>
        ) : null}
      </PageBar>
      {tab === "dus" ? <DusTab mayEdit={mayEdit} /> : <RegionsTab mayEdit={mayEdit} />}
    </>
  );
}
