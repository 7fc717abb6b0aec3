import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function LogsLayout({ children }: { children: ReactNode }) {
  return <Texts names={["audit", "logs", "plan-grid"]}>{children}</Texts>;
}
