import { AssignmentPage } from "#components/resources/assignment-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listAssignment } from "#lib/resources/assignment/queries.ts";
import { readSettings } from "#lib/resources/settings/queries.ts";

/** Which people may own which activity. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("resourceAssignment", decodeOnce((await params).projectNumber));
  const [first, settings] = await Promise.all([listAssignment(ctx), readSettings(ctx)]);
  return <AssignmentPage first={first} settings={settings} />;
}
