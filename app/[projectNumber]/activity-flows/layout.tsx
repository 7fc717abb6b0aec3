import type { ReactNode } from "react";
import { Texts } from "#components/shell/texts.tsx";

/** Texts of the screens below. */
export default function ActivityFlowsLayout({ children }: { children: ReactNode }) {
  return <Texts names={["activity-flows", "conditions", "flow-rules", "sub-flows"]}>{children}</Texts>;
}
