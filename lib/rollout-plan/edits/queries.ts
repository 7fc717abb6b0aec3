import "server-only";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import type { ActivityNote } from "#lib/rollout-plan/plan-log/logic.ts";
import { ownerFields, type PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, type Standing, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { Target, Targets } from "./logic.ts";

/**
 * What edits of the project can point at. With the edits given, attributes are read only when one of them names an attribute.
 * @param beside with the attributes that the plan does not show
 * @throws NO_PERMISSION when an edit names an attribute that is hidden from the caller
 */
export async function readTargets(ctx: Ctx, edits?: readonly { field: string }[], beside = false): Promise<Targets> {
  const named = !edits || edits.some(({ field }) => /^a\d/.test(field));
  const [library, attributes, hidden] = await Promise.all([
    listLibraryActivities(ctx),
    named ? listPlanAttributes(ctx, beside) : [],
    named ? readHidden(ctx) : new Set<number>(),
  ]);
  if (hidden.size > 0 && edits?.some(({ field }) => /^a\d{1,15}$/.test(field) && hidden.has(Number(field.slice(1)))))
    throw new AppError("NO_PERMISSION", { right: "rollout.attributeEdit" });
  return {
    slots: new Map(library.map(({ id, slot }) => [id, slot])),
    attributes: new Map(
      attributes.map(({ id, name, level, type, limit, enums, required, mode }) => [
        id,
        {
          id,
          name,
          level,
          type,
          limit,
          enumIds: enums.filter(({ active }) => active).map((value) => value.id),
          required,
          writable: mode === "RW",
        },
      ]),
    ),
  };
}

/** Present values of DUs outside their plan: attributes and columns by their name in the database. */
export type DuValues = { id: number; rowVersion: number; ext: Record<string, unknown> } & Record<string, unknown>;

/**
 * DU rows for edits, by id.
 * @param columns only these columns besides the attributes: a row has many, and thousands are read
 */
export async function readDuValues(ctx: Ctx, duIds: readonly number[], columns?: readonly string[]): Promise<Map<number, DuValues>> {
  if (duIds.length === 0) return new Map();
  const { sql, project } = ctx;
  const chosen = columns ? sql([...new Set(["id", "ext", ...columns])]) : sql`*`;
  const rows = await sql<DuValues[]>`
    select ${chosen}, row_version as "rowVersion" from du
    where project_id = ${project.id} and id = any(${[...duIds]}::bigint[]) and deleted_at is null`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Notes of DUs by `duId slot`. */
export async function readNotes(ctx: Ctx, duIds: readonly number[]): Promise<Map<string, ActivityNote>> {
  if (duIds.length === 0) return new Map();
  const rows = await ctx.sql<(ActivityNote & { duId: number; slot: number })[]>`
    select du_id as "duId", slot, delay_reason as "delayReason", score, score_remark as "scoreRemark", closed_at as "closedAt", closed_by as "closedBy"
    from du_activity_note where du_id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map(({ duId, slot, ...note }) => [`${duId} ${slot}`, note]));
}

/**
 * Ids among those asked that exist in the project: regions and companies in use, DUs not deleted.
 * @param keep none of them is deleted until the transaction ends
 */
export async function listKnown(
  ctx: Ctx,
  table: "delivery_region" | "subcontractor" | "du",
  ids: readonly number[],
  { keep = false }: { keep?: boolean } = {},
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { sql, project } = ctx;
  const told = { delivery_region: sql`t.status = 'ACTIVE'`, subcontractor: ctx.scope.company(sql`t.id`), du: ctx.scope.du(sql`t.id`) }[
    table
  ];
  const live = table === "subcontractor" ? sql`true` : sql`t.deleted_at is null`;
  const rows = await sql<{ id: number }[]>`
    select t.id from ${sql(table)} t where t.project_id = ${project.id} and t.id = any(${[...ids]}::bigint[]) and ${live} and ${told}
    ${keep ? sql`order by t.id for key share of t` : sql``}`;
  return new Set(rows.map((row) => row.id));
}

/** People among those asked who hold a valid role in the project. */
export async function listMembers(ctx: Ctx, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const { sql, project } = ctx;
  const rows = await sql<{ id: number }[]>`
    select distinct user_id as id from project_member where project_id = ${project.id} and user_id = any(${[...userIds]}::bigint[])
      and valid_from <= ${ctx.today} and (valid_to is null or valid_to >= ${ctx.today})`;
  return new Set(rows.map((row) => row.id));
}

/** The last change of a cell: who and when. */
export type LastChange = { by: string | null; at: Date | null };

/** Last change of each asked cell, by `duId key`; `cell` for plan cells, `key` for everything else. */
export async function readLastChanges(
  ctx: Ctx,
  asked: readonly { duId: number; cell: number | null; key: string | null }[],
): Promise<Map<string, LastChange>> {
  if (asked.length === 0) return new Map();
  const { sql } = ctx;
  const rows = await sql<{ place: string; by: string | null; at: Date }[]>`
    select distinct on (a.place) a.place, u.name as by, b.at
    from jsonb_to_recordset(${sql.json(asked.map(({ duId, cell, key }) => ({ place: `${duId} ${cell ?? key}`, du_id: duId, cell, key })) as never)})
      as a(place text, du_id bigint, cell smallint, key text)
    join plan_log l on l.du_id = a.du_id and (a.cell = any(l.cells) or l.attrs ? a.key)
    join plan_batch b on b.id = l.batch_id
    left join app_user u on u.id = b.actor_id
    order by a.place, b.seq desc`;
  return new Map(rows.map(({ place, by, at }) => [place, { by, at }]));
}

/** What the area that brings edits has read of their DUs already, with the kinds that `editedKinds` names; for a write, under the locks of their rows. */
export type KnownDus = { block: PlanBlock; dus: Map<number, DuValues>; standing: Standing };

/**
 * The kinds that edits of some targets and their rules look at. Attributes and fields of DUs need none, unless rules judge whole rows by them.
 * @param standing what the write is judged by
 */
export function editedKinds(
  targets: readonly Target[],
  { dependencies, warnings }: Pick<Standing, "dependencies" | "warnings">,
): readonly PlanField[] {
  const ofPlan = targets.filter(({ kind }) => kind === "date" || kind === "owner" || kind === "note");
  if (ofPlan.some((target) => "field" in target && ownedFields.has(target.field))) return [...writableFields, ...ownerFields];
  if (ofPlan.length + dependencies.length + warnings.length > 0) return writableFields;
  return targets.some((target) => target.kind === "attribute" && target.slot !== null) ? ["state"] : [];
}

/** Fields whose rules look at the owners. */
export const ownedFields = new Set<string>(["actualStart", "actualEnd", ...ownerFields]);
