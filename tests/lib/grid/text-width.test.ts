import { describe, expect, test } from "vitest";
import { textWidthMost } from "#components/grid/text-width.ts";

describe("the width a text has at most", () => {
  test("a day fits its column beside padding and a lock", () => {
    expect(textWidthMost("2026-11-23")).toBeLessThanOrEqual(100 - 17 - 9);
  });
  test("counts wide letters and ideographs as wide", () => {
    expect(textWidthMost("WWWW")).toBeGreaterThanOrEqual(4 * 11.9);
    expect(textWidthMost("安装")).toBe(24);
    expect(textWidthMost("アイ")).toBe(24);
    expect(textWidthMost("(A)")).toBeLessThan(textWidthMost("（A）"));
  });
  test("is nothing for nothing, and grows with every character", () => {
    expect(textWidthMost("")).toBe(0);
    for (let code = 32; code < 127; code++) expect(textWidthMost(String.fromCharCode(code))).toBeGreaterThan(3);
  });
  test.each(["né", "☃", "👍", "한", "→"])("knows nothing of %s", (text) => {
    expect(textWidthMost(text)).toBe(Number.POSITIVE_INFINITY);
  });
});
