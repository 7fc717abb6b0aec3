import { describe, expect, it } from "vitest";
import { drawnLook } from "#components/grid/drawn-look.ts";

/** What the browser works out for a cell of which the style sheet says nothing special. */
const plain = {
  backgroundColor: "rgba(0, 0, 0, 0)",
  backgroundImage: "none, none, none",
  borderTopColor: "rgb(7, 8, 9)",
  borderTopStyle: "solid",
  borderTopWidth: "0px",
  borderTopLeftRadius: "0px",
  borderRightColor: "rgb(29, 33, 38)",
  borderRightWidth: "1px",
  borderBottomColor: "rgb(1, 2, 3)",
  borderBottomWidth: "0px",
  boxShadow: "none",
  color: "rgb(231, 233, 236)",
  fontStyle: "normal",
  fontWeight: "400",
  fontSize: "12px",
  fontFamily: '"Inter", sans-serif',
  letterSpacing: "-0.18px",
  textAlign: "start",
  paddingLeft: "25px",
  paddingRight: "8px",
  overflowX: "visible",
  textDecorationLine: "none",
};
const none = { content: "none", borderTopColor: "rgb(9, 9, 9)", backgroundColor: "rgb(9, 9, 9)" };
const look = (style: Partial<typeof plain> = {}, before = none, after = none) => drawnLook({ ...plain, ...style }, before, after);

describe("what a canvas draws of an element", () => {
  it("is its text, the room beside it and the line at its end", () => {
    expect(look()).toEqual({
      fills: [],
      right: "rgb(29, 33, 38)",
      bottom: null,
      edge: null,
      radius: 0,
      frames: [],
      color: "rgb(231, 233, 236)",
      font: 'normal 400 12px "Inter", sans-serif',
      spacing: "-0.18px",
      toEnd: false,
      before: 25,
      after: 8,
      cut: false,
      struck: false,
      corner: null,
      bar: null,
    });
    expect(look({ letterSpacing: "normal" }).spacing).toBe("0px");
    expect(look({ borderBottomWidth: "1px" }).bottom).toBe("rgb(1, 2, 3)");
  });
  it("is its colour and what is laid over it, in this order; pictures are none of it", () => {
    const pictures = 'url("blob:http://a/1"), none, linear-gradient(color(srgb 0.9 0.6 0.2 / 0.2) 0px 0px)';
    expect(look({ backgroundColor: "rgb(4, 5, 6)", backgroundImage: pictures }).fills).toEqual([
      "rgb(4, 5, 6)",
      "color(srgb 0.9 0.6 0.2 / 0.2)",
    ]);
    expect(look({ backgroundImage: "linear-gradient(rgba(1, 2, 3, 0.4), rgba(1, 2, 3, 0.4))" }).fills).toEqual(["rgba(1, 2, 3, 0.4)"]);
    expect(look({ backgroundImage: "linear-gradient(rgb(1, 1, 1) 0px 0px), linear-gradient(rgb(2, 2, 2) 0px 0px)" }).fills).toEqual([
      "rgb(2, 2, 2)",
      "rgb(1, 1, 1)",
    ]);
    expect(look({ backgroundImage: "linear-gradient(rgba(0, 0, 0, 0) 0px 0px)" }).fills).toEqual([]);
    expect(look({ backgroundImage: "repeating-linear-gradient(135deg, rgb(1, 1, 1) 0px, rgb(2, 2, 2) 4px)" }).fills).toEqual([]);
  });
  it("has the frames that shadows draw inside it, the topmost last", () => {
    expect(look({ boxShadow: "rgb(1, 2, 3) 1.25px 0px 0px 0px inset" }).frames).toEqual([]);
    const shadows = "rgb(1, 2, 3) 0px 0px 0px 2px inset, color(srgb 1 0 0 / 0.5) 0px 0px 0px 1.5px inset, rgb(7, 7, 7) 0px 4px 12px 0px";
    expect(look({ boxShadow: shadows }).frames).toEqual([
      { width: 1.5, color: "color(srgb 1 0 0 / 0.5)" },
      { width: 2, color: "rgb(1, 2, 3)" },
    ]);
  });
  it("has the border it has all around, and round corners", () => {
    expect(look({ borderTopWidth: "1px", borderTopLeftRadius: "4px" })).toMatchObject({
      edge: { width: 1, color: "rgb(7, 8, 9)", dashed: false },
      radius: 4,
    });
    expect(look({ borderTopWidth: "1.5px", borderTopStyle: "dashed" }).edge).toMatchObject({ width: 1.5, dashed: true });
  });
  it("stands at the end, is cut off or struck through as the style sheet says", () => {
    expect(look({ textAlign: "right" }).toEnd).toBe(true);
    expect(look({ textAlign: "end" }).toEnd).toBe(true);
    expect(look({ overflowX: "hidden" }).cut).toBe(true);
    expect(look({ textDecorationLine: "line-through" }).struck).toBe(true);
  });
  it("has a corner and a bar where there is something before or after its content", () => {
    const there = { content: '""', borderTopColor: "rgb(1, 1, 1)", backgroundColor: "rgb(2, 2, 2)" };
    expect(look({}, there, none)).toMatchObject({ corner: "rgb(1, 1, 1)", bar: null });
    expect(look({}, none, there)).toMatchObject({ corner: null, bar: "rgb(2, 2, 2)" });
  });
});
