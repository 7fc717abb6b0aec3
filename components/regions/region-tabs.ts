import type { useHref } from "#components/ui/use-href.ts";

const keys = ["regions", "regionShares"] as const;

/** The two screens of delivery regions as tabs of the page bar. */
export const regionTabs = (href: ReturnType<typeof useHref>, tab: (typeof keys)[number], t: (key: string) => string) => ({
  tab,
  tabs: keys.map((key) => ({ key, label: t(`tab.${key}`), href: href(key) })),
});
