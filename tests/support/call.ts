import { randomUUID } from "node:crypto";
import { callsBelow } from "#lib/calls.ts";
import { mergeInput } from "#lib/core/address.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Answer } from "#lib/core/error.ts";
import { answerOf, type Caller, forgetRights, runCall } from "#lib/core/gate.ts";
import type { Locale } from "#lib/core/locale.ts";
import { clock } from "./database.ts";

export type CallFrame = {
  project?: string | null;
  locale?: Locale;
  now?: Date;
  sid?: string | null;
  tokenId?: number;
  /** Trusts the rights of calls before, as a process does; else they are read anew. */
  keepRights?: boolean;
};

/**
 * Calls an address as a person through the door's steps, in this process: who, project, right, input, transaction, audit.
 * @param user null for nobody
 * @param address as on the wire, below /api, with its parts filled in
 */
// biome-ignore lint/suspicious/noExplicitAny: tests read the answer of many calls.
export async function callAs<T = any>(
  user: CtxUser | null,
  address: string,
  input: unknown = {},
  frame: CallFrame = {},
): Promise<Answer<T>> {
  if (!frame.keepRights) forgetRights();
  const [path, query] = address.split("?");
  const segments = (path ?? "").split("/").map(decodeURIComponent);
  const match = (await callsBelow(segments[0] ?? "")).find(segments);
  if (!match) throw new Error(`no call at ${address}`);
  const sid = frame.sid ?? null;
  const caller: Caller = {
    who: user
      ? { user, sid, tokenId: sid ? null : (frame.tokenId ?? user.id), csrfToken: null, expiresAt: new Date(8_640_000_000_000_000) }
      : null,
    projectNumber: frame.project ?? null,
    locale: frame.locale ?? "en",
    requestId: randomUUID(),
    ip: null,
    now: frame.now ?? clock,
  };
  try {
    const body = match.declaration.method === "GET" ? undefined : input;
    return (await runCall(match.declaration, caller, mergeInput(match, new URLSearchParams(query), body))) as Answer<T>;
  } catch (error) {
    // What the address refuses is an answer at the door too.
    return answerOf(error, caller) as Answer<T>;
  }
}
