import "server-only";
import { createTranslator } from "use-intl/core";
import type { Sql } from "#db/client.ts";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { href } from "#lib/core/href.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { conditionRefs } from "#lib/plan-rules/conditions/logic.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { type InvalidReason, priorityMax } from "./limits.ts";
import { type RuleFault, ruleFaults } from "./logic.ts";
import { checkRule, type FlowRule, listExecuting, type RuleCtx, readRuleFacts, readRules } from "./queries.ts";
import { NAME_EXISTS, PRIORITY_REPEATED } from "./rules.ts";
import type { SaveFlowRule } from "./schema.ts";

type Texts = (key: string, values?: Record<string, string | number>) => string;

/** Text of the rules in a language. */
export function ruleTexts(lang: Locale): Texts {
  return createTranslator({ locale: lang, messages: loadMessages(lang), namespace: "flow-rules", onError: () => {} }) as unknown as Texts;
}

/** What keeps a rule from being enabled, in words. */
function faultText(faults: readonly RuleFault[], t: Texts): string {
  return faults.map(({ reason, name }) => t(`fault.${reason}`, { name })).join("; ");
}

/**
 * Makes a rule, which begins disabled, or changes one. One that is in force is judged as when it is enabled.
 * @throws NAME_EXISTS, NOTHING_MODIFIED, PRIORITY_REPEATED, RULE_CANNOT_ENABLE, RULE_EXECUTING, STALE, TOO_MANY_RULES
 */
export async function saveFlowRule(ctx: Ctx, input: SaveFlowRule): Promise<{ id: number; priority: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const rules = await readRules(ctx, { lock: true });
  const before = input.id === undefined ? null : rules.find(({ id }) => id === input.id);
  if (before === undefined) throw new AppError("NOT_FOUND", { object: input.id! });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before) await guardExecuting(ctx, [before]);
  const others = rules.filter((rule) => rule !== before);
  if (!before && others.length >= priorityMax) throw new AppError("TOO_MANY_RULES", { max: priorityMax });
  const priority = input.priority ?? before?.priority ?? freePriority(others);
  const place = { name: input.name, priority, others };
  const problems = [...brokenRules([NAME_EXISTS], place, "name"), ...brokenRules([PRIORITY_REPEATED], place, "priority")];
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  const { objects, ...rule } = await checkRule(ctx, input, before?.conditions);
  if (before?.status === "enabled") await guardEnable(ctx, [{ ...rule, name: input.name }]);
  const values = { name: input.name, ...rule, priority };
  refuseUnchanged(before, values);
  const conditions = sql.json(rule.conditions as never);
  const id = before
    ? before.id
    : (
        await sql<{ id: number }[]>`
          insert into du_flow_rule (project_id, name, flow_id, region_id, priority, conditions, status, invalid_reason, created_by, created_at, updated_by, updated_at)
          values (${project.id}, ${input.name}, ${rule.flowId}, ${rule.regionId}, ${priority}, ${conditions}, 'invalid', 'DISABLED', ${user.id}, ${now}, ${user.id}, ${now})
          returning id`
      )[0]!.id;
  if (before)
    await sql`
      update du_flow_rule set name = ${input.name}, flow_id = ${rule.flowId}, region_id = ${rule.regionId}, priority = ${priority}, conditions = ${conditions},
        row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now} where id = ${id}`;
  await replaceRefs(ctx, "FLOW_RULE", id, [
    { kind: "FLOW", id: rule.flowId, usage: "TARGET" },
    ...(rule.regionId === null ? [] : [{ kind: "REGION" as const, id: rule.regionId, usage: "CONDITION" as const }]),
    ...conditionRefs(rule.conditions, objects),
  ]);
  ctx.audit(`du_flow_rule ${id}`, before && facts(before), values);
  return { id, priority, rowVersion: before ? before.rowVersion + 1 : 1 };
}

const facts = ({ name, flowId, regionId, priority, conditions, status }: FlowRule) => ({
  name,
  flowId,
  regionId,
  priority,
  conditions,
  status,
});

