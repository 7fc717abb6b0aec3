import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, importsOf, readSource, withoutComments } from "#tests/support/source-files.ts";

const quoted = (list: string) => [...list.matchAll(/"([\w.-]+)"/g)].map(([, name = ""]) => name);

/** Texts every page has. */
const everywhere = quoted(/const everywhere = \[([^\]]*)\]/.exec(readSource("app/layout.tsx"))?.[1] ?? "");

/** Names a page or layout hands to what it shows. */
function givenBy(path: string): string[] {
  return [...readSource(path).matchAll(/<Texts names=\{\[([^\]]*)\]\}/g)].flatMap(([, list = ""]) => quoted(list));
}

/** Parts that are read later, by the path they are imported by, with the texts read along with them. */
function laterParts(source: string): Map<string, string[]> {
  const found = source.matchAll(/import\(\s*"([^"]+)"\s*\)\s*\.then\(\(module\) => module\.\w+\),\s*\[([^\]]*)\]/g);
  return new Map([...found].map(([, to = "", list = ""]) => [to.split("/").at(-1) ?? "", quoted(list)]));
}

function isGiven(name: string, given: readonly string[]): boolean {
  return given.some((one) => name === one || name.startsWith(`${one}.`));
}

/** Files below `path`, and the texts they are written in but not given. */
function lacking(path: string, given: readonly string[], seen = new Set<string>()): string[] {
  const visit = `${path} ${given.join()}`;
  if (seen.has(visit)) return [];
  seen.add(visit);
  const source = withoutComments(readSource(path));
  const own = [...source.matchAll(/useTranslations\(\s*"([\w.-]+)"\s*\)/g)].flatMap(([, name = ""]) =>
    isGiven(name, given) ? [] : [`${path} uses ${name}`],
  );
  const later = laterParts(source);
  const below = importsOf(path)
    .filter(({ to, typeOnly }) => !typeOnly && /^(app|components)\/.*\.tsx?$/.test(to))
    .flatMap(({ to }) => lacking(to, [...new Set([...given, ...(later.get(posix.basename(to)) ?? [])])].sort(), seen));
  return [...own, ...below];
}

describe("texts of a page", () => {
  const entries = filesBelow("app", /(^|\/)(page|layout|error|forbidden|not-found)\.tsx$/);

  test.each(entries)("%s: every component is given the texts it is written in", (path) => {
    const folders = path.split("/").slice(0, -1);
    const layouts = folders.map((_, at) => `${folders.slice(0, at + 1).join("/")}/layout.tsx`).filter((layout) => entries.includes(layout));
    const given = [...everywhere, ...layouts.flatMap(givenBy), ...givenBy(path)];
    expect(lacking(path, given), "name them in <Texts names={[…]}> of the page or in onDemand(…, […])").toEqual([]);
  });
});
