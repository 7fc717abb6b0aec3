import { nameKey } from "#lib/imports/kind/logic.ts";

/** What the columns of a file give by a template. */
export type ForeignMapping = {
  /** Field by column, null where the template says nothing of it. */
  mapping: (string | null)[];
  /** Titles of the file the template says nothing of. */
  unmapped: string[];
  /** Titles of the template that the file does not have, or whose activity or attribute is gone. */
  missing: string[];
};

/** The field of the plan a column of a reverse template gives. */
const fieldOf = (key: string): string => (key === "du" ? "code" : key);

/** Finds the columns of a template in the titles of a file; width, case and blanks of a title do not count. */
export function mapForeign(
  titles: readonly string[],
  columns: readonly { title: string; key: string }[],
  isField: (key: string) => boolean,
): ForeignMapping {
  const places = new Map<string, number>();
  for (const [at, title] of titles.entries()) if (title && !places.has(nameKey(title))) places.set(nameKey(title), at);
  const mapping: (string | null)[] = titles.map(() => null);
  const missing: string[] = [];
  for (const { title, key } of columns) {
    const place = places.get(nameKey(title));
    if (place === undefined || !isField(fieldOf(key))) missing.push(title);
    else mapping[place] = fieldOf(key);
  }
  return { mapping, unmapped: titles.filter((title, at) => title !== "" && mapping[at] === null), missing };
}
