import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function RolloutPlanSitesLayout({ children }: { children: ReactNode }) {
  return <Texts names={["dus", "errors", "grid", "site-types"]}>{children}</Texts>;
}
