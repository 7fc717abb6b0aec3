import { WarningsPage } from "#components/warning-config/warnings-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listWarningChoices } from "#lib/reminders/warning-config/queries.ts";

/** Distances between two dates that are worth a warning. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("warnings", decodeOnce((await params).projectNumber));
  return <WarningsPage choices={await listWarningChoices(ctx)} />;
}
