import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screen below. */
export default function WarningsLayout({ children }: { children: ReactNode }) {
  return <Texts names={["warnings"]}>{children}</Texts>;
}
