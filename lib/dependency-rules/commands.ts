import "server-only";
import { createTranslator } from "use-intl/core";
import type { Sql } from "#db/client.ts";
import { dropRefs, replaceRefsOfMany } from "#lib/attributes/config-refs/commands.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { href } from "#lib/core/href.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { type NamedEvent, storedObject } from "./logic.ts";
import { chosenRules, readEventNames, readStoredRules, readValidity, type StoredRule } from "./queries.ts";
import { findLoop, type ObjectRule, type RuleStatus, ruleKey } from "./rule-set/logic.ts";
import { DEP_LIMIT, enableFaults } from "./rules.ts";
import type { SaveDependencies } from "./schema.ts";

type Texts = (key: string, values?: Record<string, string | number>) => string;

function textsOf({ locale }: Pick<Ctx, "locale">): Texts {
  return createTranslator({ locale, messages: loadMessages(locale), namespace: "dependency-rules", onError: () => {} }) as unknown as Texts;
}

/**
 * Stores a configuration: one rule for each target, all of them or none; or changes one rule.
 * @throws DEP_DUPLICATE, DEP_LIMIT, DEP_LOOP, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveDependencies(ctx: Ctx, input: SaveDependencies): Promise<{ ids: number[] }> {
  const { flowId, prerequisites, targets, expireDate } = input;
  // Rules are judged over the whole project: who saves others waits.
  await holdProject(ctx);
  const stored = await readStoredRules(ctx, { lock: true });
  const before = input.id === undefined ? null : stored.find(({ id }) => id === input.id);
  if (before === undefined) throw new AppError("NOT_FOUND", { object: input.id as number });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const others = stored.filter((rule) => rule !== before);
  const rules = targets.map((target): ObjectRule => ({ flowId, target, prerequisites }));
  await guardObjects(ctx, rules, input);
  const known = new Set(others.map(ruleKey));
  const repeated = rules.findIndex((rule) => known.has(ruleKey(rule)));
  if (repeated >= 0) throw new AppError("DEP_DUPLICATE", {}, [{ path: `targets.${repeated}`, code: "DEP_DUPLICATE" }]);
  const isPast = expireDate !== null && expireDate < ctx.today;
  if (isPast && before?.status !== "EXPIRED") throw new AppError("END_PAST", {}, [{ path: "expireDate", code: "END_PAST" }]);
  const status: RuleStatus = before?.status ?? "EFFECTIVE";
  if (status === "EFFECTIVE") await guardInForce(ctx, others, rules);
  refuseUnchanged(before, { ...rules[0], expireDate });
  const ids = before ? [await changeRule(ctx, before, input)] : await insertRules(ctx, rules, expireDate);
  await writePrerequisites(ctx, ids, rules);
  for (const [at, id] of ids.entries())
    ctx.audit(`dep_rule ${id}`, before ? facts(before) : null, { ...rules[at], expireDate, status }, "config_changed");
  return { ids };
}

const facts = ({ flowId, target, prerequisites, expireDate, status }: StoredRule) => ({
  flowId,
  target,
  prerequisites,
  expireDate,
  status,
});

/** What a rule names has to be there and in use. */
async function guardObjects(ctx: Ctx, rules: readonly ObjectRule[], { flowId, prerequisites, targets }: SaveDependencies): Promise<void> {
  const single = (node: ObjectRule["target"]): ObjectRule => ({ flowId, target: node, prerequisites: [] });
  const validity = await readValidity(ctx, rules);
  const problems: Problem[] = [];
  if (!validity(rules[0] as ObjectRule).flowValid)
    problems.push({ path: "flowId", code: "NOT_FOUND", params: { object: flowId as number } });
  for (const [path, nodes] of [
    ["prerequisites", prerequisites],
    ["targets", targets],
  ] as const)
    nodes.forEach((node, at) => {
      if (!validity(single(node)).objectsValid)
        problems.push({ path: `${path}.${at}`, code: "NOT_FOUND", params: { object: storedObject(node).id } });
    });
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
}

