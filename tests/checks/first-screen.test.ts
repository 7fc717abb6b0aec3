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
