import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function PlanningEngineLayout({ children }: { children: ReactNode }) {
  return <Texts names={["engine-home", "errors", "grid"]}>{children}</Texts>;
}
