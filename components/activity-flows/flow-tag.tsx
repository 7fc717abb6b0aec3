"use client";
import { IconCircleCheck, IconCircleDashed, IconCircleMinus, IconPencil } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Tag } from "#components/ui/status-tag.tsx";
import type { FlowStatus } from "#lib/activity-flows/limits.ts";

/** Status of a flow as glyph, word and version. */
export function FlowTag({ status, version, workingCopy = false }: { status: FlowStatus; version: number; workingCopy?: boolean }) {
  const t = useTranslations("activity-flows");
  if (workingCopy)
    return (
      <Tag tone="warn" icon={<IconPencil size={12} stroke={1.7} aria-hidden="true" />}>
        {t("status.workingCopy", { version })}
      </Tag>
    );
  if (status === "released")
    return (
      <Tag tone="ok" icon={<IconCircleCheck size={12} stroke={1.7} aria-hidden="true" />}>
        {t("status.released", { version })}
      </Tag>
    );
  if (status === "disabled")
    return <Tag icon={<IconCircleMinus size={12} stroke={1.7} aria-hidden="true" />}>{t("status.disabled", { version })}</Tag>;
  return (
    <Tag tone="info" icon={<IconCircleDashed size={12} stroke={1.7} aria-hidden="true" />}>
      {t("status.draft")}
    </Tag>
  );
}
