import "server-only";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import { listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import { type AttributeFault, organisationsMax } from "./limits.ts";
import type { FindActivities, FindOrganisations, ValidateAttributes } from "./schema.ts";

/** Representative offices that templates of the project name; `region` keeps those whose name contains it too. */
export async function listOrganisations(
  { sql, project }: Ctx,
  { region, searchKey }: FindOrganisations,
): Promise<{ code: string; name: string }[]> {
  const contains = (text: string | undefined) => (text ? sql`and position(lower(${text}) in lower(t.organisation)) > 0` : sql``);
  const rows = await sql<{ name: string }[]>`
    select distinct t.organisation as name from template t where t.project_id = ${project.id} and t.organisation is not null
      ${contains(searchKey)} ${contains(region)} order by 1 limit ${organisationsMax}`;
  return rows.map(({ name }) => ({ code: name, name }));
}

/** Attributes of the roll-out plan that a template can use. */
export async function listAttributes(
  ctx: Ctx,
): Promise<{ id: number; key: string; name: string; type: AttributeType; level: "DU" | "ACTIVITY" }[]> {
  const attributes = await listPlanAttributes(ctx);
  return attributes.map(({ id, name, type, level }) => ({ id, key: `a${id}`, name, type, level }));
}

/** Enabled activities of the library, or those of released flows. */
export async function listActivities(
  { sql, project }: Ctx,
  { page, size, flowIds }: FindActivities,
): Promise<{ records: { id: number; code: string; name: string; kind: string }[]; total: number; page: number; size: number }> {
  const ofFlows = flowIds
    ? sql`and exists (select 1 from flow_activity n join activity_flow f on f.id = n.flow_id
        where n.activity_id = a.id and f.project_id = ${project.id} and f.draft_of is null and f.id = any(${flowIds}::bigint[]))`
    : sql``;
  const rows = await sql<{ id: number; code: string; name: string; kind: string; total: number }[]>`
    select a.id, a.code, a.name, a.kind, count(*) over ()::int as total from activity_library a
    where a.project_id = ${project.id} and a.disabled_at is null ${ofFlows} order by a.slot limit ${size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

/** Which attributes a template can use, and why not the others. */
export async function validateAttributes(
  ctx: Ctx,
  { attributeIds, types = {} }: ValidateAttributes,
): Promise<{ valid: number[]; invalid: { id: number; reason: AttributeFault }[] }> {
  const { sql, project } = ctx;
  const hidden = await readHidden(ctx);
  const rows = await sql<{ id: number; type: AttributeType; shown: boolean }[]>`
    select id, type, in_rollout_plan as shown from attribute where project_id = ${project.id} and deleted_at is null and id = any(${attributeIds}::bigint[])`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const judged = [...new Set(attributeIds)].map((id): { id: number; reason: AttributeFault | null } => {
    const found = known.get(id);
    if (!found || hidden.has(id)) return { id, reason: "missing" };
    const before = types[String(id)];
    if (before && before !== found.type) return { id, reason: "typeChanged" };
    return { id, reason: found.shown ? null : "notDisplayed" };
  });
  return {
    valid: judged.filter(({ reason }) => reason === null).map(({ id }) => id),
    invalid: judged.flatMap(({ id, reason }) => (reason ? [{ id, reason }] : [])),
  };
}
