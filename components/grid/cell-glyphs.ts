import { type Lock, lockPaths, type Mark, markPaths, type Status, statusDashes, statusPaths } from "#components/ui/glyph-paths.ts";

/** Everything a cell can be marked with: its status in front, a lock or a mark at its end. */
export type CellGlyph = Status | Lock | Mark;

const paths: Readonly<Record<CellGlyph, string>> = { ...lockPaths, ...markPaths, ...statusPaths };
const dashes: Readonly<Partial<Record<CellGlyph, string>>> = statusDashes;

/** Outline of a glyph in a 16 px box. */
export function glyphPath(glyph: CellGlyph): string {
  return paths[glyph];
}

/** Dashes of its outline, where it has any. */
export function glyphDash(glyph: CellGlyph): string | undefined {
  return dashes[glyph];
}
