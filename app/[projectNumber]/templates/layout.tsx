import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screen below. */
export default function TemplatesLayout({ children }: { children: ReactNode }) {
  return <Texts names={["errors", "templates"]}>{children}</Texts>;
}
