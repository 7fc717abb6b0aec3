import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function RegionsLayout({ children }: { children: ReactNode }) {
  return <Texts names={["errors", "regions"]}>{children}</Texts>;
}