/** Rules come into force only within their number, and never in a circle. */
async function guardInForce(ctx: Ctx, others: readonly StoredRule[], rules: readonly ObjectRule[]): Promise<void> {
  const inForce = others.filter(({ status }) => status === "EFFECTIVE");
  checkRules([DEP_LIMIT], { effective: inForce.length + rules.length });
  const loop = findLoop(inForce, rules);
  if (!loop) return;
  const path = loop.map(await readEventNames(ctx, loop));
  const t = textsOf(ctx);
  const word = ({ name, event }: NamedEvent) => t("step", { name: name ?? t("refusal.hiddenTarget"), event: t(`event.${event}`) });
  throw new AppError("DEP_LOOP", { path: path.map(word).join(" → ") }, [], { path });
}

async function changeRule({ sql, user, now }: Ctx, before: StoredRule, input: SaveDependencies): Promise<number> {
  const target = storedObject(input.targets[0] as SaveDependencies["targets"][number]);
  await sql`
    update dep_rule set flow_id = ${input.flowId}, target_kind = ${target.kind}, target_id = ${target.id}, target_event = ${target.event},
      expire_date = ${input.expireDate}, row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now}
    where id = ${before.id}`;
  return before.id;
}

async function insertRules({ sql, project, user, now }: Ctx, rules: readonly ObjectRule[], expireDate: string | null): Promise<number[]> {
  const given = rules.map(({ flowId, target }, at) => ({ at, flowId, ...storedObject(target) }));
  const rows = await sql<{ id: number }[]>`
    insert into dep_rule (project_id, flow_id, target_kind, target_id, target_event, expire_date, created_by, created_at, updated_by, updated_at)
    select ${project.id}, n."flowId", n.kind, n.id, n.event, ${expireDate}::date, ${user.id}, ${now}, ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(given)}) as n(at int, "flowId" bigint, kind text, id bigint, event text) order by n.at returning id`;
  return rows.map(({ id }) => id);
}

async function writePrerequisites(ctx: Ctx, ids: readonly number[], rules: readonly ObjectRule[]): Promise<void> {
  const { sql, project } = ctx;
  const given = rules.flatMap(({ prerequisites }, rule) =>
    prerequisites.map((node, at) => ({ rule: ids[rule] as number, seq: at + 1, ...storedObject(node) })),
  );
  await sql`delete from dep_rule_prereq where rule_id = any(${[...ids]}::bigint[])`;
  await sql`
    insert into dep_rule_prereq (rule_id, project_id, seq, kind, object_id, event)
    select n.rule, ${project.id}, n.seq, n.kind, n.id, n.event
    from jsonb_to_recordset(${sql.json(given)}) as n(rule bigint, seq smallint, kind text, id bigint, event text)`;
  await replaceRefsOfMany(
    ctx,
    "DEP_RULE",
    ids,
    rules.flatMap(({ flowId, target, prerequisites }, at) => {
      const holderId = ids[at] as number;
      const ref = (node: ObjectRule["target"], usage: "TARGET" | "CONDITION") => {
        const { kind, id } = storedObject(node);
        return { holderId, kind, id, usage };
      };
      return [
        ref(target, "TARGET"),
        ...prerequisites.map((node) => ref(node, "CONDITION")),
        ...(flowId === null ? [] : [{ holderId, kind: "FLOW" as const, id: flowId, usage: "CONDITION" as const }]),
      ];
    }),
  );
}

