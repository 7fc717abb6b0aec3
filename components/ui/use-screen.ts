"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { titleValues } from "#lib/core/hash.ts";
import { screenOfAddress } from "#lib/core/href.ts";
import type { Screen, ScreenKey } from "#lib/screens.ts";

/** The screen of this page's address, its path parameters and query; null for an unknown address. */
export function useScreen(): { screen: Screen; params: Record<string, string>; query: URLSearchParams } | null {
  const pathname = usePathname();
  const search = useSearchParams();
  return useMemo(() => {
    const found = screenOfAddress(pathname);
    return found && { ...found, query: new URLSearchParams(search) };
  }, [pathname, search]);
}

/** Titles of screens in the language of the page; `deliveryType` and `period` come from the address. */
export function useScreenTitle(): (key: ScreenKey) => string {
  const t = useTranslations("screens");
  const search = useSearchParams();
  return (key) => t(key, titleValues(search));
}
