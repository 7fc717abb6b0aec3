import { ReminderSettingsPage } from "#components/reminders/reminder-settings-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string }> };

/** How mails are sent, their standard texts, and who gets none. */
export default async function Page({ params, searchParams }: Props) {
  await openScreen("reminderSettings", decodeOnce((await params).projectNumber));
  return <ReminderSettingsPage tab={(await searchParams).tab} />;
}
