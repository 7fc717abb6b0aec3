import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { numberFault } from "#lib/core/number-fault.ts";
import { listInput } from "#lib/core/paging.ts";
import { rateDecimals, rateMax } from "../versions/limits.ts";
import {
  clusterChars,
  coordinateDecimals,
  countMax,
  duTypes,
  engineRegionChars,
  groupNameChars,
  inputRowsMax,
  itemCodeChars,
  itemDescriptionChars,
  latitudeMax,
  longitudeMax,
  materialCategoryChars,
  quantityDecimals,
  quantityMax,
  quantityMin,
  resourceNameChars,
  siteChars,
  skillTypeChars,
  turnaroundDaysMax,
  workflowNameChars,
} from "./limits.ts";
import { lastOfMonth } from "./logic.ts";

const id = z.int().min(1);
const text = (max: number) =>
  z
    .string()
    .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } })
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } });
/** A text that has to be there. */
const required = (max: number) => text(max).refine((given) => given !== "", { params: { code: "VALUE_MISSING" } });
/** A text that may be empty. */
const optional = (max: number) =>
  text(max)
    .transform((given) => given || null)
    .nullish();
const number = (min: number, max: number, decimals: number) =>
  z.number().superRefine((given, context) => {
    const fault = numberFault(given, { min, max, decimals });
    if (fault) context.addIssue({ code: "custom", params: { code: fault.code, ...fault.params } });
  });
/** A positive number with two decimals, a number that may be 0, a positive whole number: what the fields of an input are checked as. [ENG-27] */
const quantity = () => number(quantityMin, quantityMax, quantityDecimals);
const stock = () => number(0, quantityMax, quantityDecimals);
const count = () => number(1, countMax, 0);
const rate = () => number(0, rateMax, rateDecimals);

const stored = { id: id.optional(), rowVersion: z.int().min(1).optional() };
type Stored = { id?: number | undefined; rowVersion?: number | undefined };
const revision = (row: Stored, context: z.RefinementCtx) => {
  if (row.id !== undefined && row.rowVersion === undefined)
    context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
};
const rowsOf = <Row extends z.ZodType>(row: Row) =>
  z
    .array(row)
    .refine((given) => given.length > 0, { params: { code: "NOTHING_MODIFIED" } })
    .refine((given) => given.length <= inputRowsMax, { params: { code: "TOO_MANY", max: inputRowsMax } });
/** Rows of a version, as a grid saves them. */
const ofVersion = <Row extends z.ZodType>(row: Row) => z.strictObject({ versionId: id, rows: rowsOf(row) });

/** Rows of a version, without one those of the current version; of some DUs alone where the rows are of DUs. */
export const ListInputs = listInput({ search: ["like"], versionId: ["eq"], duId: ["in"] }, { sortable: [] });

/** Rows to delete. [ENG-31] */
export const DeleteRows = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .refine((given) => given.length <= inputRowsMax, { params: { code: "TOO_MANY", max: inputRowsMax } })
    .transform((given) => [...new Set(given)]),
});

const day = () => z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });

/** DUs with what only the engine asks of them; an end of month is kept as its last day. [ENG-10] */
export const SaveEngineDus = ofVersion(
  z
    .strictObject({
      ...stored,
      duId: id,
      workflowName: required(workflowNameChars),
      duType: z.enum(duTypes),
      customerSite: optional(siteChars),
      directMigrationSite: optional(siteChars),
      allowDirectMoving: z.boolean().default(false),
      region: optional(engineRegionChars),
      longitude: number(-longitudeMax, longitudeMax, coordinateDecimals).nullish(),
      latitude: number(-latitudeMax, latitudeMax, coordinateDecimals).nullish(),
      cluster: optional(clusterChars),
      clusterPriority: count().nullish(),
      rfiPriority: count().nullish(),
      planEndDate: day().nullish(),
      icActualEndDate: day().nullish(),
      decomActualEndDate: day().nullish(),
      eomonth: day().transform(lastOfMonth).nullish(),
      decomSite: optional(siteChars),
      inScope: z.boolean().default(true),
    })
    .superRefine((row, context) => {
      revision(row, context);
      if ((row.longitude == null) !== (row.latitude == null))
        context.addIssue({ code: "custom", path: [row.longitude == null ? "longitude" : "latitude"], params: { code: "VALUE_MISSING" } });
    }),
);

export const SaveSkillResources = ofVersion(
  z
    .strictObject({
      ...stored,
      skillType: required(skillTypeChars),
      resourceName: required(resourceNameChars),
      region: optional(engineRegionChars),
      /** 0 = its teams are lost for now. */
      teamCount: number(0, countMax, 0),
    })
    .superRefine(revision),
);

/** What a DU gives back or needs: one of the two quantities. [ENG-12] [ENG-23] */
export const SaveDuMaterials = ofVersion(
  z
    .strictObject({
      ...stored,
      duId: id,
      itemCode: required(itemCodeChars),
      description: optional(itemDescriptionChars),
      decomQty: quantity().nullish(),
      installQty: quantity().nullish(),
      materialCategory: optional(materialCategoryChars),
    })
    .superRefine((row, context) => {
      revision(row, context);
      if ((row.decomQty == null) === (row.installQty == null))
        context.addIssue({ code: "custom", path: ["installQty"], params: { code: "QTY_EXACTLY_ONE" } });
    }),
);

/** Stock, and what is to come: never nothing, and the plan with its day. [ENG-14] [ENG-24] [ENG-25] */
export const SaveInventory = ofVersion(
  z
    .strictObject({
      ...stored,
      warehouseId: id,
      itemCode: required(itemCodeChars),
      inventoryQty: stock().nullish(),
      planQty: stock().nullish(),
      planInboundDate: z
        .string()
        .refine(isIsoDay, { params: { code: "DATE_FORMAT" } })
        .nullish(),
    })
    .superRefine((row, context) => {
      revision(row, context);
      if (row.inventoryQty == null && row.planQty == null && row.planInboundDate == null)
        context.addIssue({ code: "custom", path: ["inventoryQty"], params: { code: "INVENTORY_EMPTY" } });
      else if ((row.planQty == null) !== (row.planInboundDate == null))
        context.addIssue({
          code: "custom",
          path: [row.planQty == null ? "planQty" : "planInboundDate"],
          params: { code: "PLAN_QTY_DATE_PAIR" },
        });
    }),
);

/** What may stand in for a design item; each item with its quantity. [ENG-15] [ENG-26] */
export const SaveItemSubstitutes = ofVersion(
  z
    .strictObject({
      ...stored,
      designItemCode: required(itemCodeChars),
      designDescription: optional(itemDescriptionChars),
      designQty: quantity(),
      designPriority: count(),
      groupName: required(groupNameChars),
      warehouseItemCode: required(itemCodeChars),
      warehouseDescription: optional(itemDescriptionChars),
      warehouseQty: quantity(),
      substitutionPriority: count(),
    })
    .superRefine(revision),
);

export const SaveReuseMaterials = ofVersion(
  z
    .strictObject({
      ...stored,
      itemCode: required(itemCodeChars),
      materialCategory: optional(materialCategoryChars),
      damageRate: rate().nullish(),
      reuseRate: rate().nullish(),
      bufferRate: rate().nullish(),
      turnaroundDays: number(0, turnaroundDaysMax, 0).default(0),
    })
    .superRefine(revision),
);
