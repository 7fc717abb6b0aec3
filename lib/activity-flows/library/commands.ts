import "server-only";
import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { activityLibrary } from "#db/schema/activity-flows.ts";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { slotsMax } from "./limits.ts";
import { codeForSlot, hasRoom, matchKey } from "./logic.ts";
import type { DisableActivities, SaveActivity } from "./schema.ts";

/** Makes or changes a library activity. A new one takes the next slot. */
export async function saveActivity(
  ctx: Ctx,
  input: z.output<typeof SaveActivity>,
): Promise<{ id: number; slot: number; rowVersion: number }> {
  const { code, name, kind, automatic } = input;
  const highest = await lockLibrary(ctx);
  const [repeated] = await ctx.sql<{ id: number }[]>`
    select id from activity_library where project_id = ${ctx.project.id} and id <> ${input.id ?? 0}
      and (lower(code) = lower(${code}) or (lower(name) = lower(${name}) and disabled_at is null)) limit 1`;
  if (repeated) throw new AppError("ACTIVITY_REPEAT", { names: name });
  if (input.id === undefined) {
    if (!hasRoom(highest, 1)) throw new AppError("LIBRARY_FULL", { max: slotsMax });
    const row = { projectId: ctx.project.id, slot: highest + 1, code, name, kind, automatic };
    const [made] = await ctx.tx.insert(activityLibrary).values(row).returning({ id: activityLibrary.id });
    ctx.audit(`activity_library ${made!.id}`, null, row);
    return { id: made!.id, slot: highest + 1, rowVersion: 1 };
  }
  const mine = and(eq(activityLibrary.id, input.id), eq(activityLibrary.projectId, ctx.project.id));
  const [before] = await ctx.tx.select().from(activityLibrary).where(mine).for("update");
  if (!before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before.disabledAt) throw new AppError("WRONG_STATUS", { status: "disabled" });
  refuseUnchanged(before, { code, name, kind, automatic });
  const rowVersion = before.rowVersion + 1;
  await ctx.tx.update(activityLibrary).set({ code, name, kind, automatic, rowVersion }).where(mine);
  ctx.audit(`activity_library ${before.id}`, pick(before), { code, name, kind, automatic });
  return { id: before.id, slot: before.slot!, rowVersion };
}

function pick({ code, name, kind, automatic }: typeof activityLibrary.$inferSelect) {
  return { code, name, kind, automatic };
}

/** Takes activities out of use; their slots stay theirs for good. Refused while a flow holds one of them or configuration names it. */
export async function disableActivities(ctx: Ctx, { ids }: z.output<typeof DisableActivities>): Promise<{ disabled: number }> {
  await lockLibrary(ctx);
  const rows = await ctx.sql<{ id: number; name: string; flows: string[] | null }[]>`
    select a.id, a.name, (select array_agg(distinct f.name) from flow_activity n join activity_flow f on f.id = n.flow_id where n.activity_id = a.id) as flows
    from activity_library a where a.project_id = ${ctx.project.id} and a.id = any(${ids}::bigint[]) order by a.slot`;
  if (rows.length < new Set(ids).size) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  const holders = Map.groupBy(await listHolders(ctx, "ACTIVITY", ids), ({ targetId }) => targetId);
  const used = rows.filter((row) => row.flows !== null || holders.has(row.id));
  if (used.length > 0) {
    const problems = used.map((row) => ({
      path: `ids.${ids.indexOf(row.id)}`,
      code: "ACTIVITY_REFERENCED" as const,
      params: { by: `${row.name}: ${holderNames([...(row.flows ?? []), ...(holders.get(row.id) ?? []).map(({ name }) => name)])}` },
    }));
    throw new AppError("ACTIVITY_REFERENCED", { by: problems.map((problem) => problem.params.by).join("; ") }, problems);
  }
  const disabled = await ctx.sql`
    update activity_library set disabled_at = ${ctx.now}, row_version = row_version + 1
    where project_id = ${ctx.project.id} and id = any(${ids}::bigint[]) and disabled_at is null returning id`;
  ctx.audit("activity_library", { enabled: disabled.map((row) => row.id) }, { disabledAt: ctx.now });
  return { disabled: disabled.length };
}

/** An activity by name, or by code and name; of one that comes from another project also what it is. */
export type WantedActivity = { name: string; code?: string | undefined; kind?: string; automatic?: boolean };

