import "server-only";
import type { Sql } from "#db/client.ts";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { RecheckParams } from "#lib/attributes/config-refs/schema.ts";
import { projectTime, projectToday } from "#lib/core/clock.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { href } from "#lib/core/href.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { asLocale } from "#lib/core/locale.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseStaleNumbers } from "#lib/core/stale.ts";
import type { Outcome } from "#lib/core/task.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { conditionRefs } from "#lib/plan-rules/conditions/logic.ts";
import { type InvalidReason, ruleNameChars, sortMax } from "#lib/plan-rules/limits.ts";
import { actionRefs, filterRows, isSameRule, type PlanRule, type RuleFault, ruleFaults } from "#lib/plan-rules/logic.ts";
import { listExecuting } from "#lib/plan-rules/runs/queries.ts";
import { newestSlot } from "#lib/plan-rules/slots/logic.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readLimit } from "#lib/settings/queries.ts";
import {
  type CheckedRule,
  checkRule,
  faultText,
  firstDayOf,
  getRule,
  guardOthers,
  loopOf,
  nextRunOf,
  type Overlap,
  overlapsOf,
  readRuleFacts,
  readRules,
  ruleTexts,
} from "./queries.ts";
import { NAME_EXISTS } from "./rules.ts";
import type { SavePlanRule, SortPlanRules } from "./schema.ts";

/**
 * Makes a rule, which begins out of force, or changes one. One that is in force is judged as when it is enabled.
 * @returns rules in force that fill a field of it too
 * @throws NAME_EXISTS, RULE_CANNOT_ENABLE, RULE_DUPLICATE, RULE_EXECUTING, RULE_LOOP, NOTHING_MODIFIED, STALE, and whatever is wrong at its row and field
 */
export async function saveRule(ctx: Ctx, input: SavePlanRule): Promise<{ id: number; rowVersion: number; warnings: Overlap[] }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  // A recheck takes rules out of force without holding the project: the rule is judged as it is once it is locked.
  const before = input.id === undefined ? null : await getRule(ctx, input.id, true);
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before) await guardExecuting(ctx, [before]);
  const others = (await readRules(ctx)).filter(({ id }) => id !== input.id);
  const [taken] = brokenRules([NAME_EXISTS], { name: input.name, others }, "name");
  if (taken) throw new AppError(taken.code, taken.params, [taken]);
  const rule = await checkRule(ctx, input);
  await guardOthers(ctx, rule, others);
  if (before?.status === "EFFECTIVE") {
    const facts = await readRuleFacts(ctx, [rule], { lock: true });
    const faults = ruleFaults(rule, facts);
    if (faults.length > 0) throw new AppError("RULE_CANNOT_ENABLE", { reasons: faultText(faults, ruleTexts(ctx.locale)) });
  }
  const sortNo = input.sortNo ?? before?.sortNo ?? Math.min(sortMax, Math.max(0, ...others.map(({ sortNo: place }) => place)) + 1);
  const status = before?.status ?? "INVALID";
  // What was out of force for its date or for what it named begins anew.
  const reason: InvalidReason | null = status === "INVALID" ? "DISABLED" : null;
  const { catalog: _catalog, ...values } = { ...rule, name: input.name, sortNo };
  refuseUnchanged(before, { ...values, invalidReason: reason });
  const columns = {
    name: input.name,
    rule_type: rule.ruleType,
    flow_id: rule.flowId,
    region_ids: rule.regionIds,
    du_filter: sql.json(rule.duFilter as never),
    status,
    invalid_reason: reason,
    events: rule.events === null ? null : sql.json(rule.events as never),
    effective_at: rule.effectiveAt,
    expire_date: rule.expireDate,
    auto_execute: rule.autoExecute,
    frequency_hours: rule.frequency,
    sort_no: sortNo,
    description: rule.description,
    updated_by: user.id,
    updated_at: now,
  };
  const id = before
    ? before.id
    : (
        await sql<
          { id: number }[]
        >`insert into plan_rule ${sql({ ...columns, project_id: project.id, created_by: user.id, created_at: now })} returning id`
      )[0]!.id;
  if (before) await sql`update plan_rule set ${sql(columns)}, row_version = row_version + 1 where id = ${id}`;
  await writeParts(ctx, id, rule);
  const [stored] = await readRules(ctx, { ids: [id] });
  if (stored) await setTimes(ctx, [{ ...stored, lastSlot: before?.lastSlot ?? lastSlotOf(stored, ctx) }]);
  const objects = new Map(rule.catalog.objects.map((object) => [object.key, object]));
  const filters = filterRows(rule.duFilter, (key) => objects.get(key)?.type);
  await replaceRefs(ctx, "PLAN_RULE", id, [...actionRefs(rule), ...conditionRefs([...filters, ...rule.conditions], objects)]);
  ctx.audit(`plan_rule ${id}`, before && auditFacts(before), values);
  return { id, rowVersion: before ? before.rowVersion + 1 : 1, warnings: overlapsOf(rule, others) };
}

