import { glyphDash, glyphPath } from "./cell-glyphs.ts";
import { type GlyphDrawing, glyphBox, glyphLine, glyphSideOf, type NamedImage } from "./glyph-images.ts";

/** The distance of the lines of a hatch, across; in CSS pixels. */
const hatchStep = 7;
/** Steps of the hatch in its bitmap: more than nearly any cell is wide, and than it is high. What one bitmap covers is copied, what takes several is worked out pixel by pixel. */
const hatchSteps = { across: 64, down: 5 };

/** Custom property that holds the hatch of cells outside a flow, on the area that is scrolled. */
export const hatchName = "--hatch-tile";

const made = new Map<string, Promise<NamedImage[]>>();

/**
 * The pictures of glyphs as bitmaps, and one of the hatch: an outline or a gradient is drawn anew in every cell of every frame, a bitmap is copied. They are drawn
 * from the paths, since a browser makes a document of its own of every picture that is an SVG. Each is made once for a skin and a screen.
 * @param hatch colour of the lines of the hatch
 * @param ratio pixels of the screen in a CSS pixel
 */
export function glyphBitmaps(drawings: readonly GlyphDrawing[], hatch: string, ratio: number): Promise<NamedImage[]> {
  const key = JSON.stringify([drawings, hatch, ratio]);
  const known = made.get(key) ?? Promise.all([...drawings.map((drawing) => glyphBitmap(drawing, ratio)), hatchBitmap(hatch, ratio)]);
  made.set(key, known);
  return known;
}

async function glyphBitmap({ property, glyph, color }: GlyphDrawing, ratio: number): Promise<NamedImage> {
  const side = Math.round(glyphSideOf(property) * ratio);
  const picture = await bitmap(side, side, (context) => {
    context.scale(side / glyphBox, side / glyphBox);
    context.strokeStyle = color;
    context.lineWidth = glyphLine;
    context.lineCap = context.lineJoin = "round";
    context.setLineDash((glyphDash(glyph) ?? "").split(" ").filter(Boolean).map(Number));
    context.stroke(new Path2D(glyphPath(glyph)));
  });
  return [property, picture];
}

/** The hatch, each step of it in whole pixels of the screen: each line is drawn like the others. */
async function hatchBitmap(color: string, ratio: number): Promise<NamedImage> {
  const side = Math.round(hatchStep * ratio);
  const thickness = Math.max(1, Math.round(ratio));
  const step = drawn(side, side, (context) => {
    context.fillStyle = color;
    for (let row = 0; row < side; row++)
      for (let at = 0; at < thickness; at++) context.fillRect((2 * side - 1 - row + at) % side, row, 1, 1);
  });
  const [width, height] = [hatchSteps.across * side, hatchSteps.down * side];
  const tile = await bitmap(width, height, (context) => {
    context.fillStyle = context.createPattern(step, "repeat") as CanvasPattern;
    context.fillRect(0, 0, width, height);
  });
  return [hatchName, `image-set(${tile} ${ratio}x)`];
}

type Draw = (context: OffscreenCanvasRenderingContext2D) => void;

function drawn(width: number, height: number, draw: Draw): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas to draw on");
  draw(context);
  return canvas;
}

async function bitmap(width: number, height: number, draw: Draw): Promise<string> {
  return `url("${URL.createObjectURL(await drawn(width, height, draw).convertToBlob())}")`;
}
