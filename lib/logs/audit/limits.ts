/** What the audit log tells of. */
export const auditEvents = [
  "write",
  "sign_in",
  "sign_in_failed",
  "sign_out",
  "enter_project",
  "role_changed",
  "config_changed",
  "permission_denied",
  "export_downloaded",
  "project_closed",
  "project_reopened",
  "erased",
] as const;
export type AuditEvent = (typeof auditEvents)[number];
/** Events that belong to no project: they are shown to administrators for the people of their project. */
export const sessionEvents: readonly AuditEvent[] = ["sign_in", "sign_in_failed", "sign_out"];
/** Rows that are counted and paged; behind them the filter has to be narrower. */
export const auditRowsMax = 10_000;
/** Longest text of a value in an export. */
export const detailChars = 2_000;
