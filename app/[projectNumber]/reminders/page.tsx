import { DeviationsPage } from "#components/reminders/deviations-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listReminderChoices } from "#lib/reminders/rules/queries.ts";

/** Deviation reminders. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("reminders", decodeOnce((await params).projectNumber));
  return <DeviationsPage choices={await listReminderChoices(ctx)} />;
}
