import type { DrawnLook } from "./drawn-look.ts";

/** Texts of a font of which is kept how wide they are and, for each room, how they were shortened. */
const textsMost = 5_000;
const roomsMost = 100;
const fontsMost = 50;
/** Parts of a pixel in which the browser lays out. */
const layoutUnits = 64;

/** Two digits at the end of a text that has more before them, and no letters there that are written from the right: the digits would stand at their left. */
const numbered = /^[^\u0590-\u08ff\ufb1d-\ufefc]+[0-9]{2}$/;

/** What is known of the texts of one font and spacing: widths, by room the texts shortened to it, and by the height of a line where a text stands in it. */
type FontTexts = {
  widths: Map<string, number>;
  shortened: Map<number, Map<string, string>>;
  baselines: Map<number, number>;
};

/** Writes the texts of cells on a canvas where the browser would lay them out. Lengths in CSS pixels. */
export class CanvasTexts {
  private readonly context: CanvasRenderingContext2D;
  private readonly fonts = new Map<string, FontTexts>();
  private present = { font: "", spacing: "", align: "" };
  /** Of the font and spacing the canvas has. */
  private known = newTexts();

  /** @param context the canvas as it is after its size was set, which nobody else tells of fonts */
  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  /** Writes a text into a box as high as its line. */
  write(look: DrawnLook, text: string, x: number, y: number, width: number, height: number): void {
    const context = this.context;
    this.set(look);
    const shown = look.cut ? this.shorten(look, text, width - look.before - look.after) : text;
    const at = look.toEnd ? x + width - look.after : x + look.before;
    context.fillStyle = look.color;
    this.put(look, shown, at, y + this.baseline(height));
    if (!look.struck) return;
    const length = this.width(look, shown);
    context.fillRect(look.toEnd ? at - length : at, y + Math.round(height / 2), length, 1);
  }

  /**
   * The browser keeps how the texts of the last frames are laid out and leaves 1.5 kB of memory behind for any other. The last digit of a date or number is therefore
   * written by itself: it and what is before it have nearly always just been written, the whole hardly ever.
   */
  private put({ toEnd }: DrawnLook, text: string, at: number, baseline: number): void {
    const [head, tail] = parts(text);
    this.context.fillText(head, toEnd ? at - this.measured(tail) : at, baseline);
    if (tail) this.context.fillText(tail, toEnd ? at : at + this.measured(head), baseline);
  }

  /** How wide a text is. */
  width(look: DrawnLook, text: string): number {
    this.set(look);
    const [head, tail] = parts(text);
    return this.measured(head) + this.measured(tail);
  }

  private measured(text: string): number {
    return text === "" ? 0 : keptIn(this.known.widths, text, textsMost, () => this.context.measureText(text).width);
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
    if (present.font !== font || present.spacing !== spacing) {
      context.font = present.font = font;
      context.letterSpacing = present.spacing = spacing;
      this.known = keptIn(this.fonts, `${spacing} ${font}`, fontsMost, newTexts);
    }
    if (present.align !== align) context.textAlign = present.align = align;
  }

  /** As much of a text as there is room for, and an ellipsis where that is not all of it. */
  private shorten(look: DrawnLook, text: string, room: number): string {
    const texts = keptIn(this.known.shortened, room, roomsMost, () => new Map<string, string>());
    return keptIn(texts, text, textsMost, () => (this.width(look, text) <= room ? text : this.cutOff(text, room)));
  }

  private cutOff(text: string, room: number): string {
    const fits = (shown: string) => this.context.measureText(shown).width <= room;
    const characters = [...text];
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(`${characters.slice(0, middle).join("")}…`)) low = middle;
      else high = middle - 1;
    }
    return `${characters.slice(0, low).join("")}…`;
  }

  /** Where a text of a font stands in a line, as the browser has it: heights in whole pixels, the smaller half of what is left above. */
  private baseline(height: number): number {
    return keptIn(this.known.baselines, height, roomsMost, () => {
      const { fontBoundingBoxAscent, fontBoundingBoxDescent } = this.context.measureText("0");
      const [ascent, descent] = [Math.round(fontBoundingBoxAscent), Math.round(fontBoundingBoxDescent)];
      return Math.floor((height - ascent - descent) / 2) + ascent;
    });
  }
}

const newTexts = (): FontTexts => ({ widths: new Map(), shortened: new Map(), baselines: new Map() });

/** What a map holds, made where it holds nothing yet; a full one begins anew. */
function keptIn<Key, Value>(map: Map<Key, Value>, key: Key, most: number, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size >= most) map.clear();
  map.set(key, made);
  return made;
}

/** A text without its last digit and that, or the whole and nothing. */
const parts = (text: string): [head: string, tail: string] => (numbered.test(text) ? [text.slice(0, -1), text.slice(-1)] : [text, ""]);
