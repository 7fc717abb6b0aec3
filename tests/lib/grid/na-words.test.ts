import { expect, it } from "vitest";
import { naWord } from "#components/rollout-plan/na-words.ts";

it.each([
  ["NA", "NA"],
  [" na ", "NA"],
  ["ＩＮＶ", "INV"],
  ["inv", "INV"],
  ["N/A", null],
  ["NAN", null],
  ["", null],
])("%j typed for a plan end means %j", (typed, word) => expect(naWord(typed)).toBe(word));
