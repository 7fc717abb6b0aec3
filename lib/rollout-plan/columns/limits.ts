/** How the values of a column look: what it sorts by, which filters it takes and how its cell is edited. */
export type ColumnType =
  | "text"
  | "integer"
  | "number"
  | "boolean"
  | "date"
  | "time"
  | "datetime"
  | "month"
  | "choice"
  | "reference"
  | "status"
  | "progress";

/**
 * A DU column of the grid: its type, its width in pixels and whether a cell may be edited in place (under its name in `dus/schema`).
 * `logged`: the field by which the plan log knows a column that is changed elsewhere alone.
 */
export type DuColumn = { type: ColumnType; width: number; edit?: string; logged?: string; choices?: readonly string[] };

/** DU columns in the order they are offered. [RPL-10] */
export const duColumns = {
  code: { type: "text", width: 140 },
  name: { type: "text", width: 200, edit: "name" },
  status: { type: "status", width: 110 },
  flow: { type: "reference", width: 160 },
  progress: { type: "progress", width: 90 },
  planEndDate: { type: "date", width: 104 },
  nextPlanEnd: { type: "date", width: 104 },
  icActualEnd: { type: "date", width: 104 },
  decomActualEnd: { type: "date", width: 104 },
  releaseState: { type: "choice", width: 96, choices: ["unreleased", "released", "changed"] },
  region: { type: "reference", width: 120, edit: "regionId" },
  subcontractor: { type: "reference", width: 140, edit: "subcontractorId" },
  siteCode: { type: "text", width: 140 },
  siteName: { type: "text", width: 180 },
  siteNumber: { type: "text", width: 110 },
  projectCode: { type: "text", width: 120, edit: "projectCode" },
  subProjectCode: { type: "text", width: 120 },
  deliveryType: { type: "text", width: 110, edit: "deliveryType" },
  workType: { type: "choice", width: 100, edit: "workType", choices: ["install", "dismantle"] },
  productType: { type: "text", width: 110, edit: "productType" },
  productLine: { type: "text", width: 110, edit: "productLine" },
  scenarioType: { type: "text", width: 110, edit: "scenarioType" },
  siteScenario: { type: "text", width: 110 },
  rruIcsScene: { type: "text", width: 110, edit: "rruIcsScene" },
  cluster: { type: "reference", width: 120, logged: "clusterId" },
  clusterPriority: { type: "integer", width: 90, edit: "clusterPriority" },
  rfiPriority: { type: "integer", width: 90, edit: "rfiPriority" },
  directMigrationSite: { type: "reference", width: 140, edit: "directMigrationSiteId" },
  decomSite: { type: "reference", width: 140, edit: "decomSiteId" },
  allowDirectMoving: { type: "boolean", width: 90, edit: "allowDirectMoving" },
  acceptance: { type: "text", width: 110, edit: "acceptance" },
  poCompletenessNo: { type: "text", width: 130, edit: "poCompletenessNo" },
  rfcNumber: { type: "text", width: 120, edit: "rfcNumber" },
  eomonth: { type: "month", width: 90, edit: "eomonth" },
  deliveryKey: { type: "text", width: 120, edit: "deliveryKey" },
  deliveryBatchNo: { type: "text", width: 120, edit: "deliveryBatchNo" },
  valueUnit: { type: "choice", width: 90, edit: "valueUnit", choices: ["KM", "M", "Household", "Set"] },
  valueQty: { type: "number", width: 100, edit: "valueQty" },
  country: { type: "text", width: 100 },
  province: { type: "text", width: 110 },
  city: { type: "text", width: 110 },
  town: { type: "text", width: 110 },
  address: { type: "text", width: 220 },
  postCode: { type: "text", width: 90 },
  longitude: { type: "number", width: 100 },
  latitude: { type: "number", width: 100 },
  stateId: { type: "text", width: 90 },
  stateName: { type: "text", width: 110 },
} as const satisfies Record<string, DuColumn>;
export type DuColumnKey = keyof typeof duColumns;
export const duColumnKeys = Object.keys(duColumns) as DuColumnKey[];

/** Columns of an activity's group, in their order. [RPL-12] */
export const activityColumns = {
  planStart: { type: "date", width: 104 },
  planEnd: { type: "date", width: 104 },
  actualStart: { type: "date", width: 104 },
  actualEnd: { type: "date", width: 104 },
  baselineStart: { type: "date", width: 104 },
  baselineEnd: { type: "date", width: 104 },
  planOwner: { type: "reference", width: 130 },
  actualOwner: { type: "reference", width: 130 },
  attrOwner: { type: "reference", width: 130 },
  status: { type: "status", width: 110 },
  delayReason: { type: "text", width: 160 },
  score: { type: "integer", width: 70 },
  scoreRemark: { type: "text", width: 160 },
} as const satisfies Record<string, { type: ColumnType; width: number }>;
export type ActivityColumnKey = keyof typeof activityColumns;

/** Columns of an activity's note. */
export const noteFields = ["delayReason", "score", "scoreRemark"] as const satisfies readonly ActivityColumnKey[];
export type NoteField = (typeof noteFields)[number];

/** Kinds of extension attributes. */
export const attributeTypes = [
  "TEXT",
  "LONG_TEXT",
  "NUMBER",
  "DATE",
  "TIME",
  "DATETIME",
  "ENUM",
  "LOOKUP_ENUM",
  "READ_ONLY",
  "TEXT_AREA",
] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** Longest texts of an attribute value, and the bytes a long one may take. */
export const textChars = 1024;
export const longTextChars = 2000;
export const longTextBytes = 4000;
export const enumChars = 70;
/** Range and decimals of a number attribute without a value limit of its own. */
export const attributeNumberMax = 99_999_999.99;
export const attributeNumberDecimals = 2;

/** Delay reason and score remark. OPS remark.chars */
export const delayReasonChars = 500;
