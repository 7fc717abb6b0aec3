"use client";
import { useTranslations } from "next-intl";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import type { ChangeStatus } from "#lib/activity-flows/changes/limits.ts";

const tones: Record<ChangeStatus, Tone> = {
  approving: "warn",
  applying: "info",
  done: "ok",
  partly_done: "warn",
  rejected: "danger",
  withdrawn: "neutral",
};

/** Status of a change as a word. */
export function ChangeStatusTag({ status }: { status: ChangeStatus }) {
  const t = useTranslations("flow-changes.status");
  return <Tag tone={tones[status]}>{t(status)}</Tag>;
}
