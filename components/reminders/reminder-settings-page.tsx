"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PageBar } from "#components/ui/page-bar.tsx";
import { LeftOutTab } from "./left-out-tab.tsx";
import { MailSettingsTab } from "./mail-settings-tab.tsx";
import { TemplatesTab } from "./templates-tab.tsx";

const tabs = ["general", "templates", "optouts"] as const;
type Tab = (typeof tabs)[number];

/** How the mails of the project are sent, the standard texts, and who gets none. */
export function ReminderSettingsPage({ tab: first }: { tab: string | undefined }) {
  const t = useTranslations("reminders");
  const [tab, setTab] = useState<Tab>(tabs.find((key) => key === first) ?? "general");
  const choose = (key: string) => {
    setTab(key as Tab);
    // The address names the tab, so that a link to it can be sent.
    const url = new URL(window.location.href);
    if (key === "general") url.searchParams.delete("tab");
    else url.searchParams.set("tab", key);
    window.history.replaceState(null, "", url);
  };
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`settings.tabs.${key}`) }))} tab={tab} onTab={choose} />
      {tab === "general" ? <MailSettingsTab /> : tab === "templates" ? <TemplatesTab /> : <LeftOutTab />}
    </>
  );
}
