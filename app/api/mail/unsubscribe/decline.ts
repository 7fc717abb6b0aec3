import "server-only";
import { getSql } from "#db/client.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { declineMails } from "#lib/reminders/outbox/commands.ts";
import { readToken } from "#lib/reminders/outbox/queries.ts";

/** Declines what a link was signed for: the token is the right. A person is led back to the page, a mail program gets an empty answer. */
export async function declineByLink(request: Request, token: string): Promise<Response> {
  const link = readToken(token);
  if (!link) return new Response(null, { status: 410 });
  await declineMails(getSql(), link, presentTime());
  const body = await request.text().catch(() => "");
  if (body.includes("List-Unsubscribe=One-Click")) return new Response(null, { status: 200 });
  return new Response(null, { status: 303, headers: { location: `/unsubscribe/${encodeURIComponent(token)}` } });
}
