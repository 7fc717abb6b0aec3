import "server-only";
import type { PendingQuery, Row } from "postgres";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import type { WireMail, Words } from "#lib/core/mime.ts";
import { SmtpLine, type SmtpWaits } from "#lib/core/smtp.ts";
import { isolatedFrom } from "#lib/resources/isolation/queries.ts";
import { declineLinks, type FootLine, type MailParts, readAttachments } from "../mail-parts/commands.ts";
import { type TroubledMail, tellMailTrouble } from "../mail-trouble/commands.ts";
import { answerMs, blockMails, connections, deadSeconds, failuresToBlock, greetingMs, keepDays } from "../outbox/limits.ts";
import { type AfterAttempt, addFoot, afterAttempt, type Delivery, isAddress, judgeFault, mailHost } from "../outbox/logic.ts";

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

type Claimed = MailParts & {
  id: number;
  toName: string | null;
  cc: boolean;
  attempts: number;
  messageId: string;
  words: Words;
  senderName: string | null;
  replyTo: string | null;
  viewerId: number | null;
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
  await settleLost(pool, workerId, drain.now());
  await settleUnsendable(pool, drain.now());
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL) return 0;
  const claims = new Claims(drain, MAIL_FROM);
  const outcomes = new Outcomes(drain, claims);
  let sent = 0;
  const work = async () => {
    const line = new SmtpLine(SMTP_URL, MAIL_FROM, drain.waits ?? { greetingMs, answerMs });
    try {
      for (let held = await claims.next(); held; held = await claims.next()) {
        const { mail } = held;
        const delivery = await deliver(pool, line, mail, drain.now());
        outcomes.add({ mail, delivery, after: afterAttempt(delivery, mail.attempts, drain.now()) });
        claims.end(held, delivery);
        if (delivery.outcome === "sent") sent++;
      }
    } finally {
      line.close();
      claims.leave();
    }
  };
  const done = await Promise.allSettled(Array.from({ length: connections }, work));
  await outcomes.written();
  await giveBack(drain, claims.rest());
  for (const line of done) if (line.status === "rejected") throw line.reason;
  return sent;
}

/** A claimed mail and the claim it came with: how many mails of it are open, and whether any server spoke to us about one of them. */
type Held = { mail: Claimed; claim: { open: number; contact: boolean } };

/**
 * What the lines of a drain have claimed together: never more than a block whose outcome is not written, so that a kill leaves no more than that uncertain.
 * No second block before a server has spoken.
 */
