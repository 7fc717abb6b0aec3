"use client";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useSubcontractorTabs } from "./subcontractor-tabs.ts";
import { SwitchesPanel } from "./switches-panel.tsx";
import { TypesPanel } from "./types-panel.tsx";

/** Kinds of companies, or what each company may do here. [RES-02] */
export function SettingsPage({ tab, activities }: { tab: "types" | "switches"; activities: readonly { id: number; name: string }[] }) {
  const tabs = useSubcontractorTabs();
  const bar = (actions?: React.ReactNode) => (
    <PageBar tabs={tabs} tab={tab}>
      {actions}
    </PageBar>
  );
  return tab === "types" ? <TypesPanel activities={activities} bar={bar} /> : <SwitchesPanel bar={bar} />;
}
