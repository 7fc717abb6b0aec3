import type { Filter } from "#lib/core/paging.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import type { PeriodPreset } from "#lib/rollout-plan/conditions/limits.ts";

/** What is asked of the plan log, as in the address of the page. */
export type LogQuestion = {
  /** DU codes as typed. */
  du: string;
  flow: string | null;
  activity: string | null;
  field: string | null;
  actor: string | null;
  source: string | null;
  preset: PeriodPreset | null;
  batch: string | null;
};

export const anything: LogQuestion = {
  du: "",
  flow: null,
  activity: null,
  field: null,
  actor: null,
  source: null,
  preset: null,
  batch: null,
};

/** The conditions of the question as the server reads them. */
export function logFilters(question: LogQuestion): Filter[] {
  const dus = searchEntries(question.du);
  const number = (field: "flow" | "activity" | "actor" | "batch"): Filter[] =>
    question[field] && /^\d{1,15}$/.test(question[field]) ? [{ field, type: "eq", values: [Number(question[field])] }] : [];
  const word = (field: "field" | "source"): Filter[] => (question[field] ? [{ field, type: "eq", values: [question[field]] }] : []);
  return [
    ...(dus.length > 0 ? [{ field: "du", type: "in" as const, values: dus }] : []),
    ...number("flow"),
    ...number("activity"),
    ...word("field"),
    ...number("actor"),
    ...word("source"),
    ...number("batch"),
    ...(question.preset ? [{ field: "at", type: "preset" as const, values: [question.preset] }] : []),
  ];
}

/** The question as the query of an address, empty parts left out. */
export function logQuery(question: LogQuestion): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) if (value) query.set(name, value);
  const text = query.toString();
  return text ? `?${text}` : "";
}
