import "server-only";
import { statementsLeft } from "#db/client.ts";
import { callsBelow } from "#lib/calls.ts";
import { env } from "#lib/core/env.ts";
import { findSession, findToken, type Who } from "#lib/session/queries.ts";
import type { Declaration } from "./action.ts";
import { mergeInput } from "./address.ts";
import { buildId } from "./build-id.ts";
import { type Answer, AppError } from "./error.ts";
import { answerOf, type Caller, openEntrance, runCall } from "./gate.ts";
import { type Packing, writeBody } from "./kept-answers.ts";
import { chooseLocale, localeCookie } from "./locale.ts";
import { tagged } from "./log.ts";
import { tellCall } from "./metrics.ts";
import { buildHeader } from "./newer-build.ts";
import { presentTime } from "./present-time.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { tokenCsrf } from "./secrets.ts";
import { sessionCookieName, sessionId } from "./session-cookie.ts";

/** Largest JSON body a call may bring. */
export const bodyBytes = 33_554_432;

/** A body up to this many bytes is read before anything is asked: it comes with the head of its request. */
const smallBodyBytes = 16_384;

/** Value of a cookie of a request, undefined when absent. */
export function cookieOf(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return decodeURIComponent(part.slice(at + 1).trim());
  }
  return undefined;
}

/** The person behind a request: an API token in `Authorization`, else the session of the cookie; null when neither is valid. */
export async function whoOf(headers: Headers, now: Date): Promise<Who | null> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (bearer) return findToken(bearer, now);
  const sid = await sessionId(cookieOf(headers, sessionCookieName()));
  return sid ? findSession(sid, now) : null;
}

/** Whether a request comes from our own pages: `Sec-Fetch-Site`, else `Origin` against the host; neither means no. */
export function isSameOrigin(request: Omit<Asked, "body">): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (!origin || !URL.canParse(origin)) return false;
  const own = env().AUTH_URL ? new URL(env().AUTH_URL as string).host : request.headers.get("host");
  return new URL(origin).host === own;
}

/** What the door knows of a request before it is judged. */
export async function callerOf(request: Omit<Asked, "body">): Promise<Caller> {
  const now = presentTime();
  const { searchParams } = new URL(request.url);
  return {
    who: await whoOf(request.headers, now),
    projectNumber: searchParams.get("projectNumber"),
    locale: chooseLocale(searchParams.get("lang"), cookieOf(request.headers, localeCookie)),
    requestId: requestIdOf(request.headers),
    ip: request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? null,
    now,
    signal: request.signal,
  };
}

/** A request as the door reads it: one of the framework, or one just come over a connection. */
export type Asked = Pick<Request, "method" | "url" | "headers" | "signal"> & { body: AsyncIterable<Uint8Array> | null };

/** An answer before it is sent. */
export type Reply = { status: number; headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> };

/** The answer as HTTP response: the envelope with its own status and the request id as header. */
export function respond(answer: Answer, requestId: string): Response {
  const { body, ...init } = plainReply(answer, requestId);
  return new Response(body, init);
}

/** The envelope with its own status and the request id as header, unpacked. */
export function plainReply(answer: Answer, requestId: string): Reply {
  return { status: answer.status, headers: answerHeaders(requestId), body: JSON.stringify(answer) };
}

const answerHeaders = (requestId: string) => ({
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  requestid: requestId,
  [requestIdHeader]: requestId,
  ...(buildId && { [buildHeader]: buildId }),
});

async function packedReply(answer: Answer, requestId: string, accepted: Packing | null): Promise<Reply> {
  // What the caller holds is not sent again; such an answer has no body.
  if (answer.status === 304) return { status: 304, headers: answerHeaders(requestId), body: "" };
  const { body, packing } = await writeBody(answer, accepted);
  return { status: answer.status, headers: { ...answerHeaders(requestId), ...(packing && { "content-encoding": packing }) }, body };
}

/**
 * The one way in for JSON calls: finds the declaration, checks method, origin, content type and size, merges the input and runs the call.
 * @param segments address below /api, decoded
 */
export async function handleCall(request: Request, segments: readonly string[]): Promise<Response> {
  // The framework packs by itself, and removes the encoding header of a route.
  const { body, ...init } = await replyToCall(request as Asked, segments, null);
  return new Response(init.status === 304 ? null : body, init);
}

