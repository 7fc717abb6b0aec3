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
  /** Resolves when new mails are there, so that a line without work looks again while others are still sending. */
  woken?: () => Promise<void>;
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
 * Sends what is due over several lines at once until nothing is left, no mail server answers or the worker leaves. The lines share what is claimed, and
 * what comes meanwhile: a server that is slow with one mail keeps no other waiting. One drain runs at a time in a process; any number of processes may
 * drain beside each other. Without a transport only what has become too old or is known to be lost is settled.
 * @returns mails taken by the server
 */
export async function drainMails(drain: Drain): Promise<number> {
  const { pool, workerId } = drain;
  await settleLost(pool, workerId);
  await settleUnsendable(pool, drain.now());
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL) return 0;
  const claims = new Claims(drain, MAIL_FROM);
  let sent = 0;
  const work = async () => {
    const line = new SmtpLine(SMTP_URL, MAIL_FROM, drain.waits ?? { greetingMs, answerMs });
    try {
      for (let held = await claims.next(); held; held = await claims.next()) {
        const { mail } = held;
        const delivery = await deliver(pool, line, mail, drain.now());
        await settle(drain, [{ mail, delivery, after: afterAttempt(delivery, mail.attempts, drain.now()) }]);
        claims.end(held, delivery);
        if (delivery.outcome === "sent") sent++;
      }
    } finally {
      line.close();
      claims.leave();
    }
  };
  const done = await Promise.allSettled(Array.from({ length: connections }, work));
  await settle(drain, [], claims.rest());
  for (const line of done) if (line.status === "rejected") throw line.reason;
  return sent;
}

/** A claimed mail and the claim it came with: how many mails of it are open, and whether any server spoke to us about one of them. */
type Held = { mail: Claimed; claim: { open: number; contact: boolean } };

/** What the lines of a drain have claimed together, never more than a block at a time; no second block before a server has spoken. */
class Claims {
  readonly #drain: Drain;
  readonly #from: string;
  readonly #waiting: Held[] = [];
  #claimed = 0;
  #onLine = 0;
  #lines = connections;
  #idle = 0;
  #contact = false;
  #claiming: Promise<void> | null = null;
  /** Resolves when a line without work has a reason to look again. */
  #stirred = Promise.withResolvers<void>();
  #isOver = false;

  constructor(drain: Drain, from: string) {
    this.#drain = drain;
    this.#from = from;
  }

  /** The next mail for a line; waits for one as long as other lines are sending. Undefined when the drain is over. */
  async next(): Promise<Held | undefined> {
    while (!this.#isOver && !this.#drain.leaving.aborted) {
      // Asked for before looking: a mail that comes while nothing is found is not overlooked.
      const reasons = [this.#stirred.promise, this.#drain.woken?.() ?? this.#stirred.promise];
      if (this.#waiting.length === 0) await this.#claim();
      const held = this.#waiting.shift();
      if (held) {
        this.#onLine++;
        return held;
      }
      if (++this.#idle === this.#lines) this.#end();
      await Promise.race(reasons);
      this.#idle--;
    }
    return undefined;
  }

  /** A mail has left its line. A claim of which no server would hear ends the drain: the rest would only wait for the same silence. */
  end({ claim }: Held, delivery: Delivery): void {
    this.#onLine--;
    claim.contact ||= delivery.outcome !== "temporary" || delivery.contact;
    if (--claim.open === 0 && !claim.contact) this.#end();
    if (!claim.contact || this.#contact) return;
    this.#contact = true;
    this.#stir();
  }

  /** A line is gone. */
  leave(): void {
    this.#lines--;
    if (this.#idle === this.#lines) this.#end();
  }

  /** Claimed mails no line has begun. */
  rest(): Claimed[] {
    return this.#waiting.splice(0).map(({ mail }) => mail);
  }

  #end(): void {
    this.#isOver = true;
    this.#stir();
  }

  #stir(): void {
    this.#stirred.resolve();
    this.#stirred = Promise.withResolvers<void>();
  }

  /** One claim at a time: lines that find nothing wait for the same. */
  async #claim(): Promise<void> {
    this.#claiming ??= this.#claimNow();
    try {
      await this.#claiming;
    } finally {
      this.#claiming = null;
    }
  }

  async #claimNow(): Promise<void> {
    const most = blockMails - (this.#contact ? this.#onLine : this.#claimed);
    if (most <= 0) return;
    const { pool, workerId, now } = this.#drain;
    const block = await claimBlock(pool, workerId, now(), this.#from, most);
    this.#claimed += block.length;
    const claim = { open: block.length, contact: false };
    for (const mail of block) this.#waiting.push({ mail, claim });
  }
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
 * Takes a few mails that are due, projects in turn, each project within its share of the minute. Committed before the first byte is sent, so that a
 * mail is never taken by two workers. Claims wait for each other: together the workers keep to the share.
 */
function claimBlock(pool: Pool, workerId: string, now: Date, from: string, most: number): Promise<Claimed[]> {
  const cap = env().MAIL_PER_MINUTE;
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  return transaction(pool, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('mail claim'))`;
    const rows = await sql<(Omit<Claimed, "messageId"> & { messageId: string | null })[]>`
      with project_due as (
        select p.project_id, ${cap === 0 ? most : cap} - case when ${cap} = 0 then 0 else coalesce(r.mails, 0) end as room
        from (select distinct project_id from mail_outbox where status in ('QUEUED', 'RETRY') and next_attempt_at <= ${now}) p
        left join mail_minute r on r.project_id = p.project_id and r.minute = ${minute}
      ), share as (
        select project_id, least(room, greatest(1, ceil(${most}::numeric / count(*) over ())))::int as mails from project_due where room > 0
      ), due as (
        select d.id from share s cross join lateral (
          select m.id, m.next_attempt_at from mail_outbox m
          where m.project_id = s.project_id and m.status in ('QUEUED', 'RETRY') and m.next_attempt_at <= ${now}
          order by m.next_attempt_at, m.id limit s.mails for update skip locked
        ) d order by d.next_attempt_at, d.id limit ${most}
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

/** Writes what became of mails; those not begun go back. Tried again when the database is away: a mail that was sent must not be forgotten. */
async function settle(drain: Drain, results: readonly Result[], notBegun: readonly Claimed[] = []): Promise<void> {
  if (results.length + notBegun.length === 0) return;
  for (let tried = 1; ; tried++) {
    try {
      return await writeResults(drain, results, notBegun);
    } catch (error) {
      if (tried === settleTries) throw error;
      log.warn({ error: String(error) }, "the outcome of mails was not written yet");
      await new Promise((resolve) => setTimeout(resolve, settlePauseMs * tried));
    }
  }
}

function writeResults({ pool, workerId }: Drain, results: readonly Result[], notBegun: readonly Claimed[]): Promise<void> {
  const back = notBegun.map(({ id }) => id);
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
