import "server-only";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { href } from "#lib/core/href.ts";
import { asLocale } from "#lib/core/locale.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseStaleNumbers } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { listExecuting } from "#lib/plan-rules/runs/queries.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { queueMails } from "#lib/reminders/outbox/commands.ts";
import { writeLetter } from "#lib/reminders/outbox/logic.ts";
import { ownerTexts } from "../people/queries.ts";
import { type InvalidReason, sortNoMax } from "./limits.ts";
import { type OwnerRuleFault, ownerRuleFaults, ownerRuleRefs } from "./logic.ts";
import { type CheckedOwnerRule, checkOwnerRule, type OwnerRule, type OwnerRuleCtx, readOwnerRuleFacts, readOwnerRules } from "./queries.ts";
import { FLOW_TEXT_TOO_LONG, NAME_EXISTS } from "./rules.ts";
import type { SaveOwnerRule, SortOwnerRules } from "./schema.ts";

/** What keeps a rule from being enabled, in words. */
function faultText(faults: readonly OwnerRuleFault[], t: ReturnType<typeof ownerTexts>): string {
  return faults.map(({ reason, name }) => t(`fault.${reason}`, { name })).join("; ");
}

/**
 * Makes a rule, which begins out of force, or changes one. One that is in force is judged as when it is enabled; the fault of another is forgotten.
 * @throws NAME_EXISTS, FLOW_TEXT_TOO_LONG, CONDITION_REPEATED, RULE_CANNOT_ENABLE, NOTHING_MODIFIED, STALE
 */
export async function saveOwnerRule(ctx: Ctx, input: SaveOwnerRule): Promise<{ id: number; sortNo: number; rowVersion: number }> {
  await holdProject(ctx);
  const rules = await readOwnerRules(ctx, { lock: true });
  const before = input.id === undefined ? null : rules.find(({ id }) => id === input.id);
  if (before === undefined) throw new AppError("NOT_FOUND", { object: input.id! });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before) await guardExecuting(ctx, [before]);
  const { objects, ...checked } = await checkOwnerRule(ctx, input);
  const others = rules.filter((rule) => rule !== before);
  const problems = [
    ...brokenRules([NAME_EXISTS], { name: input.name, others }, "name"),
    ...brokenRules([FLOW_TEXT_TOO_LONG], checked, "flowIds"),
  ];
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  if (before?.status === "ENABLED") await guardEnable(ctx, [{ ...checked, name: input.name }]);
  const last = Math.max(0, ...others.map(({ sortNo }) => sortNo));
  const sortNo = input.sortNo ?? before?.sortNo ?? Math.min(last + 1, sortNoMax);
  const values = facts({ ...input, ...checked, sortNo });
  // A rule that is out of force for another reason is only switched off from now on.
  if (before?.status === "ENABLED" || before?.invalidReason === "DISABLED") refuseUnchanged(before, values);
  const id = before ? await updateRule(ctx, before.id, input, checked, sortNo) : await insertRule(ctx, input, checked, sortNo);
  await writeConditions(ctx, id, checked);
  await replaceRefs(ctx, "OWNER_RULE", id, ownerRuleRefs(checked, objects));
  ctx.audit(`owner_rule ${id}`, before && facts(before), {
    ...values,
    status: before?.status ?? "INVALID",
  });
  return { id, sortNo, rowVersion: before ? before.rowVersion + 1 : 1 };
}

/** Refuses while a run that is not over names one of the rules. */
export async function guardExecuting(ctx: Ctx, rules: readonly { id: number; name: string }[]): Promise<void> {
  const executing = await listExecuting(ctx, "OWNER");
  const busy = rules.filter(({ id }) => executing.has(id));
  if (busy.length > 0) throw new AppError("RULE_EXECUTING", { names: busy.map(({ name }) => name).join(", ") });
}

type Facts = Pick<
  OwnerRule,
  "name" | "sortNo" | "flowIds" | "activityIds" | "ownerFields" | "fillMode" | "fillValue" | "overwrite" | "description" | "expireDate"
> & { conditions: unknown };
const facts = ({
  name,
  sortNo,
  flowIds,
  activityIds,
  ownerFields,
  fillMode,
  fillValue,
  overwrite,
  description,
  expireDate,
  conditions,
}: Facts) => ({
  name,
  sortNo,
  flowIds,
  activityIds,
  ownerFields,
  fillMode,
  fillValue,
  overwrite,
  description,
  expireDate,
  conditions,
});

