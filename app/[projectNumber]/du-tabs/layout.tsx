import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function DuTabsLayout({ children }: { children: ReactNode }) {
  return <Texts names={["du-tabs", "dus", "errors", "grid"]}>{children}</Texts>;
}
