import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { getSql } from "#db/client.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import { addDays, isIsoDay, projectMoment } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { type MailKind, type MailStatus, mailKinds, optoutsMax } from "./limits.ts";
import { cancelRules, resendRules } from "./rules.ts";

/** A mail of the outbox as its screen lists it; the words of the mail are read one by one. */
export type MailRow = {
  id: number;
  kind: string;
  status: MailStatus;
  subject: string;
  toAddress: string;
  toName: string | null;
  cc: boolean;
  attempts: number;
  nextAttemptAt: Date;
  expiresAt: Date;
  lastError: string | null;
  createdAt: Date;
  sentAt: Date | null;
  blocked: boolean;
  /** The person may read its words. */
  readable: boolean;
  may: { resend: boolean; cancel: boolean };
};

type Read = Pick<Ctx, "sql" | "project" | "user" | "can">;

/** Mails a person may see: with notice.edit all of them, else those of rules, and always the own ones. */
function visible({ sql, project, user, can }: Read) {
  return can("notice.edit")
    ? sql`m.project_id = ${project.id}`
    : sql`m.project_id = ${project.id} and (m.rule_id is not null or m.kind = 'reminder' or m.to_user_id = ${user.id})`;
}

function columns({ sql, user, can }: Read) {
  return sql`m.id, ${can("notice.edit")} or m.to_user_id is not distinct from ${user.id} as readable, m.kind, m.status, b.subject, m.to_address as "toAddress", m.to_name as "toName", m.cc, m.attempts, m.next_attempt_at as "nextAttemptAt",
    m.expires_at as "expiresAt", m.last_error as "lastError", m.created_at as "createdAt", m.sent_at as "sentAt", coalesce(a.blocked, false) as blocked`;
}

function withRights(ctx: Read, row: Omit<MailRow, "may">): MailRow {
  const edit = ctx.can("notice.edit");
  return {
    ...row,
    may: { resend: edit && brokenRules(resendRules, row).length === 0, cancel: edit && brokenRules(cancelRules, row).length === 0 },
  };
}

/** Mails that need somebody, by state, and whether mails are sent at all. */
export type MailSummary = { counts: Partial<Record<MailStatus, number>>; transport: boolean };