/** The place behind the last rule, or the first free one when that is taken. */
function freePriority(others: readonly { priority: number }[]): number {
  const taken = new Set(others.map(({ priority }) => priority));
  const behind = Math.max(0, ...taken) + 1;
  if (behind <= priorityMax) return behind;
  let free = 1;
  while (taken.has(free)) free++;
  return free;
}

async function lockRules(ctx: Ctx, ids: readonly number[]): Promise<FlowRule[]> {
  const rules = await readRules(ctx, { ids, lock: true });
  if (rules.length !== ids.length) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  return rules;
}

/** Refuses while a run that is not over names one of the rules. */
export async function guardExecuting(ctx: RuleCtx & { now: Date }, rules: readonly { id: number; name: string }[]): Promise<void> {
  const executing = await listExecuting(ctx, ctx.now);
  const busy = rules.filter(({ id }) => executing.has(id));
  if (busy.length > 0) throw new AppError("RULE_EXECUTING", { names: busy.map(({ name }) => name).join(", ") });
}

async function guardEnable(
  ctx: Ctx,
  rules: readonly (Pick<FlowRule, "flowId" | "regionId" | "conditions"> & { name: string })[],
): Promise<void> {
  const known = await readRuleFacts(ctx, rules, { lock: true });
  const t = ruleTexts(ctx.locale);
  const problems = rules.flatMap((rule, at): Problem[] => {
    const faults = ruleFaults(rule, known);
    const reasons = `${rules.length > 1 ? `${rule.name}: ` : ""}${faultText(faults, t)}`;
    return faults.length === 0 ? [] : [{ path: `ids.${at}`, code: "RULE_CANNOT_ENABLE", params: { reasons } }];
  });
  if (problems.length > 0)
    throw new AppError("RULE_CANNOT_ENABLE", { reasons: problems.map(({ params }) => params!.reasons).join("; ") }, problems);
}

/** Puts rules into force, all of them or none. @throws RULE_CANNOT_ENABLE with every reason */
export async function enableFlowRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ enabled: number }> {
  const rules = await lockRules(ctx, ids);
  await guardExecuting(ctx, rules);
  await guardEnable(ctx, rules);
  return { enabled: await setStatus(ctx, rules, null) };
}

/** Takes rules out of force. */
export async function disableFlowRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ disabled: number }> {
  const rules = await lockRules(ctx, ids);
  await guardExecuting(ctx, rules);
  const inForce = rules.filter(({ status }) => status === "enabled");
  // Rules that are out of force already stay as they are, and keep the reason why.
  if (inForce.length === 0) ctx.audit("du_flow_rule status", null, { disabled: [] });
  return { disabled: await setStatus(ctx, inForce, "DISABLED") };
}

async function setStatus(ctx: Ctx, rules: readonly FlowRule[], reason: InvalidReason | null): Promise<number> {
  const status = reason === null ? "enabled" : "invalid";
  await ctx.sql`
    update du_flow_rule set status = ${status}, invalid_reason = ${reason}, row_version = row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    where id = any(${rules.map(({ id }) => id)}::bigint[])`;
  for (const rule of rules) ctx.audit(`du_flow_rule ${rule.id}`, { status: rule.status }, { status, reason });
  return rules.length;
}

