import "server-only";
import type { TransactionSql } from "postgres";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { projectTime, projectToday } from "#lib/core/clock.ts";
import { href } from "#lib/core/href.ts";
import { log } from "#lib/core/log.ts";
import { listLibraryActivities, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { FindCtx } from "../findings/queries.ts";
import { notify, notifyEach } from "../notices/commands.ts";
import { type Due, judgeDue } from "../occurrences/logic.ts";
import { queueMails } from "../outbox/commands.ts";
import type { LeftOut } from "../recipients/queries.ts";
import { type FireKind, fireKeepDays } from "./limits.ts";
import { dayStart, isSated, isSettled, nextHour, type RulePart, withinHour } from "./logic.ts";
import {
  composeMails,
  type DueProject,
  type Gathered,
  gather,
  isReleased,
  listDueProjects,
  noticesOf,
  readTellers,
  type Taken,
  takeDue,
} from "./queries.ts";

/**
 * The tick of all reminders: whoever gets the lock of a project deals with it, each send time in one transaction with its mails. A worker that dies leaves
 * nothing behind, and the next one does it.
 * @returns number of mails made
 */
export async function fireReminders(pool: Pool, now: Date): Promise<number> {
  let mails = 0;
  for (const project of await listDueProjects(pool, now)) {
    try {
      for (let made = await fireNext(pool, project, now); made !== null; made = await fireNext(pool, project, now)) mails += made;
    } catch (error) {
      log.error({ project: project.number, error }, "reminders not sent");
    }
  }
  return mails;
}

/** Deals with the earliest send time that has come; null when nothing is left, or another worker is at it. */
function fireNext(pool: Pool, project: DueProject, now: Date): Promise<number | null> {
  return transaction(pool, async (sql) => {
    const [lock] = await sql<
      { got: boolean }[]
    >`select pg_try_advisory_xact_lock(hashtextextended(${`reminders ${project.id}`}, 0)) as got`;
    if (!lock?.got) return null;
    const ctx: FindCtx = { sql, project, now, today: projectToday(now, project.tzOffset) };
    const seq = await readPlanSeq(ctx);
    const claims = await claim(ctx, await takeDue(ctx, project.local, seq), seq);
    if (claims.length === 0) {
      await expire(ctx, project.local);
      return null;
    }
    const first = claims.reduce((min, { at }) => Math.min(min, at), Number.POSITIVE_INFINITY);
    const turn = claims.filter(({ at, due }) => at === first || (due !== null && due.fire === null));
    const done = await alreadyFired(ctx, turn);
    const { outcome, mails } = await fireAll(
      ctx,
      turn.filter((given) => given.fires && !done.has(given.id)),
      first,
      seq,
    );
    await record(ctx, turn, done, outcome, seq);
    return mails;
  });
}

type AnyRow = Taken["rules"][number] | Taken["deviations"][number] | Taken["rfi"][number];
/** A reminder to be dealt with. `at` is its time on the wall clock; `due` is null for one that follows changes at once. */
type Claim = {
  kind: FireKind;
  id: number;
  row: AnyRow;
  due: Due | null;
  at: number;
  fires: boolean;
  tellsChanges: boolean;
  /** Of a rule that follows changes at once: its changes are too young, only those it has held back are told. */
  young?: boolean;
};

const isChanges = (row: AnyRow) => "type" in row && ["CHANGE_ACT_DATE", "CHANGE_COL_VALUE", "DOC_PUBLISH", "DOC_CHANGE"].includes(row.type);

async function claim(ctx: FindCtx, taken: Taken, seq: number): Promise<Claim[]> {
  const now = projectTime(ctx.now, ctx.project.tzOffset).getTime();
  const rules = await dropOrphans(ctx, taken.rules);
  const of = (kind: FireKind, row: AnyRow): Claim => {
    const common = { kind, id: row.id, row, tellsChanges: isChanges(row) };
    if (row.frequency.kind === "REALTIME") {
      // Before its time begins a rule passes changes over; after it has ended the tick takes it out of force.
      const fires = now >= row.validBegin && now <= row.validEnd;
      return { ...common, due: null, at: now, fires };
    }
    const due = judgeDue(row, row.nextLocal!, now);
    return { ...common, due, at: due.fire ?? Number.POSITIVE_INFINITY, fires: due.fire !== null };
  };
  const claims = [
    ...rules.map((row) => of("RULE", row)),
    ...taken.deviations.map((row) => of("DEVIATION", row)),
    ...taken.rfi.map((row) => of("RFI", row)),
  ];
  const { waiting, young } = await waitingRealtime(ctx, claims, seq);
  return claims.filter(({ id }) => !waiting.has(id)).map((given) => (young.has(given.id) ? { ...given, young: true } : given));
}

/** Rules whose responsible person has left the project are taken out of force: nobody answers for what they show to addresses outside. */
async function dropOrphans(ctx: FindCtx, rules: Taken["rules"]): Promise<Taken["rules"]> {
  if (rules.length === 0) return rules;
  const { sql, project, now, today } = ctx;
  const gone = await sql<{ id: number; name: string }[]>`
    update mail_rule r set status = 'DISABLED', disabled_reason = 'RESPONSIBLE_LEFT', row_version = row_version + 1, updated_at = ${now}
    where r.id = any(${rules.map(({ id }) => id)}::bigint[]) and not exists (
      select from project_member m join app_user u on u.id = m.user_id and u.active
      where m.project_id = ${project.id} and m.user_id = r.responsible_id and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}))
    returning r.id, r.name`;
  if (gone.length > 0) {
    const managers = await sql<{ id: number }[]>`
      select distinct m.user_id as id from project_member m
      where m.project_id = ${project.id} and m.role = 'PM' and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})`;
    await notify(
      ctx,
      managers.map(({ id }) => id),
      {
        kind: "mailRule",
        title: "reminder-mails.notice.responsibleLeft",
        params: { names: gone.map(({ name }) => name).join(", ") },
        link: href("mailRules", {}, project.number),
        event: gone.map(({ id }) => id).join(" "),
      },
    );
  }
  const ids = new Set(gone.map(({ id }) => id));
  return rules.filter(({ id }) => !ids.has(id));
}

/** Rules among those that failed within this hour: they are tried again at the full one. */
async function listFailed({ sql, project, now }: FindCtx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ id: number; at: Date }[]>`
    select rule_id as id, max(fired_at) as at from rem_fire
    where project_id = ${project.id} and rule_id = any(${[...ids]}::bigint[]) and result = 'ERROR' group by rule_id`;
  return new Set(rows.filter(({ at }) => withinHour(at, now, project.tzOffset)).map(({ id }) => id));
}

