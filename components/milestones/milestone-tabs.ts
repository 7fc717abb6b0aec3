"use client";
import { useTranslations } from "next-intl";
import type { PageTab } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";

const screens = ["milestones", "milestoneMapping", "temporaryMilestones", "temporaryProcesses"] as const;
export type MilestoneScreen = (typeof screens)[number];

/** Tabs of the screens of milestones; who may not configure them has the first one alone. */
export function useMilestoneTabs(): PageTab[] {
  const t = useTranslations("milestones.tab");
  const href = useHref();
  const { can } = useSession();
  return can("milestone.config") ? screens.map((key) => ({ key, label: t(key), href: href(key) })) : [];
}
