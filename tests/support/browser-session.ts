import { randomBytes, randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import type { Sql } from "#db/client.ts";

// Of an installation on http.
const cookieName = "authjs.session-token";

/** Opens a session of a person without the sign-in; gives the `Cookie` header a browser would send. */
export async function sessionCookie(sql: Sql, userId: number, authSecret: string): Promise<string> {
  const sid = randomUUID();
  await sql`
    insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at)
    values (${sid}, ${userId}, ${randomBytes(32).toString("base64url")}, now(), now(), now() + interval '8 hours')`;
  return `${cookieName}=${await encode({ token: { sid }, secret: authSecret, salt: cookieName })}`;
}
