import { IsolationPage } from "#components/subcontractors/isolation-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Which company sees which DUs. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("subcontractorIsolation", decodeOnce((await params).projectNumber));
  return <IsolationPage />;
}
