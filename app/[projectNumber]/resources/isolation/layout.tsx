import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function ResourcesIsolationLayout({ children }: { children: ReactNode }) {
  return <Texts names={["subcontractors"]}>{children}</Texts>;
}
