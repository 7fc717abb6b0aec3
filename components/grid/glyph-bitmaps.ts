import type { NamedImage } from "./glyph-images.ts";

/** Side of a glyph in a cell, and the distance of the lines of a hatch, across; in CSS pixels. */
const glyphSide = 12;
const hatchStep = 7;

/** Custom property that holds the hatch of cells outside a flow, on the area that is scrolled. */
const hatchName = "--hatch-tile";

const made = new Map<string, Promise<NamedImage[]>>();

/**
 * The same pictures as bitmaps, and one of the hatch: an outline or a gradient is drawn anew in every cell of every frame, a bitmap is copied.
 * Each is made once for a skin and a screen.
 * @param outlines pictures whose values are addresses of drawings
 * @param hatch colour of the lines of the hatch
 * @param ratio pixels of the screen in a CSS pixel
 */
export function glyphBitmaps(outlines: readonly NamedImage[], hatch: string, ratio: number): Promise<NamedImage[]> {
  const key = JSON.stringify([outlines, hatch, ratio]);
  const known = made.get(key) ?? Promise.all([...outlines.map((outline) => glyphBitmap(outline, ratio)), hatchBitmap(hatch, ratio)]);
  made.set(key, known);
  return known;
}

async function glyphBitmap([property, value]: NamedImage, ratio: number): Promise<NamedImage> {
  const drawing = new Image();
  drawing.src = value.slice('url("'.length, -'")'.length);
  await drawing.decode();
  const side = Math.round(glyphSide * ratio);
  return [property, await bitmap(side, (context) => context.drawImage(drawing, 0, 0, side, side))];
}

/** One step of the hatch, in whole pixels of the screen: each line is drawn like the others. */
async function hatchBitmap(color: string, ratio: number): Promise<NamedImage> {
  const side = Math.round(hatchStep * ratio);
  const thickness = Math.max(1, Math.round(ratio));
  const tile = await bitmap(side, (context) => {
    context.fillStyle = color;
    for (let row = 0; row < side; row++)
      for (let at = 0; at < thickness; at++) context.fillRect((2 * side - 1 - row + at) % side, row, 1, 1);
  });
  return [hatchName, `image-set(${tile} ${ratio}x)`];
}

async function bitmap(side: number, draw: (context: OffscreenCanvasRenderingContext2D) => void): Promise<string> {
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas to draw on");
  draw(context);
  return `url("${URL.createObjectURL(await canvas.convertToBlob())}")`;
}
