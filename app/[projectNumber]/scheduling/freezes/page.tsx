import { FreezesPage } from "#components/scheduling/freezes-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listLockChoices } from "#lib/scheduling/locks/queries.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("planFreezes", decodeOnce((await params).projectNumber));
  return <FreezesPage choices={await listLockChoices(ctx)} />;
}
