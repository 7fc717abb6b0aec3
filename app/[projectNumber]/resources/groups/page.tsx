import { GroupsPage } from "#components/resources/groups-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listGroups } from "#lib/resources/groups/queries.ts";

/** The groups of the project. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("resourceGroups", decodeOnce((await params).projectNumber));
  return <GroupsPage first={await listGroups(ctx)} bySupplier={false} />;
}
