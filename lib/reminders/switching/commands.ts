import "server-only";
import { createTranslator } from "use-intl/core";
import { dropRefs } from "#lib/attributes/config-refs/commands.ts";
import type { HolderKind } from "#lib/attributes/config-refs/limits.ts";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { projectTime, projectToday } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { href } from "#lib/core/href.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type DeviationRemind, readDeviations } from "../deviations/queries.ts";
import { notify } from "../notices/commands.ts";
import { nextOccurrence } from "../occurrences/logic.ts";
import { cancelMailsOfRules } from "../outbox/commands.ts";
import { type RfiRemind, readRfiReminds } from "../rfi/queries.ts";
import { type FiringFields, findMissing, type MailRule, type RuleCtx, readMailRules } from "../rules/queries.ts";
import { deleteWarnings } from "../warning-config/commands.ts";
import type { EnableFault, ReminderKind } from "./limits.ts";
import type { ChangeReminders, DeleteReminders } from "./schema.ts";

/** Table and place in the index of what configuration names. */
const homes: Record<ReminderKind, { table: string; holder: HolderKind }> = {
  RULE: { table: "mail_rule", holder: "MAIL_RULE" },
  ACTUAL_TIME: { table: "mail_rule", holder: "MAIL_RULE" },
  DEVIATION: { table: "deviation_remind", holder: "DEVIATION_REMIND" },
  RFI: { table: "rfi_remind", holder: "RFI_REMIND" },
};

const nothing = { activityIds: [], attributeIds: [], regionIds: [], userIds: [], ccUserIds: [], groupIds: [] };

/** A reminder of any kind with what it names. */
type AnyReminder = FiringFields & { activityIds: number[]; attributeIds: number[]; regionIds: number[]; responsibleId: number | null };

async function lockReminders(ctx: Ctx, { kind, ids }: ChangeReminders): Promise<AnyReminder[]> {
  const options = { ids, lock: "wait" as const };
  const rows: AnyReminder[] =
    kind === "DEVIATION"
      ? (await readDeviations(ctx, options)).map(ofDeviation)
      : kind === "RFI"
        ? (await readRfiReminds(ctx, options)).map(ofRfi)
        : (await readMailRules(ctx, options)).filter(({ type }: MailRule) => (type === "ACTUAL_TIME") === (kind === "ACTUAL_TIME"));
  if (rows.length !== ids.length) {
    const found = new Set(rows.map(({ id }) => id));
    throw new AppError("NOT_FOUND", { object: ids.filter((id) => !found.has(id)).join(", ") });
  }
  return rows;
}

const ofDeviation = (row: DeviationRemind): AnyReminder => ({
  ...row,
  activityIds: [row.activityId],
  attributeIds: [],
  regionIds: [row.regionId],
  responsibleId: null,
});
const ofRfi = (row: RfiRemind): AnyReminder => ({
  ...row,
  activityIds: row.untilActivityId === null ? [] : [row.untilActivityId],
  attributeIds: [],
  regionIds: [],
  responsibleId: null,
});

/** Text of reminders in a language. */
function reminderTexts(lang: Locale): (key: string, values?: Record<string, string>) => string {
  return createTranslator({
    locale: lang,
    messages: loadMessages(lang),
    namespace: "reminder-rules",
    onError: () => {},
  }) as unknown as (key: string, values?: Record<string, string>) => string;
}

/**
 * Puts reminders into force from this moment on, all of them or none: what changed before is not told any more.
 * @throws NOT_FOUND, REMINDER_CANNOT_ENABLE with every reason
 */
