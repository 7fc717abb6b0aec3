import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { callsBelow } from "#lib/calls.ts";
import { type Asked, plainReply, type Reply, replyToCall } from "./door.ts";
import { answerOf } from "./gate.ts";
import { choosePacking } from "./kept-answers.ts";
import { chooseLocale } from "./locale.ts";
import { requestIdOf } from "./request-id.ts";

/**
 * Answers a JSON call on its connection: the framework's way to a route costs more than many a call. Everything else is left to the framework.
 * @returns false when the request is no declared call; nothing of it has been read then
 */
export async function answerDirectly(incoming: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const segments = segmentsOf(incoming);
  if (!segments || !(await callsBelow(segments[0] as string)).find(segments)) return false;
  const request = askedOf(incoming, response);
  const packing = choosePacking(request.headers.get("accept-encoding") ?? "");
  const reply = await replyToCall(request, segments, packing).catch((error) => {
    // The person could not be asked for, as without a database.
    const requestId = requestIdOf(request.headers);
    return plainReply(answerOf(error, { locale: chooseLocale(null, undefined), requestId }), requestId);
  });
  send(response, reply);
  return true;
}

/** The decoded address below /api/ of a request that can be a call, else null. */
function segmentsOf({ method, url = "" }: IncomingMessage): string[] | null {
  if ((method !== "POST" && method !== "GET") || !url.startsWith("/api/")) return null;
  const end = url.indexOf("?");
  const parts = url.slice("/api/".length, end < 0 ? undefined : end).split("/");
  if (parts.includes("")) return null;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

function askedOf(incoming: IncomingMessage, response: ServerResponse): Asked {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === "string") headers.set(name, value);
  if (!headers.has("x-forwarded-for")) headers.set("x-forwarded-for", incoming.socket.remoteAddress ?? "");
  const left = new AbortController();
  if (response.destroyed) left.abort();
  response.once("close", () => {
    if (!response.writableFinished) left.abort();
  });
  return {
    method: incoming.method as string,
    url: `http://localhost${incoming.url}`,
    headers,
    signal: left.signal,
    // A refusal in the middle of a body must not close the connection it is sent over.
    body: incoming.method === "POST" ? { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) } : null,
  };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
