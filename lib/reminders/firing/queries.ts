import "server-only";
import type { Pool } from "#db/client.ts";
import type { CtxProject } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import { type LibraryActivity, listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type DeviationRemind, readDeviations } from "../deviations/queries.ts";
import { type FoundRow, netChange, slotsOfActivities, untilSlots } from "../findings/logic.ts";
import { type FindCtx, type Owners, ownerKey, readFind, readLabels, readOwners } from "../findings/queries.ts";
import { digestOf, isCut, type LetterFrame, listedRows, ownMailOf, type Told, type ToldRow, writtenSection } from "../letters/queries.ts";
import { readTemplates } from "../mail-templates/queries.ts";
import type { NewMail } from "../outbox/commands.ts";
import { mailRowsMax } from "../outbox/limits.ts";
import {
  type Directory,
  type LeftOut,
  readDirectory,
  readViews,
  type Target,
  targetsOf,
  targetsOfPeople,
  type View,
} from "../recipients/queries.ts";
import { type RfiRemind, readRfiReminds } from "../rfi/queries.ts";
import { type MailRule, readMailRules } from "../rules/queries.ts";
import type { FireKind } from "./limits.ts";
import { type Note, noteOfDeviation, noteOfRule, notesOfRfi, type RulePart, reaches } from "./logic.ts";

/** A project with its wall clock at the moment of the tick, as a text for the database. */
export type DueProject = CtxProject & { local: string };

/** Open projects in which some reminder is due, has ended, or follows changes that were made. */
export async function listDueProjects(pool: Pool, now: Date): Promise<DueProject[]> {
  return [
    ...(await pool<DueProject[]>`
      select p.* from (
        select id, number, name, country, hosting_country as "hostingCountry", datacenter, customer_kind as "customerKind", status, tz_offset_beijing as "tzOffset",
          to_char((${now}::timestamptz at time zone 'UTC') + (8 + tz_offset_beijing) * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as local
        from project where status = 'active'
      ) p
      where exists (
        select from mail_rule r where r.project_id = p.id and r.status = 'ENABLED' and (r.next_local <= p.local::timestamp or r.valid_end < p.local::timestamp
          or r.held_until <= ${now} or (r.frequency ->> 'kind' = 'REALTIME' and r.watermark_seq < (select s.seq from plan_seq s where s.project_id = p.id)))
      ) or exists (
        select from deviation_remind r where r.project_id = p.id and r.status = 'ENABLED' and (r.next_local <= p.local::timestamp or r.valid_end < p.local::timestamp)
      ) or exists (
        select from rfi_remind r where r.project_id = p.id and r.status = 'ENABLED' and r.next_local <= p.local::timestamp
      )
      order by p.id`),
  ];
}

/** Reminders of one project that were taken for this transaction. */
export type Taken = { rules: MailRule[]; deviations: DeviationRemind[]; rfi: RfiRemind[] };

/** Locks the reminders whose time has come and the rules that follow changes; those that somebody is changing just now wait for the next tick. */
export async function takeDue(ctx: FindCtx, local: string, seq: number): Promise<Taken> {
  const { sql, project } = ctx;
  const rows = await sql<{ kind: FireKind; id: number }[]>`
    select 'RULE' as kind, id from mail_rule where project_id = ${project.id} and status = 'ENABLED'
      and (next_local <= ${local}::text::timestamp or held_until <= ${ctx.now} or (frequency ->> 'kind' = 'REALTIME' and watermark_seq < ${seq}))
    union all select 'DEVIATION', id from deviation_remind where project_id = ${project.id} and status = 'ENABLED' and next_local <= ${local}::text::timestamp
    union all select 'RFI', id from rfi_remind where project_id = ${project.id} and status = 'ENABLED' and next_local <= ${local}::text::timestamp`;
  const ids = (kind: FireKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id);
  const given = { RULE: ids("RULE"), DEVIATION: ids("DEVIATION"), RFI: ids("RFI") };
  const due = (row: { status: string; nextLocal: number | null }) =>
    row.status === "ENABLED" && row.nextLocal !== null && row.nextLocal <= Date.parse(`${local}Z`);
  const [rules, deviations, rfi] = [
    given.RULE.length > 0 ? await readMailRules(ctx, { ids: given.RULE, lock: "free" }) : [],
    given.DEVIATION.length > 0 ? await readDeviations(ctx, { ids: given.DEVIATION, lock: "free" }) : [],
    given.RFI.length > 0 ? await readRfiReminds(ctx, { ids: given.RFI, lock: "free" }) : [],
  ];
  return {
    // What a statement had found may have been changed while its lock was waited for.
    rules: rules.filter(
      (row) =>
        due(row) || (row.status === "ENABLED" && row.frequency.kind === "REALTIME" && (row.watermarkSeq < seq || isReleased(row, ctx.now))),
    ),
    deviations: deviations.filter(due),
    rfi: rfi.filter(due),
  };
}

