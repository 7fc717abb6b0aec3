import { MailRulesPage } from "#components/reminders/mail-rules-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listReminderChoices } from "#lib/reminders/rules/queries.ts";

/** Automatic mails, actual-time reminders and the mail log. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("mailRules", decodeOnce((await params).projectNumber));
  return <MailRulesPage choices={await listReminderChoices(ctx)} />;
}
