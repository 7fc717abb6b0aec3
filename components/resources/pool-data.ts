import type { Filter } from "#lib/core/paging.ts";
import type { PoolTab } from "#lib/resources/pool/limits.ts";

/** Address of the list of people, up to its page. */
export const poolAddress = "resource/list";
export const introductionsAddress = "resource/introduce/list";

/** What a person has set above the list. */
export type PoolQuestion = { search: string; status: string[]; authState: string[]; availability: string[]; skill: string[] };
export const noQuestion: PoolQuestion = { search: "", status: [], authState: [], availability: [], skill: [] };

/** The question as the conditions of the list. */
export const filtersOf = (tab: PoolTab, { search, ...lists }: PoolQuestion): Filter[] => [
  { field: "tab", type: "eq", values: [tab] },
  ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
  ...Object.entries(lists).flatMap(([field, values]): Filter[] => (values.length > 0 ? [{ field, type: "in", values }] : [])),
];
