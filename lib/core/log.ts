import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import pino, { type DestinationStream, type Logger } from "pino";

/** What every line of a piece of work carries: the id of the request it answers or was started by, and its task. */
type Tags = { requestId: string; task?: string; attempt?: number };

// One per process, also where the server's parts hold several copies of this module.
const shared = globalThis as { milepostTags?: AsyncLocalStorage<Tags> };
shared.milepostTags ??= new AsyncLocalStorage();
const current = shared.milepostTags;

/** Runs `work`; every line logged on its way, however deep, carries the tags. */
export function tagged<T>(tags: Tags, work: () => T): T {
  return current.run(tags, work);
}

/** What a log may say of an error: where and which, but none of the values it happened with. */
export function errorFacts(error: unknown): unknown {
  if (typeof error === "string") return withoutValues(error);
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = "", cause } = error;
  const { code, constraint_name, table_name, digest } = error as Error & Partial<Record<string, unknown>>;
  const frames = stack.indexOf("\n    at ");
  return {
    type: name,
    // A parser quotes what it could not read.
    message: name === "SyntaxError" ? "not readable" : withoutValues(message),
    ...(typeof code === "string" && { code }),
    ...(typeof constraint_name === "string" && { constraint: constraint_name }),
    ...(typeof table_name === "string" && { table: table_name }),
    ...(typeof digest === "string" && { digest }),
    ...(frames >= 0 && { stack: stack.slice(frames + 1) }),
    ...(cause !== undefined && { cause: errorFacts(cause) }),
  };
}

/** The database names the value it refused behind a colon, its client lists the parameters of a statement, an address may hold a password. */
function withoutValues(text: string): string {
  return text
    .replace(/\nparams: [\s\S]*$/, "")
    .replace(/: "[\s\S]*"/, ': "…"')
    .replace(/(\w+:\/\/)[^\s/@]*@/g, "$1…@")
    .replace(/[^\s<>"']+@[^\s<>"']+\.\w+/g, "…");
}

const secret = ["password", "authorization", "cookie", "token", "secret", "csrfToken", "email"];

/** Makes a log of JSON lines; tests give it a stream of their own. */
export function makeLog(stream?: DestinationStream): Logger {
  const options = {
    level: process.env.LOG_LEVEL ?? (process.env.MILEPOST_TEST === "1" ? "warn" : "info"),
    base: { process: process.env.MILEPOST_PROCESS ?? "web" },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ ...current.getStore() }),
    serializers: { error: errorFacts, err: errorFacts },
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "…" },
  };
  return stream ? pino(options, stream) : pino(options);
}

/** Structured log of the process; every line of a request carries its request id. Secrets and personal values are never logged. */
export const log = makeLog();
