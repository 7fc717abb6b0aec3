import "server-only";
import { createHash } from "node:crypto";
import type { Sql } from "#db/client.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { Locale } from "#lib/core/locale.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import { addressChars, expiryHours, failuresToBlock, type MailKind, type MailStatus, mailRowsMax } from "./limits.ts";
import { headerText, subjectLine } from "./logic.ts";
import type { Decliner } from "./queries.ts";
import { cancelRules, type MailFacts, resendRules } from "./rules.ts";

/** A mail to one receiver, as an area hands it over. */
export type NewMail = {
  kind: MailKind;
  /** The event the mail tells of: a second mail of the same kind, event and address is not made. */
  event: string;
  to: { userId?: number | null; address: string; name?: string; lang: Locale };
  cc?: boolean;
  subject: string;
  html: string;
  text: string;
  attachmentIds?: readonly string[];
  ruleId?: number | null;
  /** Who is told, with the project managers, when it is not delivered. */
  responsibleId?: number | null;
  /** The send time it belongs to, on the project's wall clock. */
  occurrence?: string | null;
  /** What it lists, headings first: attached as a workbook that is made when the first mail with these words is sent. */
  rows?: readonly (readonly (string | number | null)[])[] | null;
  /** Attributes whose values are in it. */
  attributeIds?: readonly number[];
  /** DUs it tells of. */
  duIds?: readonly number[];
  /** Who must still see those DUs when it is sent; its receiver by default. */
  viewerId?: number | null;
  /** When it is given up if nobody could send it; two days from now by default. */
  expiresAt?: Date;
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type MailCtx = { sql: Sql; project: Pick<CtxProject, "id" | "number">; now: Date };

/**
 * Puts a mail into the outbox in the transaction of its event: it is sent once that has committed, and never when it rolls back.
 * @returns false when the receiver has no address, or has this mail already
 */
export async function queueMail(ctx: MailCtx, mail: NewMail): Promise<boolean> {
  return (await queueMails(ctx, [mail])) > 0;
}

/**
 * As `queueMail` for many, in two statements.
 * @returns number of mails made
 */
export async function queueMails({ sql, project, now }: MailCtx, mails: readonly NewMail[]): Promise<number> {
  const expiry = new Date(now.getTime() + expiryHours * 3_600_000);
  const rows = mails.flatMap((mail) => {
    const address = mail.to.address.trim();
    if (address === "" || address.length > addressChars) return [];
    const subject = subjectLine(project.number, mail.subject);
    const listed = mail.rows ? mail.rows.slice(0, mailRowsMax + 1) : null;
    const attributes = [...(mail.attributeIds ?? [])].sort((a, b) => a - b);
    const dus = [...new Set(mail.duIds)].sort((a, b) => a - b);
    return {
      hash: sha256(
        JSON.stringify([
          subject,
          mail.html,
          mail.text,
          ...(listed || attributes.length > 0 || dus.length > 0 ? [listed, attributes, dus] : []),
        ]),
      ),
      subject,
      html: mail.html,
      text: mail.text,
      listed,
      attributes,
      dus,
      dedupe: sha256(JSON.stringify([project.id, mail.kind, mail.event, address.toLowerCase()])),
      kind: mail.kind,
      rule: mail.ruleId ?? null,
      user: mail.to.userId ?? null,
      viewer: mail.viewerId ?? mail.to.userId ?? null,
      address,
      name: mail.to.name ? headerText(mail.to.name) : null,
      cc: mail.cc ?? false,
      lang: mail.to.lang,
      files: [...(mail.attachmentIds ?? [])],
      responsible: mail.responsibleId ?? null,
      occurrence: mail.occurrence ?? null,
      expires: mail.expiresAt ?? expiry,
    };
  });
  if (rows.length === 0) return 0;
  const bodies = [
    ...new Map(
      rows.map(({ hash, subject, html, text, listed, attributes, dus }) => [hash, { hash, subject, html, text, listed, attributes, dus }]),
    ).values(),
  ];
  await sql`
    insert into mail_body (project_id, hash, subject, html, "text", rows, attribute_ids, du_ids, created_at)
    select ${project.id}, b.hash, b.subject, b.html, b."text", b.listed, b.attributes, b.dus, ${now}
    from jsonb_to_recordset(${sql.json(bodies as never)}) as b(hash text, subject text, html text, "text" text, listed jsonb, attributes bigint[], dus bigint[])
    on conflict (project_id, hash) do nothing`;
  const heads = rows.map(
    ({ subject: _subject, html: _html, text: _text, listed: _listed, attributes: _attributes, dus: _dus, ...head }) => head,
  );
  const made = await sql`
    insert into mail_outbox (project_id, dedupe_key, kind, rule_id, to_user_id, to_address, to_name, cc, lang, body_id, attachment_ids, responsible_id, viewer_id, occurrence_local,
      next_attempt_at, expires_at, created_at)
    select ${project.id}, m.dedupe, m.kind, m.rule, m."user", m.address, m.name, m.cc, m.lang, b.id, m.files, m.responsible, v.id, m.occurrence, ${now}, m.expires, ${now}
    from jsonb_to_recordset(${sql.json(heads as never)})
      as m(hash text, dedupe text, kind text, rule bigint, "user" bigint, address text, name text, cc boolean, lang text, files uuid[], responsible bigint, viewer bigint,
        occurrence timestamp, expires timestamptz)
    join mail_body b on b.project_id = ${project.id} and b.hash = m.hash
    left join app_user v on v.id = m.viewer and v.kind = 'subcontractor' and b.du_ids <> '{}'
    on conflict (dedupe_key) do nothing returning id`;
  return made.length;
}

type Locked = MailFacts & { id: number };
type Batch = { done: number; rejected: (Problem & { id: number })[] };

async function lockMails({ sql, project }: Ctx, ids: readonly number[]): Promise<Locked[]> {
  const rows = await sql<Locked[]>`
    select id, status, to_address as "toAddress" from mail_outbox where project_id = ${project.id} and id = any(${[...new Set(ids)]}::bigint[]) order by id for update`;
  if (rows.length === 0) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  return [...rows];
}

/** Splits mails by the rules; when each breaks the same rule the whole call is refused. */
function judge(mails: readonly Locked[], rules: readonly Rule<MailFacts>[]): { fit: number[]; rejected: Batch["rejected"] } {
  const rejected = mails.flatMap((mail) => brokenRules(rules, mail, String(mail.id)).map((problem) => ({ ...problem, id: mail.id })));
  const refused = new Set(rejected.map(({ id }) => id));
  const fit = mails.map(({ id }) => id).filter((id) => !refused.has(id));
  const [first] = rejected;
  if (fit.length === 0 && first && rejected.every(({ code }) => code === first.code))
    throw new AppError(
      first.code,
      first.params ?? {},
      rejected.map(({ id: _id, ...problem }) => problem),
    );
  return { fit, rejected };
}

/** Puts failed, bounced and uncertain mails into the queue again; a block of their addresses is lifted. */
export async function resendMails(ctx: Ctx, { ids }: { ids: number[] }): Promise<Batch> {
  const { sql, now } = ctx;
  const mails = await lockMails(ctx, ids);
  const { fit, rejected } = judge(mails, resendRules);
  await sql`
    update mail_address set failures = 0, blocked = false
    where address in (select lower(to_address) from mail_outbox where id = any(${fit}::bigint[]))`;
  await sql`
    update mail_outbox set status = 'QUEUED', attempts = 0, next_attempt_at = ${now}, expires_at = ${new Date(now.getTime() + expiryHours * 3_600_000)}, last_error = null, claimed_by = null
    where id = any(${fit}::bigint[])`;
  await sql`select pg_notify('mail_queued', '')`;
  ctx.audit("mails", statesOf(mails, fit), { status: "QUEUED" });
  return { done: fit.length, rejected };
}

/** Takes waiting mails back. */
export async function cancelMails(ctx: Ctx, { ids }: { ids: number[] }): Promise<Batch> {
  const mails = await lockMails(ctx, ids);
  const { fit, rejected } = judge(mails, cancelRules);
  await ctx.sql`update mail_outbox set status = 'CANCELLED', last_error = 'cancelled' where id = any(${fit}::bigint[])`;
  ctx.audit("mails", statesOf(mails, fit), { status: "CANCELLED" });
  return { done: fit.length, rejected };
}

function statesOf(mails: readonly Locked[], ids: readonly number[]): Record<number, MailStatus> {
  return Object.fromEntries(mails.filter(({ id }) => ids.includes(id)).map(({ id, status }) => [id, status]));
}

/**
 * Takes the report of the mail gateway that a sent mail came back.
 * @throws NOT_FOUND for a message of another project or one that was never sent
 */
export async function recordBounce(ctx: Ctx, bounce: { messageId: string; code: string; text: string }): Promise<{ id: number }> {
  const { sql, project } = ctx;
  const [mail] = await sql<{ id: number; status: MailStatus; toAddress: string }[]>`
    select id, status, to_address as "toAddress" from mail_outbox where project_id = ${project.id} and message_id = ${bounce.messageId} order by id desc limit 1 for update`;
  if (!mail || !["SENT", "UNCERTAIN", "BOUNCED"].includes(mail.status)) throw new AppError("NOT_FOUND", { object: bounce.messageId });
  const error = headerText(`${bounce.code} ${bounce.text}`, 500);
  if (mail.status !== "BOUNCED") {
    await sql`update mail_outbox set status = 'BOUNCED', last_error = ${error} where id = ${mail.id}`;
    await countFailures(sql, [{ address: mail.toAddress, error }]);
  }
  ctx.audit(`mail ${mail.id}`, { status: mail.status }, { status: "BOUNCED", error });
  return { id: mail.id };
}

/** Takes waiting mails of rules back, because the rules are out of force. */
export async function cancelMailsOfRules(
  { sql, project }: { sql: Sql; project: { id: number } },
  ruleIds: readonly number[],
): Promise<number> {
  const gone = await sql`
    update mail_outbox set status = 'CANCELLED', last_error = 'ruleDisabled'
    where project_id = ${project.id} and rule_id = any(${[...ruleIds]}::bigint[]) and status in ('QUEUED', 'RETRY') returning id`;
  return gone.length;
}

/** Counts permanent failures of addresses; the third without a success between them blocks the address. */
export async function countFailures(sql: Sql, failures: readonly { address: string; error: string }[]): Promise<void> {
  if (failures.length === 0) return;
  await sql`
    insert into mail_address as a (address, failures, last_error, blocked)
    select f.address, count(*), max(f.error), count(*) >= ${failuresToBlock}
    from unnest(${failures.map(({ address }) => address.toLowerCase())}::text[], ${failures.map(({ error }) => error)}::text[]) as f(address, error)
    group by f.address order by f.address
    on conflict (address) do update set failures = a.failures + excluded.failures, last_error = excluded.last_error,
      blocked = a.blocked or a.failures + excluded.failures >= ${failuresToBlock}`;
}

/**
 * Lets mails go to an address again.
 * @throws NOT_FOUND for an address that is not blocked or to which the project has never written
 */
export async function unblockAddress(ctx: Ctx, { address }: { address: string }): Promise<{ address: string }> {
  const { sql, project } = ctx;
  const [row] = await sql<{ address: string; failures: number }[]>`
    update mail_address a set failures = 0, blocked = false
    where a.address = ${address.trim().toLowerCase()} and a.blocked
      and exists (select from mail_outbox m where m.project_id = ${project.id} and lower(m.to_address) = a.address)
    returning address, failures`;
  if (!row) throw new AppError("NOT_FOUND", { object: address });
  ctx.audit(`mail address ${row.address}`, { blocked: true }, { blocked: false });
  return { address: row.address };
}

/** Declines a kind of mail in a project for the one a link was made for; harmless when repeated. */
export async function declineMails(sql: Sql, { projectId, kind, userId, address }: Decliner, now: Date): Promise<void> {
  await sql`
    insert into mail_optout (project_id, kind, user_id, address, created_at) values (${projectId}, ${kind}, ${userId}, ${address}, ${now})
    on conflict do nothing`;
}

/**
 * Takes back that a kind of mail was declined: a person for himself, with notice.edit for anybody.
 * @throws NOT_FOUND
 */
export async function deleteOptout(ctx: Ctx, { id }: { id: number }): Promise<{ id: number }> {
  const [gone] = await ctx.sql<{ kind: string; userId: number | null; address: string | null }[]>`
    delete from mail_optout where id = ${id} and project_id = ${ctx.project.id} and (${ctx.can("notice.edit")} or user_id = ${ctx.user.id}) returning kind, user_id as "userId", address`;
  if (!gone) throw new AppError("NOT_FOUND", { object: String(id) });
  ctx.audit(`mail optout ${id}`, gone, null);
  return { id };
}
