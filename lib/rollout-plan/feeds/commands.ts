import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { newToken } from "#lib/core/secrets.ts";
import { feedsPerPerson } from "./limits.ts";
import type { RevokeFeed } from "./schema.ts";

/**
 * Makes a secret address for the person's calendar of the project; the secret is in this answer and nowhere else. It takes a sign-in: an API token makes no
 * further secrets.
 * @throws SESSION_REQUIRED, TOO_MANY
 */
export async function createFeed(ctx: Ctx): Promise<{ id: number; address: string }> {
  const { sql, user, project, now } = ctx;
  if (!ctx.sid) throw new AppError("SESSION_REQUIRED");
  await sql`select 1 from app_user where id = ${user.id} for no key update`;
  const [held] = await sql<{ count: number }[]>`
    select count(*)::int as count from feed_token where project_id = ${project.id} and user_id = ${user.id} and revoked_at is null`;
  if ((held?.count ?? 0) >= feedsPerPerson) throw new AppError("TOO_MANY", { max: feedsPerPerson });
  const { token, hash } = newToken();
  const [row] = await sql<{ id: number }[]>`
    insert into feed_token (project_id, user_id, hash, created_at) values (${project.id}, ${user.id}, ${hash}, ${now}) returning id`;
  const id = row?.id as number;
  ctx.audit(`calendar feed ${id}`, null, { user: user.account }, "config_changed");
  return { id, address: `/api/feeds/${token}.ics` };
}

/** Ends a secret address of the person at once. @throws NOT_FOUND */
export async function revokeFeed(ctx: Ctx, { id }: z.output<typeof RevokeFeed>): Promise<{ id: number }> {
  const { sql, user, project, now } = ctx;
  const rows = await sql`
    update feed_token set revoked_at = ${now} where id = ${id} and project_id = ${project.id} and user_id = ${user.id} and revoked_at is null`;
  if (rows.count === 0) throw new AppError("NOT_FOUND", { object: String(id) });
  ctx.audit(`calendar feed ${id}`, { user: user.account }, null, "config_changed");
  return { id };
}
