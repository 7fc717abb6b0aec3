import "server-only";
import { log } from "./log.ts";
import { requestIdHeader } from "./request-id.ts";

/** Logs a page or server action that failed, under the number the person sees. */
export function logPageError(error: unknown, headers: NodeJS.Dict<string | string[]>, route: string): void {
  const digest = (error as { digest?: unknown } | null)?.digest;
  const requestId = headers[requestIdHeader];
  log.error({ ...(typeof requestId === "string" && { requestId }), digest, route, error }, "page failed");
}