/**
 * The same for a request that did not come through the framework.
 * @param packing how a large answer is packed; null = not at all
 */
export async function replyToCall(request: Asked, segments: readonly string[], packing: Packing | null): Promise<Reply> {
  const begin = performance.now();
  const caller = await callerOf(request);
  // Calls that never reach the gate are counted under one name: what was asked for is the caller's invention.
  let declared: Pick<Declaration, "address" | "kind"> = { address: "unknown", kind: "read" };
  try {
    const match = (await callsBelow(segments[0] as string)).find(segments);
    if (!match) throw new AppError("NOT_FOUND", { object: segments.join("/") });
    const { declaration } = match;
    declared = declaration;
    checkMethod(request, declaration);
    checkOrigin(request, declaration, caller);
    // Rights are asked for while a large body comes. Behind a small one they are asked for together with the beginning of the transaction.
    const entrance = bodyLength(request) > smallBodyBytes ? openEntrance(declaration, caller) : null;
    if (entrance) await statementsLeft();
    const body = request.method === "POST" ? await readBody(request) : undefined;
    const input = mergeInput(match, new URL(request.url).searchParams, body);
    const reply = await packedReply(await runCall(declaration, caller, input, entrance), caller.requestId, packing);
    const cookie = reply.status === 200 && declaration.cookie?.(declaration.input.parse(input) as never);
    if (cookie)
      reply.headers["set-cookie"] = `${cookie.name}=${encodeURIComponent(cookie.value)}; Path=/; Max-Age=${cookie.maxAge}; SameSite=Lax`;
    return reply;
  } catch (error) {
    const answer = answerOf(error, caller);
    tagged({ requestId: caller.requestId }, () => tellCall(declared, answer.status, performance.now() - begin));
    return plainReply(answer, caller.requestId);
  }
}

/** Refuses a method the call does not have. @throws METHOD_NOT_ALLOWED */
export function checkMethod(request: Omit<Asked, "body">, declaration: Declaration): void {
  const wanted = declaration.method ?? "POST";
  // Lists may be read either way, so that a list can be opened from an address.
  const allowed =
    request.method === wanted || (declaration.kind === "read" && request.method === "GET" && declaration.address.includes("list/"));
  if (!allowed) throw new AppError("METHOD_NOT_ALLOWED", { method: wanted });
}

/** Refuses a changing request with a session that comes from elsewhere, and one without the token its call asks for. @throws SAME_ORIGIN, CSRF_INVALID */
export function checkOrigin(request: Omit<Asked, "body">, declaration: Declaration, caller: Caller): void {
  const { who } = caller;
  if (who?.sid && declaration.kind !== "read" && request.method !== "GET" && !isSameOrigin(request)) throw new AppError("SAME_ORIGIN");
  if (!who || !declaration.csrf) return;
  const expected = who.sid ? who.csrfToken : tokenCsrf(env().AUTH_SECRET, who.tokenId ?? 0);
  if (request.headers.get("x-csrf-token") !== expected) throw new AppError("CSRF_INVALID");
}

/** Bytes of the body, as the request says; 0 where it does not. */
const bodyLength = ({ headers }: Pick<Asked, "headers">) => Number(headers.get("content-length") ?? 0);

async function readBody(request: Asked): Promise<unknown> {
  if (bodyLength(request) > bodyBytes) throw new AppError("FILE_TOO_LARGE", { max: bodyBytes });
  const text = await readLimited(request);
  if (text === "") return {};
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("UNSUPPORTED_TYPE", { type: "application/json" });
  try {
    return parseBody(text);
  } catch {
    throw new AppError("INVALID_INPUT", { field: "" }, [{ path: "", code: "VALUE_FORMAT", params: { field: "" } }]);
  }
}

// A reviver costs ten times the parsing itself; only a text that spells the name, or could with escapes, needs one.
function parseBody(text: string): unknown {
  if (!/__proto__|\\u/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value));
}

async function readLimited(request: Asked): Promise<string> {
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > bodyBytes) throw new AppError("FILE_TOO_LARGE", { max: bodyBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
