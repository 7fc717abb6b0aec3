import { RfiPage } from "#components/reminders/rfi-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listReminderChoices } from "#lib/reminders/rules/queries.ts";

/** Receivers of sites that wait too long after RFI. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("rfiExceptionReminders", decodeOnce((await params).projectNumber));
  return <RfiPage screen="rfiExceptionReminders" choices={await listReminderChoices(ctx)} />;
}
