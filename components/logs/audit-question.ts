import type { Filter } from "#lib/core/paging.ts";

/** What is asked of the audit log; null and empty ask nothing. */
export type AuditQuestion = { actor: string | null; event: string | null; preset: string | null; object: string; request: string | null };

export const anything: AuditQuestion = { actor: null, event: null, preset: null, object: "", request: null };

/** Filters of the list call. */
export function auditFilters({ actor, event, preset, object, request }: AuditQuestion): Filter[] {
  const filters: Filter[] = [];
  if (actor) filters.push({ field: "actor", type: "eq", values: [Number(actor)] });
  if (event) filters.push({ field: "event", type: "eq", values: [event] });
  if (preset) filters.push({ field: "at", type: "preset", values: [preset] });
  if (object.trim()) filters.push({ field: "object", type: "like", values: [object.trim()] });
  if (request) filters.push({ field: "request", type: "eq", values: [request] });
  return filters;
}
