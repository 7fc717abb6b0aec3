"use client";
import { useTranslations } from "next-intl";
import type { NamedEvent } from "#lib/dependency-rules/logic.ts";

/** An event in words: the name of its activity or attribute, and what happens to it. */
export function useEventText(): (event: NamedEvent) => string {
  const t = useTranslations("dependency-rules");
  return ({ name, event }) => t("step", { name: name ?? t("refusal.hiddenTarget"), event: t(`event.${event}`) });
}