/** Whether those a rule has held back are told now. */
export const isReleased = ({ heldUntil }: Pick<MailRule, "heldUntil">, now: Date): boolean => heldUntil !== null && heldUntil <= now;

/** A reminder with what it has to tell. */
export type Teller = { kind: FireKind; id: number; notes: Note[] };

/** What reminders tell, with the names their headings use. */
export async function readTellers(
  ctx: FindCtx,
  library: readonly LibraryActivity[],
  {
    rules,
    deviations,
    rfi,
  }: { rules: readonly (MailRule & { parts: readonly RulePart[] })[]; deviations: readonly DeviationRemind[]; rfi: readonly RfiRemind[] },
): Promise<Teller[]> {
  const { sql, project } = ctx;
  const [regions, states, savers] = await Promise.all([
    deviations.length === 0
      ? []
      : sql<{ id: number; name: string }[]>`
          select id, name from delivery_region where project_id = ${project.id} and id = any(${deviations.map(({ regionId }) => regionId)}::bigint[])`,
    rfi.length === 0
      ? []
      : sql<{ id: string; name: string }[]>`
          select state_id as id, coalesce(max(state_name), state_id) as name from customer_site
          where project_id = ${project.id} and state_id = any(${rfi.map(({ stateId }) => stateId)}::text[]) group by state_id`,
    rfi.length === 0
      ? []
      : sql<{ id: number; by: number }[]>`select id, updated_by as by from rfi_remind where id = any(${rfi.map(({ id }) => id)}::bigint[])`,
  ]);
  const regionNames = new Map(regions.map(({ id, name }) => [id, name]));
  const stateNames = new Map(states.map(({ id, name }) => [id, name]));
  const saverOf = new Map(savers.map(({ id, by }) => [id, by]));
  const activityName = (id: number) => library.find((activity) => activity.id === id)?.name ?? "";
  return [
    ...rules.map(
      (rule): Teller => ({
        kind: "RULE",
        id: rule.id,
        notes: rule.parts.map((part) => noteOfRule(rule, slotsOfActivities(library, rule.activityIds), part, rule.responsibleId)),
      }),
    ),
    ...deviations.map(
      (row): Teller => ({
        kind: "DEVIATION",
        id: row.id,
        notes: [
          noteOfDeviation(row, slotsOfActivities(library, [row.activityId]), {
            region: regionNames.get(row.regionId) ?? "",
            activity: activityName(row.activityId),
          }),
        ],
      }),
    ),
    ...rfi.map(
      (row): Teller => ({
        kind: "RFI",
        id: row.id,
        notes: notesOfRfi(
          row,
          untilSlots(library, row.untilActivityId),
          stateNames.get(row.stateId) ?? row.stateId,
          saverOf.get(row.id) ?? 0,
        ),
      }),
    ),
  ];
}

/** What one receiver is told of one note. */
type Delivery = { teller: Teller; told: Told; target: Target };
/** What came of looking for the rows of reminders and for whom they concern. */
export type Gathered = {
  frame: LetterFrame;
  deliveries: Delivery[];
  /** Rows each reminder found, whoever may see them, and who was left out. */
  found: Map<number, { rows: number; leftOut: LeftOut[]; firstAt: Date | null }>;
};

