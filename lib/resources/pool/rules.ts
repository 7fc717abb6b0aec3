import type { Rule } from "#lib/core/rule.ts";

/** What a person of the pool is judged by before he leaves it or stops. */
export type LeavingFacts = { account: string; dataOwner: boolean; openOrders: number };

/** The data owner stays, and so does who has work in hand. [RES-43] */
export const leavingRules: readonly Rule<LeavingFacts>[] = [
  { code: "DATA_OWNER", broken: ({ account, dataOwner }) => dataOwner && { account } },
  { code: "HAS_OPEN_WORK", broken: ({ account, openOrders }) => openOrders > 0 && { account, count: openOrders } },
];