/**
 * Rules that follow changes and have to wait: for five minutes after the first one, or for the full hour, as one that has failed does.
 * @returns `young`: rules of which only those are told whom they have held back
 */
async function waitingRealtime(ctx: FindCtx, claims: readonly Claim[], seq: number): Promise<{ waiting: Set<number>; young: Set<number> }> {
  const { now } = ctx;
  const rules = claims.filter(({ due, fires }) => due === null && fires).map(({ row }) => row as Taken["rules"][number]);
  const failed = await listFailed(
    ctx,
    rules.map(({ id }) => id),
  );
  const sound = rules.filter(({ id }) => !failed.has(id));
  if (sound.length === 0) return { waiting: failed, young: new Set() };
  // Where looking fails, the rule that is to blame is found when they are sent.
  const looked = await attempt(ctx, async (inner) => {
    const library = await listLibraryActivities(inner);
    const news = sound.map((rule) => ({ ...rule, parts: [{ since: rule.watermarkSeq, reach: null }] }));
    return gather(inner, await readTellers(inner, library, { rules: news, deviations: [], rfi: [] }), seq);
  });
  if (!looked.done) return { waiting: failed, young: new Set() };
  const early = sound.filter(({ id }) => {
    const firstAt = looked.value.found.get(id)?.firstAt ?? null;
    return firstAt !== null && !isSettled(firstAt, now);
  });
  const ids = (list: typeof early) => list.map(({ id }) => id);
  return {
    waiting: new Set([...failed, ...ids(early.filter((rule) => !isReleased(rule, now)))]),
    young: new Set(ids(early.filter((rule) => isReleased(rule, now)))),
  };
}

