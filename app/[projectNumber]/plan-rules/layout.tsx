import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function PlanRulesLayout({ children }: { children: ReactNode }) {
  return <Texts names={["plan-rules", "conditions"]}>{children}</Texts>;
}