export async function enableReminders(ctx: Ctx, input: ChangeReminders): Promise<{ enabled: number }> {
  const { sql, project, user, now } = ctx;
  const rows = await lockReminders(ctx, input);
  const local = projectTime(now, project.tzOffset).getTime();
  await guardEnable(ctx, rows, local);
  const armed = new Date(local).toISOString().slice(0, 19);
  const fired = await sql<{ id: number; last: number }[]>`
    select rule_id as id, (extract(epoch from max(occurrence_local)) * 1000)::float8 as last from rem_fire where rule_id = any(${input.ids}::bigint[]) group by rule_id`;
  const lastOf = new Map(fired.map(({ id, last }) => [id, last]));
  const times = rows.map((row) => {
    const next = nextOccurrence(row, Math.max(local, lastOf.get(row.id) ?? local));
    return { id: row.id, next: next === null ? null : new Date(next).toISOString().slice(0, 19) };
  });
  const { table } = homes[input.kind];
  const watermark = table === "mail_rule" ? sql`, watermark_seq = ${await readPlanSeq(ctx)}, held = '{}', held_until = null` : sql``;
  await sql`
    update ${sql(table)} r set status = 'ENABLED', disabled_reason = null, armed_local = ${armed}::text::timestamp, next_local = n.next,
      row_version = r.row_version + 1, updated_by = ${user.id}, updated_at = ${now} ${watermark}
    from jsonb_to_recordset(${sql.json(times)}) as n(id bigint, next timestamp) where r.id = n.id`;
  for (const row of rows) ctx.audit(`${table} ${row.id}`, { status: row.status }, { status: "ENABLED" });
  return { enabled: rows.length };
}

async function guardEnable(ctx: Ctx, rows: readonly AnyReminder[], local: number): Promise<void> {
  const faultOf = await findFaults(ctx, rows);
  const left = await findMissing(ctx, { ...nothing, userIds: rows.flatMap(({ responsibleId }) => responsibleId ?? []) });
  const t = reminderTexts(ctx.locale);
  const problems = rows.flatMap((row, at): Problem[] => {
    const faults: EnableFault[] = [
      ...(row.validEnd <= local ? (["PAST"] as const) : []),
      ...faultOf(row),
      ...(row.responsibleId !== null && left.userIds.includes(row.responsibleId) ? (["RESPONSIBLE"] as const) : []),
    ];
    const reasons = faults.map((fault) => t(`fault.${fault}`)).join("; ");
    return faults.length === 0
      ? []
      : [{ path: `ids.${at}`, code: "REMINDER_CANNOT_ENABLE", params: { reasons: rows.length > 1 ? `${row.name}: ${reasons}` : reasons } }];
  });
  if (problems.length > 0)
    throw new AppError("REMINDER_CANNOT_ENABLE", { reasons: problems.map(({ params }) => params!.reasons).join("; ") }, problems);
}

/**
 * Takes reminders out of force that name what is no longer in use, and tells the project managers; mails of theirs that still wait are not sent.
 * @param event names what happened: the same one tells nobody twice
 */
export async function recheckReminders(ctx: RecheckCtx, event: string): Promise<number[]> {
  const { sql, project, now } = ctx;
  const [held] = await sql<{ number: string; tzOffset: number }[]>`
    select number, tz_offset_beijing as "tzOffset" from project where id = ${project.id} for no key update`;
  if (!held) return [];
  const today = projectToday(now, held.tzOffset);
  const rows: [table: string, rows: AnyReminder[]][] = [
    ["mail_rule", await readMailRules(ctx, { lock: "wait" })],
    ["deviation_remind", (await readDeviations(ctx, { lock: "wait" })).map(ofDeviation)],
    ["rfi_remind", (await readRfiReminds(ctx, { lock: "wait" })).map(ofRfi)],
  ];
  const enabled = rows.flatMap(([table, list]) => list.filter(({ status }) => status === "ENABLED").map((row) => ({ table, row })));
  const faultOf = await findFaults(
    { ...ctx, today },
    enabled.map(({ row }) => row),
  );
  const over = enabled.flatMap(({ table, row }) => {
    const [reason] = faultOf(row);
    return reason ? [{ table, id: row.id, name: row.name, reason }] : [];
  });
  if (over.length === 0) return [];
  for (const [table, list] of Map.groupBy(over, (row) => row.table))
    await sql`
      update ${sql(table)} r set status = 'DISABLED', disabled_reason = n.reason, row_version = r.row_version + 1, updated_at = ${now}
      from jsonb_to_recordset(${sql.json(list)}) as n(id bigint, reason text) where r.id = n.id`;
  const ids = over.map(({ id }) => id);
  await cancelMailsOfRules(ctx, ids);
  const people = await sql<{ id: number }[]>`
    select distinct user_id as id from project_member
    where project_id = ${project.id} and role = 'PM' and valid_from <= ${today} and (valid_to is null or valid_to >= ${today})`;
  await notify(
    ctx,
    people.map(({ id }) => id),
    {
      kind: "mailRule",
      title: "reminder-mails.notice.outOfForce",
      params: { names: holderNames(over.map(({ name }) => name)) },
      link: href(over.some(({ table }) => table === "mail_rule") ? "mailRules" : "reminders", {}, held.number),
      event: `${event} ${ids.join()}`,
    },
  );
  return ids;
}