/** What rules tell to whom: those held back are told on their own once they are free, from the change on at which each was held. */
function partsOf({ row, young }: Claim, now: Date): RulePart[] {
  const rule = row as Taken["rules"][number];
  const held = Object.entries(rule.held);
  if (held.length === 0) return [{ since: rule.watermarkSeq, reach: null }];
  const freed = isReleased(rule, now) ? [...Map.groupBy(held, ([, since]) => since)] : [];
  return [
    ...(young ? [] : [{ since: rule.watermarkSeq, reach: { except: new Set(held.map(([address]) => address)) } }]),
    // What is too young for the others waits for those who are free again, too.
    ...freed.map(([since, list]) => ({
      since,
      ...(young && { until: rule.watermarkSeq }),
      reach: { only: new Set(list.map(([address]) => address)) },
    })),
  ];
}

/** Takes out whom a rule that follows changes has written to often enough: he waits for the full hour. */
async function holdBack(
  { sql, project, now }: FindCtx,
  gathered: Gathered,
  claims: readonly Claim[],
): Promise<{ rest: Gathered; held: Map<number, Record<string, number>> }> {
  const held = new Map<number, Record<string, number>>();
  const ids = claims.filter(({ due }) => due === null).map(({ id }) => id);
  if (ids.length === 0) return { rest: gathered, held };
  const rows = await sql<{ id: number; address: string; mailsToday: number; lastAt: Date }[]>`
    select rule_id as id, lower(to_address) as address, count(*)::int as "mailsToday", max(created_at) as "lastAt" from mail_outbox
    where project_id = ${project.id} and rule_id = any(${ids}::bigint[]) and created_at >= ${dayStart(now, project.tzOffset)} group by 1, 2`;
  const sated = new Set(rows.filter((row) => isSated(row, now, project.tzOffset)).map(({ id, address }) => `${id} ${address}`));
  const deliveries = gathered.deliveries.filter(({ teller, told, target }) => {
    const address = target.address.toLowerCase();
    if (!sated.has(`${teller.id} ${address}`) || told.note.look.what !== "CHANGES") return true;
    held.set(teller.id, { ...held.get(teller.id), [address]: told.note.look.since });
    return false;
  });
  return { rest: { ...gathered, deliveries }, held };
}

/** Reminders whose time was dealt with before: by a clock that was put back, or under another offset. */
async function alreadyFired({ sql }: FindCtx, claims: readonly Claim[]): Promise<Set<number>> {
  const given = claims.flatMap(({ kind, id, due }) => (due?.fire ? [{ kind, id, at: localTime(due.fire) }] : []));
  if (given.length === 0) return new Set();
  const rows = await sql<{ id: number }[]>`
    select f.rule_id as id from jsonb_to_recordset(${sql.json(given)}) as n(kind text, id bigint, at timestamp)
    join rem_fire f on f.kind = n.kind and f.rule_id = n.id and f.occurrence_local = n.at`;
  return new Set(rows.map(({ id }) => id));
}

const localTime = (ms: number) => new Date(ms).toISOString().slice(0, 23);

/** What came of each reminder, and the mails made: one may tell of several reminders. */
type Fired = { outcome: Map<number, Outcome>; mails: number };
type Outcome = { result: "SENT" | "NOTHING" | "ERROR"; rows: number; mails: number; leftOut: LeftOut[]; held?: Record<string, number> };

