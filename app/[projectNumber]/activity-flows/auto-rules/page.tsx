import { RulesPage } from "#components/activity-flows/rules-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Rules that bind DUs to flows, what they left over, and their runs. */
export default async function AutoRules({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("flowAutoRules", decodeOnce((await params).projectNumber));
  return <RulesPage />;
}