type RecheckCtx = RuleCtx & Pick<Ctx, "now">;

/** What reminders name that the project does not have, or has no longer in use. */
async function findFaults(ctx: RuleCtx & Pick<Ctx, "today">, rows: readonly AnyReminder[]): Promise<(row: AnyReminder) => EnableFault[]> {
  const gone = await findMissing(ctx, {
    ...nothing,
    activityIds: rows.flatMap(({ activityIds }) => activityIds),
    attributeIds: rows.flatMap(({ attributeIds }) => attributeIds),
    regionIds: rows.flatMap(({ regionIds }) => regionIds),
  });
  const any = (named: readonly number[], lost: readonly number[]) => named.some((id) => lost.includes(id));
  return (row) => [
    ...(any(row.activityIds, gone.activityIds) ? (["ACTIVITY"] as const) : []),
    ...(any(row.attributeIds, gone.attributeIds) ? (["ATTRIBUTE"] as const) : []),
    ...(any(row.regionIds, gone.regionIds) ? (["REGION"] as const) : []),
  ];
}

/** Puts reminders out of force; mails of theirs that still wait are not sent. @throws NOT_FOUND */
export async function disableReminders(ctx: Ctx, input: ChangeReminders): Promise<{ disabled: number }> {
  const { sql, user, now } = ctx;
  const rows = (await lockReminders(ctx, input)).filter(({ status }) => status === "ENABLED");
  const ids = rows.map(({ id }) => id);
  const { table } = homes[input.kind];
  await sql`
    update ${sql(table)} set status = 'DISABLED', disabled_reason = 'MANUAL', row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now}
    where id = any(${ids}::bigint[])`;
  await cancelMailsOfRules(ctx, ids);
  for (const row of rows) ctx.audit(`${table} ${row.id}`, { status: row.status }, { status: "DISABLED" });
  if (rows.length === 0) ctx.audit(`${table} ${input.ids.join(", ")}`, { status: "DISABLED" }, { status: "DISABLED" });
  return { disabled: rows.length };
}

/** Deletes reminders or warnings, all of them or none. @throws NOT_FOUND */
export async function deleteReminders(ctx: Ctx, { kind, ids }: DeleteReminders): Promise<{ deleted: number }> {
  if (kind === "WARNING") return deleteWarnings(ctx, { ids });
  const input = { kind, ids };
  const { sql, project } = ctx;
  const rows = await lockReminders(ctx, input);
  const { table, holder } = homes[input.kind];
  await cancelMailsOfRules(ctx, input.ids);
  await sql`delete from rem_fire where project_id = ${project.id} and rule_id = any(${input.ids}::bigint[])`;
  await sql`delete from ${sql(table)} where project_id = ${project.id} and id = any(${input.ids}::bigint[])`;
  await dropRefs(ctx, holder, input.ids);
  for (const { id, name, status } of rows) ctx.audit(`${table} ${id}`, { name, status }, null);
  return { deleted: rows.length };
}
