import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, readSource, root } from "#tests/support/source-files.ts";

const packages = ["core", "dates", "notifications"] as const;
type Package = (typeof packages)[number];
const home = (name: Package) => join(root, "node_modules/@mantine", name);

/** Every export of a package with the file it stands in. */
function exportsOf(name: Package): Map<string, string> {
  const index = join(home(name), "esm/index.mjs");
  const found = readFileSync(index, "utf8").matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g);
  return new Map(
    [...found].flatMap(([, names = "", from = ""]) =>
      names.split(",").map((one) => [one.trim().split(" as ").at(-1) ?? "", join(dirname(index), from)] as const),
    ),
  );
}

const places = Object.fromEntries(packages.map((name) => [name, exportsOf(name)])) as Record<Package, Map<string, string>>;

/** Names imported from the packages. */
function imported(source: string): [Package, string][] {
  return [...source.matchAll(/import \{([^}]*)\} from "@mantine\/(core|dates|notifications)"/g)].flatMap(([, names = "", name]) =>
    names.split(",").map((one): [Package, string] => [name as Package, one.trim().split(" as ")[0] ?? ""]),
  );
}

/** Names of the style modules that what is imported leads to. */
function stylesOf(start: [Package, string][]): Record<Package, Set<string>> {
  const out: Record<Package, Set<string>> = { core: new Set(), dates: new Set(), notifications: new Set() };
  const seen = new Set<string>();
  const files = start.flatMap(([name, part]) => places[name].get(part) ?? []);
  for (let file = files.pop(); file; file = files.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const style = /@mantine\/(\w+)\/esm\/.*\/?(\b\w+)\.module\.mjs$/.exec(file);
    if (style) out[style[1] as Package].add(style[2] as string);
    const source = readFileSync(file, "utf8");
    for (const [, to = ""] of source.matchAll(/from "(\.[^"]+)"/g)) files.push(join(dirname(file), to));
    for (const [name, part] of imported(source)) files.push(...[places[name].get(part) ?? []].flat());
  }
  return out;
}

const sources = ["app", "components"].flatMap((folder) => filesBelow(folder, /\.tsx?$/));
const used = stylesOf(sources.flatMap((path) => imported(readSource(path))));
/** What every component rests on. */
const ground = ["baseline", "default-css-variables", "global"];
const sheets = [...readSource("components/ui/mantine.css").matchAll(/@mantine\/core\/styles\/([\w-]+)\.layer\.css/g)].map(
  ([, name = ""]) => name,
);

describe("styles of Mantine", () => {
  test("mantine.css has the sheet of every component that is used, and no other", () => {
    expect([...sheets].sort()).toEqual([...ground, ...used.core].sort());
  });

  test("its sheets stand in the order of the whole sheet", () => {
    const packed = (text: string) => text.replace(/\s+/g, "").replace(/^@layermantine\{/, "");
    const whole = packed(readFileSync(join(home("core"), "styles.layer.css"), "utf8"));
    const places = sheets.map((name) =>
      whole.indexOf(packed(readFileSync(join(home("core"), `styles/${name}.layer.css`), "utf8")).slice(0, 200)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("what shows a calendar brings the sheet of calendars along", () => {
    expect(existsSync(join(home("dates"), "styles.layer.css"))).toBe(true);
    const without = sources.filter((path) => {
      const source = readSource(path);
      return /from "@mantine\/dates"/.test(source) && !source.includes('import "#components/ui/dates.css"');
    });
    expect(without).toEqual([]);
  });
});
