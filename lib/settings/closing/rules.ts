import type { Rule } from "#lib/core/rule.ts";

export type ClosingFacts = { status: "active" | "closed"; erasedAt: Date | null; number: string; confirm: string };

const confirmed: Rule<ClosingFacts> = {
  code: "CONFIRM_DIFFERS",
  broken: ({ number, confirm }) => (confirm.trim() === number ? false : { number }),
};

/** An open project is closed by who has typed its number. */
export const closeRules: readonly Rule<ClosingFacts>[] = [
  { code: "WRONG_STATUS", broken: ({ status }) => (status === "active" ? false : { status }) },
  confirmed,
];

/** A closed project is opened again as long as its data is there. */
export const reopenRules: readonly Rule<ClosingFacts>[] = [
  { code: "WRONG_STATUS", broken: ({ status }) => (status === "closed" ? false : { status }) },
  { code: "REOPEN_TOO_LATE", broken: ({ erasedAt }) => erasedAt !== null },
  confirmed,
];
