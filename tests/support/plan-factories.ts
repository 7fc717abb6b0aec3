import type { Sql } from "#db/client.ts";
import { dayNumber } from "#lib/core/clock.ts";

let count = 0;
const next = () => ++count;

/** An activity of the library: its slot is its place in the list, from 1. */
export type MadeActivity = { id: number; slot: number; name: string };

/** Library activities of a project; a name may carry a kind: `MOS:mos`. */
export async function makeActivities(sql: Sql, projectId: number, names: readonly string[]): Promise<MadeActivity[]> {
  const rows = names.map((given, index) => {
    const [name = given, kind = "normal"] = given.split(":");
    return { name, kind, slot: index + 1 };
  });
  return sql<MadeActivity[]>`
    insert into activity_library (project_id, slot, code, name, kind)
    select ${projectId}, slot, 'A' || slot, name, kind from jsonb_to_recordset(${sql.json(rows)}) as r(name text, kind text, slot smallint)
    returning id, slot, name`;
}

/** A released flow of the activities, in their order. */
export async function makeFlow(
  sql: Sql,
  projectId: number,
  ownerId: number,
  activities: readonly MadeActivity[],
  name = `Flow ${next()}`,
): Promise<number> {
  const [flow] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    values (${projectId}, ${name}, 'released', 1, ${ownerId}, ${ownerId}, now(), ${ownerId}, now()) returning id`;
  await sql`
    insert into flow_activity (flow_id, activity_id, name, seq, is_anchor)
    select ${flow!.id}, id, name, seq, seq = 1 from jsonb_to_recordset(${sql.json(activities.map(({ id, name: label }, seq) => ({ id, name: label, seq: seq + 1 })))})
      as r(id bigint, name text, seq int)`;
  return flow!.id;
}

export type MadeDu = {
  code?: string;
  name?: string;
  regionId?: number | null;
  subcontractorId?: number | null;
  rfcNumber?: string | null;
  ext?: Record<string, unknown>;
  /** Values by activity slot: ISO days for dates, numbers for state and owners. The state of the flow's slots is in-flow unless given. */
  plan?: Record<number, Partial<Record<PlanColumn, string | number>>>;
};
export type PlanColumn =
  | "plan_start"
  | "plan_end"
  | "actual_start"
  | "actual_end"
  | "baseline_start"
  | "baseline_end"
  | "state"
  | "plan_owner"
  | "actual_owner"
  | "attr_owner";

const columns: readonly PlanColumn[] = [
  "plan_start",
  "plan_end",
  "actual_start",
  "actual_end",
  "baseline_start",
  "baseline_end",
  "state",
  "plan_owner",
  "actual_owner",
  "attr_owner",
];

const number = (value: string | number | undefined) => (typeof value === "string" ? dayNumber(value) : (value ?? 0));

/**
 * DUs with a site each and their plan rows, bound to a flow when one is given.
 * @returns ids in the order of `dus`
 */
export async function makeDus(
  sql: Sql,
  projectId: number,
  dus: readonly MadeDu[],
  flow?: { id: number; activities: readonly MadeActivity[] },
): Promise<number[]> {
  const ids: number[] = [];
  for (const given of dus) {
    const code = given.code ?? `DU-${String(next()).padStart(5, "0")}`;
    const [site] = await sql<{ id: number }[]>`
      insert into customer_site (project_id, code, name, city, longitude, latitude) values (${projectId}, ${`S-${code}`}, ${`Site ${code}`}, 'Shanghai', 121.47, 31.23) returning id`;
    const [du] = await sql<{ id: number }[]>`
      insert into du (project_id, code, name, site_id, region_id, subcontractor_id, rfc_number, ext)
      values (${projectId}, ${code}, ${given.name ?? `Name of ${code}`}, ${site!.id}, ${given.regionId ?? null}, ${given.subcontractorId ?? null},
        ${given.rfcNumber ?? null}, ${sql.json((given.ext ?? {}) as never)}) returning id`;
    ids.push(du!.id);
    const plan = { ...given.plan };
    for (const { slot } of flow?.activities ?? []) plan[slot] = { state: 1, ...plan[slot] };
    const width = Math.max(0, ...Object.keys(plan).map(Number));
    const texts = columns.map((column) => {
      const values = Array.from({ length: width }, (_, i) => {
        const value = plan[i + 1]?.[column] ?? 0;
        return number(value);
      });
      return `{${values.join(",")}}`;
    });
    const applicable = Object.values(plan).filter((slot) => (Number(slot.state ?? 0) & 7) === 1);
    const ends = applicable.map((slot) => number(slot.plan_end)).filter(Boolean);
    const open = applicable
      .filter((slot) => !slot.actual_end)
      .map((slot) => number(slot.plan_end))
      .filter(Boolean);
    await sql`
      insert into du_plan (du_id, project_id, ${sql.unsafe(columns.join(", "))}, last_plan_end, next_plan_end, done_count, applicable_count)
      values (${du!.id}, ${projectId}, ${sql.unsafe(texts.map((text, i) => `'${text}'::${i < 6 ? "smallint" : "int"}[]`).join(", "))},
        ${Math.max(0, ...ends)}, ${open.length > 0 ? Math.min(...open) : 0}, ${applicable.filter((slot) => slot.actual_end).length}, ${applicable.length})`;
    if (flow)
      await sql`
        insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at)
        values (${projectId}, ${du!.id}, ${flow.id}, (select version from activity_flow where id = ${flow.id}), 'manual', now())`;
  }
  return ids;
}

/** An owner set of the project. */
export async function makeOwnerSet(sql: Sql, projectId: number, userIds: number[]): Promise<number> {
  const [row] = await sql<{ id: number }[]>`insert into owner_set (project_id, user_ids) values (${projectId}, ${userIds}) returning id`;
  return row!.id;
}

/** Makes a person owner of a DU. */
export async function makeDuOwner(
  sql: Sql,
  duId: number,
  userId: number,
  kind: "DU_OWNER" | "SITE_OWNER" | "INVENTORY_OWNER" = "DU_OWNER",
): Promise<void> {
  await sql`insert into du_owner (du_id, owner_kind, user_id) values (${duId}, ${kind}, ${userId})`;
}

/** Sets a project switch from the beginning of 2026 on. */
export async function setSwitch(sql: Sql, projectId: number, key: string, value: string): Promise<void> {
  await sql`
    insert into project_switch (project_id, key, value, effective_at, updated_at) values (${projectId}, ${key}, ${value}, '2026-01-01', now())
    on conflict (project_id, key) do update set value = excluded.value`;
}

/** An extension attribute, shown in the roll-out plan to everybody, and written by everybody who may write attributes. */
export async function makeAttribute(
  sql: Sql,
  projectId: number,
  given: { name?: string; type?: string; level?: "DU" | "ACTIVITY"; valueLimit?: unknown; enums?: string[] } = {},
): Promise<{ id: number; key: string; enumIds: number[] }> {
  const [row] = await sql<{ id: number }[]>`
    insert into attribute (project_id, key, name, type, level, value_limit, in_rollout_plan, visible_customer, visible_subcon, editable_subcon)
    values (${projectId}, ${`x${next()}`}, ${given.name ?? `Attribute ${next()}`}, ${given.type ?? "TEXT"}, ${given.level ?? "DU"},
      ${given.valueLimit ? sql.json(given.valueLimit as never) : null}, true, true, true, true) returning id`;
  const key = `a${row!.id}`;
  await sql`update attribute set key = ${key} where id = ${row!.id}`;
  const enums = await Promise.all(
    (given.enums ?? []).map(async (value, sort) => {
      const [made] = await sql<
        { id: number }[]
      >`insert into attribute_enum (attribute_id, value, sort_no) values (${row!.id}, ${value}, ${sort + 1}) returning id`;
      return made!.id;
    }),
  );
  return { id: row!.id, key, enumIds: enums };
}