/** Finds, writes and queues the mails of reminders of one time together. Where that fails those that fail alone are left out. */
async function fireAll(ctx: FindCtx, claims: readonly Claim[], at: number, seq: number): Promise<Fired> {
  if (claims.length === 0) return { outcome: new Map(), mails: 0 };
  const all = await attempt(ctx, (inner) => fireTogether(inner, claims, at, seq));
  if (all.done) return all.value;
  const sound: Claim[] = [];
  const outcome = new Map<number, Outcome>();
  for (const given of claims) {
    const alone = await attempt(ctx, (inner) => fireTogether(inner, [given], at, seq), { keep: false });
    if (alone.done) sound.push(given);
    else {
      outcome.set(given.id, { result: "ERROR", rows: 0, mails: 0, leftOut: [] });
      log.error({ project: ctx.project.number, kind: given.kind, rule: given.id, error: alone.error }, "reminder failed");
    }
  }
  // Nothing fails alone: the fault is not in one of them, and the next tick tries again.
  if (outcome.size === 0) throw all.error;
  if (sound.length === 0) return { outcome, mails: 0 };
  const fired = await fireTogether(ctx, sound, at, seq);
  return { outcome: new Map([...outcome, ...fired.outcome]), mails: fired.mails };
}

async function fireTogether(ctx: FindCtx, claims: readonly Claim[], at: number, seq: number): Promise<Fired> {
  const rows = <Row extends AnyRow>(kind: FireKind) => claims.filter((given) => given.kind === kind).map(({ row }) => row as Row);
  const library = await listLibraryActivities(ctx);
  const tellers = await readTellers(ctx, library, {
    rules: claims.flatMap((given) =>
      given.kind === "RULE" ? [{ ...(given.row as Taken["rules"][number]), parts: partsOf(given, ctx.now) }] : [],
    ),
    deviations: rows<Taken["deviations"][number]>("DEVIATION"),
    rfi: rows<Taken["rfi"][number]>("RFI"),
  });
  const { rest: gathered, held } = await holdBack(ctx, await gather(ctx, tellers, seq), claims);
  const mails = composeMails(gathered, localTime(at));
  const made = await queueMails(
    ctx,
    mails.map(({ mail }) => mail),
  );
  await notifyEach(
    ctx,
    noticesOf(gathered).map(({ userId, teller, note, count }) => ({
      userId,
      kind: "reminder",
      title: note.heading.key === "rfiException" ? "reminder-mails.notice.rfiException" : "reminder-mails.notice.rfi",
      params: { state: note.heading.key === "rfi" || note.heading.key === "rfiException" ? note.heading.state : "", count },
      link: href("rolloutPlan", {}, ctx.project.number),
      event: `${teller.id} ${note.heading.key} ${localTime(at)}`,
    })),
  );
  const sent = new Map<number, number>();
  for (const { ids } of mails) for (const id of ids) sent.set(id, (sent.get(id) ?? 0) + 1);
  const outcome = new Map(
    claims.map(({ id }): [number, Outcome] => {
      const { rows: found, leftOut } = gathered.found.get(id) ?? { rows: 0, leftOut: [] };
      const count = sent.get(id) ?? 0;
      const kept = held.get(id);
      return [
        id,
        {
          result: count > 0 ? "SENT" : "NOTHING",
          rows: found,
          mails: count,
          leftOut: found > 0 ? leftOut : [],
          ...(kept && { held: kept }),
        },
      ];
    }),
  );
  return { outcome, mails: made };
}

type Attempt<T> = { done: true; value: T } | { done: false; error: unknown };

/**
 * Runs something that may fail without losing the transaction: what it wrote is taken back when it does.
 * @param options.keep false: it is taken back in any case
 */
async function attempt<T>(ctx: FindCtx, fn: (ctx: FindCtx) => Promise<T>, { keep = true }: { keep?: boolean } = {}): Promise<Attempt<T>> {
  let tried: { value: T } | null = null;
  try {
    // The driver holds every failed statement against its whole scope, caught or not: only a scope of its own can fail alone.
    return await (ctx.sql as unknown as TransactionSql).savepoint(async (sql) => {
      const value = await fn({ ...ctx, sql: sql as unknown as Sql });
      if (keep) return { done: true as const, value };
      tried = { value };
      throw takenBack;
    });
  } catch (error) {
    return error === takenBack && tried ? { done: true, value: (tried as { value: T }).value } : { done: false, error };
  }
}

