import { signalAnswer } from "./answer-signal.ts";
import type { Answer } from "./error.ts";
import { projectOfPath } from "./href.ts";
import { buildHeader, noteBuild } from "./newer-build.ts";
import { ownAnswer } from "./own-answer.ts";

/** Milliseconds after which a page gives up waiting for its data (RTE-04). */
export const waitMs = 30_000;

export type CallOptions = {
  /** The call only reads: it is given up after `waitMs`, as is any call with a signal or a cancel key, which only readings are given. */
  reading?: true;
  /** Ends the call from outside. */
  signal?: AbortSignal;
  /** A call started while another with the same key is under way ends the earlier one [OPS-04]; never given to a changing call. */
  cancelKey?: string;
  method?: "GET" | "POST";
  /** Another project than that of the page. */
  projectNumber?: string;
  /** Header for calls that ask for it. */
  csrfToken?: string;
};

const running = new Map<string, AbortController>();

/** Code of an answer that never came because a later call took its place or the caller ended it. */
export const cancelled = "CANCELLED";

/**
 * Calls an address below /api and gives its envelope. Never throws: a lost connection answers 503, an ended call 499, a reading that takes too long 504.
 * @param address as declared, with its parts filled in: `task/list/import/1/20/default/%5B%5D`
 * @param input sent as JSON body
 */
export async function callDoor<T = unknown>(address: string, input?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
  const control = new AbortController();
  if (options.cancelKey) {
    running.get(options.cancelKey)?.abort();
    running.set(options.cancelKey, control);
  }
  const signal = options.signal ? AbortSignal.any([options.signal, control.signal]) : control.signal;
  let late = false;
  const giveUp = () => {
    late = true;
    control.abort();
  };
  // A changing call is waited for: it may still be written after the page has given up.
  const timer = options.reading || options.signal || options.cancelKey ? setTimeout(giveUp, waitMs) : undefined;
  const project = options.projectNumber ?? projectOfPath(window.location.pathname);
  const url = new URL(`/api/${address}`, window.location.origin);
  if (project && !url.searchParams.has("projectNumber")) url.searchParams.set("projectNumber", project);
  const method = options.method ?? "POST";
  try {
    const response = await fetch(url, {
      method,
      signal,
      headers: {
        ...(method === "POST" ? { "content-type": "application/json" } : {}),
        ...(options.csrfToken ? { "x-csrf-token": options.csrfToken } : {}),
      },
      ...(method === "POST" ? { body: JSON.stringify(input ?? {}) } : {}),
    });
    noteBuild(response.headers.get(buildHeader));
    if (response.status === 304) return { status: 304, code: "NOT_MODIFIED" };
    return signalAnswer((await response.json()) as Answer<T>);
  } catch {
    if (late) return ownAnswer("TIMEOUT");
    if (signal.aborted) return { status: 499, msg: cancelled };
    return ownAnswer("SERVICE_ERROR");
  } finally {
    clearTimeout(timer);
    if (options.cancelKey && running.get(options.cancelKey) === control) running.delete(options.cancelKey);
  }
}

/** Address of a paged list with page, size and filters filled in. */
export function listAddress(prefix: string, page: number, size: number, filters: unknown[] = []): string {
  return `${prefix}/${page}/${size}/default/${encodeURIComponent(JSON.stringify(filters))}`;
}
