import { TempMilestonesPage } from "#components/milestones/temp-milestones-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Milestones outside all flows with their dates in DUs. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("temporaryMilestones", decodeOnce((await params).projectNumber));
  return <TempMilestonesPage />;
}