class Claims {
  readonly #drain: Drain;
  readonly #from: string;
  readonly #waiting: Held[] = [];
  /** The last words by their id: mails with the same words mostly wait one behind the other. */
  readonly #words = new Map<number, Words>();
  #claimed = 0;
  /** Mails whose outcome is not written. */
  #open = 0;
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
      if (held) return held;
      if (++this.#idle === this.#lines && this.#open === 0) this.#end();
      await Promise.race(reasons);
      this.#idle--;
    }
    return undefined;
  }

  /** A mail has left its line. A claim of which no server would hear ends the drain: the rest would only wait for the same silence. */
  end({ claim }: Held, delivery: Delivery): void {
    claim.contact ||= delivery.outcome !== "temporary" || delivery.contact;
    if (--claim.open === 0 && !claim.contact) this.#end();
    if (!claim.contact || this.#contact) return;
    this.#contact = true;
    this.#stir();
  }

  /** So many outcomes are written. */
  written(mails: number): void {
    this.#open -= mails;
    this.#stir();
  }

  /** A line is gone. */
  leave(): void {
    this.#lines--;
    if (this.#idle === this.#lines && this.#open === 0) this.#end();
  }

  /** Ends the drain: nothing more is claimed. */
  fail(): void {
    this.#end();
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
    const most = blockMails - (this.#contact ? this.#open : this.#claimed);
    // Less is free only while outcomes are being written, which is told; a claim of one or two mails costs as much as one of five.
    if (most < blockMails - connections) return;
    const { pool, workerId, now } = this.#drain;
    let block: Claimed[];
    let kept: Claimed[];
    // A block of which nothing may be sent is no end of the queue.
    do {
      block = await claimBlock(pool, workerId, now(), this.#from, most);
      kept = await giveUpIsolated(pool, workerId, block);
    } while (block.length > 0 && kept.length === 0);
    this.#claimed += kept.length;
    this.#open += kept.length;
    const claim = { open: kept.length, contact: false };
    for (const mail of kept) this.#waiting.push({ mail: { ...mail, words: this.#shared(mail) }, claim });
  }

  /** The same object for all mails with the same words, so that they are encoded once. */
  #shared({ bodyId, words: given }: Claimed): Words {
    const words = this.#words.get(bodyId) ?? given;
    this.#words.delete(bodyId);
    this.#words.set(bodyId, words);
    if (this.#words.size > blockMails) this.#words.delete(this.#words.keys().next().value as number);
    return words;
  }
}

/** Writes what became of mails: one statement takes everything that has come in while the one before it ran. */
class Outcomes {
  readonly #drain: Drain;
  readonly #claims: Claims;
  readonly #waiting: Result[] = [];
  #writing: Promise<void> | null = null;
  #fault: unknown = null;

  constructor(drain: Drain, claims: Claims) {
    this.#drain = drain;
    this.#claims = claims;
  }

  add(result: Result): void {
    this.#waiting.push(result);
    this.#writing ??= this.#run();
  }

  /** @throws when an outcome could not be written */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#fault) throw this.#fault;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const results = this.#waiting.splice(0);
        await patiently(() => writeResults(this.#drain, results));
        this.#claims.written(results.length);
      }
    } catch (error) {
      this.#fault = error;
      this.#claims.fail();
    } finally {
      this.#writing = null;
    }
  }
}

/** Mails of workers without a sign of life, and of an earlier drain of this one: nobody knows whether the server took them. */
async function settleLost(pool: Pool, workerId: string, now: Date): Promise<void> {
  const [any] = await pool`select 1 from mail_outbox where status = 'SENDING' limit 1`;
  if (!any) return;
  await transaction(pool, async (sql) => {
    const lost = await sql<(TroubledMail & { id: number; claimedBy: string })[]>`
      update mail_outbox m set status = 'UNCERTAIN', last_error = 'workerLost' from mail_body b
      where b.id = m.body_id and m.status = 'SENDING' and (m.claimed_by = ${workerId} or not exists (
        select 1 from process_heartbeat h where h.id = m.claimed_by and h.beat_at > now() - make_interval(secs => ${deadSeconds})))
      returning m.id, m.claimed_by as "claimedBy", m.project_id as "projectId", m.kind, m.rule_id as "ruleId", m.responsible_id as "responsibleId", b.subject, m.status`;
    if (lost.length > 0) log.warn({ mails: lost.map(({ id }) => id) }, "mails of a lost worker are uncertain");
    for (const [incident, mails] of Map.groupBy(lost, ({ claimedBy }) => claimedBy)) await tellMailTrouble(sql, mails, { now, incident });
  });
}

async function settleUnsendable(sql: Sql, now: Date): Promise<void> {
  await sql`
    update mail_outbox m set status = 'CANCELLED', last_error = r.reason
    from (
      select w.id, case when w.expires_at <= ${now} then 'expired' when a.blocked then 'blocked' when x.isolated then 'isolated' else 'declined' end as reason
      from mail_outbox w left join mail_address a on a.address = lower(w.to_address) cross join lateral (select w.viewer_id is not null and ${isolated(sql, sql`w`)} as isolated) x
      where w.status in ('QUEUED', 'RETRY') and (w.expires_at <= ${now} or a.blocked or x.isolated or exists (
        select 1 from mail_optout o where o.project_id = w.project_id and o.kind = w.kind and (o.user_id = w.to_user_id or o.address = lower(w.to_address))))
      order by w.id for update of w skip locked
    ) r where m.id = r.id`;
}

/** Whether a waiting mail tells of a DU that has meanwhile been kept from who was to read it. */
const isolated = (sql: Sql, mail: PendingQuery<Row[]>) =>
  isolatedFrom(sql, sql`${mail}.viewer_id`, sql`(select b.du_ids from mail_body b where b.id = ${mail}.body_id)::bigint[]`);

/**
 * Takes a few mails that are due, projects in turn, each project within its share of the minute. Committed before the first byte is sent, so that a
 * mail is never taken by two workers. Where projects have a share, claims wait for each other: together the workers keep to it.
 */
function claimBlock(pool: Pool, workerId: string, now: Date, from: string, most: number): Promise<Claimed[]> {
  const cap = env().MAIL_PER_MINUTE;
  if (cap === 0) return claim(pool, { workerId, now, from, most, cap });
  return transaction(pool, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('mail claim'))`;
    return claim(sql, { workerId, now, from, most, cap });
  });
}

async function claim(
  sql: Sql,
  { workerId, now, from, most, cap }: { workerId: string; now: Date; from: string; most: number; cap: number },
): Promise<Claimed[]> {
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  // Named by their ids and not joined: a plan made while the outbox was short would go through all of it for these few.
  // The projects that have mails are walked along the index, one step each: a long queue of one of them is not read to learn who else waits.
  const rows = await sql<(Omit<Claimed, "words"> & Words)[]>`
    with recursive waiting as (
      (select project_id, next_attempt_at from mail_outbox where status in ('QUEUED', 'RETRY') order by project_id, next_attempt_at limit 1)
      union all
      select n.* from waiting w cross join lateral (
        select m.project_id, m.next_attempt_at from mail_outbox m
        where m.status in ('QUEUED', 'RETRY') and m.project_id > w.project_id order by m.project_id, m.next_attempt_at limit 1) n
    ), project_due as (
      select w.project_id, ${cap === 0 ? most : cap} - case when ${cap} = 0 then 0 else coalesce(r.mails, 0) end as room
      from waiting w left join mail_minute r on r.project_id = w.project_id and r.minute = ${minute}
      where w.next_attempt_at <= ${now}
    ), share as (
      select project_id, least(room, greatest(1, ceil(${most}::numeric / count(*) over ())))::int as mails from project_due where room > 0
    ), due as (
      select d.id from share s cross join lateral (
        select m.id, m.next_attempt_at from mail_outbox m
        where m.project_id = s.project_id and m.status in ('QUEUED', 'RETRY') and m.next_attempt_at <= ${now}
        order by m.next_attempt_at, m.id limit s.mails for update skip locked
      ) d order by d.next_attempt_at, d.id limit ${most}
    ), claimed as (
      update mail_outbox m set status = 'SENDING', attempts = m.attempts + 1, claimed_by = ${workerId}, last_error = null,
        message_id = coalesce(m.message_id, '<milepost.' || m.id || '@' || ${mailHost(from)}::text || '>')
      where m.id = any(array(select id from due))
      returning m.*
    ), counted as (
      insert into mail_minute as r (project_id, minute, mails) select project_id, ${minute}, count(*) from claimed where ${cap} > 0 group by project_id
      on conflict (project_id, minute) do update set mails = r.mails + excluded.mails
    )
    select c.id, c.project_id as "projectId", p.number as "projectNumber", c.kind, c.to_user_id as "toUserId", c.to_address as "toAddress", c.to_name as "toName",
      c.cc, c.lang, c.attempts, c.message_id as "messageId", c.attachment_ids as "attachmentIds", c.responsible_id as "responsibleId", c.viewer_id as "viewerId", b.id as "bodyId", b.subject,
      b.html, b.text, b.file_id as "fileId", b.rows is not null as listed, s.sender_name as "senderName", s.reply_to as "replyTo"
    from claimed c join mail_body b on b.id = c.body_id and b.id = any(array(select body_id from claimed)) join project p on p.id = c.project_id left join rem_setting s on s.project_id = c.project_id order by c.id`;
  return rows.map(({ text, html, ...mail }) => ({ ...mail, words: { text, html } }));
}

/** Ends those of a block that tell of a DU which has meanwhile been kept from who was to read it. Asked apart from the claim: it concerns few mails. */
async function giveUpIsolated(pool: Pool, workerId: string, block: readonly Claimed[]): Promise<Claimed[]> {
  const watched = block.filter(({ viewerId }) => viewerId !== null).map(({ id }) => id);
  if (watched.length === 0) return [...block];
  const rows = await pool<{ id: number }[]>`
    update mail_outbox m set status = 'CANCELLED', last_error = 'isolated', claimed_by = null
    where m.id = any(${watched}::bigint[]) and m.status = 'SENDING' and m.claimed_by = ${workerId} and ${isolated(pool, pool`m`)} returning m.id`;
  const gone = new Set(rows.map(({ id }) => id));
  return block.filter(({ id }) => !gone.has(id));
}

async function deliver(pool: Pool, line: SmtpLine, mail: Claimed, now: Date): Promise<Delivery> {
  if (!isAddress(mail.toAddress)) return { outcome: "permanent", error: "malformed", address: false };
  let wire: WireMail;
  try {
    const { attachments, foot } = await readAttachments(pool, mail, now);
    wire = { ...toWire(mail, foot), attachments };
  } catch (error) {
    log.error({ mail: mail.id, error: String(error) }, "a mail could not be put together");
    return { outcome: "temporary", error: "attachmentGone", contact: true };
  }
  const fault = await line.send(wire);
  if (!fault) return { outcome: "sent" };
  log.warn({ mail: mail.id, attempt: mail.attempts, ...fault }, "a mail was not taken");
  return judgeFault(fault, fault.handedOver);
}

function toWire(mail: Claimed, foot: readonly FootLine[]): Omit<WireMail, "attachments"> {
  const headers: Record<string, string> = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };
  const decline = declineLinks(mail);
  if (decline) {
    headers["List-Unsubscribe"] = `<${decline.header}>`;
    headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click";
  }
  return {
    to: { name: mail.toName ?? "", address: mail.toAddress },
    cc: mail.cc,
    subject: mail.subject,
    words: addFoot(mail.words, decline ? [...foot, decline.line] : foot),
    messageId: mail.messageId,
    headers,
    senderName: mail.senderName,
    replyTo: mail.replyTo,
  };
}

const writeTries = 5;
const writePauseMs = 1_000;

/** Tries a write again when the database is away: a mail that was sent must not be forgotten. */
async function patiently(write: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (tried === writeTries) throw error;
      log.warn({ error: String(error) }, "the outcome of mails was not written yet");
      await new Promise((resolve) => setTimeout(resolve, writePauseMs * tried));
    }
  }
}

async function writeResults({ pool, workerId, now }: Drain, results: readonly Result[]): Promise<void> {
  const rows = results.map(({ mail, delivery, after }) => ({
    id: mail.id,
    attempts: mail.attempts,
    status: after.status,
    next: after.nextAttemptAt,
    sent: after.sentAt,
    error: after.error === null ? null : [...after.error].slice(0, 500).join(""),
    address: mail.toAddress.toLowerCase(),
    counts: delivery.outcome === "permanent" && delivery.address,
  }));
  // Another worker may have called a mail uncertain in the meantime; this one knows better.
  // The mails are named by their ids: a join planned while the outbox was short would go through all of it for each of these few.
  const write = (sql: Sql) => sql<TroubledMail[]>`
    with r as materialized (
      select * from jsonb_to_recordset(${sql.json(rows as never)})
        as r(id bigint, attempts int, status text, next timestamptz, sent timestamptz, error text, address text, counts boolean)
    ), done as (
      update mail_outbox m set status = r.status, next_attempt_at = coalesce(r.next, m.next_attempt_at), sent_at = r.sent, last_error = r.error,
        claimed_by = case when r.status = 'UNCERTAIN' then m.claimed_by end
      from r where m.id = r.id and m.id = any(array(select id from r)) and m.attempts = r.attempts and m.claimed_by = ${workerId} and m.status in ('SENDING', 'UNCERTAIN')
      returning m.project_id, m.kind, m.rule_id, m.responsible_id, m.body_id, m.status
    ), counted as (
      insert into mail_address as a (address, failures, last_error, blocked)
      select address, count(*), max(error), count(*) >= ${failuresToBlock} from r where counts group by address order by address
      on conflict (address) do update set failures = a.failures + excluded.failures, last_error = excluded.last_error,
        blocked = a.blocked or a.failures + excluded.failures >= ${failuresToBlock}
    ), fine as (
      update mail_address a set failures = 0 from r
      where a.address = r.address and a.failures > 0 and r.status = 'SENT' and not exists (select from r c where c.counts and c.address = r.address)
    )
    select d.project_id as "projectId", d.kind, d.rule_id as "ruleId", d.responsible_id as "responsibleId", b.subject, d.status
    from done d join mail_body b on b.id = d.body_id where d.status in ('FAILED', 'UNCERTAIN')`;
  if (!results.some(({ after }) => after.status === "FAILED" || after.status === "UNCERTAIN")) {
    await write(pool);
    return;
  }
  await transaction(pool, async (sql) => tellMailTrouble(sql, await write(sql), { now: now() }));
}

/** Puts mails back that no line has begun, as if they had not been taken. */
async function giveBack({ pool, workerId }: Drain, mails: readonly Claimed[]): Promise<void> {
  if (mails.length === 0) return;
  await patiently(async () => {
    await pool`
      update mail_outbox set status = case when attempts = 1 then 'QUEUED' else 'RETRY' end, attempts = attempts - 1, claimed_by = null
      where id = any(${mails.map(({ id }) => id)}::bigint[]) and status = 'SENDING' and claimed_by = ${workerId}`;
  });
}

/** Removes mails that ended long ago, and words no mail needs any more with their workbooks. */
export async function clearMails(sql: Sql, projectId: number, now: Date): Promise<void> {
  await sql`
    delete from mail_outbox where project_id = ${projectId} and created_at < ${new Date(now.getTime() - keepDays * 86_400_000)}
      and status in ('SENT', 'FAILED', 'UNCERTAIN', 'BOUNCED', 'CANCELLED')`;
  await sql`delete from mail_minute where project_id = ${projectId} and minute < ${new Date(now.getTime() - 600_000)}`;
  await sql`
    with gone as (
      delete from mail_body b where b.project_id = ${projectId} and b.created_at < ${new Date(now.getTime() - 86_400_000)}
        and not exists (select 1 from mail_outbox m where m.body_id = b.id) returning b.file_id
    ) update file_object f set expires_at = ${now} from gone where f.id = gone.file_id`;
}
