import type { PageTab } from "#components/ui/page-bar.tsx";
import type { ScreenKey } from "#lib/screens.ts";

const screens = ["clusters", "clusterStatus"] as const;
type Tab = (typeof screens)[number];

/** The two screens of clusters as tabs of each other. */
export function clusterTabs(
  href: (key: ScreenKey) => string,
  tab: Tab,
  t: (key: `tab.${Tab}`) => string,
): { tabs: readonly PageTab[]; tab: string } {
  return { tabs: screens.map((key) => ({ key, label: t(`tab.${key}`), href: href(key) })), tab };
}
