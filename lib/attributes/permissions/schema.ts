import { z } from "zod";
import { roles } from "#lib/permissions.ts";
import { attributeModes } from "../modes/limits.ts";
import { entriesMax, grantsMax, subjectTypes } from "./limits.ts";

const id = z.int().min(1);
const entries = z
  .array(z.strictObject({ attributeId: z.union([id, z.literal("*")]), mode: z.enum(attributeModes) }))
  .max(entriesMax)
  .superRefine((given, context) => {
    const seen = new Set<number | string>();
    given.forEach(({ attributeId }, index) => {
      if (seen.has(attributeId)) context.addIssue({ code: "custom", path: [index, "attributeId"], params: { code: "VALUE_REPEATED" } });
      seen.add(attributeId);
    });
  });

/** Whom a permission or a grant is for: a business role, or an account. */
const subject = {
  subjectType: z.enum(subjectTypes),
  role: z.enum(roles).optional(),
  userId: id.optional(),
};
const complete = (given: { subjectType: string; role?: string | undefined; userId?: number | undefined }, context: z.RefinementCtx) => {
  const path = given.subjectType === "ROLE" ? "role" : "userId";
  if (given[path] === undefined) context.addIssue({ code: "custom", path: [path], params: { code: "VALUE_MISSING", field: path } });
};
const oneOf = <Given extends { subjectType: string; role?: string | undefined; userId?: number | undefined }>(given: Given) => ({
  ...given,
  role: given.subjectType === "ROLE" ? (given.role ?? null) : null,
  userId: given.subjectType === "ACCOUNT" ? (given.userId ?? null) : null,
});

export const NoInput = z.strictObject({});
/** A permission of a role or an account; a change names the id and the revision it was read at. */
export const SavePermission = z
  .strictObject({ id: id.optional(), rowVersion: z.int().min(1).optional(), ...subject, entries })
  .superRefine((given, context) => {
    complete(given, context);
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  })
  .transform(oneOf);
export type SavePermission = z.output<typeof SavePermission>;
export const PermissionIds = z.strictObject({ ids: z.array(id).min(1).max(grantsMax) });
export type PermissionIds = z.output<typeof PermissionIds>;
const grants = z.array(z.strictObject(subject).superRefine(complete).transform(oneOf)).max(grantsMax);
/** Who may add attributes, none: everybody who may edit them; and who might when that was read. */
export const SaveGrants = z.strictObject({ grants, base: grants });
export type SaveGrants = z.output<typeof SaveGrants>;
