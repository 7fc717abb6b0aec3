import "server-only";
import type { PersonCtx } from "#lib/core/ctx.ts";
import { sessionsShown } from "../limits.ts";

/** One sign-in of the person that has not ended. */
export type SignIn = { sid: string; createdAt: Date; lastSeenAt: Date; expiresAt: Date; ip: string | null; isThis: boolean };

/** The person's sessions that have not ended, last seen first. */
export async function listSignIns(ctx: PersonCtx): Promise<{ records: SignIn[] }> {
  const rows = await ctx.sql<SignIn[]>`
    select sid, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", ip, coalesce(sid = ${ctx.sid}, false) as "isThis"
    from user_session where user_id = ${ctx.user.id} and revoked_at is null and expires_at > ${ctx.now}
    order by last_seen_at desc, created_at desc limit ${sessionsShown}`;
  return { records: [...rows] };
}