async function insertRule({ sql, project, user, now }: Ctx, input: SaveOwnerRule, rule: CheckedOwnerRule, sortNo: number): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into owner_rule (project_id, name, sort_no, flow_ids, flow_text, activity_ids, owner_fields, fill_mode, fill_value, overwrite, description, expire_date,
      status, invalid_reason, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${input.name}, ${sortNo}, ${rule.flowIds}, ${rule.flowText}, ${rule.activityIds}, ${input.ownerFields}, ${rule.fillMode},
      ${sql.json(rule.fillValue as never)}, ${input.overwrite}, ${input.description}, ${rule.expireDate}, 'INVALID', 'DISABLED', ${user.id}, ${now}, ${user.id}, ${now})
    returning id`;
  return made!.id;
}

async function updateRule(
  { sql, user, now }: Ctx,
  id: number,
  input: SaveOwnerRule,
  rule: CheckedOwnerRule,
  sortNo: number,
): Promise<number> {
  await sql`
    update owner_rule set name = ${input.name}, sort_no = ${sortNo}, flow_ids = ${rule.flowIds}, flow_text = ${rule.flowText}, activity_ids = ${rule.activityIds},
      owner_fields = ${input.ownerFields}, fill_mode = ${rule.fillMode}, fill_value = ${sql.json(rule.fillValue as never)}, overwrite = ${input.overwrite},
      description = ${input.description}, expire_date = ${rule.expireDate}, invalid_reason = case when status = 'INVALID' then 'DISABLED' end,
      row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now} where id = ${id}`;
  return id;
}

async function writeConditions({ sql, project }: Ctx, ruleId: number, { conditions }: CheckedOwnerRule): Promise<void> {
  await sql`delete from owner_rule_condition where rule_id = ${ruleId}`;
  const rows = conditions.map(({ object, operator, values, type }, at) => ({
    seq: at + 1,
    attribute: object.k === "ATTR" ? Number(object.key.slice(1)) : null,
    field: object.k === "DU" ? object.f : null,
    operator,
    values,
    type,
  }));
  if (rows.length === 0) return;
  await sql`
    insert into owner_rule_condition (rule_id, seq, project_id, attribute_id, field, type, operator, values)
    select ${ruleId}, n.seq, ${project.id}, n.attribute, n.field, n.type, n.operator, n.values
    from jsonb_to_recordset(${sql.json(rows as never)}) as n(seq smallint, attribute bigint, field text, type text, operator text, values jsonb)`;
}

/** Rules that no run is at work with, kept as they are until the transaction ends. */
async function lockRules(ctx: Ctx, ids: readonly number[]): Promise<OwnerRule[]> {
  const rules = await readOwnerRules(ctx, { ids, lock: true });
  if (rules.length !== ids.length) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  await guardExecuting(ctx, rules);
  return rules;
}

async function guardEnable(ctx: Ctx, rules: readonly (CheckedOwnerRule & { name: string })[]): Promise<void> {
  const known = await readOwnerRuleFacts(ctx, rules, { lock: true });
  const t = ownerTexts(ctx.locale);
  const problems = rules.flatMap((rule, at): Problem[] => {
    const faults = ownerRuleFaults(rule, known);
    const reasons = `${rules.length > 1 ? `${rule.name}: ` : ""}${faultText(faults, t)}`;
    return faults.length === 0 ? [] : [{ path: `ids.${at}`, code: "RULE_CANNOT_ENABLE", params: { reasons } }];
  });
  if (problems.length > 0)
    throw new AppError("RULE_CANNOT_ENABLE", { reasons: problems.map(({ params }) => params!.reasons).join("; ") }, problems);
}

/** Puts rules into force, all of them or none. @throws RULE_CANNOT_ENABLE with every reason */
export async function enableOwnerRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ done: number }> {
  const rules = await lockRules(ctx, ids);
  await guardEnable(ctx, rules);
  return { done: await setStatus(ctx, rules, null) };
}

/** Takes rules out of force. */
export async function disableOwnerRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ done: number }> {
  const rules = await lockRules(ctx, ids);
  const enabled = rules.filter(({ status }) => status === "ENABLED");
  if (enabled.length === 0) ctx.audit("owner_rule status", null, { disabled: [] });
  return { done: await setStatus(ctx, enabled, "DISABLED") };
}

async function setStatus(ctx: Ctx, rules: readonly OwnerRule[], reason: InvalidReason | null): Promise<number> {
  const status = reason === null ? "ENABLED" : "INVALID";
  await ctx.sql`
    update owner_rule set status = ${status}, invalid_reason = ${reason}, row_version = row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    where id = any(${rules.map(({ id }) => id)}::bigint[])`;
  for (const rule of rules) ctx.audit(`owner_rule ${rule.id}`, { status: rule.status }, { status, reason });
  return rules.length;
}

/** Deletes rules, all of them or none; the owners they gave stay, and their history. */
export async function deleteOwnerRules(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ deleted: number }> {
  const rules = await lockRules(ctx, ids);
  await ctx.sql`
    update owner_rule set deleted_at = ${ctx.now}, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}, row_version = row_version + 1
    where id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "OWNER_RULE", ids);
  for (const rule of rules) ctx.audit(`owner_rule ${rule.id}`, facts(rule), null);
  return { deleted: rules.length };
}

