import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function TasksLayout({ children }: { children: ReactNode }) {
  return <Texts names={["errors", "imports", "tasks"]}>{children}</Texts>;
}
