import { expect, test } from "vitest";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";

const names = (count: number) => Array.from({ length: count }, (_, at) => `R${at + 1}`);

test.each([
  [["B", "A", "B"], "B, A"],
  [names(10), names(10).join(", ")],
  [names(12), `${names(10).join(", ")} +2`],
  [[], ""],
])("%j are told as %j", (given, text) => {
  expect(holderNames(given)).toBe(text);
});
