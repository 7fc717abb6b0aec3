import { expect, test } from "vitest";
import { allCalls } from "#lib/calls.ts";
import { filesBelow, readSource, withoutComments } from "#tests/support/source-files.ts";

/** The part of an address in front of its first variable one: `duFlow/list` of `duFlow/list/{page}/{size}`. */
const fixedPart = (address: string) => address.replace(/\/?[{$].*$/, "");

/** The arguments of every `callDoor(..)` of a source, as text. */
function argumentsOf(source: string): string[] {
  return [...source.matchAll(/\bcallDoor(?:<[^(]*>)?\(/g)].map(({ 0: opened, index }) => {
    const start = index + opened.length;
    let end = start;
    for (let depth = 1; depth > 0; end++) {
      if (source[end] === "(") depth++;
      if (source[end] === ")") depth--;
    }
    return source.slice(start, end - 1);
  });
}

/** Where what changes something is sent to an address that is put together or comes from elsewhere; readings with such an address give up too. */
const changing = [
  "components/attributes/attributes-page.tsx",
  "components/attributes/fields-page.tsx",
  "components/attributes/use-save.ts",
  "components/dependency-rules/dependencies-page.tsx",
  "components/dus/master-saving.ts",
  "components/milestones/milestones-page.tsx",
  "components/milestones/use-save.ts",
  "components/milestones/use-steps.ts",
  "components/planning-engine/delete-rows.tsx",
  "components/planning-engine/input-saving.ts",
  "components/rollout-plan/batch-frame.tsx",
  "components/subcontractors/isolation-page.tsx",
  "components/subcontractors/use-save.ts",
  "components/ui/use-export.ts",
];

test("pages give up readings that do not come [RTE-04]", async () => {
  const reads = new Map<string, boolean>();
  for (const { declaration } of await allCalls())
    for (const address of [declaration.address, ...(declaration.also ?? [])]) reads.set(fixedPart(address), declaration.kind === "read");
  const endless: string[] = [];
  const unknown = new Set<string>();
  let readings = 0;
  for (const path of ["app", "components"].flatMap((folder) => filesBelow(folder, /\.tsx?$/)))
    for (const given of argumentsOf(withoutComments(readSource(path)))) {
      const address = /^\s*(?:listAddress\()?\s*["`]([^"`]+)["`]/.exec(given)?.[1] ?? "";
      const isReading = reads.get(fixedPart(address));
      const ends = /\b(reading: true|signal|cancelKey)\b/.test(given);
      if (isReading) readings++;
      if (isReading && !ends) endless.push(`${path}: ${address}`);
      if (isReading === undefined && !ends) unknown.add(path);
    }
  expect(readings).toBeGreaterThan(100);
  expect(endless, "give the call { reading: true }, a signal or a cancel key").toEqual([]);
  expect([...unknown].sort(), "a call to an address from elsewhere may be a reading").toEqual(changing);
});
