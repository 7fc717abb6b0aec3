import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import type { BatchAnswer } from "./batch-frame.tsx";
import { columnRef } from "./plan-keys.ts";

/** What can be typed for a plan end instead of a date. */
export type NaWord = "NA" | "INV";

/** The word a typed text means, in any width and case; null for anything else. */
export function naWord(typed: string): NaWord | null {
  const word = typed.normalize("NFKC").trim().toUpperCase();
  return word === "NA" || word === "INV" ? word : null;
}

/** Asks for an activity of a DU to be NA or INV: the background carries it out, where the flow asks for it after an approval. */
export async function requestNa(
  { rowKey, columnKey, word }: { rowKey: string; columnKey: string; word: NaWord },
  reason: string,
): Promise<Answer<BatchAnswer>> {
  const { activityId } = columnRef(columnKey);
  const input = { duIds: [Number(rowKey)], activityIds: [activityId], field: "planEnd", mode: "set", value: word, reason };
  return signalAnswer(await callDoor<BatchAnswer>("rolloutPlan/batch/setDate", input));
}
