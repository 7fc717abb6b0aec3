import { MailLogPage } from "#components/reminders/mail-log-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ group?: string }> };

export default async function Page({ params, searchParams }: Props) {
  await openScreen("mailLog", decodeOnce((await params).projectNumber));
  return <MailLogPage group={(await searchParams).group} />;
}