/**
 * Finds the rows of reminders and gives everybody what he may see of them: the plan, the log, people and rights are read once for all of them.
 * @param seq last change number that is told
 * @param only the one person who gets everything his own rights show, for a look at what would be sent
 */
export async function gather(ctx: FindCtx, tellers: readonly Teller[], seq: number, only?: number): Promise<Gathered> {
  const library = await listLibraryActivities(ctx);
  const notes = tellers.flatMap((teller) => teller.notes.map((note) => ({ teller, note })));
  const find = await readFind(
    ctx,
    library,
    notes.map(({ note }) => note.look),
    seq,
  );
  const found = notes.map(({ teller, note }) => ({ teller, note, rows: sorted(find(note.look)) }));
  const owned = found.filter(({ note }) => note.owners !== "none" || note.onlyOwn).flatMap(({ rows }) => rows);
  const owners = await readOwners(ctx, owned);
  const directory = await readDirectory(
    ctx,
    notes.map(({ note }) => note.addressing),
    new Set([
      ...(only === undefined ? [] : [only]),
      ...[...owners.ofActivity.values(), ...owners.ofDu.values(), ...owners.ofRegion.values()].flat(),
    ]),
  );
  const parts = found.map(({ teller, note, rows }) => ({ teller, note, rows, ...receiversOf(directory, owners, note, rows, only) }));
  const duIds = [...new Set(found.flatMap(({ rows }) => rows.map(({ duId }) => duId)))];
  const views = await readViews(
    ctx,
    directory,
    parts.flatMap(({ receivers }) => receivers.map(({ target }) => target.viewerId)),
    duIds,
    found.some(({ rows }) => rows.some((row) => row.what === "CHANGES" && row.key !== null)),
  );
  const deliveries = parts.flatMap((part) => deliver(part, views));
  const frame = await readFrame(ctx, library, owners, deliveries);
  const results: Gathered["found"] = new Map();
  for (const { teller, rows, leftOut } of parts) {
    const before = results.get(teller.id);
    const steps = rows.flatMap((row) => (row.what === "CHANGES" ? (row.steps[0]?.at ?? []) : []));
    const firstAt = steps.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), before?.firstAt ?? null);
    results.set(teller.id, {
      rows:
        (before?.rows ?? 0) +
        (rows[0]?.what === "CHANGES" ? rows.filter((row) => row.what === "CHANGES" && netChange(row, null)).length : rows.length),
      leftOut: [...(before?.leftOut ?? []), ...leftOut],
      firstAt,
    });
  }
  return { frame, deliveries, found: results };
}

/** The latest first; changes stay in the order in which they were made. */
function sorted(rows: FoundRow[]): FoundRow[] {
  return rows[0]?.what === "LATE"
    ? rows.sort((a, b) => (a.what === "LATE" && b.what === "LATE" ? b.days - a.days || a.duId - b.duId || a.slot - b.slot : 0))
    : rows;
}

/** Somebody with the rows that are meant for him; `part` is equal for those who are meant to get the same. */
type Receiver = { target: Target; rows: readonly FoundRow[]; part: string; except: number | null };

