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

test("pages give up readings that do not come [RTE-04]", async () => {
  const reads = new Map<string, boolean>();
  for (const { declaration } of await allCalls())
    for (const address of [declaration.address, ...(declaration.also ?? [])]) reads.set(fixedPart(address), declaration.kind === "read");
  const endless: string[] = [];
  let readings = 0;
  for (const path of ["app", "components"].flatMap((folder) => filesBelow(folder, /\.tsx?$/)))
    for (const given of argumentsOf(withoutComments(readSource(path)))) {
      const address = /^\s*(?:listAddress\()?\s*["`]([^"`]+)["`]/.exec(given)?.[1];
      if (!address || !reads.get(fixedPart(address))) continue;
      readings++;
      if (!/\b(reading: true|signal|cancelKey)\b/.test(given)) endless.push(`${path}: ${address}`);
    }
  expect(readings).toBeGreaterThan(100);
  expect(endless, "give the call { reading: true }, a signal or a cancel key").toEqual([]);
});
