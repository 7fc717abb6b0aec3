import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { hrefOf, matchHash } from "#lib/core/hash.ts";
import { screenOf } from "#lib/screens.ts";
import notBuilt from "#scripts/not-built.json" with { type: "json" };
import { readSource } from "#tests/support/source-files.ts";

test.each([
  ["#/fieldconfig", "attributes", "attributes", "AttributesPage", "[ATT-01]"],
  ["#/wSetExtField", "displayedAttributes", "attributes/displayed", "FieldsPage", "[ATT-02]"],
  ["#/extendedFields", "extendedFields", "attributes/extended", "FieldsPage", "[ATT-03]"],
  ["#/projectBrainTabsPop", "extendedFieldTabs", "attributes/extended", "FieldsPage", "[ATT-03]"],
  ["#/attrPermission", "attributePermissions", "attributes/permissions", "PermissionsPage", "[ATT-04]"],
] as const)("%s opens %s %s %s %s", (hash, key, path, component, _row) => {
  const match = matchHash(hash);
  expect(match?.screen).toBe(key);
  expect(match && hrefOf(match, { pathname: "/P100/", search: "" })).toBe(`/P100/${path}`);
  expect(notBuilt as string[]).not.toContain(key);
  const page = `app/[projectNumber]/${path}/page.tsx`;
  expect(existsSync(page)).toBe(true);
  expect(readSource(page)).toContain(`<${component}`);
  // Who may open it is the right of the screen it stands for.
  const { aliasOf } = screenOf(key) as { aliasOf?: string };
  expect(readSource(page)).toContain(`openScreen("${aliasOf ?? key}"`);
});
