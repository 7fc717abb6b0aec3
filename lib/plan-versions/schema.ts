import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { deleteVersionsMax, namedDusMax, versionNameChars, versionRemarkChars } from "./limits.ts";

const id = z.int().min(1);

/** Name of a plan or version: required, of some length at most. */
export const versionName = z
  .string()
  .trim()
  .refine((name) => name !== "", { params: { code: "PLAN_NAME_REQUIRED" } })
  .refine((name) => [...name].length <= versionNameChars, { params: { code: "NAME_TOO_LONG", max: versionNameChars } });

const remark = z.string().trim().max(versionRemarkChars).nullish();

export const ListVersions = listInput(
  { search: ["like"], kind: ["eq", "in"], scope: ["eq"], inForce: ["eq"] },
  { sortable: ["code", "name", "kind", "duCount", "createdAt"] },
);

export const FindPlan = z.strictObject({});
export const SavePlan = z.strictObject({ name: versionName, rowVersion: z.int().min(1) });

/** Chosen DUs by their ids; without them the whole project. */
const duIds = z
  .array(id)
  .min(1)
  .refine((ids) => ids.length <= namedDusMax, { params: { code: "TOO_MANY_DU", max: namedDusMax } })
  .transform((ids) => [...new Set(ids)]);

const missing = (field: string) => ({ code: "custom" as const, path: [field], params: { code: "VALUE_MISSING" } });

/** A new baseline of the whole project or of chosen DUs, or, with an id, another name and remark of a version. */
export const SaveVersion = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    kind: z.literal("baseline").optional(),
    name: versionName,
    remark,
    duIds: duIds.optional(),
  })
  .superRefine((given, context) => {
    if (given.id === undefined && given.kind === undefined) context.addIssue(missing("kind"));
    if (given.id !== undefined && given.rowVersion === undefined) context.addIssue(missing("rowVersion"));
  });
export type SaveVersion = z.output<typeof SaveVersion>;

export const DeleteVersions = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .refine((ids) => ids.length <= deleteVersionsMax, { params: { code: "TOO_MANY", max: deleteVersionsMax } })
    .transform((ids) => [...new Set(ids)]),
});
