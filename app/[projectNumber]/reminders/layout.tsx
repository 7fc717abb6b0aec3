import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function RemindersLayout({ children }: { children: ReactNode }) {
  return <Texts names={["errors", "reminders", "reminder-rules"]}>{children}</Texts>;
}
