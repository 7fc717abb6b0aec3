import { describe, expect, it } from "vitest";
import { CanvasTexts } from "#components/grid/canvas-texts.ts";
import type { DrawnLook } from "#components/grid/drawn-look.ts";

const letter = 6;
const plain = { font: "12px sans", spacing: "0px", color: "red", before: 8, after: 5, toEnd: false, cut: false, struck: false };

/** Texts of which every letter is as wide as the others, on a canvas that notes what is written where and what it is asked for. */
function onCanvas() {
  const written: [text: string, x: number, y: number][] = [];
  const measured: string[] = [];
  const filled: number[][] = [];
  const context = {
    letterSpacing: "",
    fillText: (text: string, x: number, y: number) => written.push([text, x, y]),
    fillRect: (...box: number[]) => filled.push(box),
    measureText: (text: string) => {
      measured.push(text);
      return {
        width: text.length * (letter + Number.parseFloat(context.letterSpacing)),
        fontBoundingBoxAscent: 11,
        fontBoundingBoxDescent: 3,
      };
    },
  };
  const texts = new CanvasTexts(context as unknown as CanvasRenderingContext2D);
  const look = (own: Partial<typeof plain>) => ({ ...plain, ...own }) as DrawnLook;
  const write = (text: string, own: Partial<typeof plain> = {}, width = 100) => {
    written.length = 0;
    texts.write(look(own), text, 10, 20, width, 27);
    return written.map(([part, x]) => [part, x]);
  };
  return { write, written, measured, filled, width: (text: string) => texts.width(look({}), text) };
}

describe("texts on a canvas", () => {
  it("stand in the middle of their line, behind the room left free before them", () => {
    const { write, written } = onCanvas();
    expect(write("Survey")).toEqual([["Survey", 18]]);
    expect(written[0]?.[2]).toBe(20 + 6 + 11);
  });
  it("have the last digit of a date or number written by itself, right behind the rest", () => {
    const { write } = onCanvas();
    expect(write("2026-03-14")).toEqual([
      ["2026-03-1", 18],
      ["4", 18 + 9 * letter],
    ]);
    expect(write("DU-00123")).toEqual([
      ["DU-0012", 18],
      ["3", 18 + 7 * letter],
    ]);
  });
  it("stand the same way before the room left free behind them", () => {
    const { write } = onCanvas();
    expect(write("1234", { toEnd: true })).toEqual([
      ["123", 105 - letter],
      ["4", 105],
    ]);
    expect(write("Survey", { toEnd: true })).toEqual([["Survey", 105]]);
  });
  it.each([
    "7",
    "14",
    "Region 7",
    "12 d",
    "2026-03-1…",
    "١٢٣",
    "موقع 123",
  ])("are written as a whole where no two digits end something longer that is written from the left: %s", (text) => {
    expect(onCanvas().write(text)).toEqual([[text, 18]]);
  });
  it("ask the canvas once for the width of a part, however many texts have it", () => {
    const { write, measured } = onCanvas();
    for (const day of ["2026-03-14", "2026-03-15", "2026-03-16", "2026-03-14"]) write(day);
    expect(measured.filter((text) => text !== "0")).toEqual(["2026-03-1"]);
  });
  it("are as wide as their parts", () => {
    const { width, measured } = onCanvas();
    expect(width("2026-03-14")).toBe(10 * letter);
    expect(width("Survey")).toBe(6 * letter);
    expect(measured).toEqual(["2026-03-1", "4", "Survey"]);
  });
  it("are measured by themselves for another spacing of the same font", () => {
    const { write } = onCanvas();
    write("1234");
    expect(write("1234", { spacing: "1px" })).toEqual([
      ["123", 18],
      ["4", 18 + 3 * (letter + 1)],
    ]);
    expect(write("1234")).toEqual([
      ["123", 18],
      ["4", 18 + 3 * letter],
    ]);
  });
  it("are cut off where they do not fit, and asked for their width alone where they do", () => {
    const { write, measured } = onCanvas();
    const room = (letters: number) => letters * letter + plain.before + plain.after;
    expect(write("Delivery unit", { cut: true }, room(13))).toEqual([["Delivery unit", 18]]);
    expect(measured.filter((text) => text !== "0")).toEqual(["Delivery unit"]);
    expect(write("Delivery unit", { cut: true }, room(12))).toEqual([["Delivery un…", 18]]);
    expect(write("𠮷𠮷𠮷", { cut: true }, room(3))).toEqual([["𠮷…", 18]]);
    expect(write("Delivery unit", { cut: true }, room(0))).toEqual([["…", 18]]);
  });
  it("are struck through from end to end", () => {
    const { write, filled } = onCanvas();
    write("1234", { struck: true });
    write("1234", { struck: true, toEnd: true });
    expect(filled).toEqual([
      [18, 34, 24, 1],
      [81, 34, 24, 1],
    ]);
  });
});
