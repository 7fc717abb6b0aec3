"use client";
import { Button } from "@mantine/core";
import { IconMail, IconMailOff } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { MailKind } from "#lib/reminders/outbox/limits.ts";
import { kindKey } from "./mail-view.ts";

type Props = {
  token: string;
  /** What the link is about; null when it is not valid. */
  declined: { kind: MailKind; project: string; declined: boolean } | null;
};

/** Asks before a kind of mail is declined, and says so once it is. */
export function UnsubscribePanel({ token, declined }: Props) {
  const t = useTranslations("reminders");
  const icon = { size: 28, stroke: 1, "aria-hidden": true } as const;
  if (!declined)
    return <EmptyState level={1} icon={<IconMail {...icon} />} title={t("unsubscribe.gone")} text={t("unsubscribe.goneText")} />;
  const values = { kind: t(`kind.${kindKey(declined.kind)}`), project: declined.project };
  if (declined.declined)
    return <EmptyState level={1} icon={<IconMailOff {...icon} />} title={t("unsubscribe.done", values)} text={t("unsubscribe.undo")} />;
  return (
    <EmptyState level={1} icon={<IconMail {...icon} />} title={t("unsubscribe.question", values)}>
      <form method="post" action={`/api/mail/unsubscribe/${encodeURIComponent(token)}`}>
        <Button type="submit" variant="filled">
          {t("unsubscribe.verb")}
        </Button>
      </form>
    </EmptyState>
  );
}
