import { locks, type Mark, markPaths, type Status, statuses } from "#components/ui/glyph-paths.ts";
import { type CellGlyph, glyphDash, glyphPath } from "./cell-glyphs.ts";

type ColorOf = (token: string) => string;

/** A picture as a custom property and its value. */
export type NamedImage = readonly [property: string, value: string];

/** The colour in which a status stands in front of a text: what is done steps back. */
const leadColor = (status: Status, color: ColorOf): string =>
  status === "completed" ? `color-mix(in srgb, ${color("st-completed")} 80%, ${color("bg-base")})` : color(`st-${status}`);

const quietColor = "fg-3";
/** Of the marks that are to be seen. */
const markColors: Partial<Record<Mark, string>> = {
  refused: "danger",
  exceeds: "danger",
  later: "danger",
  removed: "danger",
  warning: "warn",
  conflict: "warn",
  waitsLong: "warn",
  earlier: "ok",
  added: "ok",
};

/** Pictures a cell may have: its status in front of the text, a lock or a mark behind it. */
export type GlyphPlace = "lead" | "mark";

/** Sides of pictures at their places, in CSS pixels, as the style sheet has them. */
const glyphSides: Readonly<Record<GlyphPlace, number>> = { lead: 12, mark: 11 };

/** Side of a picture by its custom property, in CSS pixels. */
export const glyphSideOf = (property: string): number => glyphSides[property.startsWith("--mark-") ? "mark" : "lead"];

/** Custom property that holds a picture, on the area that is scrolled. */
export const imageName = (place: GlyphPlace, glyph: CellGlyph): string => `--${place}-${glyph}`;

/** A glyph at its place: the custom property that holds its picture, and the colour it is drawn in. */
export type GlyphDrawing = { property: string; glyph: CellGlyph; color: string };

/** Side of the box its outline lies in, and how thick its line is. */
export const glyphBox = 16;
export const glyphLine = 1.7;

/**
 * All glyphs that cells have.
 * @param color the colour of a token in the present skin
 */
export function glyphDrawings(color: ColorOf): GlyphDrawing[] {
  const drawn = (place: GlyphPlace, glyph: CellGlyph, stroke: string): GlyphDrawing => ({
    property: imageName(place, glyph),
    glyph,
    color: stroke,
  });
  return [
    ...statuses.map((status) => drawn("lead", status, leadColor(status, color))),
    ...locks.map((lock) => drawn("mark", lock, color(quietColor))),
    ...(Object.keys(markPaths) as Mark[]).map((mark) => drawn("mark", mark, color(markColors[mark] ?? quietColor))),
  ];
}

/**
 * The picture of a glyph as its custom property and its value. A cell shows it as its background: an element of its own for it would be laid out and painted by
 * itself in every cell that scrolls by.
 */
export function glyphImage({ property, glyph, color }: GlyphDrawing): NamedImage {
  const dash = glyphDash(glyph);
  const stroke = `stroke="${color}" stroke-width="${glyphLine}" stroke-linecap="round" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash}"` : ""}`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${glyphBox}" height="${glyphBox}" viewBox="0 0 ${glyphBox} ${glyphBox}" fill="none" ${stroke}><path d="${glyphPath(glyph)}"/></svg>`;
  return [property, `url("data:image/svg+xml,${encodeURIComponent(drawing)}")`];
}
