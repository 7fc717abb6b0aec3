/** Lines of one permission, and grants a project may have. */
export const entriesMax = 1001;
export const grantsMax = 200;
export const subjectTypes = ["ROLE", "ACCOUNT"] as const;
export type SubjectType = (typeof subjectTypes)[number];
