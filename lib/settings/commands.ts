import "server-only";
import { createTranslator } from "use-intl/core";
import type { z } from "zod";
import type { Ctx, PersonCtx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { checkRules } from "#lib/core/rule.ts";
import { limitSettings, type SwitchKey, switchKeys } from "./limits.ts";
import { forgetSettings, getSwitches, type LimitRow, listLimits, type SwitchState } from "./queries.ts";
import { deleteLimitRules, limitRules, switchRules } from "./rules.ts";
import type { ErrorReport, LimitName, SaveLimit, SaveSwitches } from "./schema.ts";

function switchName(ctx: Ctx, key: SwitchKey): string {
  const t = createTranslator({ locale: ctx.locale, messages: loadMessages(ctx.locale), namespace: "settings" }) as unknown as (
    key: string,
  ) => string;
  return t(`switch.${key.replace(".", "-")}.name`);
}

/** Turns switches of the project on or off; every process obeys within a minute. */
export async function saveSwitches(ctx: Ctx, input: z.output<typeof SaveSwitches>): Promise<{ switches: Record<SwitchKey, SwitchState> }> {
  const { sql, project, user, now } = ctx;
  // Two people cannot turn on one switch each: whoever changes settings holds the project's row.
  await holdProject(ctx);
  const present = await getSwitches(sql, project.id);
  const stale = switchKeys.some((key) => input.rowVersions?.[key] !== undefined && input.rowVersions[key] !== present[key].rowVersion);
  if (stale) throw new AppError("STALE", {}, [], { switches: present });
  const before = Object.fromEntries(switchKeys.map((key) => [key, present[key].on])) as Record<SwitchKey, boolean>;
  const after = { ...before };
  for (const key of switchKeys) if (input.switches[key]) after[key] = input.switches[key] === "Y";
  checkRules(switchRules, { before, after, nameOf: (key) => switchName(ctx, key) });
  for (const key of switchKeys.filter((one) => before[one] !== after[one])) {
    await sql`
      insert into project_switch as s (project_id, key, value, effective_at, updated_by, updated_at)
      values (${project.id}, ${key}, ${after[key] ? "Y" : "N"}, ${now}, ${user.id}, ${now})
      on conflict (project_id, key) do update set value = excluded.value, effective_at = excluded.effective_at, updated_by = excluded.updated_by,
        updated_at = excluded.updated_at, row_version = s.row_version + 1`;
  }
  ctx.audit("switches", before, after, "config_changed");
  ctx.afterCommit(() => forgetSettings(project.id));
  return { switches: await getSwitches(sql, project.id) };
}

async function ownLimit({ sql, project }: Ctx, key: string): Promise<{ value: number; rowVersion: number } | null> {
  const [row] = await sql<{ value: number; rowVersion: number }[]>`
    select value, row_version as "rowVersion" from limit_setting where project_id = ${project.id} and key = ${key}`;
  return row ?? null;
}

async function demandFresh(ctx: Ctx, rowVersion: number | undefined, present: number): Promise<void> {
  if (rowVersion !== undefined && rowVersion !== present) throw new AppError("STALE", {}, [], { limits: await listLimits(ctx) });
}

/** Sets the project's own value of a limit. */
export async function saveLimit(ctx: Ctx, input: z.output<typeof SaveLimit>): Promise<{ limits: LimitRow[] }> {
  const { sql, project } = ctx;
  const { key, value } = input;
  await holdProject(ctx);
  const own = await ownLimit(ctx, key);
  await demandFresh(ctx, input.rowVersion, own?.rowVersion ?? 0);
  checkRules(limitRules, { key, value, present: own?.value ?? null });
  const { min, max } = limitSettings[key];
  await sql`
    insert into limit_setting as l (project_id, key, value, min, max) values (${project.id}, ${key}, ${value}, ${min}, ${max})
    on conflict (project_id, key) do update set value = excluded.value, row_version = l.row_version + 1`;
  ctx.audit(`limit ${key}`, own && { value: own.value }, { value }, "config_changed");
  ctx.afterCommit(() => forgetSettings(project.id));
  return { limits: await listLimits(ctx) };
}

/** Takes back the project's own value of a limit: the installation's holds again, and that one cannot be removed. */
export async function deleteLimit(ctx: Ctx, input: z.output<typeof LimitName>): Promise<{ limits: LimitRow[] }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const own = await ownLimit(ctx, input.key);
  checkRules(deleteLimitRules, { hasOwn: own !== null });
  await demandFresh(ctx, input.rowVersion, own?.rowVersion ?? 0);
  await sql`delete from limit_setting where project_id = ${project.id} and key = ${input.key}`;
  ctx.audit(`limit ${input.key}`, own && { value: own.value }, null, "config_changed");
  ctx.afterCommit(() => forgetSettings(project.id));
  return { limits: await listLimits(ctx) };
}

/** Keeps what a person reports about an error, and gives the number to ask by. */
export async function reportError(ctx: PersonCtx, input: z.output<typeof ErrorReport>): Promise<{ ticket: number }> {
  const { sql, user, now, projectNumber } = ctx;
  const [row] = await sql<{ id: number }[]>`
    insert into error_report (project_id, user_id, code, request_id, text, screen, at)
    values ((select id from project where number = ${projectNumber}), ${user.id}, ${input.code}, ${input.requestId}, ${input.text ?? null}, ${input.screen ?? null}, ${now})
    returning id`;
  const ticket = row?.id ?? 0;
  ctx.audit(`error report ${ticket}`, null, { code: input.code, requestId: input.requestId, screen: input.screen ?? null });
  return { ticket };
}
