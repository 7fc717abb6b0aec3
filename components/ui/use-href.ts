"use client";
import { useParams } from "next/navigation";
import { useCallback } from "react";
import { type HrefParts, href } from "#lib/core/href.ts";
import type { ScreenKey } from "#lib/screens.ts";

/** Number of the project of this page. */
export function useProjectNumber(): string {
  const { projectNumber } = useParams<{ projectNumber: string }>();
  return decodeURIComponent(projectNumber);
}

/** Addresses of screens in the project of this page: `href("checkItems", { query: { id: 7 } })`. */
export function useHref(): (key: ScreenKey, parts?: HrefParts) => string {
  const number = useProjectNumber();
  return useCallback((key: ScreenKey, parts: HrefParts = {}) => href(key, parts, number), [number]);
}
