import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "#db/client.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { localText, momentOf } from "../occurrences/logic.ts";
import type { Frequency } from "../occurrences/schema.ts";
import type { Receivers } from "../recipients/schema.ts";
import { readSettings } from "../settings/queries.ts";
import type { DisabledReason, RuleDate, SendRange, StoredType } from "./limits.ts";

/** What the three kinds of reminders have in common. Local moments are numbers as `projectTime` gives them. */
export type FiringFields = {
  id: number;
  name: string;
  frequency: Frequency;
  sendTime: string | null;
  validBegin: number;
  validEnd: number;
  status: "ENABLED" | "DISABLED";
  disabledReason: DisabledReason | null;
  armedLocal: number;
  nextLocal: number | null;
  rowVersion: number;
};

/** A mail rule as it is stored. */
export type MailRule = FiringFields & {
  type: StoredType;
  activityIds: number[];
  attributeIds: number[];
  dateFields: RuleDate[];
  deviationDays: number | null;
  offsetDays: number | null;
  sendRange: SendRange;
  regionIds: number[];
  receivers: Receivers;
  mailTo: string[];
  ccUserIds: number[];
  lang: Locale | null;
  subject: string | null;
  content: string | null;
  responsibleId: number;
  watermarkSeq: number;
  /** Who has to wait for the full hour, by address in lower case, with the change number up to which he was told. */
  held: Record<string, number>;
  heldUntil: Date | null;
};

export type RuleCtx = { sql: Sql; project: Pick<CtxProject, "id"> };

/** Columns of when a reminder is sent, with the alias `r`. */
export const firingColumns = (sql: Sql) => sql`r.id, r.name, r.frequency, to_char(r.send_time, 'HH24:MI') as "sendTime",
  (extract(epoch from r.valid_begin) * 1000)::float8 as "validBegin", (extract(epoch from r.valid_end) * 1000)::float8 as "validEnd", r.status,
  r.disabled_reason as "disabledReason", (extract(epoch from r.armed_local) * 1000)::float8 as "armedLocal",
  (extract(epoch from r.next_local) * 1000)::float8 as "nextLocal", r.row_version as "rowVersion"`;

const columns = (
  sql: Sql,
) => sql`${firingColumns(sql)}, r.rule_type as type, r.activity_ids as "activityIds", r.attribute_ids as "attributeIds",
  r.date_fields as "dateFields", r.deviation_days as "deviationDays", r.offset_days as "offsetDays", r.send_range as "sendRange", r.region_ids as "regionIds",
  r.receivers, r.mail_to as "mailTo", r.cc_user_ids as "ccUserIds", r.lang, r.subject, r.content, r.responsible_id as "responsibleId",
  r.watermark_seq as "watermarkSeq", r.held, r.held_until as "heldUntil"`;

/**
 * Mail rules of the project by id.
 * @param ids only these
 * @param lock keeps them as they are until the transaction ends; `free` leaves out those that somebody else is changing
 */
export async function readMailRules(
  { sql, project }: RuleCtx,
  { ids, lock }: { ids?: readonly number[]; lock?: "wait" | "free" } = {},
): Promise<MailRule[]> {
  return [
    ...(await sql<MailRule[]>`
      select ${columns(sql)} from mail_rule r where r.project_id = ${project.id} ${ids ? sql`and r.id = any(${[...ids]}::bigint[])` : sql``}
      order by r.id ${lock === "wait" ? sql`for update of r` : lock === "free" ? sql`for update of r skip locked` : sql``}`),
  ];
}

/** What became of a send time. */
export type LastFire = { at: Date; result: "SENT" | "NOTHING" | "MISSED" | "ERROR"; rows: number; mails: number };

/** Something a rule names, with the name it has. */
export type Named = { id: number; name: string };

/** When a reminder is sent, as screens show it: local moments as texts, the next one also as the moment it stands for. */
export type ShownTimes = {
  validBegin: string;
  validEnd: string;
  nextLocal: string | null;
  nextFire: Date | null;
};

export type MailRuleRow = Omit<MailRule, keyof ShownTimes | "armedLocal" | "watermarkSeq" | "held" | "heldUntil"> &
  ShownTimes & {
    activities: Named[];
    attributes: Named[];
    regions: Named[];
    people: Named[];
    groups: Named[];
    responsible: string;
    last: LastFire | null;
    updatedAt: Date;
  };

/** Local moments of a reminder as screens show them. */
export function shownTimes(
  { validBegin, validEnd, nextLocal, status }: Pick<FiringFields, "validBegin" | "validEnd" | "nextLocal" | "status">,
  offset: number,
): ShownTimes {
  const next = status === "ENABLED" ? nextLocal : null;
  return {
    validBegin: localText(validBegin),
    validEnd: localText(validEnd),
    nextLocal: next === null ? null : localText(next),
    nextFire: next === null ? null : momentOf(next, offset),
  };
}

/** The newest result of each reminder, as a column of its table under the alias `r`. */
export const lastFire = (sql: Sql) => sql`(
  select jsonb_build_object('at', f.fired_at, 'result', f.result, 'rows', f.rows, 'mails', f.mails) from rem_fire f
  where f.project_id = r.project_id and f.rule_id = r.id order by f.fired_at desc, f.occurrence_local desc limit 1) as last`;

