import { z } from "zod";
import { attributeTypes } from "#lib/rollout-plan/columns/limits.ts";
import { objectTypes } from "../limits.ts";
import { checkedAttributesMax } from "./limits.ts";

const id = z.int().min(1);

export const FindOrganisations = z.strictObject({
  region: z.string().trim().max(100).optional(),
  searchKey: z.string().trim().max(120).optional(),
});
export type FindOrganisations = z.output<typeof FindOrganisations>;

export const FindAttributes = z.strictObject({ objectType: z.enum(objectTypes) });

export const FindActivities = z.strictObject({
  page: z.literal(1).default(1),
  size: z.literal(2000).default(2000),
  flowIds: z.array(id).max(500).optional(),
});
export type FindActivities = z.output<typeof FindActivities>;

export const ValidateAttributes = z.strictObject({
  attributeIds: z.array(id).min(1).max(checkedAttributesMax),
  /** The types they had, by id, where that is to be checked too. */
  types: z.record(z.string().regex(/^\d{1,15}$/), z.enum(attributeTypes)).optional(),
});
export type ValidateAttributes = z.output<typeof ValidateAttributes>;
