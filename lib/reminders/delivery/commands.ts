import "server-only";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { SmtpLine, type SmtpWaits, type WireMail } from "#lib/core/smtp.ts";
import { readFileStream } from "#lib/core/storage.ts";
import { countFailures } from "../outbox/commands.ts";
import { answerMs, blockMails, connections, deadSeconds, greetingMs, keepDays, type MailKind, mailKinds } from "../outbox/limits.ts";
import { type AfterAttempt, afterAttempt, type Delivery, isAddress, judgeFault, messageId } from "../outbox/logic.ts";
import { unsubscribeToken } from "../outbox/queries.ts";

/** What a drain works with. */
export type Drain = {
  pool: Pool;
  /** Sign of life of this worker: mails it holds are uncertain once it has none. */
  workerId: string;
  now: () => Date;
  /** Aborted when the worker is asked to end: what has not begun goes back. */
  leaving: AbortSignal;
  waits?: SmtpWaits;
};

type Claimed = {
  id: number;
  projectId: number;
  kind: MailKind;
  toUserId: number | null;
  toAddress: string;
  toName: string | null;
  cc: boolean;
  attempts: number;
  messageId: string;
  attachmentIds: string[];
  subject: string;
  html: string;
  text: string;
};

type Result = { mail: Claimed; delivery: Delivery; after: AfterAttempt };

/**
 * Sends what is due, block by block, until nothing is left, no mail server answers or the worker leaves. One drain runs at a time in a process; any number
 * of processes may drain beside each other. Without a transport only what has become too old or is known to be lost is settled.
 * @returns mails taken by the server
 */
export async function drainMails(drain: Drain): Promise<number> {
  const { pool, workerId, leaving } = drain;
  const { SMTP_URL, MAIL_FROM } = env();
  await settleLost(pool, workerId);
  await settleUnsendable(pool, drain.now());
  if (!SMTP_URL) return 0;
  const waits = drain.waits ?? { greetingMs, answerMs };
  const lines = Array.from({ length: connections }, () => new SmtpLine(SMTP_URL, MAIL_FROM, waits));
  let sent = 0;
  try {
    while (!leaving.aborted) {
      const block = await claimBlock(pool, workerId, drain.now(), MAIL_FROM);
      if (block.length === 0) break;
      const results = await sendBlock(drain, lines, block);
      await settleBlock(drain, results, block);
      sent += results.filter(({ delivery }) => delivery.outcome === "sent").length;
      // Nobody answers: the rest would only wait for the same silence.
      if (results.length > 0 && results.every(({ delivery }) => delivery.outcome === "temporary" && !delivery.contact)) break;
    }
  } finally {
    for (const line of lines) line.close();
  }
  return sent;
}

/** Mails of workers without a sign of life, and of an earlier drain of this one: nobody knows whether the server took them. */
async function settleLost(sql: Sql, workerId: string): Promise<void> {
  const lost = await sql<{ id: number }[]>`
    update mail_outbox m set status = 'UNCERTAIN', last_error = 'workerLost'
    where status = 'SENDING' and (claimed_by = ${workerId} or not exists (
      select 1 from process_heartbeat h where h.id = m.claimed_by and h.beat_at > now() - make_interval(secs => ${deadSeconds})))
    returning id`;
  if (lost.length > 0) log.warn({ mails: lost.map(({ id }) => id) }, "mails of a lost worker are uncertain");
}

async function settleUnsendable(sql: Sql, now: Date): Promise<void> {
  await sql`
    update mail_outbox m set status = 'CANCELLED', last_error = r.reason
    from (
      select w.id, case when w.expires_at <= ${now} then 'expired' when a.blocked then 'blocked' else 'declined' end as reason
      from mail_outbox w left join mail_address a on a.address = lower(w.to_address)
      where w.status in ('QUEUED', 'RETRY') and (w.expires_at <= ${now} or a.blocked or exists (
        select 1 from mail_optout o where o.project_id = w.project_id and o.kind = w.kind and (o.user_id = w.to_user_id or o.address = lower(w.to_address))))
      order by w.id for update of w skip locked
    ) r where m.id = r.id`;
}

/**
 * Takes at most ten mails that are due, projects in turn, each project within its share of the minute. Committed before the first byte is sent, so that a
 * mail is never taken by two workers. Claims wait for each other: together the workers keep to the share.
 */
