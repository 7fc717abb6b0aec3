"use client";
import { useTranslations } from "next-intl";
import type { ClipboardEvent } from "react";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { toast } from "./toast.ts";

/** What a search box holds: its entries joined again, nothing, or more than may be looked for. [OPS-30] */
export function readSearch(text: string): { text: string | null } | { tooMany: number } {
  const entries = searchEntries(text);
  return entries.length > searchEntriesMax ? { tooMany: entries.length } : { text: entries.join(", ") || null };
}

/**
 * A search box for many entries: `take` keeps what is typed, or empties the box with a warning when it holds more than may be looked for; `onPaste`
 * takes several entries at once and keeps those of a pasted column apart. [OPS-30]
 * @param onText sets the text of the box; beside it its entries joined again, null without any
 */
export function useSearchText(onText: (text: string, entries: string | null) => void) {
  const t = useTranslations("ui");
  const take = (given: string) => {
    const read = readSearch(given);
    if ("text" in read) return onText(given, read.text);
    toast.search(t("search.tooMany", { max: searchEntriesMax, count: read.tooMany }));
    onText("", null);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (!/[\n\r\t,\uff0c]/.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    // A single-line field would lose the breaks, which separate entries.
    const entries = pasted
      .split(/[\n\r\t]+/)
      .filter(Boolean)
      .join(", ");
    take(`${value.slice(0, selectionStart ?? 0)}${entries}${value.slice(selectionEnd ?? value.length)}`);
  };
  return { take, onPaste };
}
