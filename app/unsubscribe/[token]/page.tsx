import { getTranslations } from "next-intl/server";
import { UnsubscribePanel } from "#components/reminders/unsubscribe-panel.tsx";
import { PlainFrame } from "#components/shell/plain-frame.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { findDeclined } from "#lib/reminders/outbox/queries.ts";

export async function generateMetadata() {
  const t = await getTranslations("reminders");
  return { title: `${t("unsubscribe.title")} - Milepost`, robots: "noindex" };
}

/** Where the link of a mail leads: looking changes nothing, because scanners follow links; the button declines. */
export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const token = decodeOnce((await params).token);
  return (
    <PlainFrame>
      <Texts names={["reminders"]}>
        <UnsubscribePanel token={token} declined={await findDeclined(token)} />
      </Texts>
    </PlainFrame>
  );
}
