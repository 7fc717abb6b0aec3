import { z } from "zod";
import { conditionsMax } from "#lib/rollout-plan/conditions/limits.ts";
import { Condition, PlanQuestion } from "#lib/rollout-plan/conditions/schema.ts";
import { exceptionKinds } from "#lib/rollout-plan/exceptions/limits.ts";

const id = z.int().min(1);

export const FilterInput = z.strictObject({
  ...PlanQuestion.shape,
  /** Only DUs with an exception of this kind. */
  exception: z.enum(exceptionKinds).optional(),
  /** The view that asks (grid, card, map ...). */
  view: z.string().max(40).optional(),
  /** The reply names the DUs. */
  ids: z.boolean().optional(),
});
export type FilterInput = z.output<typeof FilterInput>;

export const FacetInput = z.strictObject({
  column: z.string().min(1).max(60),
  activityId: id.optional(),
  filters: z.array(Condition).max(conditionsMax).default([]),
  q: z.string().max(200).optional(),
});
export type FacetInput = z.output<typeof FacetInput>;

export const SummaryInput = z.strictObject({ queryId: z.uuid(), activityIds: z.array(id).min(1).max(2000) });
export type SummaryInput = z.output<typeof SummaryInput>;
