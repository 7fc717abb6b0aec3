import type { PermissionCode } from "#lib/permissions.ts";
import type { ScreenKey } from "#lib/screens.ts";

/** Kinds of imports: the right of the imported object, the endings of its files (OPS-15; outside lists may be csv), whether they need the hidden sheet, and the screen that imports them and opens a checked file. */
export const importKinds = {
  calendar: { needs: "calendar.edit", endings: ["xlsx", "xlsm"], needsMeta: false, screen: "workCalendars" },
  duRelations: { needs: "duRelation.edit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "duRelations" },
  dus: { needs: "du.edit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "sites" },
  flows: { needs: "flow.import", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "activityFlows" },
  members: { needs: "role.assign", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "members" },
  networkRegions: { needs: "region.edit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "regions" },
  resources: { needs: "resource.edit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "resourcePool" },
  sites: { needs: "du.edit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "sites" },
  duOwners: { needs: "owner.duEdit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "responsibleOwners" },
  regionOwners: { needs: "owner.duEdit", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "responsibleOwners" },
  planFeedback: { needs: "version.distribute", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "planFeedback" },
  reversePlan: { needs: "rollout.import", endings: ["xlsx", "xlsm", "csv"], needsMeta: false, screen: "templates" },
  plan: { needs: "rollout.import", endings: ["xlsx", "xlsm"], needsMeta: true, screen: "rolloutPlan" },
} as const satisfies Record<string, { needs: PermissionCode; endings: readonly string[]; needsMeta: boolean; screen: ScreenKey }>;
export type ImportKindName = keyof typeof importKinds;
export const importKindNames = Object.keys(importKinds) as [ImportKindName, ...ImportKindName[]];
/** Every right that allows some import. */
export const importNeeds = [...new Set(Object.values(importKinds).map((kind) => kind.needs))];

/** Groups of fields a template has columns for; each has a title of its own. */
export const templateGroups = ["du", "site", "calendar", "member", "flow", "relation", "feedback", "region", "owner", "resource"] as const;

export const encodings = ["utf-8", "gb18030", "windows-1252"] as const;
export const delimiters = ["", ",", ";", "\t"] as const;

/** Rows that are looked at to suggest what the columns mean. */
export const sampleRows = 50;
/** Examples shown of one column. */
export const samplesShown = 4;
/** Rows written in one transaction. */
export const chunkRows = 10_000;
/** Changed cells up to which a file that is applied as a whole goes into one transaction though its kind would take fewer rows. */
export const wholeCells = 500_000;
/** Rows that may be named one by one for an application, and cells whose conflict is settled one by one. */
export const pickedRowsMax = 10_000;
export const settledCellsMax = 10_000;
/** Rows that are checked and stored together: few at first, as a reader gives its first rows soon and the others faster than they are checked. */
export const firstRows = 500;
export const checkedRows = 2_500;
export const reasonChars = 2000;
/** Last row of a sheet that may hold the titles, where somebody says which one does. */
export const headerRowMax = 100;
