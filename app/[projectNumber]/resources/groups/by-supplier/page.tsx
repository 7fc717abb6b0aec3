import { GroupsPage } from "#components/resources/groups-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listGroups } from "#lib/resources/groups/queries.ts";

/** The groups of the project below the suppliers of their people. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("supplierGroups", decodeOnce((await params).projectNumber));
  return <GroupsPage first={await listGroups(ctx)} bySupplier={true} />;
}
