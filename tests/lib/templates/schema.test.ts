import { describe, expect, it } from "vitest";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { type TemplateKind, templateKinds, templateLimits } from "#lib/templates/limits.ts";
import { SavePosition, SaveTemplate } from "#lib/templates/schema.ts";

const bodies = {
  search: { field: "code", values: ["A"] },
  filter: { filters: [] },
  grid: { columns: [] },
  reverse: { columns: [{ title: "Site", key: "du" }] },
  plan: { flowId: 1 },
} as const;
const given = (kind: keyof typeof bodies, more: object = {}) => ({
  kind,
  objectType: "project",
  gridKey: "plan",
  name: "Daily",
  isPublic: false,
  body: bodies[kind],
  ...more,
});
const faults = (input: unknown, schema: typeof SaveTemplate | typeof SavePosition = SaveTemplate) => {
  const parsed = schema.safeParse(input);
  return parsed.success
    ? []
    : zodProblems(parsed.error, input).map(({ path, code, params }) => `${path} ${code} ${params?.max ?? ""}`.trim());
};

describe("the name of a template", () => {
  it.each<[TemplateKind, number, string]>([
    ["search", 30, "[TPL-05]"],
    ["plan", 30, "[TPL-05]"],
    ["filter", 100, "[TPL-07]"],
    ["grid", 100, "[TPL-07]"],
    ["reverse", 200, "[TPL-11]"],
  ])("of a %s template is required and has at most %i characters %s", (kind, max) => {
    expect(templateLimits[kind].nameChars).toBe(max);
    expect(faults(given(kind, { name: "é".repeat(max) }))).toEqual([]);
    expect(faults(given(kind, { name: "站".repeat(max + 1) }))).toEqual([`name NAME_TOO_LONG ${max}`]);
    expect(faults(given(kind, { name: "  " }))).toEqual(["name NAME_REQUIRED"]);
  });

  it.each([..."<>\"'%;&\\/:*?|"])("refuses the sign %s [TPL-08]", (sign) => {
    for (const kind of templateKinds) expect(faults(given(kind, { name: `a${sign}b` }))).toEqual(["name NAME_INVALID"]);
  });

  it.each(["\u0000", "\u0007", "a\nb", "\u007f", "\ud800"])("refuses the control character %j [TPL-08]", (name) => {
    for (const kind of templateKinds) expect(faults(given(kind, { name: `x${name}y` }))).toEqual(["name NAME_INVALID"]);
  });

  it("takes every other sign [TPL-08]", () => {
    expect(faults(given("grid", { name: "安装 W42 – 北区 (v2) #1, 5 + 3 = 8 [a] {b} 👍 ~!@$^_." }))).toEqual([]);
  });
});

describe("what a template holds", () => {
  const columns = (count: number, locked: boolean) => Array.from({ length: count }, (_, at) => ({ key: `${at}:planEnd`, locked }));

  it("locks at most 8 columns [TPL-10]", () => {
    expect(faults(given("grid", { body: { columns: [...columns(8, true), { key: "code" }] } }))).toEqual([]);
    expect(faults(given("grid", { body: { columns: columns(9, true) } }))).toEqual(["body.columns LOCKED_COLUMNS 8"]);
    expect(faults(given("search", { lockedColumns: 8 }))).toEqual([]);
    expect(faults(given("search", { lockedColumns: 9 }))).toEqual(["lockedColumns LOCKED_COLUMNS 8"]);
    expect(faults({ gridKey: "plan", columns: columns(9, true) }, SavePosition)).toEqual(["columns LOCKED_COLUMNS 8"]);
  });

  it("has columns of 40 to 800 pixels", () => {
    const width = (pixels: number) => faults(given("grid", { body: { columns: [{ key: "code", width: pixels }] } }));
    expect([40, 800].map(width)).toEqual([[], []]);
    expect(width(39)).toHaveLength(1);
    expect(width(801)).toEqual(["body.columns.0.width VALUE_TOO_LARGE 800"]);
  });

  it("has filters of at most 3000 characters; the titles of chips do not count", () => {
    const rest = JSON.stringify([{ key: "code", type: "like", values: ["", ""] }]).length;
    const filters = (chars: number) => [
      { key: "code", type: "like", values: ["x".repeat(1500), "x".repeat(chars - 1500 - rest)], titles: ["y".repeat(500)] },
    ];
    expect(faults(given("filter", { body: { filters: filters(3000) } }))).toEqual([]);
    expect(faults(given("filter", { body: { filters: filters(3001) } }))).toEqual(["body.filters FILTER_TOO_LONG 3000"]);
  });

  it("searches for at most 500 entries", () => {
    const values = (count: number) => faults(given("search", { body: { field: "code", values: Array(count).fill("A") } }));
    expect(values(500)).toEqual([]);
    expect(values(501)).toEqual(["body.values SEARCH_TOO_MANY 500"]);
  });

  it("names activities of at most 150 characters in a reverse template, and one DU column [TPL-12]", () => {
    const titled = (chars: number) =>
      faults(
        given("reverse", {
          body: {
            columns: [
              { title: "x".repeat(chars), key: "7:planEnd" },
              { title: "Site", key: "du" },
            ],
          },
        }),
      );
    expect(titled(150)).toEqual([]);
    expect(titled(151)).toEqual(["body.columns.0.title NAME_TOO_LONG 150"]);
    expect(faults(given("reverse", { body: { columns: [{ title: "MOS", key: "7:planEnd" }] } }))).toEqual(["body.columns MAPPING_MISSING"]);
  });

  it("is at most 256 KB", () => {
    const folded = (bytes: number) => {
      const empty = JSON.stringify({ columns: [], folded: [] }).length;
      const list: string[] = [];
      // 203 bytes a key with its quotes and comma; the last one fills up.
      for (let left = bytes - empty + 1; left > 0; left -= 203) list.push("x".repeat(Math.min(200, Math.max(left - 3, 1))));
      return { columns: [], folded: list };
    };
    const fitting = folded(262_144);
    expect(JSON.stringify(fitting).length).toBe(262_144);
    expect(faults(given("grid", { body: fitting }))).toEqual([]);
    expect(faults(given("grid", { body: { ...folded(262_144), columns: [{ key: "a" }] } }))).toEqual(["body VALUE_TOO_LONG 262144"]);
  });

  it("has a remark of 500, a network type of 60 and an organisation of 120 characters at most [TPL-03] [TPL-04]", () => {
    const fits = { remark: "x".repeat(500), networkType: "x".repeat(60), organisation: "x".repeat(120), lockedColumns: 3 };
    for (const kind of templateKinds) expect(faults(given(kind, fits))).toEqual([]);
    expect(faults(given("reverse", { remark: "x".repeat(501), networkType: "x".repeat(61), organisation: "x".repeat(121) }))).toEqual([
      "remark VALUE_TOO_LONG 500",
      "networkType VALUE_TOO_LONG 60",
      "organisation VALUE_TOO_LONG 120",
    ]);
  });

  it.each(["site", "link", "osp", "project"])("is about a %s [TPL-02]", (objectType) => {
    expect(faults(given("search", { objectType }))).toEqual([]);
    expect(faults(given("search", { objectType: "moon" }))).toEqual(["objectType VALUE_UNKNOWN"]);
  });
});
