import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import {
  companiesPerCall,
  companyCodeForm,
  companyNameChars,
  companySearchChars,
  companyStatuses,
  companyTypesMax,
  countriesMax,
  typeActivitiesMax,
  typeNameChars,
} from "./limits.ts";

const id = z.int().min(1);
const distinct = <Value>(values: Value[]) => [...new Set(values)];
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const nameOf = (max: number) =>
  text()
    .trim()
    .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
    .refine((given) => [...given].length <= max, { params: { code: "NAME_TOO_LONG", max } });
const revision = (given: { id?: number | undefined; rowVersion?: number | undefined }, context: z.RefinementCtx) => {
  if (given.id !== undefined && given.rowVersion === undefined)
    context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
};

export const ListCompanies = listInput(
  { search: ["like"], status: ["eq", "in"], typeId: ["eq", "in"] },
  { sortable: ["code", "name", "status", "dpaExpires"] },
);

/** A change names the id and the revision it was read at. [RES-28] */
export const SaveCompany = z
  .strictObject({
    id: id.optional(),
    code: text()
      .trim()
      .refine((given) => companyCodeForm.test(given), { params: { code: "CODE_FORMAT" } }),
    name: nameOf(companyNameChars),
    typeIds: z.array(id).max(companyTypesMax).default([]).transform(distinct),
    countries: z
      .array(z.string().regex(/^[A-Z]{2}$/))
      .max(countriesMax)
      .default([])
      .transform(distinct),
    dpaRequired: z.boolean().default(false),
    dpaExpires: z
      .string()
      .refine(isIsoDay, { params: { code: "DATE_FORMAT" } })
      .nullish(),
    status: z.enum(companyStatuses).default("ACTIVE"),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine(revision);
export type SaveCompany = z.output<typeof SaveCompany>;

export const CompanyIds = z.strictObject({ ids: z.array(id).min(1).max(companiesPerCall).transform(distinct) });
export type CompanyIds = z.output<typeof CompanyIds>;
export const FindCompanies = z.strictObject({ keyword: text().trim().max(companySearchChars).optional() });
export type FindCompanies = z.output<typeof FindCompanies>;

/** A kind of company with its activities. [RES-13] */
export const SaveType = z
  .strictObject({
    id: id.optional(),
    name: nameOf(typeNameChars),
    activityIds: z.array(id).max(typeActivitiesMax).default([]).transform(distinct),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine(revision);
export type SaveType = z.output<typeof SaveType>;
export const TypeIds = CompanyIds;
export const Nothing = z.strictObject({});