const auditFacts = ({
  name,
  ruleType,
  flowId,
  regionIds,
  duFilter,
  expireDate,
  frequency,
  sortNo,
  conditions,
  actions,
  events,
  status,
}: PlanRule) => ({
  name,
  ruleType,
  flowId,
  regionIds,
  duFilter,
  expireDate,
  frequency,
  sortNo,
  conditions,
  actions,
  events,
  status,
});

async function writeParts(
  { sql, project }: Ctx,
  id: number,
  { conditions, actions }: Pick<CheckedRule, "conditions" | "actions">,
): Promise<void> {
  await sql`delete from plan_rule_condition where rule_id = ${id}`;
  await sql`delete from plan_rule_action where rule_id = ${id}`;
  await sql`
    insert into plan_rule_condition (rule_id, project_id, seq, open_count, object, object_type, operator, "values", close_count, logic)
    select ${id}::bigint, ${project.id}::bigint, n.seq, n.open, n.object, n.type, n.operator, n."values", n.close, n.logic
    from jsonb_to_recordset(${sql.json(conditions.map((row, at) => ({ ...row, seq: at + 1 })) as never)})
      as n(seq smallint, open smallint, object jsonb, type text, operator text, "values" jsonb, close smallint, logic text)`;
  await sql`
    insert into plan_rule_action (rule_id, project_id, seq, sources, aggregate, blanks, offset_days, target, types, overwrite)
    select ${id}::bigint, ${project.id}::bigint, n.seq, n.sources, n.aggregate, n.blanks, n."offset", n.target, n.types, n.overwrite
    from jsonb_to_recordset(${sql.json(actions.map((row, at) => ({ ...row, seq: at + 1 })) as never)})
      as n(seq smallint, sources jsonb, aggregate text, blanks text, "offset" int, target jsonb, types jsonb, overwrite boolean)`;
}

/** The slot that counts as run when a rule comes into force: it waits for the next one. */
function lastSlotOf(rule: PlanRule, { now, project }: Pick<Ctx, "now" | "project">): Date | null {
  if (rule.frequency === null) return null;
  return newestSlot({ frequency: rule.frequency, firstDay: firstDayOf(rule, project.tzOffset) }, projectTime(now, project.tzOffset));
}

/** Writes when rules ran last and run next, by the project's clock. */
async function setTimes(ctx: Pick<Ctx, "sql" | "now"> & { project: { tzOffset: number } }, rules: readonly PlanRule[]): Promise<void> {
  const { sql } = ctx;
  const rows = rules.map((rule) => ({
    id: rule.id,
    last: rule.frequency === null ? null : (rule.lastSlot?.toISOString().slice(0, 19) ?? null),
    next: nextRunOf(rule, ctx)?.toISOString() ?? null,
  }));
  await sql`
    update plan_rule r set last_slot = n.last, next_run_at = n.next
    from jsonb_to_recordset(${sql.json(rows)}) as n(id bigint, last timestamp, next timestamptz) where r.id = n.id`;
}

/** Notes that rules ran for their slots. */
export async function takeSlots(
  ctx: Pick<Ctx, "sql" | "now"> & { project: { tzOffset: number } },
  rules: readonly (PlanRule & { slot: Date })[],
): Promise<void> {
  await setTimes(
    ctx,
    rules.map(({ slot, ...rule }) => ({ ...rule, lastSlot: slot })),
  );
}

