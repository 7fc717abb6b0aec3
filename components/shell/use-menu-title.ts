"use client";
import { useTranslations } from "next-intl";
import { titleValues } from "#lib/core/hash.ts";
import type { ScreenKey } from "#lib/screens.ts";

const plain = titleValues(new URLSearchParams());

/** Names of screens in menus: their titles without what an address adds. */
export function useMenuTitle(): (key: ScreenKey) => string {
  const t = useTranslations("screens");
  return (key) => t(key, plain);
}
