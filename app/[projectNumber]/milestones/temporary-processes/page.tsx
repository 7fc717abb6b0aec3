import { ProcessesPage } from "#components/milestones/processes-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listProcessFlows } from "#lib/milestones/processes/queries.ts";

/** Steps outside all flows and the work orders made from them. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("temporaryProcesses", decodeOnce((await params).projectNumber));
  return <ProcessesPage flows={await listProcessFlows(ctx)} />;
}
