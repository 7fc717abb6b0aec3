"use client";
import { useTranslations } from "next-intl";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import type { GapReasonName } from "#lib/planning-engine/outputs/limits.ts";

const marks = { none_left: "exceeds", no_supply: "refused", wrong_region: "conflict", late: "waitsLong" } as const;

/** Why an item is short, or why it was waited for: its sign and its words. */
export function GapReason({ reason }: { reason: GapReasonName }) {
  const t = useTranslations("outputs.gapReason");
  return (
    <span>
      <MarkGlyph mark={marks[reason]} /> {t(reason)}
    </span>
  );
}
