import "server-only";
import { AppError } from "#lib/core/error.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { readFeed } from "#lib/rollout-plan/feeds/queries.ts";

/** Answers a calendar program: the secret in the address is the right. Whatever stands against it looks the same from outside. */
export async function answerFeed(request: Request, file: string, now = presentTime()): Promise<Response> {
  const secret = /^(mp_[\w-]{43})\.ics$/.exec(file)?.[1];
  const feed = secret ? await readFeed(secret, request.headers.get("if-none-match"), now).catch(refused) : null;
  if (!feed) return new Response(null, { status: 404 });
  const headers = {
    etag: feed.mark,
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  if (feed.text === null) return new Response(null, { status: 304, headers });
  return new Response(feed.text, {
    headers: { ...headers, "content-type": "text/calendar; charset=utf-8", "content-disposition": 'inline; filename="milepost.ics"' },
  });
}

function refused(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}
