import "server-only";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { onTrustChange } from "#lib/core/trust.ts";
import { type LimitKey, limitKeys, limitSettings, type SwitchKey, switchKeys, trustSeconds } from "./limits.ts";

type Settings = { limits: Map<string, number>; switches: Map<string, string> };
const known = new Map<number, { settings: Settings; until: number }>();

/** Forgets what was read of limits and switches, of one project or of all. */
export function forgetSettings(projectId?: number): void {
  if (projectId === undefined) known.clear();
  else known.delete(projectId);
}

onTrustChange(() => forgetSettings());

async function readSettings({ project, now, sql }: Pick<Ctx, "project" | "now" | "sql">): Promise<Settings> {
  const trusted = known.get(project.id);
  if (trusted && trusted.until > now.getTime()) return trusted.settings;
  // On the caller's own connection: a second one, asked for inside a transaction, could starve the pool.
  const [row] = await sql<{ limits: Record<string, number> | null; switches: Record<string, string> | null }[]>`
    select
      (select jsonb_object_agg(key, value) from (
        select distinct on (key) key, value from limit_setting where project_id = ${project.id} or project_id is null order by key, project_id nulls last) l) as limits,
      (select jsonb_object_agg(key, value) from project_switch where project_id = ${project.id}) as switches`;
  const settings = { limits: new Map(Object.entries(row?.limits ?? {})), switches: new Map(Object.entries(row?.switches ?? {})) };
  if (known.size > 10_000) known.clear();
  known.set(project.id, { settings, until: now.getTime() + trustSeconds * 1000 });
  return settings;
}

/** The limit that holds in the project: its own, else the installation's. At most a minute old. */
export async function readLimit(ctx: Pick<Ctx, "project" | "now" | "sql">, key: LimitKey): Promise<number> {
  return (await readSettings(ctx)).limits.get(key) ?? limitSettings[key].value;
}

/** Whether a switch of the project is on. At most a minute old. */
export async function readSwitch(ctx: Pick<Ctx, "project" | "now" | "sql">, key: SwitchKey): Promise<boolean> {
  return (await readSettings(ctx)).switches.get(key) === "Y";
}

/** A switch as its screen shows it. */
export type SwitchState = {
  on: boolean;
  effectiveAt: Date | null;
  obeyedBy: Date | null;
  updatedBy: string | null;
  updatedAt: Date | null;
  rowVersion: number;
};

/** State of every switch, and how many people and DUs each concerns. */
export type SwitchBoard = {
  switches: Record<SwitchKey, SwitchState>;
  affected: { owners: number; editors: number; dus: number; customers: number; members: number };
};

type SwitchRow = { key: SwitchKey; value: string; effectiveAt: Date; updatedBy: string | null; updatedAt: Date; rowVersion: number };

/** The switches of the project as saved, without the minute of trust. */
export async function getSwitches(sql: Sql, projectId: number): Promise<Record<SwitchKey, SwitchState>> {
  const rows = await sql<SwitchRow[]>`
    select s.key, s.value, s.effective_at as "effectiveAt", u.name as "updatedBy", s.updated_at as "updatedAt", s.row_version as "rowVersion"
    from project_switch s left join app_user u on u.id = s.updated_by where s.project_id = ${projectId}`;
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return Object.fromEntries(
    switchKeys.map((key) => {
      const row = byKey.get(key);
      const state: SwitchState = row
        ? {
            on: row.value === "Y",
            effectiveAt: row.effectiveAt,
            obeyedBy: new Date(row.effectiveAt.getTime() + trustSeconds * 1000),
            updatedBy: row.updatedBy,
            updatedAt: row.updatedAt,
            rowVersion: row.rowVersion,
          }
        : { on: false, effectiveAt: null, obeyedBy: null, updatedBy: null, updatedAt: null, rowVersion: 0 };
      return [key, state];
    }),
  ) as Record<SwitchKey, SwitchState>;
}

/** Switches with whom they concern. */
export async function getSwitchBoard({ sql, project, today }: Pick<Ctx, "sql" | "project" | "today">): Promise<SwitchBoard> {
  const [counts] = await sql<SwitchBoard["affected"][]>`
    with member as (
      select user_id, role from project_member where project_id = ${project.id} and valid_from <= ${today} and (valid_to is null or valid_to >= ${today}))
    select
      (select count(distinct o.user_id)::int from du_owner o join du d on d.id = o.du_id where d.project_id = ${project.id} and d.deleted_at is null and o.owner_kind = 'DU_OWNER') as owners,
      (select count(distinct user_id)::int from member where role in ('PM', 'PCM')) as editors,
      (select count(*)::int from du where project_id = ${project.id} and deleted_at is null) as dus,
      (select count(distinct user_id)::int from member where role in ('CUSTOMER', 'CUSTOMER_PM')) as customers,
      (select count(distinct user_id)::int from member) as members`;
  return { switches: await getSwitches(sql, project.id), affected: counts as SwitchBoard["affected"] };
}

/** One limit with the installation's and the project's value. */
export type LimitRow = {
  key: LimitKey;
  min: number;
  max: number;
  globalValue: number;
  projectValue: number | null;
  value: number;
  rowVersion: number;
};

/** Every limit a project may set. */
export async function listLimits({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<LimitRow[]> {
  const rows = await sql<{ key: string; own: boolean; value: number; rowVersion: number }[]>`
    select key, project_id is not null as own, value, row_version as "rowVersion" from limit_setting where project_id is null or project_id = ${project.id}`;
  return limitKeys.map((key) => {
    const global = rows.find((row) => row.key === key && !row.own)?.value ?? limitSettings[key].value;
    const own = rows.find((row) => row.key === key && row.own);
    const { min, max } = limitSettings[key];
    return {
      key,
      min,
      max,
      globalValue: global,
      projectValue: own?.value ?? null,
      value: own?.value ?? global,
      rowVersion: own?.rowVersion ?? 0,
    };
  });
}
