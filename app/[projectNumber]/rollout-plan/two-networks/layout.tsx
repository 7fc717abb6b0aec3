import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screen below. */
export default function TwoNetworksLayout({ children }: { children: ReactNode }) {
  return <Texts names={["two-networks"]}>{children}</Texts>;
}
