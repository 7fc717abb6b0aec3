import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { reasonChars } from "#lib/rollout-plan/edits/limits.ts";
import { confirmed, type RejectedCell } from "#lib/rollout-plan/edits/schema.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { batchActivitiesMax, batchFields, copyFields, type OwnerKind, ownerKinds, ownerModes, shiftDaysMax } from "./limits.ts";

const id = z.int().min(1);
const day = z.string().refine((value) => isIsoDay(value) || value === "NA" || value === "INV", { params: { code: "DATE_FORMAT" } });
const days = z.int().min(-shiftDaysMax).max(shiftDaysMax);

const selection = {
  duIds: z
    .array(id)
    .min(1)
    .transform((given) => [...new Set(given)]),
  activityIds: z
    .array(id)
    .min(1)
    .max(batchActivitiesMax)
    .transform((given) => [...new Set(given)]),
  reason: z.string().trim().max(reasonChars).optional(),
  confirmed,
};

/** DUs and activities a batch works on. */
export type Selection = { duIds: number[]; activityIds: number[]; reason?: string | undefined; confirmed?: string | undefined };

const set = z.strictObject({
  ...selection,
  field: z.enum(batchFields),
  mode: z.literal("set"),
  value: day,
  preview: z.boolean().default(false),
});
const shift = z.strictObject({
  ...selection,
  field: z.enum(batchFields),
  mode: z.literal("shift"),
  value: days,
  preview: z.boolean().default(false),
});
const copy = z.strictObject({
  ...selection,
  field: z.enum(batchFields),
  mode: z.literal("copy"),
  /** Another date of the same activity, or of another one, plus working days. */
  value: z.strictObject({ field: z.enum(copyFields), activityId: id.optional(), days: days.default(0) }),
  preview: z.boolean().default(false),
});
const clear = z.strictObject({
  ...selection,
  field: z.enum(batchFields),
  mode: z.literal("clear"),
  value: z.null().optional(),
  preview: z.boolean().default(false),
});

export const SetDates = z.discriminatedUnion("mode", [set, shift, copy, clear]);
export type SetDates = z.output<typeof SetDates>;

/** People are set as a whole, added to those present, or taken out. Nobody at all can only be set, which clears. */
export const SetOwners = z
  .strictObject({
    ...selection,
    kinds: z
      .array(z.enum(Object.keys(ownerKinds) as [OwnerKind, ...OwnerKind[]]))
      .min(1)
      .transform((given) => [...new Set(given)]),
    mode: z.enum(ownerModes),
    value: z
      .array(id)
      .transform((given) => [...new Set(given)])
      .refine((given) => given.length <= ownersMax, { params: { code: "TOO_MANY", max: ownersMax } }),
    /** Cells that hold somebody stay as they are. */
    onlyEmpty: z.boolean().default(false),
    preview: z.boolean().default(false),
  })
  .refine(({ mode, value }) => mode === "set" || value.length > 0, { path: ["value"], params: { code: "VALUE_MISSING" } });
export type SetOwners = z.output<typeof SetOwners>;

/** One value of one attribute; activities are named exactly for attributes of activities. A blank removes the value. */
export const SetAttribute = z.strictObject({
  duIds: selection.duIds,
  activityIds: selection.activityIds.optional(),
  reason: selection.reason,
  confirmed,
  attributeId: id,
  value: z.union([z.string().max(5000), z.number(), z.null()]),
  onlyEmpty: z.boolean().default(false),
  preview: z.boolean().default(false),
});
export type SetAttribute = z.output<typeof SetAttribute>;

export const CloseInput = z.strictObject({ duIds: selection.duIds, activityIds: selection.activityIds, confirmed });
export const ReopenInput = z.strictObject(selection);

/** One changed cell of a preview. */
export type SampleCell = { duId: number; activityId?: number | undefined; field: string; old: string | null; new: string | null };
/** What a batch did, or would do: changed cells, all refused cells and examples of the changed ones; `taskId` carries NA and INV out. */
export type BatchResult = {
  changed: number;
  rejected: RejectedCell[];
  sample: SampleCell[];
  batchId: number | null;
  taskId?: string | null;
};
