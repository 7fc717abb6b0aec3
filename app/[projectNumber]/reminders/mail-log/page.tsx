import { MailLogPage } from "#components/reminders/mail-log-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("mailLog", decodeOnce((await params).projectNumber));
  return <MailLogPage />;
}
