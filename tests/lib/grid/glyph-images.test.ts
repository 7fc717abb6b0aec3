import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { glyphDash, glyphPath } from "#components/grid/cell-glyphs.ts";
import { glyphDrawings, glyphImage, glyphSideOf, imageName } from "#components/grid/glyph-images.ts";
import { locks, markPaths, statuses } from "#components/ui/glyph-paths.ts";

const images = new Map(glyphDrawings((token) => `color-of-${token}`).map(glyphImage));
const drawing = (name: string) => decodeURIComponent(/^url\("data:image\/svg\+xml,(.*)"\)$/.exec(images.get(name) ?? "")?.[1] ?? "");

describe("pictures of glyphs", () => {
  test("there is one for every status in front, every lock and every mark behind", () => {
    const expected = [
      ...statuses.map((status) => imageName("lead", status)),
      ...[...locks, ...(Object.keys(markPaths) as (keyof typeof markPaths)[])].map((mark) => imageName("mark", mark)),
    ];
    expect([...images.keys()]).toEqual(expected);
  });
  test("each has its outline, its dashes and its colour", () => {
    expect(drawing("--lead-notplanned")).toContain(`d="${glyphPath("notplanned")}"`);
    expect(drawing("--lead-notplanned")).toContain(`stroke-dasharray="${glyphDash("notplanned")}"`);
    expect(drawing("--lead-delayed")).toContain('stroke="color-of-st-delayed"');
    expect(drawing("--lead-delayed")).not.toContain("dasharray");
    expect(drawing("--lead-completed")).toContain('stroke="color-mix(in srgb, color-of-st-completed 80%, color-of-bg-base)"');
    expect(drawing("--mark-refused")).toContain('stroke="color-of-danger"');
    expect(drawing("--mark-frozen")).toContain('stroke="color-of-fg-3"');
  });
  test("a status and a lock of one name keep their own colours", () => {
    expect(drawing("--lead-closed")).toContain('stroke="color-of-st-closed"');
    expect(drawing("--mark-closed")).toContain('stroke="color-of-fg-3"');
  });
  test("each is as large as the style sheet draws it, so that its bitmap is copied and not scaled", () => {
    const sheet = readFileSync("components/grid/planning-grid.module.css", "utf8");
    for (const place of ["lead", "mark"] as const) {
      const [, side] = new RegExp(`var\\(--${place}, none\\)[^,]* / (\\d+)px`).exec(sheet) ?? [];
      for (const [name] of [...images].filter(([property]) => property.startsWith(`--${place}-`)))
        expect(glyphSideOf(name)).toBe(Number(side));
    }
  });
  test("nothing of a colour ends the address early", () => {
    const [, value] = glyphImage(glyphDrawings(() => 'a"b#c\\')[0]!);
    expect(value.slice(5, -2)).not.toMatch(/["#\\]/);
  });
});