function receiversOf(
  directory: Directory,
  owners: Owners,
  note: Note,
  rows: readonly FoundRow[],
  only: number | undefined,
): { receivers: Receiver[]; leftOut: LeftOut[] } {
  const kind = note.alone ? "mailRule" : "reminder";
  if (only !== undefined) {
    const { targets } = targetsOfPeople(directory, [only], null);
    return { receivers: targets.map((target) => ({ target, rows, part: "all", except: null })), leftOut: [] };
  }
  const all = targetsOf(directory, note.addressing, kind);
  const named = { ...all, targets: all.targets.filter(({ address }) => reaches(note.reach, address)) };
  const receivers: Receiver[] = named.targets.map((target) =>
    note.onlyOwn
      ? {
          target,
          rows: target.userId === null ? [] : rows.filter((row) => isOwner(owners, row, target.userId!)),
          part: `own ${target.userId}`,
          except: target.userId,
        }
      : { target, rows, part: "all", except: null },
  );
  if (note.owners === "none") return { receivers, leftOut: named.leftOut };
  const byOwner = new Map<number, FoundRow[]>();
  for (const row of rows)
    for (const id of new Set(ownersOfRow(owners, row, note.owners))) {
      const list = byOwner.get(id);
      if (list) list.push(row);
      else byOwner.set(id, [row]);
    }
  // Whoever is named gets all of it already.
  for (const { target } of receivers) if (target.userId !== null) byOwner.delete(target.userId);
  const people = targetsOfPeople(directory, byOwner.keys(), kind);
  for (const target of people.targets)
    receivers.push({ target, rows: byOwner.get(target.userId!) ?? [], part: `owner ${target.userId}`, except: null });
  return { receivers, leftOut: [...named.leftOut, ...people.leftOut] };
}

function ownersOfRow(owners: Owners, row: FoundRow, how: "activity" | "du"): readonly number[] {
  if (how === "activity") return row.slot === null ? [] : (owners.ofActivity.get(ownerKey(row.duId, row.slot)) ?? []);
  return [...(owners.ofDu.get(row.duId) ?? []), ...(owners.ofRegion.get(row.duId) ?? [])];
}

const isOwner = (owners: Owners, row: FoundRow, userId: number) =>
  ownersOfRow(owners, row, "activity").includes(userId) || (owners.ofDu.get(row.duId)?.includes(userId) ?? false);

/** What each receiver may see of what is meant for him; equal lists are one list, so that they are written once. */
function deliver(
  { teller, note, receivers }: { teller: Teller; note: Note; receivers: Receiver[] },
  views: ReadonlyMap<number, View>,
): Delivery[] {
  const known = new Map<string, Told>();
  return receivers.flatMap(({ target, rows, part, except }) => {
    const view = views.get(target.viewerId);
    if (!view) return [];
    const key = `${part} | ${view.key}`;
    let told = known.get(key);
    if (!told) {
      told = { note, rows: visibleRows(rows, view, except) };
      known.set(key, told);
    }
    return told.rows.length > 0 ? [{ teller, told, target }] : [];
  });
}

function visibleRows(rows: readonly FoundRow[], view: View, except: number | null): ToldRow[] {
  return rows.flatMap((row): ToldRow[] => {
    if (!view.sees(row.duId)) return [];
    if (row.what === "LATE") return [{ row, net: null }];
    if (row.key !== null && !view.seesAttribute(Number(row.key.split("@")[0]?.slice(1)))) return [];
    const net = netChange(row, except);
    return net ? [{ row, net }] : [];
  });
}

/** Names of what the mails and their workbooks list. */
async function readFrame(ctx: FindCtx, library: LibraryActivity[], known: Owners, deliveries: readonly Delivery[]): Promise<LetterFrame> {
  const lists = new Set(deliveries.map(({ told }) => told));
  const shown = [...lists].flatMap(({ rows }) => rows.slice(0, mailRowsMax).map(({ row }) => row));
  const late = shown.filter((row) => row.what === "LATE");
  const more = await readOwners(
    ctx,
    late.filter((row) => !known.ofActivity.has(ownerKey(row.duId, row.slot))),
  );
  const owners: Owners = {
    ofActivity: new Map([...known.ofActivity, ...more.ofActivity]),
    ofDu: new Map([...known.ofDu, ...more.ofDu]),
    ofRegion: known.ofRegion,
  };
  const people = late.flatMap((row) => [
    ...(owners.ofActivity.get(ownerKey(row.duId, row.slot)) ?? []),
    ...(owners.ofDu.get(row.duId) ?? []),
  ]);
  const [labels, templates] = await Promise.all([readLabels(ctx, shown, people), readTemplates(ctx)]);
  return { ctx, library, owners, labels, templates };
}

