import "server-only";
import type { z } from "zod";
import type { PersonCtx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { forgetSessions } from "../queries.ts";
import type { RevokeSessions } from "./schema.ts";

/** Ends one of the person's sessions, or all but the one he calls from. @throws NOT_FOUND for a session that is not his or has ended */
export async function revokeSignIns(ctx: PersonCtx, input: z.output<typeof RevokeSessions>): Promise<{ count: number }> {
  const which = input.sid === undefined ? ctx.sql`sid is distinct from ${ctx.sid}` : ctx.sql`sid = ${input.sid}`;
  const rows = await ctx.sql<{ sid: string }[]>`
    update user_session set revoked_at = ${ctx.now}
    where user_id = ${ctx.user.id} and revoked_at is null and expires_at > ${ctx.now} and ${which} returning sid`;
  if (input.sid !== undefined && rows.length === 0) throw new AppError("NOT_FOUND", { object: input.sid });
  ctx.audit(
    "sessions",
    rows.map((row) => row.sid),
    null,
    "sign_out",
  );
  ctx.afterCommit(forgetSessions);
  return { count: rows.length };
}
