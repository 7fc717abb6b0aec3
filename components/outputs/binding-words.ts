"use client";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { BindingName } from "#lib/planning-engine/outputs/limits.ts";

/** Says what a start is tight against, in a sentence. `name` is the activity or the DU it stands next to, where that is known. */
export function useBindingWords(): (code: BindingName, name: string | null) => string {
  const t = useTranslations("outputs.binding");
  return useCallback(
    (code, name) => {
      const named = name !== null && (code === "predecessor" || code === "successor" || code === "team");
      return named ? t(`named.${code as "predecessor" | "successor" | "team"}`, { name }) : t(`plain.${code}`);
    },
    [t],
  );
}