function claimBlock(pool: Pool, workerId: string, now: Date, from: string): Promise<Claimed[]> {
  const cap = env().MAIL_PER_MINUTE;
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  return transaction(pool, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('mail claim'))`;
    const rows = await sql<(Omit<Claimed, "messageId"> & { messageId: string | null })[]>`
      with project_due as (
        select p.project_id, ${cap === 0 ? blockMails : cap} - case when ${cap} = 0 then 0 else coalesce(r.mails, 0) end as room
        from (select distinct project_id from mail_outbox where status in ('QUEUED', 'RETRY') and next_attempt_at <= ${now}) p
        left join mail_minute r on r.project_id = p.project_id and r.minute = ${minute}
      ), share as (
        select project_id, least(room, greatest(1, ceil(${blockMails}::numeric / count(*) over ())))::int as mails from project_due where room > 0
      ), due as (
        select d.id from share s cross join lateral (
          select m.id, m.next_attempt_at from mail_outbox m
          where m.project_id = s.project_id and m.status in ('QUEUED', 'RETRY') and m.next_attempt_at <= ${now}
          order by m.next_attempt_at, m.id limit s.mails for update skip locked
        ) d order by d.next_attempt_at, d.id limit ${blockMails}
      ), claimed as (
        update mail_outbox m set status = 'SENDING', attempts = m.attempts + 1, claimed_by = ${workerId}, last_error = null
        from due where m.id = due.id
        returning m.*
      ), counted as (
        insert into mail_minute as r (project_id, minute, mails) select project_id, ${minute}, count(*) from claimed group by project_id
        on conflict (project_id, minute) do update set mails = r.mails + excluded.mails
      )
      select c.id, c.project_id as "projectId", c.kind, c.to_user_id as "toUserId", c.to_address as "toAddress", c.to_name as "toName", c.cc, c.attempts,
        c.message_id as "messageId", c.attachment_ids as "attachmentIds", b.subject, b.html, b.text
      from claimed c join mail_body b on b.id = c.body_id order by c.id`;
    const block = rows.map((row) => ({ ...row, messageId: row.messageId ?? messageId(row.id, from) }));
    const fresh = block.filter((_, index) => rows[index]?.messageId === null);
    if (fresh.length > 0)
      await sql`
        update mail_outbox m set message_id = n.message_id
        from unnest(${fresh.map(({ id }) => id)}::bigint[], ${fresh.map((mail) => mail.messageId)}::text[]) as n(id, message_id) where m.id = n.id`;
    return block;
  });
}

async function sendBlock({ pool, now, leaving }: Drain, lines: readonly SmtpLine[], block: readonly Claimed[]): Promise<Result[]> {
  const waiting = [...block];
  const results: Result[] = [];
  await Promise.all(
    lines.map(async (line) => {
      while (!leaving.aborted) {
        const mail = waiting.shift();
        if (!mail) return;
        const delivery = await deliver(pool, line, mail, now());
        results.push({ mail, delivery, after: afterAttempt(delivery, mail.attempts, now()) });
      }
    }),
  );
  return results;
}

async function deliver(pool: Pool, line: SmtpLine, mail: Claimed, now: Date): Promise<Delivery> {
  if (!isAddress(mail.toAddress)) return { outcome: "permanent", error: "malformed", address: false };
  let wire: WireMail;
  try {
    wire = { ...toWire(mail), attachments: await readAttachments(pool, mail, now) };
  } catch (error) {
    log.error({ mail: mail.id, error: String(error) }, "a mail could not be put together");
    return { outcome: "temporary", error: "attachmentGone", contact: true };
  }
  const fault = await line.send(wire);
  if (!fault) return { outcome: "sent" };
  log.warn({ mail: mail.id, attempt: mail.attempts, ...fault }, "a mail was not taken");
  return judgeFault(fault, fault.handedOver);
}

function toWire(mail: Claimed): Omit<WireMail, "attachments"> {
  const headers: Record<string, string> = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };
  if (mailKinds[mail.kind]?.mayDecline) {
    const token = unsubscribeToken({ projectId: mail.projectId, kind: mail.kind, userId: mail.toUserId, address: mail.toAddress });
    headers["List-Unsubscribe"] = `<${new URL(`/api/mail/unsubscribe/${token}`, env().AUTH_URL).href}>`;
    headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click";
  }
  return {
    to: { name: mail.toName ?? "", address: mail.toAddress },
    cc: mail.cc,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers,
  };
}

async function readAttachments(pool: Pool, { projectId, attachmentIds }: Claimed, now: Date): Promise<WireMail["attachments"]> {
  const attachments: WireMail["attachments"] = [];
  if (attachmentIds.length === 0) return attachments;
  const files = await pool<{ id: string; name: string; mime: string }[]>`
    select id, name, mime from file_object where id = any(${attachmentIds}::uuid[]) and project_id = ${projectId} order by name`;
  // A file that has reached its age is left out: the mail says where its screen is.
  for (const { id, name, mime } of files) {
    const chunks: Buffer[] = [];
    const stream = await readFileStream({ sql: pool, project: { id: projectId } as never, now }, id).catch(() => null);
    if (!stream) continue;
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    attachments.push({ filename: name, contentType: mime, content: Buffer.concat(chunks) });
  }
  return attachments;
}

const settleTries = 5;
const settlePauseMs = 1_000;

/** Writes what became of a block; what was not begun goes back. Tried again when the database is away: a mail that was sent must not be forgotten. */
async function settleBlock(drain: Drain, results: readonly Result[], block: readonly Claimed[]): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await writeResults(drain, results, block);
    } catch (error) {
      if (tried === settleTries) throw error;
      log.warn({ error: String(error) }, "the outcome of mails was not written yet");
      await new Promise((resolve) => setTimeout(resolve, settlePauseMs * tried));
    }
  }
}

function writeResults({ pool, workerId }: Drain, results: readonly Result[], block: readonly Claimed[]): Promise<void> {
  const begun = new Set(results.map(({ mail }) => mail.id));
  const back = block.filter(({ id }) => !begun.has(id)).map(({ id }) => id);
  const rows = results.map(({ mail, after }) => ({
    id: mail.id,
    attempts: mail.attempts,
    status: after.status,
    next: after.nextAttemptAt,
    sent: after.sentAt,
    error: after.error === null ? null : [...after.error].slice(0, 500).join(""),
  }));
  return transaction(pool, async (sql) => {
    // Another worker may have called the mail uncertain in the meantime; this one knows better.
    await sql`
      update mail_outbox m set status = r.status, next_attempt_at = coalesce(r.next, m.next_attempt_at), sent_at = r.sent, last_error = r.error,
        claimed_by = case when r.status = 'UNCERTAIN' then m.claimed_by end
      from jsonb_to_recordset(${sql.json(rows as never)}) as r(id bigint, attempts int, status text, next timestamptz, sent timestamptz, error text)
      where m.id = r.id and m.attempts = r.attempts and m.claimed_by = ${workerId} and m.status in ('SENDING', 'UNCERTAIN')`;
    if (back.length > 0)
      await sql`
        update mail_outbox set status = case when attempts = 1 then 'QUEUED' else 'RETRY' end, attempts = attempts - 1, claimed_by = null
        where id = any(${back}::bigint[]) and status = 'SENDING' and claimed_by = ${workerId}`;
    const sent = results.filter(({ delivery }) => delivery.outcome === "sent").map(({ mail }) => mail.toAddress.toLowerCase());
    if (sent.length > 0) await sql`update mail_address set failures = 0 where address = any(${sent}) and failures > 0`;
    await countFailures(
      sql,
      results.flatMap(({ mail, delivery }) =>
        delivery.outcome === "permanent" && delivery.address ? [{ address: mail.toAddress, error: delivery.error }] : [],
      ),
    );
  });
}

/** Removes mails that ended long ago, and words no mail needs any more. */
export async function clearMails(sql: Sql, projectId: number, now: Date): Promise<void> {
  await sql`
    delete from mail_outbox where project_id = ${projectId} and created_at < ${new Date(now.getTime() - keepDays * 86_400_000)}
      and status in ('SENT', 'FAILED', 'UNCERTAIN', 'BOUNCED', 'CANCELLED')`;
  await sql`delete from mail_minute where project_id = ${projectId} and minute < ${new Date(now.getTime() - 600_000)}`;
  await sql`
    delete from mail_body b where b.project_id = ${projectId} and b.created_at < ${new Date(now.getTime() - 86_400_000)}
      and not exists (select 1 from mail_outbox m where m.body_id = b.id)`;
}
