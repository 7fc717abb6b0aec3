import type { Rule } from "#lib/core/rule.ts";
import { undoMinutes } from "./limits.ts";

/** What decides whether a batch can be undone at all. */
export type UndoFacts = { own: boolean; source: string; at: Date; now: Date };

/** Releases end with the next one, and a flow's rows are built anew: neither is undone. */
const lasting = ["release", "flow"];

/** Rules of an undo. */
export const undoRules = [
  { code: "NO_PERMISSION", broken: (batch) => !batch.own },
  { code: "WRONG_STATUS", broken: (batch) => lasting.includes(batch.source) },
  { code: "UNDO_TOO_LATE", broken: (batch) => batch.now.getTime() - batch.at.getTime() > undoMinutes * 60_000 && { minutes: undoMinutes } },
] as const satisfies readonly Rule<UndoFacts>[];
