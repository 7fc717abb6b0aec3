import "server-only";
import { replaceRefsOfMany } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { EMAIL_INVALID, TOO_MANY_RECIPIENTS } from "../recipients/rules.ts";
import { startTimes } from "../rules/commands.ts";
import { findMissing } from "../rules/queries.ts";
import { type RfiRemind, readRfiReminds, rfiTimes } from "./queries.ts";
import { MAX_BELOW_MIN, NOT_BRAZIL_PROJECT } from "./rules.ts";
import type { SaveRfi } from "./schema.ts";

const nobody = { userIds: [], groupIds: [], roles: [], addresses: [] };

/**
 * Makes or changes the RFI reminders of states, all of them or none.
 * @throws EMAIL_INVALID, MAX_BELOW_MIN, NOT_BRAZIL_PROJECT, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveRfi(ctx: Ctx, { rows }: SaveRfi): Promise<{ saved: { id: number; stateId: string; rowVersion: number }[] }> {
  const { sql, project, user, now } = ctx;
  checkRules([NOT_BRAZIL_PROJECT], { country: project.country });
  await holdProject(ctx);
  const present = await readRfiReminds(ctx, { lock: "wait" });
  const byState = new Map(present.map((row) => [row.stateId, row]));
  const problems = rows.flatMap((row, at): Problem[] => {
    const before = byState.get(row.stateId);
    const again = rows.findIndex(({ stateId }) => stateId === row.stateId) < at;
    return [
      ...(row.id !== undefined && before?.id !== row.id
        ? [{ path: `rows.${at}.id`, code: "NOT_FOUND" as const, params: { object: row.id } }]
        : []),
      ...(again ? [{ path: `rows.${at}.stateId`, code: "REMINDER_DUPLICATE" as const, params: { names: row.stateId } }] : []),
      ...brokenRules([MAX_BELOW_MIN], row, `rows.${at}.maxDays`),
      ...brokenRules([EMAIL_INVALID, TOO_MANY_RECIPIENTS], row.exceptionReceivers ?? nobody, `rows.${at}.exceptionReceivers`),
    ];
  });
  const gone = await findMissing(ctx, {
    activityIds: rows.flatMap(({ untilActivityId }) => untilActivityId ?? []),
    attributeIds: [],
    regionIds: [],
    userIds: rows.flatMap(({ exceptionReceivers }) => exceptionReceivers?.userIds ?? []),
    ccUserIds: [],
    groupIds: rows.flatMap(({ exceptionReceivers }) => exceptionReceivers?.groupIds ?? []),
  });
  for (const object of [...gone.activityIds, ...gone.userIds, ...gone.groupIds])
    problems.push({ path: "rows", code: "NOT_FOUND", params: { object } });
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
  // Somebody else has made the reminder of the state meanwhile, or changed it.
  const stale = rows.find((row) => byState.get(row.stateId) && byState.get(row.stateId)?.rowVersion !== row.rowVersion);
  if (stale) throw new AppError("STALE", {}, [], byState.get(stale.stateId));
  const times = await startTimes(ctx, rfiTimes, undefined);
  const given = rows.map((row) => ({
    ...row,
    exceptionReceivers: row.exceptionReceivers ?? byState.get(row.stateId)?.exceptionReceivers ?? nobody,
  }));
  refuseUnchanged(
    given.map(({ stateId }) => {
      const present = byState.get(stateId);
      return present ? facts(present) : null;
    }),
    given.map(facts),
  );
  const saved = await sql<{ id: number; stateId: string; untilActivityId: number | null; rowVersion: number }[]>`
    insert into rfi_remind as r (project_id, state_id, min_days, max_days, remind_types, exception_receivers, until_activity_id, status, armed_local, next_local,
      created_by, created_at, updated_by, updated_at)
    select ${project.id}, n."stateId", n."minDays", n."maxDays", n."remindTypes", n."exceptionReceivers", n."untilActivityId", 'ENABLED', ${times.armed}::text::timestamp,
      ${times.next}::text::timestamp, ${user.id}, ${now}, ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(given)}) as n("stateId" text, "minDays" int, "maxDays" int, "remindTypes" text[], "exceptionReceivers" jsonb, "untilActivityId" bigint)
    order by n."stateId"
    on conflict (project_id, state_id) do update set min_days = excluded.min_days, max_days = excluded.max_days, remind_types = excluded.remind_types,
      exception_receivers = excluded.exception_receivers, until_activity_id = excluded.until_activity_id, row_version = r.row_version + 1,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at
    returning id, state_id as "stateId", until_activity_id as "untilActivityId", row_version as "rowVersion"`;
  await replaceRefsOfMany(
    ctx,
    "RFI_REMIND",
    saved.map(({ id }) => id),
    saved.flatMap(({ id, untilActivityId }) =>
      untilActivityId === null ? [] : [{ holderId: id, kind: "ACTIVITY" as const, id: untilActivityId, usage: "CONDITION" as const }],
    ),
  );
  for (const row of given) ctx.audit(`rfi_remind ${row.stateId}`, byState.get(row.stateId) ?? null, facts(row));
  return { saved: saved.map(({ id, stateId, rowVersion }) => ({ id, stateId, rowVersion })) };
}

type Facts = Pick<RfiRemind, "stateId" | "minDays" | "maxDays" | "remindTypes" | "exceptionReceivers" | "untilActivityId">;

const facts = ({ stateId, minDays, maxDays, remindTypes, exceptionReceivers, untilActivityId }: Facts): Facts => ({
  stateId,
  minDays,
  maxDays,
  remindTypes,
  exceptionReceivers,
  untilActivityId,
});