/** Puts expired rules into force, all of them or none. @throws DEP_CANNOT_ENABLE with every reason, DEP_LIMIT, DEP_LOOP */
export async function enableDependencies(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ enabled: number }> {
  await holdProject(ctx);
  const stored = await readStoredRules(ctx, { lock: true });
  const rules = chosenRules(stored, ids).filter(({ status }) => status === "EXPIRED");
  const validity = await readValidity(ctx, rules);
  const t = textsOf(ctx);
  const problems = rules.flatMap((rule): Problem[] => {
    const faults = enableFaults({ expireDate: rule.expireDate, today: ctx.today, ...validity(rule) });
    const reasons = t("fault.rule", { id: rule.id, reasons: faults.map((fault) => t(`fault.${fault}`)).join(t("refusal.and")) });
    return faults.length === 0 ? [] : [{ path: `ids.${ids.indexOf(rule.id)}`, code: "DEP_CANNOT_ENABLE", params: { reasons } }];
  });
  if (problems.length > 0)
    throw new AppError("DEP_CANNOT_ENABLE", { reasons: problems.map(({ params }) => params?.reasons).join(t("refusal.and")) }, problems);
  await guardInForce(
    ctx,
    stored.filter((rule) => !rules.includes(rule)),
    rules,
  );
  await setStatus(ctx, rules, "EFFECTIVE");
  return { enabled: rules.length };
}

/** Takes rules out of force; they are kept. */
export async function expireDependencies(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ expired: number }> {
  await holdProject(ctx);
  const rules = chosenRules(await readStoredRules(ctx, { lock: true }), ids).filter(({ status }) => status === "EFFECTIVE");
  await setStatus(ctx, rules, "EXPIRED");
  return { expired: rules.length };
}

async function setStatus(ctx: Ctx, rules: readonly StoredRule[], status: RuleStatus): Promise<void> {
  await ctx.sql`
    update dep_rule set status = ${status}, row_version = row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    where id = any(${rules.map(({ id }) => id)}::bigint[])`;
  for (const rule of rules) ctx.audit(`dep_rule ${rule.id}`, { status: rule.status }, { status }, "config_changed");
}

/** Deletes rules, all of them or none. */
export async function deleteDependencies(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ deleted: number }> {
  await holdProject(ctx);
  const rules = chosenRules(await readStoredRules(ctx, { lock: true }), ids);
  await ctx.sql`delete from dep_rule where project_id = ${ctx.project.id} and id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "DEP_RULE", ids);
  for (const rule of rules) ctx.audit(`dep_rule ${rule.id}`, facts(rule), null, "config_changed");
  return { deleted: rules.length };
}

/**
 * Takes rules of a project out of force whose last day is over, or that name something no longer in use, and tells its PMs once for all of them.
 * @param event names what happened; the same one tells nobody twice
 * @returns ids of the rules
 */
export async function recheckDependencies(ctx: { sql: Sql; project: { id: number }; now: Date }, event: string): Promise<number[]> {
  const { sql, project, now } = ctx;
  const [held] = await sql<{ number: string; tzOffset: number }[]>`
    select number, tz_offset_beijing as "tzOffset" from project where id = ${project.id} for no key update`;
  if (!held) return [];
  const today = projectToday(now, held.tzOffset);
  const effective = (await readStoredRules(ctx, { lock: true })).filter(({ status }) => status === "EFFECTIVE");
  const validity = await readValidity(ctx, effective);
  const over = effective.filter((rule) => {
    const { objectsValid } = validity(rule);
    return enableFaults({ expireDate: rule.expireDate, today, objectsValid, flowValid: true }).length > 0;
  });
  if (over.length === 0) return [];
  const ids = over.map(({ id }) => id);
  await sql`update dep_rule set status = 'EXPIRED', row_version = row_version + 1, updated_at = ${now} where id = any(${ids}::bigint[])`;
  const people = await sql<{ id: number }[]>`
    select distinct user_id as id from project_member
    where project_id = ${project.id} and role = 'PM' and valid_from <= ${today} and (valid_to is null or valid_to >= ${today})`;
  await notify(
    ctx,
    people.map(({ id }) => id),
    {
      kind: "dependencyRule.expired",
      title: "dependency-rules.notice.expired",
      params: { count: ids.length },
      link: href("dependencyRules", {}, held.number),
      event: `${event} ${ids.join()}`,
    },
  );
  return ids;
}
