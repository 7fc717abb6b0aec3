import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { warningStatuses } from "#lib/reminders/warnings/limits.ts";
import {
  type PlanWarning,
  presentHits,
  type WarningField,
  type WarningLevel,
  type WarningOperator,
  type WarningRow,
  warningsOf,
} from "#lib/reminders/warnings/logic.ts";
import { describeHits, listWarnings } from "#lib/reminders/warnings/queries.ts";
import { isApplicable, type PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";

/** A warning as the screen lists it. */
export type WarningEntry = {
  id: number;
  flowId: number | null;
  flowName: string | null;
  anchorActivityId: number;
  anchorName: string;
  fieldA: WarningField;
  alertActivityId: number;
  alertName: string;
  fieldB: WarningField;
  operator: WarningOperator;
  days: number;
  level: WarningLevel;
  message: string;
  status: (typeof warningStatuses)[number];
  sortNo: number;
  /** DUs that match it now; null for one that is switched off. */
  matches: number | null;
  rowVersion: number;
  updatedByName: string;
  updatedAt: Date;
};

const columns = `w.id, w.flow_id as "flowId", w.anchor_activity_id as "anchorActivityId", w.field_a as "fieldA", w.alert_activity_id as "alertActivityId",
  w.field_b as "fieldB", w.operator, w.days, w.level, w.message, w.status, w.sort_no as "sortNo", w.row_version as "rowVersion", w.updated_at as "updatedAt"`;

/** Every warning of the project in its order, with how many DUs match each of them now. */
export async function listWarningConfigs(ctx: Ctx): Promise<{ records: WarningEntry[] }> {
  const { sql, project } = ctx;
  const rows = await sql<Omit<WarningEntry, "matches">[]>`
    select ${sql.unsafe(columns)}, f.name as "flowName", a.name as "anchorName", b.name as "alertName", u.name as "updatedByName"
    from warning_config w join activity_library a on a.id = w.anchor_activity_id join activity_library b on b.id = w.alert_activity_id
    left join activity_flow f on f.id = w.flow_id join app_user u on u.id = w.updated_by
    where w.project_id = ${project.id} order by w.sort_no, w.id`;
  const matches = rows.some(({ status }) => status === "ENABLED") ? await countMatches(ctx) : new Map<number, number>();
  return {
    records: rows.map((row) => ({ ...row, matches: row.status === "ENABLED" ? (matches.get(row.id) ?? 0) : null })),
  };
}

/** DUs by the warning they match: the plans of the project are read once for all warnings. */
async function countMatches(ctx: Ctx): Promise<Map<number, number>> {
  const warnings = await listWarnings(ctx);
  const dus = await ctx.sql<{ id: number }[]>`select du.id from du where ${ctx.scope.where("rollout.view")}`;
  const counts = new Map<number, number>();
  for (const { warning } of await hitsOf(
    ctx,
    warnings,
    dus.map(({ id }) => id),
  ))
    counts.set(warning.id as number, (counts.get(warning.id as number) ?? 0) + 1);
  return counts;
}

async function hitsOf(ctx: Ctx, warnings: readonly PlanWarning[], duIds: readonly number[]) {
  if (warnings.length === 0) return [];
  const block = await readPlanRows(ctx, duIds, { fields: ["planStart", "planEnd", "actualStart", "actualEnd", "state"] });
  const today = dayNumber(ctx.today);
  const ofFlow = warningsOf(warnings);
  return block.duIds.flatMap((duId, row) =>
    presentHits(ofFlow(block.flowIds[row] as number), warningRow(block, row), today).map((hit) => ({ ...hit, duId })),
  );
}

function warningRow(block: PlanBlock, row: number): WarningRow {
  const at = (slot: number) => row * block.width + slot;
  return {
    applicable: (slot) => isApplicable(block.state[at(slot)] ?? 0),
    day: (slot, field) => block[field][at(slot)] ?? 0,
  };
}

/** A warning at the date it is about. */
export type ShownWarning = { duId: number; activityId: number; field: WarningField; level: WarningLevel; message: string };

/** Warnings that some DUs match now, with their texts; DUs the caller does not see are left out. */
export async function evaluateWarnings(ctx: Ctx, { duIds }: { duIds: number[] }): Promise<{ warnings: ShownWarning[] }> {
  const warnings = await listWarnings(ctx);
  if (warnings.length === 0) return { warnings: [] };
  const seen = await ctx.sql<{ id: number }[]>`
    select du.id from du where ${ctx.scope.where("rollout.view")} and du.id = any(${duIds}::bigint[])`;
  const hits = await hitsOf(
    ctx,
    warnings,
    seen.map(({ id }) => id),
  );
  const [messages, library] = await Promise.all([describeHits(ctx, hits), listLibraryActivities(ctx)]);
  const activityOf = new Map(library.map(({ id, slot }) => [slot, id]));
  return {
    warnings: hits.map(({ duId, warning }, at) => ({
      duId,
      activityId: activityOf.get(warning.b.slot) as number,
      field: warning.b.field,
      level: warning.level,
      message: messages[at] as string,
    })),
  };
}

/** What a warning can be made of. */
export type WarningChoices = { activities: { id: number; name: string }[]; flows: { id: number; name: string }[] };

/** Activities in use and flows that DUs may follow. */
export async function listWarningChoices({ sql, project }: Ctx): Promise<WarningChoices> {
  const [activities, flows] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${project.id} and disabled_at is null order by slot`,
    sql<{ id: number; name: string }[]>`
      select id, name from activity_flow where project_id = ${project.id} and draft_of is null and status = 'released' order by name collate natural_order, id`,
  ]);
  return { activities: [...activities], flows: [...flows] };
}
