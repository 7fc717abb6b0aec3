import "server-only";
import { z } from "zod";
import type { Declaration, PersonDeclaration, ProjectDeclaration } from "./action.ts";
import { mergeInput } from "./address.ts";
import type { Ctx } from "./ctx.ts";
import { callerOf, checkMethod, checkOrigin, respond } from "./door.ts";
import { type Answer, AppError } from "./error.ts";
import { answerOf, type Caller, runCall } from "./gate.ts";

/** What a route knows when it makes its response. */
export type Sending = {
  request: Request;
  requestId: string;
  /** Passes the gate once more, for a response that goes on for long. */
  again: () => Promise<Answer>;
};

type Media<Result> = {
  /** A second address with the same answer. */
  alsoAt?: string;
  /** Media type of the body, and how it becomes the input once the caller has been let in. */
  takes?: { type: string; receive: (request: Request) => Promise<unknown> };
  /** Media type of a good answer, and how it is made; without it the answer has the form of all calls. */
  gives?: { type: string; send: (result: Result, sending: Sending) => Response };
};

type Handler = (request: Request, context?: { params: Promise<Record<string, string | string[] | undefined>> }) => Promise<Response>;

/** A door beside the JSON calls, for a file or a stream: declared like a call, answered by a file `route.ts` at its address. */
export type Route = {
  declaration: Declaration;
  addresses: readonly string[];
  takes: string | null;
  gives: string | null;
  GET: Handler;
  POST: Handler;
};

/**
 * Declares a route once: its address, right, input, what runs, and what comes or goes beside JSON. Every request passes the steps of a call: who, method,
 * origin, rate, project and membership, right, input; every refusal has the form of all calls.
 */
export function route<Schema extends z.ZodType, Result>(declared: PersonDeclaration<Schema, Result> & Media<Result>): Route;
export function route<Schema extends z.ZodType, Result>(declared: ProjectDeclaration<Schema, Result> & Media<Result>): Route;
export function route({ alsoAt, takes, gives, ...declared }: Declaration & Media<never>): Route {
  const declaration = declared as Declaration;
  const handle: Handler = async (request, context) => {
    const caller = await callerOf(request);
    try {
      checkMethod(request, declaration);
      checkOrigin(request, declaration, caller);
      if (takes) return respond(await receive(declaration, takes.receive, request, caller), caller.requestId);
      const match = { declaration, parts: decoded((await context?.params) ?? {}) };
      const input = mergeInput(match, new URL(request.url).searchParams, undefined);
      const answer = await runCall(declaration, caller, input);
      if (answer.status !== 200 || !gives) return respond(answer, caller.requestId);
      const again = async () => runCall(declaration, await callerOf(request), input);
      return gives.send(answer.data as never, { request, requestId: caller.requestId, again });
    } catch (error) {
      return respond(answerOf(error, caller), caller.requestId);
    }
  };
  const addresses = [declaration.address, ...(alsoAt ? [alsoAt] : [])];
  return { declaration, addresses, takes: takes?.type ?? null, gives: gives?.type ?? null, GET: handle, POST: handle };
}

/** Lets the caller in before the first byte of the body is taken; what the body holds then passes the gate as the input of the call. */
async function receive(
  declaration: Declaration,
  take: (request: Request) => Promise<unknown>,
  request: Request,
  caller: Caller,
): Promise<Answer> {
  const { starts: _counted, ...call } = declaration as ProjectDeclaration;
  const admission: ProjectDeclaration = { ...(declaration as ProjectDeclaration), kind: "read", input: z.unknown(), run: refuseClosed };
  const admitted = await runCall(admission, caller, {});
  // A denial is refused by the call itself, which logs it.
  if (admitted.status === 403) return runCall(call, caller, {});
  return admitted.status === 200 ? runCall(call, caller, await take(request)) : admitted;
}

async function refuseClosed({ project }: Ctx): Promise<void> {
  if (project.status === "closed") throw new AppError("PROJECT_CLOSED");
}

function decoded(params: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(String(value))]));
}
