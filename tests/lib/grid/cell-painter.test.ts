import { describe, expect, it } from "vitest";
import { isOnGlyph } from "#components/grid/cell-painter.ts";

const cell = (shown: Record<string, string>) => ({
  clientWidth: 100,
  style: { getPropertyValue: (name: string) => shown[name] ?? "" } as CSSStyleDeclaration,
});

describe("a click in a cell", () => {
  it("is on the mark in the last 17 pixels, where the cell has one", () => {
    const locked = cell({ "--mark": "var(--mark-frozen)" });
    expect([0, 82, 83, 99].map((x) => isOnGlyph(locked, x))).toEqual([false, false, true, true]);
    expect(isOnGlyph(cell({}), 99)).toBe(false);
  });
  it("is on the status in the first 25 pixels, where the cell has one", () => {
    const delayed = cell({ "--lead": "var(--lead-delayed)" });
    expect([0, 24, 25, 99].map((x) => isOnGlyph(delayed, x))).toEqual([true, true, false, false]);
  });
});
