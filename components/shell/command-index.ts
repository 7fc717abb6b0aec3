import type { ScreenKey } from "#lib/screens.ts";

/** A screen as the command box finds it: its title in the language of the page first, then in the others. */
export type IndexedScreen = { key: ScreenKey; titles: string[] };

export type Found = { key: ScreenKey; title: string; from: number; to: number };

/** What the person typed, taken apart: `>` asks for verbs only, `#` for DUs only. */
export function readQuery(text: string): { kind: "all" | "commands" | "dus"; text: string } {
  const trimmed = text.trimStart();
  if (trimmed.startsWith(">")) return { kind: "commands", text: trimmed.slice(1).trim() };
  if (trimmed.startsWith("#")) return { kind: "dus", text: trimmed.slice(1).trim() };
  return { kind: "all", text: trimmed.trim() };
}

/** Where a text is found in another, ignoring case and blanks between CJK characters; null when it is not. */
export function findText(text: string, part: string): { from: number; to: number } | null {
  if (!part) return { from: 0, to: 0 };
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  return at < 0 ? null : { from: at, to: at + part.length };
}

/**
 * Screens whose title in any language holds the text. A hit at the beginning goes first, then one at the beginning of a word, then the rest;
 * a hit in the page's own language before one in another, whose title is then shown.
 */
export function findScreens(index: readonly IndexedScreen[], text: string, most = 8): Found[] {
  const hits: (Found & { rank: number; order: number })[] = [];
  for (const [order, { key, titles }] of index.entries()) {
    for (const [language, title] of titles.entries()) {
      const at = findText(title, text);
      if (!at) continue;
      const rank = (at.from === 0 ? 0 : /[\s(/-]/.test(title[at.from - 1] ?? "") ? 1 : 2) + language * 3;
      hits.push({ key, title, ...at, rank, order });
      break;
    }
  }
  return hits
    .sort((left, right) => left.rank - right.rank || left.order - right.order)
    .slice(0, most)
    .map(({ key, title, from, to }) => ({ key, title, from, to }));
}
