import "server-only";
import { replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { ConfigRef } from "#lib/attributes/config-refs/logic.ts";
import { projectTime } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { localMs, localText, nextOccurrence } from "../occurrences/logic.ts";
import type { Frequency } from "../occurrences/schema.ts";
import { isAddress } from "../outbox/logic.ts";
import { EMAIL_INVALID, TOO_MANY_RECIPIENTS } from "../recipients/rules.ts";
import { nameChars } from "./limits.ts";
import { findMissing, type MailRule, readMailRules } from "./queries.ts";
import { CC_UNKNOWN, DATE_ORDER, RECIPIENT_EMPTY } from "./rules.ts";
import type { SaveActualTime, SaveRule } from "./schema.ts";

type Values = Omit<SaveRule, "id" | "rowVersion" | "type"> & Pick<MailRule, "type" | "offsetDays">;
type Saved = { id: number; nextLocal: string | null; rowVersion: number };

/**
 * Makes a mail rule, or changes one. Whoever saves it answers for it from then on; it tells of what changes after this moment.
 * @throws CC_UNKNOWN, DATE_ORDER, EMAIL_INVALID with every wrong address, NAME_EXISTS, NOT_FOUND, RECIPIENT_EMPTY, STALE, TOO_MANY_RECIPIENTS
 */
export function saveRule(ctx: Ctx, { id, rowVersion, ...rule }: SaveRule): Promise<Saved> {
  return save(ctx, { id, rowVersion }, { ...rule, offsetDays: null });
}

/**
 * Makes or changes a reminder to enter actual dates.
 * @throws as `saveRule`; without receivers it goes to the owners alone
 */
export async function saveActualTime(ctx: Ctx, { id, rowVersion, name, ...given }: SaveActualTime): Promise<Saved> {
  return save(
    ctx,
    { id, rowVersion },
    {
      ...given,
      name: name ?? (await defaultName(ctx, given)),
      type: "ACTUAL_TIME",
      attributeIds: [],
      dateFields: [],
      deviationDays: null,
      sendRange: "OWN",
      regionIds: [],
      mailTo: [],
      ccUserIds: [],
      lang: null,
      subject: null,
      content: null,
    },
  );
}

/** The activities with the days after them: what tells two such reminders apart. */
async function defaultName({ sql, project }: Ctx, { activityIds, offsetDays }: Pick<SaveActualTime, "activityIds" | "offsetDays">) {
  const rows = await sql<{ name: string }[]>`
    select name from activity_library where project_id = ${project.id} and id = any(${activityIds}::bigint[]) order by slot`;
  const days = ` +${offsetDays}`;
  return `${rows
    .map(({ name }) => name)
    .join(", ")
    .slice(0, nameChars - days.length)}${days}`;
}

async function save(
  ctx: Ctx,
  { id, rowVersion }: { id: number | undefined; rowVersion: number | undefined },
  rule: Values,
): Promise<Saved> {
  const { sql, project, user, now } = ctx;
  const [before] = id === undefined ? [] : await readMailRules(ctx, { ids: [id], lock: "wait" });
  if (id !== undefined && (!before || (before.type === "ACTUAL_TIME") !== (rule.type === "ACTUAL_TIME")))
    throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  await checkRule(ctx, rule, id ?? null);
  const times = await startTimes(ctx, rule, before?.id);
  const status = before?.disabledReason === "MANUAL" ? "DISABLED" : "ENABLED";
  const watermark = await readPlanSeq(ctx);
  const values = sql`
    ${rule.name}, ${rule.type}, ${rule.activityIds}::bigint[], ${rule.attributeIds}::bigint[], ${rule.dateFields}::text[], ${rule.deviationDays}, ${rule.offsetDays},
    ${rule.validBegin}::text::timestamp, ${rule.validEnd}::text::timestamp, ${sql.json(rule.frequency)}, ${rule.sendTime}::text::time, ${rule.sendRange},
    ${rule.regionIds}::bigint[], ${sql.json(rule.receivers)}, ${rule.mailTo}::text[], ${rule.ccUserIds}::bigint[], ${rule.lang}, ${rule.subject}, ${rule.content},
    ${user.id}, ${status}, ${status === "DISABLED" ? "MANUAL" : null}, ${times.armed}::text::timestamp, ${times.next}::text::timestamp, ${watermark}, ${user.id}, ${now}`;
  const columns = sql`name, rule_type, activity_ids, attribute_ids, date_fields, deviation_days, offset_days, valid_begin, valid_end, frequency, send_time, send_range,
    region_ids, receivers, mail_to, cc_user_ids, lang, subject, content, responsible_id, status, disabled_reason, armed_local, next_local, watermark_seq, updated_by, updated_at`;
  const [row] = before
    ? await sql<
        { id: number }[]
      >`update mail_rule set (${columns}, row_version, held, held_until) = row(${values}, row_version + 1, '{}', null) where id = ${before.id} returning id`
    : await sql<{ id: number }[]>`
        insert into mail_rule (project_id, created_by, created_at, ${columns}) values (${project.id}, ${user.id}, ${now}, ${values}) returning id`;
  await replaceRefs(ctx, "MAIL_RULE", row!.id, refsOf(rule));
  ctx.audit(`mail_rule ${row!.id}`, before ? described(before) : null, rule);
  return { id: row!.id, nextLocal: status === "ENABLED" ? times.next : null, rowVersion: before ? before.rowVersion + 1 : 1 };
}

const described = ({
  rowVersion: _version,
  watermarkSeq: _seq,
  armedLocal: _armed,
  nextLocal: _next,
  held: _held,
  heldUntil: _until,
  ...rule
}: MailRule) => ({
  ...rule,
  validBegin: localText(rule.validBegin),
  validEnd: localText(rule.validEnd),
});

const refsOf = (rule: Pick<Values, "activityIds" | "attributeIds" | "regionIds">): ConfigRef[] => [
  ...rule.activityIds.map((id) => ({ kind: "ACTIVITY" as const, id, usage: "SOURCE" as const })),
  ...rule.attributeIds.map((id) => ({ kind: "ATTRIBUTE" as const, id, usage: "SOURCE" as const })),
  ...rule.regionIds.map((id) => ({ kind: "REGION" as const, id, usage: "FILTER" as const })),
];

/**
 * Judges a rule as it is typed.
 * @param id the rule itself, whose name is its own
 * @throws as `saveRule`
 */
export async function checkRule(ctx: Ctx, rule: Values, id: number | null): Promise<void> {
  const { sql, project } = ctx;
  const { userIds, groupIds, roles, addresses } = rule.receivers;
  const outside = [...addresses, ...rule.mailTo];
  const [taken] = await sql`
    select 1 from mail_rule where project_id = ${project.id} and lower(name) = lower(${rule.name}) and id is distinct from ${id}`;
  const gone = await findMissing(ctx, {
    activityIds: rule.activityIds,
    attributeIds: rule.attributeIds,
    regionIds: rule.regionIds,
    userIds,
    ccUserIds: rule.ccUserIds,
    groupIds,
  });
  const lost = (path: string, ids: readonly number[]): Problem[] => ids.map((object) => ({ path, code: "NOT_FOUND", params: { object } }));
  const receivers = rule.type === "ACTUAL_TIME" ? 1 : userIds.length + groupIds.length + roles.length + outside.length;
  const problems: Problem[] = [
    ...(taken ? [{ path: "name", code: "NAME_EXISTS" as const, params: { name: rule.name } }] : []),
    ...lost("activityIds", gone.activityIds),
    ...lost("attributeIds", gone.attributeIds),
    ...lost("regionIds", gone.regionIds),
    ...lost("receivers.userIds", gone.userIds),
    ...lost("receivers.groupIds", gone.groupIds),
    ...brokenRules([DATE_ORDER], rule, "validEnd"),
    ...brokenRules([RECIPIENT_EMPTY], { receivers }, "receivers"),
    ...brokenRules([EMAIL_INVALID], { addresses }, "receivers.addresses"),
    ...brokenRules([EMAIL_INVALID], { addresses: rule.mailTo }, "mailTo"),
    ...brokenRules([TOO_MANY_RECIPIENTS], { addresses: outside }, "receivers.addresses"),
    ...brokenRules([CC_UNKNOWN], { unknown: gone.ccUserIds }, "ccUserIds"),
  ];
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems, { wrong: outside.filter((address) => !isAddress(address)) });
}

/**
 * From when on a reminder counts, and its next time: the first after this moment and after whatever it has sent already. As texts for the database.
 * @param id the reminder, when there is one already
 */
export async function startTimes(
  { sql, project, now }: Pick<Ctx, "sql" | "project" | "now">,
  rule: { frequency: Frequency; sendTime: string | null; validBegin: string; validEnd: string },
  id: number | undefined,
): Promise<{ armed: string; next: string | null }> {
  const armed = projectTime(now, project.tzOffset).getTime();
  const [fired] =
    id === undefined
      ? []
      : await sql<{ last: number | null }[]>`
          select (extract(epoch from max(occurrence_local)) * 1000)::float8 as last from rem_fire where rule_id = ${id}`;
  const pattern = { ...rule, validBegin: localMs(rule.validBegin), validEnd: localMs(rule.validEnd) };
  const next = nextOccurrence(pattern, Math.max(armed, fired?.last ?? armed));
  return { armed: new Date(armed).toISOString().slice(0, 19), next: next === null ? null : localText(next) };
}
