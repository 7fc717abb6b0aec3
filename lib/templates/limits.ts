export const templateKinds = ["search", "filter", "grid", "reverse", "plan"] as const;
export type TemplateKind = (typeof templateKinds)[number];
/** What a search or a plan template is about. [TPL-02] */
export const objectTypes = ["site", "link", "osp", "project"] as const;
export type ObjectType = (typeof objectTypes)[number];

/**
 * Limits of a kind: characters of its name, templates of one scope, and among which of them it counts.
 * A scope is a person in a project for personal templates, the project for public ones. [TPL-05] [TPL-06] [TPL-07] [TPL-09] [TPL-11]
 */
export const templateLimits = {
  search: { nameChars: 30, countMax: 10, per: "objectType" },
  filter: { nameChars: 100, countMax: 20, per: "gridKey" },
  grid: { nameChars: 100, countMax: 20, per: "gridKey" },
  reverse: { nameChars: 200, countMax: null, per: null },
  plan: { nameChars: 30, countMax: 10, per: "objectType" },
} as const satisfies Record<TemplateKind, { nameChars: number; countMax: number | null; per: "objectType" | "gridKey" | null }>;

/** Signs no name may have, besides control characters. [TPL-08] */
export const nameSigns = "< > \" ' % ; & \\ / : * ? |";

export const remarkChars = 500;
export const networkTypeChars = 60;
export const organisationChars = 120;
export const gridKeyChars = 60;
/** The grid of the roll-out plan. */
export const planGrid = "plan";
/** Largest body, as JSON text. */
export const bodyBytesMax = 262_144;
/** Columns a grid template may lock. [TPL-10] */
export const lockedColumnsMax = 8;
/** Width a kept column may have, in pixels. */
export const columnWidthMin = 40;
export const columnWidthMax = 800;
/** Columns a layout names. */
export const columnsMax = 2500;
export const columnKeyChars = 200;
/** Characters of an activity name in the layout of a foreign plan. [TPL-12] */
export const activityNameChars = 150;
/** People a plan template fills empty owners with. */
export const planOwnersMax = 20;
/** Templates one call deletes or hands over. */
export const templatesPerCall = 200;
