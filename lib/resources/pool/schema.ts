import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { type Role, roles } from "#lib/permissions.ts";
import {
  addedTypes,
  contractorChars,
  peoplePerCall,
  phoneChars,
  poolTabs,
  resourceStatuses,
  skillChars,
  skillsMax,
  visaTypeChars,
} from "./limits.ts";
import { isAuthPeriod } from "./logic.ts";

const id = z.int().min(1);
const rowVersion = z.int().min(1);
const day = z.iso.date();
const tooMany = { params: { code: "TOO_MANY", max: peoplePerCall } };
const ids = z
  .array(id)
  .min(1)
  .transform((given) => [...new Set(given)])
  .refine((given) => given.length <= peoplePerCall, tooMany);
const text = (max: number) =>
  z
    .string()
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } })
    .transform((given) => given || null)
    .nullable();

/** Telephone numbers: digits and commas. [RES-21] */
export const Phone = z
  .string()
  .trim()
  .refine((given) => /^[0-9,]*$/.test(given) && given.length <= phoneChars, { params: { code: "PHONE_FORMAT", max: phoneChars } })
  .transform((given) => given || null)
  .nullable();

/** The pool by tab, person, what he is and how he stands. */
export const ListResources = listInput(
  {
    tab: ["eq"],
    search: ["like"],
    type: ["in"],
    status: ["in"],
    authState: ["in"],
    availability: ["in"],
    presence: ["in"],
    skill: ["in"],
    subcontractor: ["in"],
    group: ["in"],
    id: ["in"],
  },
  { sortable: ["name", "account", "type", "status", "authEnd", "visaEnd", "lastActivityAt"] },
);

/** What can be said of a person of the pool; a field that is left out stays as it is. */
export const resourceFields = {
  type: z.enum(addedTypes),
  contractor: text(contractorChars),
  phone: Phone,
  authStart: day.nullable(),
  authEnd: day.nullable(),
  visaType: text(visaTypeChars),
  visaStart: day.nullable(),
  visaEnd: day.nullable(),
  skills: z
    .array(z.string().trim().min(1).max(skillChars))
    .max(skillsMax)
    .transform((given) => [...new Set(given)]),
  longitude: z.number().min(-180).max(180).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  publicAccount: z.boolean(),
  dataOwner: z.boolean(),
};
export type ResourceFields = { [Name in keyof typeof resourceFields]: z.output<(typeof resourceFields)[Name]> };
export const resourceFieldNames = Object.keys(resourceFields) as (keyof ResourceFields)[];

/** A person who comes into the pool, or one who changes. */
export const ResourceRow = z
  .strictObject({
    /** A person who is in the pool, at the revision he was read. */
    id: id.optional(),
    rowVersion: rowVersion.optional(),
    /** A person who comes into it. */
    account: z.string().trim().min(1).max(60).optional(),
    ...(Object.fromEntries(Object.entries(resourceFields).map(([name, schema]) => [name, schema.optional()])) as {
      [Name in keyof typeof resourceFields]: z.ZodOptional<(typeof resourceFields)[Name]>;
    }),
    /** Roles the person is to hold in the project from today on, in place of those he was granted. */
    roles: z.array(z.enum(roles as unknown as [Role, ...Role[]])).optional(),
  })
  .superRefine((given, context) => {
    const fault = (path: string, code: string, params = {}) =>
      context.addIssue({ code: "custom", path: [path], params: { code, ...params } });
    if ((given.id === undefined) === (given.account === undefined)) fault("account", "VALUE_MISSING");
    if (given.id !== undefined && given.rowVersion === undefined) fault("rowVersion", "VALUE_MISSING");
    if (given.id === undefined && given.type === undefined) fault("type", "VALUE_MISSING");
    const { authStart, authEnd, visaStart, visaEnd, longitude, latitude } = given;
    if ((authStart == null) !== (authEnd == null)) fault(authStart == null ? "authStart" : "authEnd", "VALUE_MISSING");
    if (authStart != null && authEnd != null && !isAuthPeriod(authStart, authEnd))
      fault("authEnd", "AUTH_OVER_ONE_YEAR", { start: authStart });
    if (visaStart != null && visaEnd != null && visaStart > visaEnd) fault("visaEnd", "VISA_ORDER");
    if ((longitude == null) !== (latitude == null)) fault(longitude == null ? "longitude" : "latitude", "VALUE_MISSING");
  });
export type ResourceInput = z.output<typeof ResourceRow>;

/** People who come into the pool or change. [RES-22] */
export const SaveResources = z.strictObject({
  rows: z
    .array(ResourceRow)
    .min(1)
    .refine((given) => given.length <= peoplePerCall, tooMany),
  /** The person knows that he adds accounts several people use. */
  confirmPublic: z.boolean().default(false),
});
export type SaveResources = z.output<typeof SaveResources>;

export const DeleteResources = z.strictObject({ ids });
export type DeleteResources = z.output<typeof DeleteResources>;

export const SetResourceStatus = z.strictObject({ ids, status: z.enum(resourceStatuses).extract(["ACTIVE", "INACTIVE"]) });
export type SetResourceStatus = z.output<typeof SetResourceStatus>;

export const CountTabs = z.strictObject({});
export const ResourceHistory = z.strictObject({ id });
export type ResourceHistory = z.output<typeof ResourceHistory>;

/** The tab and the conditions of the list that is exported. */
export const ExportResources = z
  .strictObject({ tab: z.enum(poolTabs), filters: z.array(z.unknown()).default([]) })
  .transform(({ tab, filters }, context) => {
    const parsed = ListResources.safeParse({ page: 1, size: 20, filters });
    if (parsed.success) return { tab, filters: parsed.data.filters.filter(({ field }) => field !== "tab") };
    context.addIssue({ code: "custom", path: ["filters"], params: { code: "VALUE_UNKNOWN" } });
    return z.NEVER;
  });
export type ExportResources = z.output<typeof ExportResources>;
