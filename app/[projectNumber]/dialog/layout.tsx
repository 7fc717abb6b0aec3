import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function DialogLayout({ children }: { children: ReactNode }) {
  return <Texts names={["dus", "errors", "imports", "plan-grid", "session.dialog", "tasks"]}>{children}</Texts>;
}
