import { MilestonesPage } from "#components/milestones/milestones-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listDeliveryTypes } from "#lib/milestones/queries.ts";

/** The milestones of the project in their order. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("milestones", decodeOnce((await params).projectNumber));
  return <MilestonesPage deliveryTypes={await listDeliveryTypes(ctx)} />;
}
