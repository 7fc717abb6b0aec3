import type { DrawnLook } from "./drawn-look.ts";

/** Texts of which is kept how they were shortened. */
const shortenedMost = 5_000;

/** Writes the texts of cells on a canvas where the browser would lay them out. Lengths in CSS pixels. */
export class CanvasTexts {
  private readonly context: CanvasRenderingContext2D;
  private readonly height: number;
  private readonly shortened = new Map<string, string>();
  private readonly baselines = new Map<string, number>();
  private present = { font: "", spacing: "", align: "" };

  /**
   * @param context the canvas as it is after its size was set, which nobody else tells of fonts
   * @param height of a line, which is that of a cell
   */
  constructor(context: CanvasRenderingContext2D, height: number) {
    this.context = context;
    this.height = height;
  }

  /** Writes a text into the box of a cell whose left end and top are given. */
  write(look: DrawnLook, text: string, x: number, y: number, width: number): void {
    const context = this.context;
    this.set(look);
    const shown = look.cut ? this.shorten(look.font, text, width - look.before - look.after) : text;
    const at = look.toEnd ? x + width - look.after : x + look.before;
    context.fillStyle = look.color;
    context.fillText(shown, at, y + this.baseline(look.font));
    if (!look.struck) return;
    const length = context.measureText(shown).width;
    context.fillRect(look.toEnd ? at - length : at, y + Math.round(this.height / 2), length, 1);
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
    if (this.shortened.size >= shortenedMost) this.shortened.clear();
    this.shortened.set(key, shown);
    return shown;
  }

  /** Where a text of a font stands in a line, as the browser has it: heights in whole pixels, the smaller half of what is left above. */
  private baseline(font: string): number {
    let found = this.baselines.get(font);
    if (found === undefined) {
      const { fontBoundingBoxAscent, fontBoundingBoxDescent } = this.context.measureText("0");
      const [ascent, descent] = [Math.round(fontBoundingBoxAscent), Math.round(fontBoundingBoxDescent)];
      found = Math.floor((this.height - ascent - descent) / 2) + ascent;
      this.baselines.set(font, found);
    }
    return found;
  }
}