/** A page of mail rules and actual-time reminders, newest first. */
export async function listMailRules(ctx: Ctx, input: ListInput): Promise<Page<MailRuleRow>> {
  const { sql, project } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(sql, filter)}`, sql`r.project_id = ${project.id}`);
  const named = (table: string, ids: PendingQuery<Row[]>) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name) order by n.name, n.id) from ${sql(table)} n where n.project_id = r.project_id and n.id = any(${ids})), '[]')`;
  const [[counted], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from mail_rule r where ${where}`,
    sql<(MailRule & Omit<MailRuleRow, keyof MailRule>)[]>`
      select ${columns(sql)}, ${named("activity_library", sql`r.activity_ids`)} as activities, ${named("attribute", sql`r.attribute_ids`)} as attributes,
        ${named("delivery_region", sql`r.region_ids`)} as regions, u.name as responsible, r.updated_at as "updatedAt", ${lastFire(sql)}, coalesce((
          select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name, p.id) from app_user p
          where p.id in (select jsonb_array_elements(r.receivers -> 'userIds')::bigint union all select unnest(r.cc_user_ids))), '[]') as people, coalesce((
          select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name, g.id) from res_group g
          where g.project_id = r.project_id and g.id in (select jsonb_array_elements(r.receivers -> 'groupIds')::bigint)), '[]') as groups
      from mail_rule r join app_user u on u.id = r.responsible_id where ${where}
      order by r.id desc limit ${input.size} offset ${(input.page - 1) * input.size}`,
  ]);
  return {
    records: rows.map(({ armedLocal: _armed, watermarkSeq: _seq, held: _held, heldUntil: _until, ...row }) => ({
      ...row,
      ...shownTimes(row, project.tzOffset),
    })),
    total: counted?.total ?? 0,
    page: input.page,
    size: input.size,
  };
}

function condition(sql: Sql, { field, values }: Filter) {
  switch (field) {
    case "type":
      return sql`r.rule_type = any(${values.map(String)})`;
    case "status":
      return sql`r.status = any(${values.map(String)})`;
    case "activity":
      return sql`r.activity_ids && ${values.map(Number).filter(Number.isSafeInteger)}::bigint[]`;
    default:
      return sql`position(lower(${String(values[0] ?? "")}) in lower(r.name)) > 0`;
  }
}

/** What of a rule's names is not there, or not any more. */
export type Missing = {
  activityIds: number[];
  attributeIds: number[];
  regionIds: number[];
  userIds: number[];
  ccUserIds: number[];
  groupIds: number[];
};

/** Which of the named activities, attributes, regions and people the project does not have, or has no longer. People need a role of this day. */
export async function findMissing(
  { sql, project, today }: RuleCtx & Pick<Ctx, "today">,
  named: { [key in keyof Missing]: readonly number[] },
): Promise<Missing> {
  const ids = (list: readonly number[]) => sql`${[...list]}::bigint[]`;
  const member = sql`select m.user_id from project_member m join app_user u on u.id = m.user_id and u.active
    where m.project_id = ${project.id} and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})`;
  const without = (list: readonly number[], found: PendingQuery<Row[]>) =>
    sql`array(select n from unnest(${ids(list)}) with ordinality o(n, at) where n not in (${found}) order by at)`;
  const [row] = await sql<Missing[]>`
    select ${without(named.activityIds, sql`select id from activity_library where project_id = ${project.id} and disabled_at is null`)} as "activityIds",
      ${without(named.attributeIds, sql`select id from attribute where project_id = ${project.id} and deleted_at is null and in_rollout_plan`)} as "attributeIds",
      ${without(named.regionIds, sql`select id from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE'`)} as "regionIds",
      ${without(named.userIds, member)} as "userIds", ${without(named.ccUserIds, member)} as "ccUserIds",
      ${without(named.groupIds, sql`select id from res_group where project_id = ${project.id}`)} as "groupIds"`;
  return row!;
}

/** What a reminder can name, as its form offers it, and the time it is sent at unless another is chosen. */
export type ReminderChoices = {
  activities: Named[];
  attributes: Named[];
  regions: Named[];
  people: Named[];
  groups: Named[];
  sendTime: string;
};

/** People a form offers at most. */
const offeredMax = 2000;

/** Activities, attributes that are not hidden from the caller, regions, people with a role of this day, and groups. */
export async function listReminderChoices(ctx: Ctx): Promise<ReminderChoices> {
  const { sql, project, today } = ctx;
  const hidden = [...(await readHidden(ctx))];
  const [activities, attributes, regions, people, groups, settings] = await Promise.all([
    sql<Named[]>`select id, name from activity_library where project_id = ${project.id} and disabled_at is null order by slot`,
    sql<Named[]>`
      select id, name from attribute where project_id = ${project.id} and deleted_at is null and in_rollout_plan and level in ('DU', 'ACTIVITY')
        and not id = any(${hidden}::bigint[]) order by sort_no, id`,
    sql<Named[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE' order by sort_no, name, id`,
    sql<Named[]>`
      select u.id, u.name || ' (' || u.account || ')' as name from app_user u where u.active and exists (
        select from project_member m where m.project_id = ${project.id} and m.user_id = u.id and m.valid_from <= ${today}
          and (m.valid_to is null or m.valid_to >= ${today})) order by u.name, u.id limit ${offeredMax}`,
    sql<Named[]>`select id, name from res_group where project_id = ${project.id} order by name, id`,
    readSettings(ctx),
  ]);
  return {
    activities: [...activities],
    attributes: [...attributes],
    regions: [...regions],
    people: [...people],
    groups: [...groups],
    sendTime: settings.defaultSendTime,
  };
}
