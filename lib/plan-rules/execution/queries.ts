import "server-only";
import type { z } from "zod";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import { PlanRunBlock } from "#lib/plan-rules/blocks/logic.ts";
import { readBlocks, readFrame } from "#lib/plan-rules/blocks/queries.ts";
import { readWorld } from "#lib/plan-rules/engine/queries.ts";
import { attributeId, attributeOf, type FieldRef, type PlanRule, valueKind } from "#lib/plan-rules/logic.ts";
import { compileRun } from "#lib/plan-rules/programs/logic.ts";
import { checkConditions, readTitles } from "#lib/plan-rules/rule-set/queries.ts";
import { type ChangeRow, listChanges, listRuns, type RunRow } from "#lib/plan-rules/runs/queries.ts";
import { listEveryPlanAttribute } from "#lib/rollout-plan/columns/queries.ts";
import type { CountDus } from "./schema.ts";

/** Runs of plan rules, the newest first. */
export function listPlanRuns(ctx: Ctx, input: ListInput): Promise<Page<RunRow>> {
  return listRuns(ctx, "PLAN", input);
}

/** A cell of a run with the title of its field; days as ISO days, choices by their names. */
export type PlanChangeRow = Omit<ChangeRow, "target"> & { field: string; ref: FieldRef };

/** Cells of one run; attributes that are hidden from the caller are left out. */
export async function listPlanChanges(ctx: Ctx, input: Pick<ListInput, "filters" | "page" | "size">): Promise<Page<PlanChangeRow>> {
  const hidden = await readHidden(ctx);
  const page = await listChanges(ctx, "PLAN", input, {
    within: ctx.scope.where("rule.view"),
    hidden: (target) => {
      const key = attributeOf(target as FieldRef);
      return key !== null && hidden.has(attributeId(key));
    },
  });
  const refs = page.records.map(({ target }) => target as FieldRef);
  const titles = await readTitles(ctx, [
    { conditions: [], events: null, actions: refs.map((target) => ({ sources: [], target })) as never },
  ]);
  const enums = new Map<string, ReadonlyMap<string, string>>(
    (await listEveryPlanAttribute(ctx)).flatMap(({ id, type, enums: choices }) =>
      valueKind(type) === "enum" ? [[`a${id}`, new Map(choices.map((choice) => [String(choice.id), choice.value]))] as const] : [],
    ),
  );
  const shown = (ref: FieldRef, value: string | number | null) => {
    const key = attributeOf(ref);
    if (value === null) return null;
    if (key === null) return isoDay(Number(value));
    return enums.get(key)?.get(String(value)) ?? value;
  };
  return {
    ...page,
    records: page.records.map(({ target, old, now, ...row }) => {
      const ref = target as FieldRef;
      return { ...row, ref, field: titles(ref), old: shown(ref, old), now: shown(ref, now) };
    }),
  };
}

/** How many DUs a rule that is being typed looks at, and for how many its conditions hold. @throws what is wrong with its conditions */
export async function countDus(ctx: Ctx, input: z.output<typeof CountDus>): Promise<{ scope: number; matched: number }> {
  const conditions = await checkConditions(ctx, input);
  const rule = { ...blankRule, ...input, conditions };
  const world = await readWorld(ctx, [rule]);
  const run = compileRun([rule], [], world);
  const frame = await readFrame(ctx);
  const counts = { scope: 0, matched: 0 };
  for await (const data of readBlocks(ctx, run, world)) {
    const block = new PlanRunBlock(run, world, data, frame);
    for (const flag of block.scope(0)) counts.scope += flag;
    for (const flag of block.truth(0)) counts.matched += flag;
  }
  return counts;
}

/** A rule that does nothing, for looking at conditions alone. */
const blankRule: PlanRule = {
  id: 0,
  name: "",
  ruleType: "ACT_TO_ACT",
  flowId: 0,
  regionIds: [],
  duFilter: [],
  status: "EFFECTIVE",
  invalidReason: null,
  events: null,
  sinceSeq: 0,
  effectiveAt: null,
  expireDate: null,
  autoExecute: false,
  frequency: null,
  lastSlot: null,
  nextRunAt: null,
  sortNo: 1,
  description: null,
  rowVersion: 0,
  createdBy: 0,
  createdAt: new Date(0),
  conditions: [],
  actions: [],
};