/**
 * Mails of what was gathered: one for each receiver with a section per reminder, and one of its own for each rule with own words.
 * @param event the send time on the project's wall clock
 */
export function composeMails({ frame, deliveries }: Gathered, event: string): { mail: NewMail; ids: number[] }[] {
  const byMail = deliveries.filter(({ told }) => told.note.mail);
  const section = remembered((told, lang) => writtenSection(frame, told, lang));
  const alone = remembered((told, lang) =>
    told.note.own === null ? digestOf(frame, [told], lang, (given) => section(given, lang)) : ownMailOf(frame, told, told.note.own, lang),
  );
  const listed = (told: readonly Told[], lang: Locale) => (told.some(isCut) ? listedRows(frame, told, lang) : null);
  const mails: { mail: NewMail; ids: number[] }[] = [];
  const address = ({ userId, address: to, name, lang }: Target) => ({ userId, address: to, lang, ...(name !== null && { name }) });
  for (const { teller, told, target } of byMail)
    if (told.note.alone)
      mails.push({
        ids: [teller.id],
        mail: {
          kind: "mailRule",
          event: `${teller.id} ${event}`,
          to: address(target),
          cc: target.cc,
          ruleId: teller.id,
          responsibleId: told.note.addressing.responsibleId,
          occurrence: event,
          rows: listed([told], target.lang),
          viewerId: target.viewerId,
          attributeIds: attributesOf([told]),
          duIds: dusOf([told]),
          ...alone(told, target.lang),
        },
      });
  const digests = Map.groupBy(
    byMail.filter(({ told }) => !told.note.alone),
    ({ target }) => target.address.toLowerCase(),
  );
  for (const list of digests.values()) {
    const { target } = list.find((delivery) => !delivery.target.cc) ?? list[0]!;
    const ids = [...new Set(list.map(({ teller }) => teller.id))].sort((a, b) => a - b);
    const told = list.map((delivery) => delivery.told);
    mails.push({
      ids,
      mail: {
        kind: "reminder",
        event: `${event} ${ids.join(" ")}`,
        to: address(target),
        cc: list.every((delivery) => delivery.target.cc),
        ruleId: ids.length === 1 ? ids[0]! : null,
        responsibleId: ids.length === 1 ? told[0]!.note.addressing.responsibleId : null,
        occurrence: event,
        rows: listed(told, target.lang),
        viewerId: target.viewerId,
        attributeIds: attributesOf(told),
        duIds: dusOf(told),
        ...digestOf(frame, told, target.lang, (given) => section(given, target.lang)),
      },
    });
  }
  return mails;
}

/** Attributes whose values a mail tells. */
function attributesOf(told: readonly Told[]): number[] {
  const keys = told.flatMap(({ rows }) => rows.flatMap(({ row }) => (row.what === "CHANGES" && row.key !== null ? [row.key] : [])));
  return [...new Set(keys.map((key) => Number(key.split("@")[0]?.slice(1))))];
}

/** DUs a mail tells of. */
const dusOf = (told: readonly Told[]): number[] => told.flatMap(({ rows }) => rows.map(({ row }) => row.duId));

/** What is written of the same rows in the same language is written once. */
function remembered<Value>(write: (told: Told, lang: Locale) => Value): (told: Told, lang: Locale) => Value {
  const known = new Map<Told, Map<Locale, Value>>();
  return (told, lang) => {
    const byLang = known.get(told) ?? new Map<Locale, Value>();
    known.set(told, byLang);
    const written = byLang.get(lang) ?? write(told, lang);
    byLang.set(lang, written);
    return written;
  };
}

/** Whom a reminder tells inside the product, with the number of rows that concern him. */
export function noticesOf({ deliveries }: Gathered): { userId: number; teller: Teller; note: Note; count: number }[] {
  return deliveries.flatMap(({ teller, told, target }) =>
    told.note.notice && target.userId !== null ? [{ userId: target.userId, teller, note: told.note, count: told.rows.length }] : [],
  );
}