async function lockRules(ctx: Ctx, ids: readonly number[]): Promise<PlanRule[]> {
  await holdProject(ctx);
  const rules = await readRules(ctx, { ids, lock: true });
  if (rules.length !== ids.length) {
    const missing = ids.filter((id) => !rules.some((rule) => rule.id === id));
    throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  }
  return rules;
}

/** Refuses while a run that is not over names one of the rules. [RUL-30] */
export async function guardExecuting(ctx: Pick<Ctx, "sql" | "project">, rules: readonly { id: number; name: string }[]): Promise<void> {
  const executing = await listExecuting(ctx, "PLAN");
  const busy = rules.filter(({ id }) => executing.has(id));
  if (busy.length > 0) throw new AppError("RULE_EXECUTING", { names: busy.map(({ name }) => name).join(", ") });
}

/** A rule that was left as it is, with every reason in words. */
export type Refused = { id: number; name: string; reasons: string[] };

/**
 * Puts rules into force; those that cannot be are left out with every reason.
 * @throws RULE_CANNOT_ENABLE when none of them can be
 */
export async function enableRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ done: number[]; refused: Refused[] }> {
  const rules = await lockRules(ctx, ids);
  await guardExecuting(ctx, rules);
  const facts = await readRuleFacts(ctx, rules, { lock: true });
  const t = ruleTexts(ctx.locale);
  const all = await readRules(ctx);
  const max = await readLimit(ctx, "rule.validMax");
  const done: PlanRule[] = [];
  const refused: Refused[] = [];
  for (const rule of rules) {
    if (rule.status === "EFFECTIVE") continue;
    const others = all
      .filter(({ id }) => id !== rule.id)
      .map((other) => (done.some(({ id }) => id === other.id) ? { ...other, status: "EFFECTIVE" as const } : other));
    const inForce = others.filter(({ status }) => status === "EFFECTIVE");
    const reasons = ruleFaults(rule, facts).map(({ reason, name }) => t(`fault.${reason}`, { name }));
    const path = loopOf(rule, others);
    if (path) reasons.push(t("fault.LOOP"));
    const same = inForce.find((other) => isSameRule(rule, other));
    if (same) reasons.push(t("fault.DUPLICATE", { name: same.name }));
    if (inForce.length >= max) reasons.push(t("fault.LIMIT", { max }));
    if (reasons.length === 0) done.push(rule);
    else refused.push({ id: rule.id, name: rule.name, reasons });
  }
  if (done.length === 0 && refused.length > 0) {
    const said = ({ name, reasons }: Refused) => (rules.length > 1 ? `${name}: ${reasons.join("; ")}` : reasons.join("; "));
    const problems = refused.map(
      (one): Problem => ({ path: `ids.${ids.indexOf(one.id)}`, code: "RULE_CANNOT_ENABLE", params: { reasons: said(one) } }),
    );
    throw new AppError("RULE_CANNOT_ENABLE", { reasons: refused.map(said).join("; ") }, problems, { refused });
  }
  await setStatus(ctx, done, null);
  return { done: done.map(({ id }) => id), refused };
}

/** Takes rules out of force. [RUL-04] */
export async function disableRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ done: number[]; refused: Refused[] }> {
  const rules = await lockRules(ctx, ids);
  await guardExecuting(ctx, rules);
  const inForce = rules.filter(({ status }) => status === "EFFECTIVE");
  await setStatus(ctx, inForce, "DISABLED");
  return { done: inForce.map(({ id }) => id), refused: [] };
}

async function setStatus(ctx: Ctx, rules: readonly PlanRule[], reason: InvalidReason | null): Promise<void> {
  const status = reason === null ? ("EFFECTIVE" as const) : ("INVALID" as const);
  // Events of the past are none of a rule that comes into force now.
  await ctx.sql`
    update plan_rule set status = ${status}, invalid_reason = ${reason}, since_seq = ${await readPlanSeq(ctx)}, row_version = row_version + 1,
      updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    where id = any(${rules.map(({ id }) => id)}::bigint[])`;
  await setTimes(
    ctx,
    rules.map((rule) => ({ ...rule, status, lastSlot: reason === null ? lastSlotOf(rule, ctx) : rule.lastSlot })),
  );
  for (const rule of rules) ctx.audit(`plan_rule ${rule.id}`, { status: rule.status }, { status, reason });
  if (rules.length === 0) ctx.audit("plan_rule status", null, { status });
}

