import { expect, test } from "vitest";
import { importsOf, readSource, withoutComments } from "#tests/support/source-files.ts";

/** What of Mantine the first rows of a plan wait for; everything else comes when it is opened. */
const awaited = ["ActionIcon", "Button", "MantineProvider", "createTheme", "notifications", "useMediaQuery", "useNotifications"];
const entries = [
  "app/layout.tsx",
  ...["layout", "page", "error", "forbidden", "not-found"].map((name) => `app/[projectNumber]/${name}.tsx`),
];

/** Names of Mantine that are loaded together with the entries, each with a file that imports it. */
function loadedAtOnce(): Map<string, string> {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const source = withoutComments(readSource(path));
    for (const [, list = ""] of source.matchAll(/import \{([^}]*)\} from "@mantine\/\w+"/g))
      for (const name of list.split(",").map((one) => one.trim())) if (name && !name.startsWith("type ")) names.set(name, path);
    const later = new Set([...source.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].map(([, to = ""]) => to.split("/").at(-1)));
    for (const { to, typeOnly } of importsOf(path))
      if (!typeOnly && /^(app|components)\/.*\.tsx?$/.test(to) && !later.has(to.split("/").at(-1))) open.push(to);
  }
  return names;
}

test("the first rows of a plan wait for no dialog, menu, calendar or field", () => {
  const more = [...loadedAtOnce()].filter(([name]) => !awaited.includes(name)).map(([name, path]) => `${path} loads ${name}`);
  expect(more, "read it when it is opened: onDemand, DropMenu, DropPanel, Hint").toEqual([]);
});

/** Files whose code a browser reads before the first rows of a plan: those of the entries that run there, with all they name. */
function readByBrowser(): Map<string, string> {
  const files = new Map<string, string>();
  const seen = new Set<string>();
  const open = entries.map((path) => ({ path, inBrowser: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { path } = next;
    const source = readSource(path);
    const inBrowser = next.inBrowser || /^"use client"/m.test(source);
    if (seen.has(`${path} ${inBrowser}`) || /^"use server"/m.test(source)) continue;
    seen.add(`${path} ${inBrowser}`);
    if (inBrowser) files.set(path, source);
    const later = new Set([...withoutComments(source).matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].map(([, to = ""]) => to.split("/").at(-1)));
    for (const { to, typeOnly } of importsOf(path))
      if (!typeOnly && /^(app|components|lib)\/.*\.tsx?$/.test(to) && !later.has(to.split("/").at(-1))) open.push({ path: to, inBrowser });
  }
  return files;
}

test("the first rows of a plan wait for no schemas", () => {
  const files = readByBrowser();
  expect(files.size).toBeGreaterThan(100);
  const named = [...files].filter(([, source]) => /^import (?!type)[^;]*from "zod"/m.test(source)).map(([path]) => path);
  expect(named, "keep what the browser needs of it in a file of its own").toEqual([]);
});
