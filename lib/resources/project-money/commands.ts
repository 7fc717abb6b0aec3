import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { getCurrency, getRate } from "./queries.ts";
import { CURRENCY_CONFIRM, RATE_RANGE } from "./rules.ts";
import type { SaveCurrency, SaveRate } from "./schema.ts";

/** Chooses the currency; amounts keep their numbers. @throws NOTHING_MODIFIED, STALE, CURRENCY_CONFIRM */
export async function saveCurrency(ctx: Ctx, { code, confirm, rowVersion }: SaveCurrency): Promise<{ rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const before = await getCurrency(ctx);
  if (before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  refuseUnchanged(before.rowVersion > 0 ? before : null, { code });
  checkRules([CURRENCY_CONFIRM], { from: before.code, to: code, confirmed: confirm }, "confirm");
  await sql`
    insert into project_currency (project_id, code, updated_by, updated_at) values (${project.id}, ${code}, ${user.id}, ${now})
    on conflict (project_id) do update set code = ${code}, updated_by = ${user.id}, updated_at = ${now}, row_version = project_currency.row_version + 1`;
  ctx.audit("project_currency", before, { code });
  return { rowVersion: rowVersion + 1 };
}

/** Sets the rate of completed clusters. @throws NOTHING_MODIFIED, STALE, NUMBER_RANGE */
export async function saveRate(ctx: Ctx, { kind, value, rowVersion }: SaveRate): Promise<{ rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const before = await getRate(ctx);
  if (before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  checkRules([RATE_RANGE], { kind, value }, "value");
  refuseUnchanged(before.rowVersion > 0 ? before : null, { kind, value });
  await sql`
    insert into cluster_rate (project_id, kind, value, updated_by, updated_at) values (${project.id}, ${kind}, ${value}, ${user.id}, ${now})
    on conflict (project_id) do update set kind = ${kind}, value = ${value}, updated_by = ${user.id}, updated_at = ${now}, row_version = cluster_rate.row_version + 1`;
  ctx.audit("cluster_rate", before, { kind, value });
  return { rowVersion: rowVersion + 1 };
}
