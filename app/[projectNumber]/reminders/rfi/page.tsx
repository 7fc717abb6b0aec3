import { RfiPage } from "#components/reminders/rfi-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listReminderChoices } from "#lib/reminders/rules/queries.ts";

/** RFI reminders of federative states. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("rfiReminders", decodeOnce((await params).projectNumber));
  return <RfiPage screen="rfiReminders" choices={await listReminderChoices(ctx)} />;
}
