import { ReplicationLogPage } from "#components/logs/replication-log-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** What became of activities that were copied with their flows. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("replicationLog", decodeOnce((await params).projectNumber));
  return <ReplicationLogPage />;
}
