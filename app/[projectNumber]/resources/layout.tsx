import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function ResourcesLayout({ children }: { children: ReactNode }) {
  return <Texts names={["errors", "resources"]}>{children}</Texts>;
}
