"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useUnsaved } from "#components/ui/unsaved.ts";
import type { MailSettings } from "#lib/reminders/settings/queries.ts";
import { LeftOutTab } from "./left-out-tab.tsx";
import { MailSettingsTab } from "./mail-settings-tab.tsx";
import { type TemplateDrafts, TemplatesTab } from "./templates-tab.tsx";

const tabs = ["general", "templates", "optouts"] as const;
type Tab = (typeof tabs)[number];

const noDrafts: TemplateDrafts = new Map();

/** How the mails of the project are sent, the standard texts, and who gets none. What is typed on one tab stays while another is looked at. */
export function ReminderSettingsPage({ tab: first }: { tab: string | undefined }) {
  const t = useTranslations("reminders");
  const [tab, setTab] = useState<Tab>(tabs.find((key) => key === first) ?? "general");
  const [settings, setSettings] = useState<MailSettings | null>(null);
  const [templates, setTemplates] = useState(noDrafts);
  const isEdited = settings !== null || templates.size > 0;
  useUnsaved(isEdited);
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
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`settings.tabs.${key}`) }))} tab={tab} onTab={choose} edited={isEdited} />
      {tab === "general" ? <MailSettingsTab draft={settings} onDraft={setSettings} /> : null}
      {tab === "templates" ? <TemplatesTab drafts={templates} onDrafts={setTemplates} /> : null}
      {tab === "optouts" ? <LeftOutTab /> : null}
    </>
  );
}
