import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { roles } from "#lib/permissions.ts";
import { dusPerCall } from "../limits.ts";
import { orderNameChars, processesPerCall, processNameChars, stepDaysMax, stepDaysMin, stepsMax } from "./limits.ts";

const id = z.int().min(1);
const distinct = (ids: number[]) => [...new Set(ids)];
const nameOf = (max: number) =>
  z
    .string()
    .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } })
    .trim()
    .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
    .refine((given) => [...given].length <= max, { params: { code: "NAME_TOO_LONG", max } });

/** One work order of a temporary process: its name, the role that is to carry it out, its working days. */
export const ProcessStep = z.strictObject({
  workOrderName: nameOf(orderNameChars),
  ownerRole: z.enum(roles),
  days: z.int().min(stepDaysMin).max(stepDaysMax),
});
export type ProcessStep = z.output<typeof ProcessStep>;

export const ListProcesses = listInput({ search: ["like"], status: ["eq", "in"] }, { sortable: ["name", "flow", "status", "orders"] });

/** A change names the id and the revision it was read at. */
export const SaveProcess = z
  .strictObject({
    id: id.optional(),
    name: nameOf(processNameChars),
    flowId: id.nullish(),
    steps: z.array(ProcessStep).max(stepsMax),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveProcess = z.output<typeof SaveProcess>;

export const ProcessIds = z.strictObject({ ids: z.array(id).min(1).max(processesPerCall).transform(distinct) });
export type ProcessIds = z.output<typeof ProcessIds>;

/** DUs that get the work orders of a process, and when the first begins. */
export const CreateOrders = z.strictObject({
  id,
  duIds: z
    .array(id)
    .min(1)
    .transform(distinct)
    .refine((ids) => ids.length <= dusPerCall, { params: { code: "TOO_MANY_DU", max: dusPerCall } }),
  start: PlanDay,
});
export type CreateOrders = z.output<typeof CreateOrders>;