/**
 * The library activity of each wanted name or code, in the same order: one of the project, else a copy of the standard library, else a new one.
 * An activity whose code or name occurs several times among the wanted ones is made once.
 */
export async function linkActivities(ctx: Ctx, wanted: readonly WantedActivity[]): Promise<number[]> {
  if (wanted.length === 0) return [];
  const found = await findActivities(ctx, wanted);
  const place = (want: WantedActivity) =>
    (want.code === undefined ? undefined : found.get(`code ${matchKey(want.code)}`)) ?? found.get(`name ${matchKey(want.name)}`);
  if (wanted.some((want) => place(want) === undefined)) {
    const highest = await lockLibrary(ctx);
    for (const [key, id] of await findActivities(ctx, wanted)) found.set(key, id);
    const missing = new Map<string, WantedActivity>();
    for (const want of wanted) if (place(want) === undefined && !missing.has(matchKey(want.name))) missing.set(matchKey(want.name), want);
    for (const made of await makeActivities(ctx, [...missing.values()], highest)) {
      found.set(`name ${matchKey(made.name)}`, made.id);
      found.set(`code ${matchKey(made.code)}`, made.id);
    }
  }
  return wanted.map((want) => place(want)!);
}

async function findActivities({ sql, project }: Ctx, wanted: readonly WantedActivity[]): Promise<Map<string, number>> {
  const names = wanted.map((want) => matchKey(want.name));
  const codes = wanted.flatMap((want) => (want.code === undefined ? [] : [matchKey(want.code)]));
  const rows = await sql<{ id: number; name: string; code: string }[]>`
    select id, lower(name) as name, lower(code) as code from activity_library
    where project_id = ${project.id} and disabled_at is null and (lower(name) = any(${names}::text[]) or lower(code) = any(${codes}::text[]))`;
  return new Map(
    rows.flatMap((row) => [
      [`name ${matchKey(row.name)}`, row.id],
      [`code ${matchKey(row.code)}`, row.id],
    ]),
  );
}

async function makeActivities(ctx: Ctx, wanted: readonly WantedActivity[], highest: number) {
  const { sql, project } = ctx;
  if (wanted.length === 0) return [];
  if (!hasRoom(highest, wanted.length)) throw new AppError("LIBRARY_FULL", { max: slotsMax });
  const standard = await sql<{ code: string; name: string; kind: string; automatic: boolean }[]>`
    select code, name, kind, automatic from activity_library
    where project_id is null and disabled_at is null and (lower(name) = any(${wanted.map((want) => matchKey(want.name))}::text[])
      or lower(code) = any(${wanted.flatMap((want) => (want.code === undefined ? [] : [matchKey(want.code)]))}::text[]))`;
  const taken = new Set(
    (await sql<{ code: string }[]>`select lower(code) as code from activity_library where project_id = ${project.id}`).map(
      (row) => row.code,
    ),
  );
  const rows = wanted.map((want, at) => {
    const slot = highest + 1 + at;
    const model = standard.find((row) =>
      want.code === undefined ? matchKey(row.name) === matchKey(want.name) : matchKey(row.code) === matchKey(want.code),
    );
    const asked = want.code ?? model?.code;
    const code = asked !== undefined && !taken.has(matchKey(asked)) ? asked : codeForSlot(slot, taken);
    if (want.code !== undefined && code !== want.code) throw new AppError("ACTIVITY_REPEAT", { names: want.name });
    taken.add(matchKey(code));
    return {
      slot,
      code,
      name: model?.name ?? want.name.trim(),
      kind: want.kind ?? model?.kind ?? "normal",
      automatic: want.automatic ?? model?.automatic ?? false,
    };
  });
  const made = await sql<{ id: number; name: string; code: string }[]>`
    insert into activity_library (project_id, slot, code, name, kind, automatic)
    select ${project.id}, r.slot, r.code, r.name, r.kind, r.automatic
    from jsonb_to_recordset(${sql.json(rows)}) as r(slot smallint, code text, name text, kind text, automatic boolean)
    returning id, name, code`;
  ctx.audit("activity_library", null, { made: rows });
  return [...made];
}

/**
 * Locks the project row, so that slots are given out one after another, and tells the highest one in use.
 * The lock leaves references to the project free.
 */
async function lockLibrary(ctx: Ctx): Promise<number> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const [row] = await sql<
    { highest: number }[]
  >`select coalesce(max(slot), 0)::int as highest from activity_library where project_id = ${project.id}`;
  return row!.highest;
}
