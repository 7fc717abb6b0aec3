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

/** Reads a search box; null with a warning when it holds more entries than may be looked for, so that it is emptied. [OPS-30] */
export function useSearchReading(): (given: string) => { text: string | null } | null {
  const t = useTranslations("ui");
  return (given) => {
    const read = readSearch(given);
    if ("text" in read) return read;
    toast.search(t("search.tooMany", { max: searchEntriesMax, count: read.tooMany }));
    return null;
  };
}

/**
 * A search box for many entries: `take` keeps what is typed or pasted, or empties the box with a warning; `onPaste` keeps the entries of a pasted column apart.
 * @param onText sets the text of the box
 */
export function useSearchText(onText: (text: string) => void) {
  const read = useSearchReading();
  const take = (given: string) => onText(read(given) ? given : "");
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    // A line of a single-line field would lose its breaks, which separate entries.
    const pasted = event.clipboardData.getData("text").trim();
    if (!/[\n\r\t]/.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const entries = pasted.split(/[\n\r\t]+/).join(", ");
    take(`${value.slice(0, selectionStart ?? 0)}${entries}${value.slice(selectionEnd ?? value.length)}`);
  };
  return { take, onPaste };
}