/** A page of the mail log, newest first; where states are asked for, uncertain mails come first. */
export async function listMails(ctx: Ctx, input: ListInput): Promise<Page<MailRow> & MailSummary> {
  const { sql } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, visible(ctx));
  // Among failures those come first of which somebody has to decide whether they are sent again.
  const order = input.filters.some(({ field }) => field === "status")
    ? sql`m.status <> 'UNCERTAIN', m.created_at desc, m.id desc`
    : sql`m.created_at desc, m.id desc`;
  const from = sql`from mail_outbox m join mail_body b on b.id = m.body_id left join mail_address a on a.address = lower(m.to_address)`;
  const [[counted], rows, states] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total ${from} where ${where}`,
    sql<Omit<MailRow, "may">[]>`
      select ${columns(ctx)} ${from} where ${where} order by ${order} limit ${input.size} offset ${(input.page - 1) * input.size}`,
    sql<{ status: MailStatus; count: number }[]>`
      select m.status, count(*)::int as count from mail_outbox m where ${visible(ctx)} group by m.status`,
  ]);
  return {
    records: rows.map((row) => withRights(ctx, row)),
    total: counted?.total ?? 0,
    page: input.page,
    size: input.size,
    counts: Object.fromEntries(states.map(({ status, count }) => [status, count])),
    transport: env().SMTP_URL !== undefined,
  };
}

const pattern = (value: unknown) => `%${String(value ?? "").replace(/[\\%_]/g, "\\$&")}%`;

function condition({ sql, project }: Ctx, { field, values }: Filter) {
  switch (field) {
    case "status":
      return sql`m.status = any(${values.map(String)})`;
    case "kind":
      return sql`m.kind = any(${values.map(String)})`;
    case "to":
      return sql`(m.to_address ilike ${pattern(values[0])} or m.to_name ilike ${pattern(values[0])})`;
    case "subject":
      return sql`b.subject ilike ${pattern(values[0])}`;
    default: {
      const [from, to] = values.map((value) => (typeof value === "string" && isIsoDay(value) ? value : null));
      const moment = (day: string) => projectMoment(new Date(`${day}T00:00:00Z`), project.tzOffset);
      return sql`m.created_at >= coalesce(${from ? moment(from) : null}::timestamptz, '-infinity')
        and m.created_at < coalesce(${to ? moment(addDays(to, 1)) : null}::timestamptz, 'infinity')`;
    }
  }
}

/** A mail with its words. */
export type MailText = MailRow & {
  /** Null where values of an attribute are in it that the reader may not see. */
  text: string | null;
  attachments: { name: string; size: number }[];
  messageId: string | null;
};

/**
 * One mail with its words: for its receiver and for notice.edit, who does not get the words where they tell of an attribute hidden from him.
 * @throws NOT_FOUND
 */
export async function getMail(ctx: Ctx, id: number): Promise<MailText> {
  const { sql, project, user } = ctx;
  const readable = ctx.can("notice.edit") ? sql`true` : sql`m.to_user_id = ${user.id}`;
  const [row] = await sql<(Omit<MailText, "may"> & { attributeIds: number[]; own: boolean })[]>`
    select ${columns(ctx)}, b.text, m.message_id as "messageId", b.attribute_ids as "attributeIds", m.to_user_id is not distinct from ${user.id} as own,
      (select coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'size', f.size) order by f.name), '[]') from file_object f where f.id = any(m.attachment_ids)) as attachments
    from mail_outbox m join mail_body b on b.id = m.body_id left join mail_address a on a.address = lower(m.to_address)
    where m.project_id = ${project.id} and ${readable} and m.id = ${id}`;
  if (!row) throw new AppError("NOT_FOUND", { object: String(id) });
  const { attributeIds, own, attachments, messageId, text, ...mail } = row;
  const hidden = own || attributeIds.length === 0 ? null : await readHidden(ctx);
  return { ...withRights(ctx, mail), text: attributeIds.some((one) => hidden?.has(one)) ? null : text, attachments, messageId };
}

/** A kind of mail somebody declined. */
export type OptoutRow = { id: number; kind: string; who: string; own: boolean; createdAt: Date };
/** An address that gets no mails until somebody lets them go there again. */
export type BlockedAddress = { address: string; failures: number; lastError: string | null };

/** What was declined in the project, newest first, and addresses it has written to that are blocked. Without notice.find a person sees his own only. */
export async function listOptouts({ sql, project, user, can }: Ctx): Promise<{ optouts: OptoutRow[]; blocked: BlockedAddress[] }> {
  const all = can("notice.find");
  const [optouts, blocked] = await Promise.all([
    sql<OptoutRow[]>`
      select o.id, o.kind, coalesce(u.name, o.address) as who, o.user_id is not distinct from ${user.id} as own, o.created_at as "createdAt"
      from mail_optout o left join app_user u on u.id = o.user_id
      where o.project_id = ${project.id} and (${all} or o.user_id = ${user.id}) order by o.created_at desc, o.id desc limit ${optoutsMax}`,
    all
      ? sql<BlockedAddress[]>`
          select a.address, a.failures, a.last_error as "lastError" from mail_address a
          where a.blocked and exists (select from mail_outbox m where m.project_id = ${project.id} and lower(m.to_address) = a.address)
          order by a.address limit ${optoutsMax}`
      : [],
  ]);
  return { optouts: [...optouts], blocked: [...blocked] };
}

/** Who declines what: what an unsubscribe link is signed for. */
export type Decliner = { projectId: number; kind: MailKind; userId: number | null; address: string | null };

const signature = (payload: string) => createHmac("sha256", env().AUTH_SECRET).update(`unsubscribe:${payload}`).digest("base64url");

/** The signed words of an unsubscribe link. */
export function unsubscribeToken({ projectId, kind, userId, address }: Decliner): string {
  const payload = Buffer.from(JSON.stringify([projectId, kind, userId, userId === null ? address?.toLowerCase() : null])).toString(
    "base64url",
  );
  return `${payload}.${signature(payload)}`;
}

/** What an unsubscribe link says; null when it is not ours or concerns mails that cannot be declined. */
export function readToken(token: string): Decliner | null {
  const [payload = "", given = ""] = token.split(".");
  const expected = Buffer.from(signature(payload));
  const actual = Buffer.from(given);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  try {
    const [projectId, kind, userId, address] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [
      number,
      string,
      number | null,
      string | null,
    ];
    if (!Object.hasOwn(mailKinds, kind) || !mailKinds[kind as MailKind].mayDecline) return null;
    return { projectId, kind: kind as MailKind, userId, address };
  } catch {
    return null;
  }
}

/** What an unsubscribe link is about, as its page says it; null when the link is not valid any more. */
export async function findDeclined(token: string): Promise<{ kind: MailKind; project: string; declined: boolean } | null> {
  const link = readToken(token);
  if (!link) return null;
  const [row] = await getSql()<{ project: string; declined: boolean }[]>`
    select p.number || ' ' || p.name as project, exists (
      select 1 from mail_optout o where o.project_id = p.id and o.kind = ${link.kind} and o.user_id is not distinct from ${link.userId} and o.address is not distinct from ${link.address}
    ) as declined from project p where p.id = ${link.projectId}`;
  return row ? { kind: link.kind, ...row } : null;
}
