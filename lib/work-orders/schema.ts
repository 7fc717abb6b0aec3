import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { orderActivitiesMax, orderBatchMax, orderReasonMax, submitMax } from "./orders/limits.ts";

const id = z.int().min(1);
const distinct = (ids: number[]) => [...new Set(ids)];

const orderIds = (max: number) =>
  z
    .array(id)
    .refine((ids) => ids.length > 0, { params: { code: "NO_SELECTION", object: "work order" } })
    .transform(distinct)
    .refine((ids) => ids.length <= max, { params: { code: "TOO_MANY", max } });

const duIds = z
  .array(id)
  .min(1)
  .transform(distinct)
  .refine((ids) => ids.length <= orderBatchMax, { params: { code: "TOO_MANY_DU", max: orderBatchMax } });
const activityIds = z.array(id).min(1).max(orderActivitiesMax).transform(distinct);

/** Reason of a step that must have one. */
export const Reason = z
  .string()
  .trim()
  .max(orderReasonMax)
  .refine((text) => text !== "", { params: { code: "REASON_REQUIRED" } });
const Remark = z.string().trim().max(orderReasonMax);

/** Every named activity of every named DU. */
export const Places = { duIds, activityIds };

/** Orders by their ids, or activities of DUs, which may have no order yet. */
export type OrderChoice = { ids?: number[] | undefined; duIds?: number[] | undefined; activityIds?: number[] | undefined };
const choice = { ids: orderIds(orderBatchMax).optional(), duIds: duIds.optional(), activityIds: activityIds.optional() };
const needsChoice = (given: OrderChoice, context: z.RefinementCtx) => {
  if (given.ids) return;
  for (const field of ["duIds", "activityIds"] as const)
    if (!given[field]) context.addIssue({ code: "custom", path: [field], params: { code: "VALUE_MISSING" } });
};

/** Who is to carry the orders out; without assignee the first plan owner of each. */
export const DispatchOrders = z
  .strictObject({ ...choice, assigneeId: id.optional(), confirmUnreleased: z.boolean().default(false) })
  .superRefine(needsChoice);

export const MoveOrders = z.strictObject({ ids: orderIds(orderBatchMax), reason: Remark.optional() });
export const SuspendOrders = z.strictObject({ ids: orderIds(orderBatchMax), reason: Reason });
export const ReassignOrders = z.strictObject({ ids: orderIds(orderBatchMax), assigneeId: id, reason: Remark.optional() });
export const CancelOrders = z.strictObject({ ...choice, reason: Reason }).superRefine(needsChoice);
export const RedoOrders = z.strictObject({ ...Places, reason: Reason });

const dates = { actualStart: PlanDay.optional(), actualEnd: PlanDay.optional() };
/** Hash of the questions that were shown and answered, as a save of the plan repeats it. */
const confirmed = z.string().max(64).optional();
export const StartOrders = z.strictObject({ ids: orderIds(submitMax), ...dates, confirmed });
export const SubmitOrders = z.strictObject({ ids: orderIds(submitMax), event: z.enum(["start", "complete"]), ...dates, confirmed });
export const RemoteUpdate = z
  .strictObject({ id, ...dates, remark: Remark.optional() })
  .refine(({ actualStart, actualEnd }) => actualStart !== undefined || actualEnd !== undefined, {
    path: ["actualEnd"],
    params: { code: "VALUE_MISSING" },
  });

/** Orders; with `status` "scheduled" alone it lists what waits for dispatch, whether it has an order or not. */
export const ListOrders = listInput(
  {
    status: ["eq", "in"],
    mine: ["eq"],
    duId: ["eq", "in"],
    activityId: ["eq", "in"],
    assigneeId: ["eq", "in"],
    search: ["like", "in"],
    redone: ["eq"],
  },
  { sortable: ["number", "code", "activity", "status", "planStart", "planEnd", "assignee"] },
);
export const FindOrder = z.strictObject({ id: z.coerce.number().pipe(id) });
export const FindPlace = z.strictObject({ duId: id, activityId: id });
export const FindTargets = z.strictObject({ duIds });
/** People an order can be given to, by a part of their name or account. */
export const FindAssignees = z.strictObject({ search: z.string().trim().max(60).default("") });
export const Nothing = z.strictObject({});
