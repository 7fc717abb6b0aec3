import "server-only";
import type { z } from "zod";
import type { PersonCtx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { newToken } from "#lib/core/secrets.ts";
import { tokensPerPerson } from "../limits.ts";
import { forgetSessions } from "../queries.ts";
import type { MakeToken, RevokeToken } from "./schema.ts";

const dayMs = 86_400_000;

/**
 * Makes an API token; its secret is in this answer and nowhere else. A token makes no further tokens: that needs a sign-in.
 * @throws SESSION_REQUIRED, TOO_MANY
 */
export async function makeToken(
  ctx: PersonCtx,
  input: z.output<typeof MakeToken>,
): Promise<{ id: number; token: string; expiresAt: Date }> {
  if (!ctx.sid) throw new AppError("SESSION_REQUIRED");
  const { sql, user, now } = ctx;
  await sql`select 1 from app_user where id = ${user.id} for no key update`;
  const [held] = await sql<{ count: number }[]>`
    select count(*)::int as count from api_token where user_id = ${user.id} and revoked_at is null and expires_at > ${now}`;
  if ((held?.count ?? 0) >= tokensPerPerson) throw new AppError("TOO_MANY", { max: tokensPerPerson });
  const { token, hash } = newToken();
  const expiresAt = new Date(now.getTime() + input.days * dayMs);
  const [row] = await sql<{ id: number }[]>`
    insert into api_token (user_id, name, hash, created_at, expires_at) values (${user.id}, ${input.name}, ${hash}, ${now}, ${expiresAt}) returning id`;
  const id = row?.id as number;
  ctx.audit(`api token ${id}`, null, { name: input.name, expiresAt }, "config_changed");
  return { id, token, expiresAt };
}

/** Ends an API token of the person at once. @throws NOT_FOUND */
export async function revokeToken(ctx: PersonCtx, input: z.output<typeof RevokeToken>): Promise<{ id: number }> {
  const [row] = await ctx.sql<{ name: string }[]>`
    update api_token set revoked_at = ${ctx.now} where id = ${input.id} and user_id = ${ctx.user.id} and revoked_at is null returning name`;
  if (!row) throw new AppError("NOT_FOUND", { object: String(input.id) });
  ctx.audit(`api token ${input.id}`, { name: row.name }, null, "config_changed");
  ctx.afterCommit(forgetSessions);
  return { id: input.id };
}