const takenBack = new Error("taken back");

/** Notes what became of the times and moves the reminders on. Changes that were not told stay for the next time. */
async function record(
  ctx: FindCtx,
  claims: readonly Claim[],
  done: ReadonlySet<number>,
  outcome: ReadonlyMap<number, Outcome>,
  seq: number,
): Promise<void> {
  const { sql, project, now } = ctx;
  const fires = claims.flatMap(({ kind, id, due, at }) => {
    const common = { kind, id, rows: 0, mails: 0, leftOut: [] as LeftOut[] };
    const missed = (due?.missed ?? []).map((time) => ({ ...common, at: localTime(time), result: "MISSED" }));
    const given = outcome.get(id);
    // A rule that follows changes passes over many that are none of its.
    if (!given || done.has(id) || (due === null && given.result === "NOTHING")) return missed;
    const { held: _held, ...told } = given;
    return [...missed, { ...common, at: localTime(at), ...told }];
  });
  if (fires.length > 0)
    await sql`
      insert into rem_fire (project_id, kind, rule_id, occurrence_local, fired_at, result, rows, mails, left_out)
      select ${project.id}, n.kind, n.id, n.at, ${now}, n.result, n.rows, n.mails, n."leftOut"
      from jsonb_to_recordset(${sql.json(fires)}) as n(kind text, id bigint, at timestamp, result text, rows int, mails int, "leftOut" jsonb)
      on conflict do nothing`;
  const moved = claims.map(({ id, kind, row, due, fires: fired, tellsChanges, young }) => {
    const told = tellsChanges && (due === null || fired) && outcome.get(id)?.result !== "ERROR" && !done.has(id);
    const rule = row as Partial<Taken["rules"][number]>;
    const before = rule.held ?? {};
    // Those who were free have been told; who is held now waits with those who still are.
    const stay = rule.heldUntil && isReleased({ heldUntil: rule.heldUntil }, now) ? {} : before;
    const held = told ? (fired ? { ...stay, ...outcome.get(id)?.held } : {}) : before;
    const isHolding = Object.keys(held).length > 0;
    return {
      id,
      kind,
      next: due?.next == null ? null : localTime(due.next),
      watermark: told && !young ? seq : (rule.watermarkSeq ?? 0),
      held,
      until: isHolding ? (told ? nextHour(now, project.tzOffset) : (rule.heldUntil ?? null)) : null,
    };
  });
  const of = (kind: FireKind) => moved.filter((given) => given.kind === kind);
  for (const [kind, table] of [
    ["RULE", "mail_rule"],
    ["DEVIATION", "deviation_remind"],
    ["RFI", "rfi_remind"],
  ] as const)
    if (of(kind).length > 0)
      await sql`
        update ${sql(table)} r set next_local = n.next ${kind === "RULE" ? sql`, watermark_seq = n.watermark, held = n.held, held_until = n.until` : sql``}
        from jsonb_to_recordset(${sql.json(of(kind))}) as n(id bigint, next timestamp, watermark bigint, held jsonb, until timestamptz) where r.id = n.id`;
}

/** Takes reminders out of force whose time is over. */
async function expire({ sql, project, now }: FindCtx, local: string): Promise<void> {
  for (const table of ["mail_rule", "deviation_remind"])
    await sql`
      update ${sql(table)} set status = 'DISABLED', disabled_reason = 'EXPIRED', row_version = row_version + 1, updated_at = ${now}
      where project_id = ${project.id} and status = 'ENABLED' and valid_end < ${local}::text::timestamp and (next_local is null or next_local > valid_end)`;
}

/** Forgets send times that were dealt with long ago. */
export async function clearFires(sql: Sql, projectId: number, now: Date): Promise<void> {
  await sql`delete from rem_fire where project_id = ${projectId} and fired_at < ${new Date(now.getTime() - fireKeepDays * 86_400_000)}`;
}
