import "server-only";
import { decode } from "next-auth/jwt";
import { env } from "#lib/core/env.ts";

/** Name of the signed session cookie; the secure form is used behind https. */
export function sessionCookieName(): string {
  return env().AUTH_URL?.startsWith("https:") ? "__Secure-authjs.session-token" : "authjs.session-token";
}

const decoded = new Map<string, { sid: string; until: number }>();

/**
 * The session id a cookie carries, or null when it is absent, foreign or expired. Decoded cookies are kept in memory, because decoding costs more than the call it guards.
 * @param cookie value of the session cookie
 */
export async function sessionId(cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  const known = decoded.get(cookie);
  if (known && known.until > Date.now()) return known.sid;
  decoded.delete(cookie);
  const name = sessionCookieName();
  try {
    const token = await decode({ token: cookie, secret: env().AUTH_SECRET, salt: name });
    const sid = token?.sid;
    if (typeof sid !== "string") return null;
    if (decoded.size > 10_000) decoded.clear();
    decoded.set(cookie, { sid, until: Date.now() + 300_000 });
    return sid;
  } catch {
    return null;
  }
}