/**
 * Gives rules their places in the order in which they decide.
 * @throws NOT_FOUND, RULE_EXECUTING, STALE when one of them no longer has the place it was read with
 */
export async function sortOwnerRules(ctx: Ctx, { items }: SortOwnerRules): Promise<{ sorted: number }> {
  const rules = await lockRules(ctx, [...new Set(items.map(({ id }) => id))]);
  refuseStaleNumbers(rules, items);
  const places = new Map(items.map(({ id, sortNo }) => [id, sortNo]));
  const moved = rules.filter(({ id, sortNo }) => places.get(id) !== sortNo);
  await ctx.sql`
    update owner_rule r set sort_no = n.sort_no, row_version = r.row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now}
    from unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ id }) => places.get(id)!)}::int[]) n(id, sort_no) where r.id = n.id`;
  ctx.audit("owner_rule order", Object.fromEntries(moved.map(({ id, sortNo }) => [id, sortNo])), {
    items: items.map(({ id, sortNo }) => ({ id, sortNo })),
  });
  return { sorted: moved.length };
}

/** Who rechecks rules: a call, or a run nobody started. */
export type System = OwnerRuleCtx & { project: Pick<CtxProject, "id" | "number" | "tzOffset">; now: Date };

/**
 * Takes rules out of force that have expired or whose flows, activities or attributes are gone or changed, and tells their makers and the PMs once for all of them.
 * @param event names what happened; the same one tells nobody twice
 * @returns the rules that are in force now
 */
export async function recheckOwnerRules(ctx: System, event: string): Promise<OwnerRule[]> {
  const enabled = (await readOwnerRules(ctx, { lock: true })).filter(({ status }) => status === "ENABLED");
  const known = await readOwnerRuleFacts(ctx, enabled, { lock: true });
  const broken = enabled.flatMap((rule) => {
    const faults = ownerRuleFaults(rule, known);
    return faults[0] ? [{ rule, faults, reason: faults[0].reason }] : [];
  });
  if (broken.length === 0) return enabled;
  const given = ctx.sql.json(broken.map(({ rule, reason }) => ({ id: rule.id, reason })));
  await ctx.sql`
    update owner_rule r set status = 'INVALID', invalid_reason = n.reason, row_version = r.row_version + 1
    from jsonb_to_recordset(${given}) as n(id bigint, reason text) where r.id = n.id`;
  await tellPeople(ctx, event, broken);
  const gone = new Set(broken.map(({ rule }) => rule));
  return enabled.filter((rule) => !gone.has(rule));
}

async function tellPeople(
  ctx: System,
  event: string,
  broken: readonly { rule: OwnerRule; faults: readonly OwnerRuleFault[] }[],
): Promise<void> {
  const makers = [...new Set(broken.map(({ rule }) => rule.createdBy))];
  const people = await ctx.sql<{ id: number; name: string; email: string; language: string | null }[]>`
    select distinct u.id, u.name, u.email, u.language from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${ctx.project.id} and (m.role = 'PM' or u.id = any(${makers}::bigint[])) and u.active
      and m.valid_from <= ${ctx.today} and (m.valid_to is null or m.valid_to >= ${ctx.today}) order by u.id`;
  const told = `${event} ${broken.map(({ rule }) => `${rule.id}.${rule.rowVersion}`).join(" ")}`;
  const address = href("owners", {}, ctx.project.number);
  await notify(
    ctx,
    people.map(({ id }) => id),
    { kind: "ownerRule.invalid", title: "owners.mail.title", params: { count: broken.length }, link: address, event: told },
  );
  await queueMails(
    ctx,
    people.map(({ id, name, email, language }) => {
      const lang = asLocale(language) ?? "zh";
      const t = ownerTexts(lang);
      const title = t("mail.title", { count: broken.length });
      return {
        kind: "ownerRule.invalid" as const,
        event: told,
        to: { userId: id, address: email, name, lang },
        subject: title,
        ...writeLetter(
          {
            title,
            facts: broken.map(({ rule, faults }): [string, string] => [rule.name, faultText(faults, t)]),
            paragraphs: [t("mail.text")],
            links: [{ label: t("mail.open"), href: new URL(address, env().AUTH_URL).href }],
            foot: t("mail.foot", { number: ctx.project.number }),
          },
          lang,
        ),
      };
    }),
  );
}
