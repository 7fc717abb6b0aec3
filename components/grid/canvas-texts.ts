import type { DrawnLook } from "./drawn-look.ts";

/** Texts of which is kept how they were shortened, and how wide they are. */
const textsMost = 5_000;
/** Parts of a pixel in which the browser lays out. */
const layoutUnits = 64;

/** Writes the texts of cells on a canvas where the browser would lay them out. Lengths in CSS pixels. */
export class CanvasTexts {
  private readonly context: CanvasRenderingContext2D;
  private readonly shortened = new Map<string, string>();
  private readonly baselines = new Map<string, number>();
  private readonly widths = new Map<string, number>();
  private present = { font: "", spacing: "", align: "" };

  /** @param context the canvas as it is after its size was set, which nobody else tells of fonts */
  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  /** Writes a text into a box as high as its line. */
  write(look: DrawnLook, text: string, x: number, y: number, width: number, height: number): void {
    const context = this.context;
    this.set(look);
    const shown = look.cut ? this.shorten(look.font, text, width - look.before - look.after) : text;
    const at = look.toEnd ? x + width - look.after : x + look.before;
    context.fillStyle = look.color;
    context.fillText(shown, at, y + this.baseline(look.font, height));
    if (!look.struck) return;
    const length = context.measureText(shown).width;
    context.fillRect(look.toEnd ? at - length : at, y + Math.round(height / 2), length, 1);
  }

  /** How wide a text is. */
  width(look: DrawnLook, text: string): number {
    const key = `${look.font} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    this.set(look);
    const { width } = this.context.measureText(text);
    if (this.widths.size >= textsMost) this.widths.clear();
    this.widths.set(key, width);
    return width;
  }

  /** How much room a text takes in its line, as the browser has it: in whole 64ths of a pixel. */
  laidOut(look: DrawnLook, text: string): number {
    return Math.ceil(this.width(look, text) * layoutUnits) / layoutUnits;
  }

  /** Tells the canvas of a font and where a text stands, if they are others than before: that takes it as long as a text. */
  private set({ font, spacing, toEnd }: DrawnLook): void {
    const context = this.context;
    const present = this.present;
    const align = toEnd ? "right" : "left";
    if (present.font !== font) context.font = present.font = font;
    if (present.spacing !== spacing) context.letterSpacing = present.spacing = spacing;
    if (present.align !== align) context.textAlign = present.align = align;
  }

  /** As much of a text as there is room for, and an ellipsis where that is not all of it. */
  private shorten(font: string, text: string, room: number): string {
    const key = `${font} ${room} ${text}`;
    const known = this.shortened.get(key);
    if (known !== undefined) return known;
    const fits = (shown: string) => this.context.measureText(shown).width <= room;
    const characters = [...text];
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(`${characters.slice(0, middle).join("")}…`)) low = middle;
      else high = middle - 1;
    }
    const shown = fits(text) ? text : `${characters.slice(0, low).join("")}…`;
    if (this.shortened.size >= textsMost) this.shortened.clear();
    this.shortened.set(key, shown);
    return shown;
  }

  /** Where a text of a font stands in a line, as the browser has it: heights in whole pixels, the smaller half of what is left above. */
  private baseline(font: string, height: number): number {
    const key = `${height} ${font}`;
    let found = this.baselines.get(key);
    if (found === undefined) {
      const { fontBoundingBoxAscent, fontBoundingBoxDescent } = this.context.measureText("0");
      const [ascent, descent] = [Math.round(fontBoundingBoxAscent), Math.round(fontBoundingBoxDescent)];
      found = Math.floor((height - ascent - descent) / 2) + ascent;
      this.baselines.set(key, found);
    }
    return found;
  }
}
