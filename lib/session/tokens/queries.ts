import "server-only";
import type { PersonCtx } from "#lib/core/ctx.ts";
import { tokensPerPerson } from "../limits.ts";

/** An API token without its secret, which is kept as a hash only. */
export type TokenRow = { id: number; name: string; createdAt: Date; expiresAt: Date; lastUsedAt: Date | null };

/** The person's API tokens that are valid, newest first. */
export async function listTokens(ctx: PersonCtx): Promise<{ records: TokenRow[] }> {
  const rows = await ctx.sql<TokenRow[]>`
    select id, name, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"
    from api_token where user_id = ${ctx.user.id} and revoked_at is null and expires_at > ${ctx.now} order by id desc limit ${tokensPerPerson}`;
  return { records: [...rows] };
}
