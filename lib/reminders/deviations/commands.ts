import "server-only";
import { replaceRefsOfMany } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { localText } from "../occurrences/logic.ts";
import { startTimes } from "../rules/commands.ts";
import { findMissing } from "../rules/queries.ts";
import { DATE_ORDER } from "../rules/rules.ts";
import { type DeviationRemind, listDuplicates, readDeviations } from "./queries.ts";
import type { SaveDeviation } from "./schema.ts";

type Pair = { regionId: number; activityId: number };
type Saved = {
  saved: (Pair & { id: number })[];
  /** Pairs that have such a reminder already: for them none was made. */
  duplicates: (Pair & { region: string; activity: string })[];
  nextLocal: string | null;
};

/**
 * Makes a deviation reminder for every pair of region and activity, or changes one. Pairs that have an equal one are passed over and listed.
 * @throws DATE_ORDER, NOT_FOUND, REMINDER_DUPLICATE when none is left, NOTHING_MODIFIED, STALE
 */
export async function saveDeviation(ctx: Ctx, input: SaveDeviation): Promise<Saved> {
  const { sql, project, user, now } = ctx;
  // Two equal ones saved at once would not see each other.
  await holdProject(ctx);
  const [before] = input.id === undefined ? [] : await readDeviations(ctx, { ids: [input.id], lock: "wait" });
  if (input.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  await checkDeviation(ctx, input);
  const given = { ...input, regionIds: input.regionId, activityIds: input.activityId };
  const duplicates = await listDuplicates(ctx, given, before?.id ?? null);
  const taken = new Set(duplicates.map(({ regionId, activityId }) => `${regionId} ${activityId}`));
  const pairs = input.regionId
    .flatMap((regionId) => input.activityId.map((activityId) => ({ regionId, activityId })))
    .filter(({ regionId, activityId }) => !taken.has(`${regionId} ${activityId}`));
  if (pairs.length === 0)
    throw new AppError("REMINDER_DUPLICATE", { names: duplicates.map(({ region, activity }) => `${region} · ${activity}`).join(", ") });
  const times = await startTimes(ctx, input, before?.id);
  const status = before?.disabledReason === "MANUAL" ? "DISABLED" : "ENABLED";
  const { id: _id, rowVersion: _version, regionId: _region, activityId: _activity, ...facts } = input;
  refuseUnchanged(before && described(before), { ...pairs[0], ...facts, status });
  const values = sql`
    n.region || ' · ' || n.activity || ' · ' || ${String(input.deviationDays)}::text, n."regionId", n."activityId", ${input.deviationDays}::int, ${input.roles}::text[],
    ${input.userIds}::bigint[], ${input.groupIds}::bigint[], ${sql.json(input.frequency)}::jsonb, ${input.sendTime}::text::time, ${input.validBegin}::text::timestamp,
    ${input.validEnd}::text::timestamp, ${status}::text, ${status === "DISABLED" ? "MANUAL" : null}::text, ${times.armed}::text::timestamp,
    ${times.next}::text::timestamp, ${user.id}::bigint, ${now}::timestamptz`;
  const columns = sql`name, region_id, activity_id, deviation_days, roles, user_ids, group_ids, frequency, send_time, valid_begin, valid_end, status, disabled_reason,
    armed_local, next_local, updated_by, updated_at`;
  const named = sql`(
    select p."regionId", p."activityId", g.name as region, a.name as activity from jsonb_to_recordset(${sql.json(pairs)}) as p("regionId" bigint, "activityId" bigint)
    join delivery_region g on g.id = p."regionId" join activity_library a on a.id = p."activityId") n`;
  const rows = before
    ? await sql<(Pair & { id: number })[]>`
        update deviation_remind r set (${columns}, row_version) = (select ${values}, r.row_version + 1 from ${named}) where r.id = ${before.id}
        returning r.id, r.region_id as "regionId", r.activity_id as "activityId"`
    : await sql<(Pair & { id: number })[]>`
        insert into deviation_remind (project_id, created_by, created_at, ${columns}) select ${project.id}::bigint, ${user.id}::bigint, ${now}::timestamptz, ${values} from ${named}
        returning id, region_id as "regionId", activity_id as "activityId"`;
  await replaceRefsOfMany(
    ctx,
    "DEVIATION_REMIND",
    rows.map(({ id }) => id),
    rows.flatMap(({ id, regionId, activityId }) => [
      { holderId: id, kind: "REGION" as const, id: regionId, usage: "FILTER" as const },
      { holderId: id, kind: "ACTIVITY" as const, id: activityId, usage: "SOURCE" as const },
    ]),
  );
  for (const { id, ...pair } of rows) ctx.audit(`deviation_remind ${id}`, before ? described(before) : null, { ...pair, ...facts });
  return { saved: [...rows], duplicates, nextLocal: status === "ENABLED" ? times.next : null };
}

const described = ({ rowVersion: _version, armedLocal: _armed, nextLocal: _next, ...reminder }: DeviationRemind) => ({
  ...reminder,
  validBegin: localText(reminder.validBegin),
  validEnd: localText(reminder.validEnd),
});

/**
 * Judges a deviation reminder as it is typed.
 * @throws DATE_ORDER, NOT_FOUND
 */
export async function checkDeviation(ctx: Ctx, input: SaveDeviation): Promise<void> {
  const gone = await findMissing(ctx, {
    activityIds: input.activityId,
    attributeIds: [],
    regionIds: input.regionId,
    userIds: input.userIds,
    ccUserIds: [],
    groupIds: input.groupIds,
  });
  const lost = (path: string, ids: readonly number[]): Problem[] => ids.map((object) => ({ path, code: "NOT_FOUND", params: { object } }));
  const problems = [
    ...lost("regionId", gone.regionIds),
    ...lost("activityId", gone.activityIds),
    ...lost("userIds", gone.userIds),
    ...lost("groupIds", gone.groupIds),
    ...brokenRules([DATE_ORDER], input, "validEnd"),
  ];
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
}
