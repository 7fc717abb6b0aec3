import "server-only";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import type { CompanyIds, SaveCompany, SaveType } from "./schema.ts";

/**
 * Stores a company, a new one or a change.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, CODE_EXISTS and NAME_EXISTS at the field
 */
export async function saveCompany(ctx: Ctx, input: SaveCompany): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const { id, rowVersion, dpaExpires = null, ...values } = input;
  const [before] =
    id === undefined
      ? []
      : await sql<(Omit<SaveCompany, "id" | "rowVersion"> & { rowVersion: number })[]>`
          select code, name, type_ids as "typeIds", countries, dpa_required as "dpaRequired", dpa_expires as "dpaExpires", status, row_version as "rowVersion"
          from subcontractor where project_id = ${project.id} and id = ${id} for update`;
  if (id !== undefined && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== rowVersion) throw new AppError("STALE");
  refuseUnchanged(before && inOrder(before), inOrder({ ...values, dpaExpires }));
  await demandFree(ctx, input);
  const [types] = await sql<{ count: number }[]>`
    select count(*)::int as count from subcon_type where project_id = ${project.id} and id = any(${values.typeIds}::bigint[])`;
  if (types!.count < values.typeIds.length)
    throw new AppError("NOT_FOUND", { object: "typeIds" }, [{ path: "typeIds", code: "NOT_FOUND", params: { object: "typeIds" } }]);
  const [written] = before
    ? await sql<{ id: number }[]>`
        update subcontractor set code = ${values.code}, name = ${values.name}, type_ids = ${values.typeIds}::bigint[], countries = ${values.countries}::char(2)[],
          dpa_required = ${values.dpaRequired}, dpa_expires = ${dpaExpires}, status = ${values.status}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1
        where id = ${id!} returning id`
    : await sql<{ id: number }[]>`
        insert into subcontractor (project_id, code, name, type_ids, countries, dpa_required, dpa_expires, status, created_by, created_at, updated_by, updated_at)
        values (${project.id}, ${values.code}, ${values.name}, ${values.typeIds}::bigint[], ${values.countries}::char(2)[], ${values.dpaRequired}, ${dpaExpires},
          ${values.status}, ${user.id}, ${now}, ${user.id}, ${now}) returning id`;
  ctx.audit(`subcontractor ${written!.id}`, before ?? null, { ...values, dpaExpires });
  ctx.afterCommit(forgetRights);
  return { id: written!.id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

/** The values of a company; what it is and where it works has no order. */
const inOrder = <T extends { typeIds: number[]; countries: string[] }>(values: T): T => ({
  ...values,
  typeIds: values.typeIds.toSorted((a, b) => a - b),
  countries: values.countries.toSorted(),
});

/** Refuses a code or a name another company of the project has. */
async function demandFree({ sql, project }: Ctx, { id, code, name }: SaveCompany): Promise<void> {
  const [taken] = await sql<{ code: boolean | null; name: boolean | null }[]>`
    select bool_or(code = ${code}) as code, bool_or(lower(name) = lower(${name})) as name from subcontractor where project_id = ${project.id} and id <> ${id ?? 0}`;
  const problems: Problem[] = [
    ...(taken?.code ? [{ path: "code", code: "CODE_EXISTS" as const }] : []),
    ...(taken?.name ? [{ path: "name", code: "NAME_EXISTS" as const }] : []),
  ];
  if (problems[0]) throw new AppError(problems[0].code, {}, problems);
}

/**
 * Deletes companies that nothing refers to, all or none; what was set for them goes with them.
 * @throws NOT_FOUND, IN_USE with what refers to each
 */
export async function deleteCompanies(ctx: Ctx, { ids }: CompanyIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  await sql`select 1 from subcontractor where project_id = ${project.id} and id = any(${ids}::bigint[]) order by id for update`;
  // Asked after the wait for who refers to one of them just now.
  const rows = await sql<{ id: number; name: string; uses: string[] }[]>`
    select c.id, c.name, array_remove(array[
      case when exists (select 1 from du where du.subcontractor_id = c.id) then 'DU' end,
      case when exists (select 1 from resource r where r.subcontractor_id = c.id) then 'resource' end,
      case when exists (select 1 from res_introduction i where i.subcontractor_id = c.id) then 'introduction' end,
      case when exists (select 1 from isolation_detail d where d.subcontractor_id = c.id) then 'isolation' end,
      case when exists (select 1 from work_order o where o.subcontractor_id = c.id) then 'work order' end,
      case when exists (select 1 from plan_distribution p where p.subcontractor_id = c.id) then 'distribution' end], null) as uses
    from subcontractor c where c.project_id = ${project.id} and c.id = any(${ids}::bigint[]) order by c.id`;
  const missing = ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const used = rows.filter(({ uses }) => uses.length > 0);
  if (used.length > 0)
    throw new AppError(
      "IN_USE",
      { by: used.map(({ name, uses }) => `${name} (${uses.join(", ")})`).join("; ") },
      used.map(({ id, uses }) => ({ path: `ids.${ids.indexOf(id)}`, code: "IN_USE", params: { by: uses.join(", ") } })),
    );
  await sql`delete from subcontractor where id = any(${ids}::bigint[])`;
  ctx.audit("subcontractors", rows, null, "deleted");
  return { deleted: rows.length };
}

/**
 * Stores a kind of company with the activities it covers.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, NAME_EXISTS at the field
 */
export async function saveType(ctx: Ctx, { id, name, activityIds, rowVersion }: SaveType): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const [before] =
    id === undefined
      ? []
      : await sql<
          { name: string; activity_ids: number[]; row_version: number }[]
        >`select * from subcon_type where project_id = ${project.id} and id = ${id} for update`;
  if (id !== undefined && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.row_version !== rowVersion) throw new AppError("STALE");
  const [taken] =
    await sql`select 1 from subcon_type where project_id = ${project.id} and lower(name) = lower(${name}) and id <> ${id ?? 0}`;
  if (taken) throw new AppError("NAME_EXISTS", {}, [{ path: "name", code: "NAME_EXISTS" }]);
  const [known] = await sql<{ count: number }[]>`
    select count(*)::int as count from activity_library where project_id = ${project.id} and id = any(${activityIds}::bigint[])`;
  if (known!.count < activityIds.length)
    throw new AppError("NOT_FOUND", { object: "activityIds" }, [
      { path: "activityIds", code: "NOT_FOUND", params: { object: "activityIds" } },
    ]);
  const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
  refuseUnchanged(before && { name: before.name, activityIds: sorted(before.activity_ids) }, { name, activityIds: sorted(activityIds) });
  const [written] = before
    ? await sql<{ id: number }[]>`
        update subcon_type set name = ${name}, activity_ids = ${activityIds}::bigint[], updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1
        where id = ${id!} returning id`
    : await sql<{ id: number }[]>`
        insert into subcon_type (project_id, name, activity_ids, updated_by, updated_at) values (${project.id}, ${name}, ${activityIds}::bigint[], ${user.id}, ${now}) returning id`;
  await replaceRefs(
    ctx,
    "SUBCON_TYPE",
    written!.id,
    activityIds.map((activity) => ({ kind: "ACTIVITY", id: activity, usage: "SOURCE" })),
  );
  ctx.audit(`subcon_type ${written!.id}`, before ?? null, { name, activityIds });
  return { id: written!.id, rowVersion: (before?.row_version ?? 0) + 1 };
}

/** Deletes kinds that no company is of and no capacity is set for. @throws NOT_FOUND, IN_USE */
export async function deleteTypes(ctx: Ctx, { ids }: CompanyIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const rows = await sql<{ id: number; name: string; used: boolean }[]>`
    select t.id, t.name, exists (select 1 from subcontractor c where c.project_id = t.project_id and t.id = any(c.type_ids))
      or exists (select 1 from subcon_capacity p where p.subcon_type_id = t.id) as used
    from subcon_type t where t.project_id = ${project.id} and t.id = any(${ids}::bigint[]) order by t.id for update`;
  const missing = ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const used = rows.filter((row) => row.used).map(({ name }) => name);
  if (used.length > 0) throw new AppError("IN_USE", { by: used.join(", ") });
  await sql`delete from subcon_type where id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "SUBCON_TYPE", ids);
  ctx.audit("subcon_types", rows, null, "deleted");
  return { deleted: rows.length };
}
