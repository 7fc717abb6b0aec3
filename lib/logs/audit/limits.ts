import type { AuditEvent } from "#lib/core/audit-events.ts";

/** Events that belong to no project: they are shown to administrators for the people of their project. */
export const sessionEvents: readonly AuditEvent[] = ["sign_in", "sign_in_failed", "sign_out"];
/** Rows that are counted and paged; behind them the filter has to be narrower. */
export const auditRowsMax = 10_000;
/** Longest text of a value in an export. */
export const detailChars = 2_000;