/** Deletes rules, all of them or none; what they wrote and their runs stay. */
export async function deleteRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ deleted: number }> {
  const rules = await lockRules(ctx, ids);
  await guardExecuting(ctx, rules);
  const { sql, project, now, user } = ctx;
  await sql`
    update plan_rule set deleted_at = ${now}, status = 'INVALID', invalid_reason = 'DISABLED', next_run_at = null, updated_by = ${user.id}, updated_at = ${now}
    where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "PLAN_RULE", ids);
  for (const rule of rules) ctx.audit(`plan_rule ${rule.id}`, auditFacts(rule), null);
  return { deleted: rules.length };
}

/** Makes a copy of a rule under a name that is free; it is out of force. Its twin may not be in force beside it, so it is stored without being compared. */
export async function copyRule(ctx: Ctx, { id }: { id: number }): Promise<{ id: number; name: string }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const rule = await getRule(ctx, id);
  const taken = new Set((await readRules(ctx)).map(({ name }) => name.toLowerCase()));
  let name = rule.name;
  for (let number = 2; taken.has(name.toLowerCase()); number++) {
    const ending = ` (${number})`;
    name = [...rule.name].slice(0, ruleNameChars - ending.length).join("") + ending;
  }
  const [made] = await sql<{ id: number }[]>`
    insert into plan_rule (project_id, name, rule_type, flow_id, region_ids, du_filter, status, invalid_reason, events, effective_at, expire_date, auto_execute,
      frequency_hours, sort_no, description, created_by, created_at, updated_by, updated_at)
    select project_id, ${name}, rule_type, flow_id, region_ids, du_filter, 'INVALID', 'DISABLED', events, effective_at, expire_date, auto_execute,
      frequency_hours, sort_no, description, ${user.id}, ${now}, ${user.id}, ${now}
    from plan_rule where id = ${id} and project_id = ${project.id} returning id`;
  await writeParts(ctx, made!.id, rule);
  await sql`
    insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
    select project_id, holder_kind, ${made!.id}, target_kind, target_id, usage from config_ref
    where project_id = ${project.id} and holder_kind = 'PLAN_RULE' and holder_id = ${id}`;
  ctx.audit(`plan_rule ${made!.id}`, null, { ...auditFacts(rule), name, copyOf: id });
  return { id: made!.id, name };
}

/**
 * Gives rules new places: the smaller one wins where two fill the same cell.
 * @throws NOT_FOUND, RULE_EXECUTING, STALE when one of them no longer has the place it was read with
 */
export async function sortRules(ctx: Ctx, { items }: SortPlanRules): Promise<{ sorted: number }> {
  const rules = await lockRules(
    ctx,
    items.map(({ id }) => id),
  );
  await guardExecuting(ctx, rules);
  refuseStaleNumbers(rules, items);
  const { sql } = ctx;
  const order = items.map(({ id, sortNo }) => ({ id, sortNo }));
  await sql`
    update plan_rule r set sort_no = n."sortNo", row_version = r.row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    from jsonb_to_recordset(${sql.json(order)}) as n(id bigint, "sortNo" int) where r.id = n.id and r.sort_no <> n."sortNo"`;
  ctx.audit("plan_rule order", { items: rules.map(({ id, sortNo }) => ({ id, sortNo })) }, { items: order });
  return { sorted: items.length };
}

/** Who rechecks rules: a call, or a run nobody started. */
export type System = { sql: Sql; project: CtxProject; now: Date };

/**
 * Takes rules out of force whose date has passed, or whose flow, regions, activities or attributes are gone or changed; tells their makers and the PMs once.
 * @param event names what happened; the same one tells nobody twice
 * @param ids only these rules
 * @returns the rules that are in force now
 */
export async function recheckRules(ctx: System, event: string, ids?: readonly number[]): Promise<PlanRule[]> {
  const today = projectToday(ctx.now, ctx.project.tzOffset);
  const rules = await readRules(ctx, { ...(ids ? { ids } : {}), effective: true, lock: true });
  const facts = await readRuleFacts({ ...ctx, today }, rules);
  const broken = rules.flatMap((rule) => {
    const faults = ruleFaults(rule, facts);
    return faults[0] ? [{ rule, faults, reason: faults[0].reason }] : [];
  });
  if (broken.length === 0) return rules;
  const { sql } = ctx;
  await sql`
    update plan_rule r set status = 'INVALID', invalid_reason = n.reason, next_run_at = null, row_version = r.row_version + 1
    from jsonb_to_recordset(${sql.json(broken.map(({ rule, reason }) => ({ id: rule.id, reason })))}) as n(id bigint, reason text) where r.id = n.id`;
  await tellInvalid(ctx, event, broken);
  const gone = new Set(broken.map(({ rule }) => rule.id));
  return rules.filter(({ id }) => !gone.has(id));
}

/** Judges rules anew after something they name has changed. */
export async function runRecheck(job: JobCtx, { holderIds }: RecheckParams): Promise<Outcome> {
  const left = await job.chunk(async (ctx, tally) => {
    const rules = await recheckRules(ctx, `recheck ${job.task.id}`, holderIds);
    tally.done += holderIds.length;
    return rules.length;
  });
  return { total: holderIds.length, result: { inForce: left } };
}

type Broken = { rule: PlanRule; faults: readonly RuleFault[] };

function tellInvalid(ctx: System, event: string, broken: readonly Broken[]): Promise<void> {
  return tell(ctx, "invalid", {
    event: `${event} ${broken.map(({ rule }) => `${rule.id}.${rule.rowVersion}`).join(" ")}`,
    makers: broken.map(({ rule }) => rule.createdBy),
    lines: (t) => broken.map(({ rule, faults }): [string, string] => [rule.name, faultText(faults, t)]),
  });
}

/** Tells the makers of rules and the PMs that a run of them failed; the same rules once a day. */
export async function tellFailed(ctx: System, ruleIds: readonly number[]): Promise<void> {
  const rules = await readRules(ctx, { ids: ruleIds });
  if (rules.length === 0) return;
  const today = projectToday(ctx.now, ctx.project.tzOffset);
  await tell(ctx, "failed", {
    event: `failed ${today} ${rules.map(({ id }) => id).join(" ")}`,
    makers: rules.map(({ createdBy }) => createdBy),
    lines: (t) => rules.map(({ name }): [string, string] => [name, t("mail.notRun")]),
  });
}

type Told = { event: string; makers: readonly number[]; lines: (t: ReturnType<typeof ruleTexts>) => [string, string][] };

/** One mail and one note to each of the makers of rules and the PMs. */
async function tell(ctx: System, what: "invalid" | "failed", { event, makers, lines }: Told): Promise<void> {
  const today = projectToday(ctx.now, ctx.project.tzOffset);
  const people = await ctx.sql<{ id: number; name: string; email: string; language: string | null }[]>`
    select distinct u.id, u.name, u.email, u.language from app_user u
    where u.active and exists (select from project_member m where m.project_id = ${ctx.project.id} and m.user_id = u.id
      and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}) and (m.role = 'PM' or u.id = any(${[...makers]}::bigint[])))
    order by u.id`;
  const address = href("planRules", {}, ctx.project.number);
  await notify(
    ctx,
    people.map(({ id }) => id),
    { kind: `planRule.${what}`, title: `plan-rules.mail.${what}`, params: { count: lines(ruleTexts("en")).length }, link: address, event },
  );
  await queueMails(
    ctx,
    people.map(({ id, name, email, language }) => {
      const lang = asLocale(language) ?? "zh";
      const t = ruleTexts(lang);
      const facts = lines(t);
      const title = t(`mail.${what}`, { count: facts.length });
      return {
        kind: `planRule.${what}` as const,
        event,
        to: { userId: id, address: email, name, lang },
        subject: title,
        ...writeLetter(
          {
            title,
            facts,
            paragraphs: [t(`mail.${what}Text`)],
            links: [{ label: t("mail.open"), href: new URL(address, env().AUTH_URL).href }],
            foot: t("mail.foot", { number: ctx.project.number }),
          },
          lang,
        ),
      };
    }),
  );
}
