import { z } from "zod";
import { numberFault } from "#lib/core/number-fault.ts";
import { listInput } from "#lib/core/paging.ts";
import { isPlainText, plainValue } from "#lib/core/plain-value.ts";
import {
  coordinateDecimals,
  duChars,
  latitudeMax,
  longitudeMax,
  priorityMax,
  quantityDecimals,
  quantityMax,
  quantityMin,
  savedRowsMax,
  siteChars,
  siteStatuses,
  valueUnits,
  workTypes,
} from "./limits.ts";

const id = z.int().min(1);

// A blank text is no value.
const text = (max: number) =>
  plainValue(
    z
      .string()
      .trim()
      .max(max)
      .nullable()
      .transform((value) => value || null),
    (value) => value === null || isPlainText(value, max),
  );
const required = (max: number) => plainValue(z.string().trim().min(1).max(max), (value) => isPlainText(value, max));
const priority = z.int().min(1).max(priorityMax).nullable();

function number(min: number, max: number, decimals: number) {
  return z
    .number()
    .superRefine((value, context) => {
      const fault = numberFault(value, { min, max, decimals });
      if (fault) context.addIssue({ code: "custom", params: { code: fault.code, ...fault.params } });
    })
    .nullable();
}
// Coordinates carry more decimals in many sources; what lies beyond ten centimetres is dropped.
const coordinateUnit = 10 ** coordinateDecimals;
const coordinate = (max: number) =>
  plainValue(
    z
      .number()
      .refine((value) => Math.abs(value) <= max, { params: { code: "VALUE_RANGE", min: -max, max } })
      .transform((value) => Number(value.toFixed(coordinateDecimals)))
      .nullable(),
    (value) =>
      value === null ||
      // Zero has a sign, which the parser takes away.
      (typeof value === "number" && Math.abs(value) <= max && Object.is(Math.round(value * coordinateUnit) / coordinateUnit, value + 0)),
  );

/** The fields of a DU a person edits, by their name; the import uses the same. */
export const duFields = {
  code: required(duChars.code),
  name: required(duChars.name),
  siteId: id,
  projectCode: text(duChars.projectCode),
  subProjectCode: text(duChars.subProjectCode),
  deliveryType: text(duChars.deliveryType),
  workType: z.enum(workTypes).nullable(),
  regionId: id.nullable(),
  subcontractorId: id.nullable(),
  clusterPriority: priority,
  rfiPriority: priority,
  directMigrationSiteId: id.nullable(),
  decomSiteId: id.nullable(),
  allowDirectMoving: z.boolean(),
  acceptance: text(duChars.acceptance),
  poCompletenessNo: text(duChars.poCompletenessNo),
  deliveryKey: text(duChars.deliveryKey),
  deliveryBatchNo: text(duChars.deliveryBatchNo),
  productType: text(duChars.productType),
  productLine: text(duChars.productLine),
  scenarioType: text(duChars.scenarioType),
  rruIcsScene: text(duChars.rruIcsScene),
  valueUnit: z.enum(valueUnits).nullable(),
  valueQty: number(quantityMin, quantityMax, quantityDecimals),
  eomonth: z
    .string()
    .refine((value) => /^\d{4}-(0[1-9]|1[0-2])$/.test(value), { params: { code: "MONTH_FORMAT" } })
    .nullable(),
  rfcNumber: text(duChars.rfcNumber),
  hwContractNumber: text(duChars.hwContractNumber),
  completenessType: text(duChars.completenessType),
  networkElementId: text(duChars.networkElementId),
} as const;
export type DuField = keyof typeof duFields;
export const duFieldNames = Object.keys(duFields) as DuField[];

/** The fields of a site a person edits, by their name; the import uses the same. */
export const siteFields = {
  code: required(siteChars.code),
  name: required(siteChars.name),
  siteNumber: text(siteChars.siteNumber),
  country: text(siteChars.country),
  province: text(siteChars.province),
  city: text(siteChars.city),
  town: text(siteChars.town),
  address: text(siteChars.address),
  postCode: text(siteChars.postCode),
  longitude: coordinate(longitudeMax),
  latitude: coordinate(latitudeMax),
  stateId: text(siteChars.stateId),
  stateName: text(siteChars.stateName),
  siteScenario: text(siteChars.siteScenario),
  status: z.enum(siteStatuses),
} as const;
export type SiteField = keyof typeof siteFields;
export const siteFieldNames = Object.keys(siteFields) as SiteField[];

/** What a DU names by code where its id is not at hand: its site, the DUs it migrates with or replaces. The code stands before the id. */
export const duCodeFields = {
  siteCode: required(siteChars.code),
  directMigrationSiteCode: text(duChars.code),
  decomSiteCode: text(duChars.code),
} as const;

const version = { id: id.optional(), rowVersion: z.int().min(1).optional() };

// A new row gives what it must have, a changed one its id, the version it was read with and what changes.
function rows<Row extends z.ZodType<{ id?: number | undefined; rowVersion?: number | undefined }>>(row: Row, needed: readonly string[]) {
  const whole = row.superRefine((given, context) => {
    const missing = given.id === undefined ? needed : ["rowVersion"];
    for (const path of missing)
      if ((given as Record<string, unknown>)[path] === undefined)
        context.addIssue({ code: "custom", path: [path], params: { code: "VALUE_MISSING" } });
  });
  return z
    .array(whole)
    .min(1)
    .refine((given) => given.length <= savedRowsMax, { params: { code: "TOO_MANY_DU", max: savedRowsMax } });
}

export const SaveDus = z.strictObject({
  rows: rows(z.strictObject({ ...version, ...z.object({ ...duFields, ...duCodeFields }).partial().shape }), ["code", "name"]),
});
export const SaveSites = z.strictObject({
  rows: rows(z.strictObject({ ...version, ...z.object(siteFields).partial().shape }), ["code", "name"]),
});

const ids = z
  .array(id)
  .refine((given) => given.length > 0, { params: { code: "NO_SELECTION", object: "du" } })
  .refine((given) => given.length <= savedRowsMax, { params: { code: "TOO_MANY_DU", max: savedRowsMax } })
  .transform((given) => [...new Set(given)]);

export const DeleteDus = z.strictObject({ ids });
export const MigrateDus = z.strictObject({ ids, subProjectCode: required(duChars.subProjectCode) });
export const DeleteSites = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(savedRowsMax)
    .transform((given) => [...new Set(given)]),
});

const textual = ["like", "eq", "in", "empty", "notEmpty"] as const;
const chosen = ["eq", "in", "empty", "notEmpty"] as const;

export const ListDus = listInput(
  {
    search: ["like", "in"],
    code: textual,
    name: textual,
    siteCode: textual,
    siteName: textual,
    city: textual,
    regionId: chosen,
    subcontractorId: chosen,
    flowId: chosen,
    siteId: ["eq"],
    deliveryType: textual,
    workType: chosen,
    productType: textual,
    productLine: textual,
    subProjectCode: textual,
    rfcNumber: textual,
  },
  {
    sortable: [
      "code",
      "name",
      "siteCode",
      "siteName",
      "region",
      "subcontractor",
      "flow",
      "city",
      "deliveryType",
      "productType",
      "productLine",
      "subProjectCode",
    ],
  },
);

export const ListSites = listInput(
  {
    search: ["like", "in"],
    code: textual,
    name: textual,
    province: textual,
    city: textual,
    town: textual,
    status: chosen,
    located: ["eq"],
  },
  { sortable: ["code", "name", "province", "city", "town", "postCode", "duCount", "status"] },
);

export const DuOptions = z.strictObject({});