/** Deletes rules, all of them or none; DUs they bound keep their flow. */
export async function deleteFlowRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ deleted: number }> {
  const rules = await lockRules(ctx, ids);
  await guardExecuting(ctx, rules);
  await ctx.sql`delete from du_flow_rule where project_id = ${ctx.project.id} and id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "FLOW_RULE", ids);
  for (const rule of rules) ctx.audit(`du_flow_rule ${rule.id}`, facts(rule), null);
  return { deleted: rules.length };
}

/** Brings the rules of the project into an order; the priorities they have are dealt out anew. @throws STALE when these are not all of them */
export async function sortFlowRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ priorities: number[] }> {
  await holdProject(ctx);
  const rules = await readRules(ctx, { lock: true });
  if (rules.length !== ids.length || rules.some(({ id }) => !ids.includes(id))) throw new AppError("STALE");
  await guardExecuting(ctx, rules);
  const priorities = rules.map(({ priority }) => priority);
  await ctx.sql`
    update du_flow_rule r set priority = n.priority, row_version = r.row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    from unnest(${ids}::bigint[], ${priorities}::int[]) n(id, priority) where r.id = n.id and r.priority <> n.priority`;
  ctx.audit("du_flow_rule order", { ids: rules.map(({ id }) => id) }, { ids });
  return { priorities };
}

/** Who rechecks rules: a call, or a run nobody started. */
export type System = { sql: Sql; project: Pick<CtxProject, "id" | "number" | "tzOffset">; now: Date };

/**
 * Takes rules out of force whose flow, region or attributes are gone or changed, and tells the PMs of the project once for all of them.
 * @param event names what happened; the same one tells nobody twice
 * @param ids only these rules
 * @returns the rules that are in force now
 */
export async function recheckFlowRules(ctx: System, event: string, ids?: readonly number[]): Promise<FlowRule[]> {
  const rules = await readRules(ctx, { ...(ids ? { ids } : {}), lock: true });
  const enabled = rules.filter(({ status }) => status === "enabled");
  const known = await readRuleFacts(ctx, enabled, { lock: true });
  const broken = enabled.flatMap((rule) => {
    const faults = ruleFaults(rule, known);
    return faults[0] ? [{ rule, faults, reason: faults[0].reason }] : [];
  });
  if (broken.length === 0) return enabled;
  const given = ctx.sql.json(broken.map(({ rule, reason }) => ({ id: rule.id, reason })));
  await ctx.sql`
    update du_flow_rule r set status = 'invalid', invalid_reason = n.reason, row_version = r.row_version + 1
    from jsonb_to_recordset(${given}) as n(id bigint, reason text) where r.id = n.id`;
  await tellManagers(ctx, event, broken);
  const gone = new Set(broken.map(({ rule }) => rule));
  return enabled.filter((rule) => !gone.has(rule));
}

async function tellManagers(
  ctx: System,
  event: string,
  broken: readonly { rule: FlowRule; faults: readonly RuleFault[] }[],
): Promise<void> {
  const today = projectToday(ctx.now, ctx.project.tzOffset);
  const people = await ctx.sql<{ id: number; name: string; email: string; language: string | null }[]>`
    select distinct u.id, u.name, u.email, u.language from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${ctx.project.id} and m.role = 'PM' and u.active and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
    order by u.id`;
  const rules = broken.map(({ rule }) => `${rule.id}.${rule.rowVersion}`).join(" ");
  await notify(
    ctx,
    people.map(({ id }) => id),
    {
      kind: "flowRule.invalid",
      title: "flow-rules.mail.title",
      params: { count: broken.length },
      body: broken.map(({ rule }) => rule.name).join(", "),
      link: href("flowAutoRules", {}, ctx.project.number),
      event: `${event} ${rules}`,
    },
  );
  await queueMails(
    ctx,
    people.map(({ id, name, email, language }) => {
      const lang = asLocale(language) ?? "zh";
      const t = ruleTexts(lang);
      const title = t("mail.title", { count: broken.length });
      return {
        kind: "flowRule.invalid" as const,
        event: `${event} ${rules}`,
        to: { userId: id, address: email, name, lang },
        subject: title,
        ...writeLetter(
          {
            title,
            facts: broken.map(({ rule, faults }): [string, string] => [rule.name, faultText(faults, t)]),
            paragraphs: [t("mail.text")],
            links: [{ label: t("mail.open"), href: new URL(href("flowAutoRules", {}, ctx.project.number), env().AUTH_URL).href }],
            foot: t("mail.foot", { number: ctx.project.number }),
          },
          lang,
        ),
      };
    }),
  );
}
