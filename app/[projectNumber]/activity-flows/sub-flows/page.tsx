import { SubFlowsPage } from "#components/activity-flows/sub-flows-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Sub-flows: steps below an activity, and where they are used. */
export default async function SubFlows({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("subFlows", decodeOnce((await params).projectNumber));
  return <SubFlowsPage />;
}
