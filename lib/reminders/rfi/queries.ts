import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { localMs } from "../occurrences/logic.ts";
import type { Receivers } from "../recipients/schema.ts";
import { type FiringFields, type LastFire, lastFire, type Named, type RuleCtx, type ShownTimes, shownTimes } from "../rules/queries.ts";
import { type RemindType, rfiCountry, rfiSendTime } from "./limits.ts";

/** An RFI reminder as it is stored; it has no end and is sent every day. */
export type RfiRemind = FiringFields & {
  stateId: string;
  minDays: number;
  maxDays: number;
  remindTypes: RemindType[];
  exceptionReceivers: Receivers;
  untilActivityId: number | null;
};

/** When RFI reminders are sent. */
export const rfiTimes = {
  frequency: { kind: "DAILY" },
  sendTime: rfiSendTime,
  validBegin: "2000-01-01T00:00",
  validEnd: "2199-12-31T23:59",
} as const;

const columns = (
  sql: RuleCtx["sql"],
) => sql`r.id, r.state_id as "stateId", r.min_days as "minDays", r.max_days as "maxDays", r.remind_types as "remindTypes",
  r.exception_receivers as "exceptionReceivers", r.until_activity_id as "untilActivityId", r.status, r.disabled_reason as "disabledReason",
  (extract(epoch from r.armed_local) * 1000)::float8 as "armedLocal", (extract(epoch from r.next_local) * 1000)::float8 as "nextLocal", r.row_version as "rowVersion"`;

const withTimes = <Row extends { stateId: string }>(row: Row) => ({
  ...row,
  ...rfiTimes,
  name: row.stateId,
  validBegin: localMs(rfiTimes.validBegin),
  validEnd: localMs(rfiTimes.validEnd),
});

/** RFI reminders of the project by id; the options are those of `readMailRules`. */
export async function readRfiReminds(
  { sql, project }: RuleCtx,
  { ids, lock }: { ids?: readonly number[]; lock?: "wait" | "free" } = {},
): Promise<RfiRemind[]> {
  const rows = await sql<Omit<RfiRemind, "name" | keyof typeof rfiTimes>[]>`
    select ${columns(sql)} from rfi_remind r where r.project_id = ${project.id} ${ids ? sql`and r.id = any(${[...ids]}::bigint[])` : sql``}
    order by r.id ${lock === "wait" ? sql`for update of r` : lock === "free" ? sql`for update of r skip locked` : sql``}`;
  return rows.map(withTimes);
}

export type RfiReminder = Pick<
  RfiRemind,
  "id" | "minDays" | "maxDays" | "remindTypes" | "exceptionReceivers" | "untilActivityId" | "status" | "disabledReason" | "rowVersion"
> &
  Pick<ShownTimes, "nextLocal" | "nextFire"> & { people: Named[]; groups: Named[]; last: LastFire | null };
/** A federative state of the project's DUs with its reminder, where it has one. */
export type RfiState = { stateId: string; stateName: string | null; dus: number; remind: RfiReminder | null };

/** The states of the project's DUs with their reminders; none where the project is not in Brazil. [REM-04] */
export async function listRfi(ctx: Ctx): Promise<{ brazil: boolean; states: RfiState[] }> {
  const { sql, project } = ctx;
  if (project.country !== rfiCountry) return { brazil: false, states: [] };
  const [places, reminders] = await Promise.all([
    sql<Omit<RfiState, "remind">[]>`
      select s.state_id as "stateId", max(s.state_name) as "stateName", count(*)::int as dus
      from du join customer_site s on s.id = du.site_id where ${ctx.scope.where("notice.find")} and s.state_id is not null group by s.state_id`,
    sql<(Omit<RfiRemind, "name" | keyof typeof rfiTimes> & { people: Named[]; groups: Named[]; last: LastFire | null })[]>`
      select ${columns(sql)}, ${lastFire(sql)}, coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name, p.id) from app_user p
        where p.id in (select jsonb_array_elements(r.exception_receivers -> 'userIds')::bigint)), '[]') as people, coalesce((
        select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name, g.id) from res_group g
        where g.project_id = r.project_id and g.id in (select jsonb_array_elements(r.exception_receivers -> 'groupIds')::bigint)), '[]') as groups
      from rfi_remind r where r.project_id = ${project.id}`,
  ]);
  const byState = new Map(reminders.map((row) => [row.stateId, row]));
  const known = new Map(places.map((place) => [place.stateId, place]));
  // A state keeps its reminder when its last DU has gone.
  for (const { stateId } of reminders) if (!known.has(stateId)) known.set(stateId, { stateId, stateName: null, dus: 0 });
  const hidden = ctx.can("rollout.duCountHide");
  const states = [...known.values()].map((place): RfiState => {
    const row = byState.get(place.stateId);
    if (!row) return { ...place, dus: hidden ? 0 : place.dus, remind: null };
    const { stateId: _state, armedLocal: _armed, nextLocal, ...rest } = row;
    const times = shownTimes({ ...withTimes(row), nextLocal }, project.tzOffset);
    const remind = { ...rest, nextLocal: times.nextLocal, nextFire: times.nextFire };
    return { ...place, dus: hidden ? 0 : place.dus, remind };
  });
  return { brazil: true, states: states.sort((a, b) => (a.stateName ?? a.stateId).localeCompare(b.stateName ?? b.stateId)) };
}
