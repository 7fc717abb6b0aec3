"use client";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconClock,
  IconLoader2,
  IconMailOff,
  IconRefresh,
  IconX,
} from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Tag } from "#components/ui/status-tag.tsx";
import type { MailStatus } from "#lib/reminders/outbox/limits.ts";
import { isOwnReason, toneOf } from "./mail-view.ts";

const icon = { size: 12, stroke: 1.7, "aria-hidden": true } as const;
const icons: Record<MailStatus, ReactNode> = {
  QUEUED: <IconClock {...icon} />,
  SENDING: <IconLoader2 {...icon} />,
  SENT: <IconCheck {...icon} />,
  RETRY: <IconRefresh {...icon} />,
  FAILED: <IconX {...icon} />,
  UNCERTAIN: <IconAlertTriangle {...icon} />,
  BOUNCED: <IconArrowBackUp {...icon} />,
  CANCELLED: <IconMailOff {...icon} />,
};

/** The state of a mail as glyph, word and colour. */
export function MailState({ status }: { status: MailStatus }) {
  const t = useTranslations("reminders");
  return (
    <Tag tone={toneOf(status)} icon={icons[status]}>
      {t(`status.${status}`)}
    </Tag>
  );
}

/** Why a mail was not delivered: a reason of the product, or the words of the mail server. */
export function MailError({ error }: { error: string | null }) {
  const t = useTranslations("reminders");
  if (!error) return "-";
  const text = isOwnReason(error) ? t(`reason.${error}`) : error;
  return <span title={text}>{text}</span>;
}
