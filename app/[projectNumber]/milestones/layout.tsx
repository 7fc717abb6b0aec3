import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function MilestonesLayout({ children }: { children: ReactNode }) {
  return <Texts names={["milestones"]}>{children}</Texts>;
}
