import { slotsMax } from "./limits.ts";

/** Form in which names and codes are matched. */
export function matchKey(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * A free code for an activity made by name: "A007" for slot 7, with a suffix where a person has taken that code.
 * @param taken codes of the project in match form
 */
export function codeForSlot(slot: number, taken: ReadonlySet<string>): string {
  const base = `A${String(slot).padStart(3, "0")}`;
  let code = base;
  for (let suffix = 2; taken.has(matchKey(code)); suffix++) code = `${base}-${suffix}`;
  return code;
}

/** Whether the library has room for so many more activities. */
export function hasRoom(highestSlot: number, more: number): boolean {
  return highestSlot + more <= slotsMax;
}
