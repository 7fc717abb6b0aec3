"use client";
import { useTranslations } from "next-intl";
import type { PageTab } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";

/** The screens of companies, and the parts of their settings. */
export function useSubcontractorTabs(): PageTab[] {
  const t = useTranslations("subcontractors.tab");
  const href = useHref();
  return [
    { key: "companies", label: t("companies"), href: href("subcontractors") },
    { key: "types", label: t("types"), href: href("subcontractorSettings") },
    { key: "switches", label: t("switches"), href: href("subcontractorSettings", { query: { tab: "switches" } }) },
    { key: "capacity", label: t("capacity"), href: href("subcontractorCapacity") },
    { key: "isolation", label: t("isolation"), href: href("subcontractorIsolation") },
  ];
}
