import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { stockPauseMaxMs, stockPausesMs, stockRowsMax, stockTimeoutMs } from "./limits.ts";
import { StockPage, StockRefusal, type StockRequest, type StockRow } from "./schema.ts";

/** What came of asking once: rows, a refusal for good, or something that may pass. */
export type StockAnswer =
  | { kind: "page"; rows: StockRow[]; cursor: string | null }
  | { kind: "rejected"; reason: string }
  | { kind: "retry"; reason: "timeout" | "unreachable" | "unavailable" | "malformed"; afterMs?: number };

/** Another system that knows the stock. */
export type StockSource = { ask: (request: StockRequest, signal: AbortSignal) => Promise<StockAnswer> };

/** The system behind an address: `POST <base>/v1/inventory/stock`. */
export function httpStockSource({
  base,
  token,
  timeoutMs = stockTimeoutMs,
}: {
  base: string;
  token?: string;
  timeoutMs?: number;
}): StockSource {
  const address = `${base.replace(/\/+$/, "")}/v1/inventory/stock`;
  return {
    ask: async (request, signal) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(address, {
          method: "POST",
          headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
          body: JSON.stringify(request),
          redirect: "error",
          signal: AbortSignal.any([signal, timeout]),
        });
        const text = await response.text();
        if (response.status === 400 || response.status === 401 || response.status === 403 || response.status === 422) {
          const refusal = StockRefusal.safeParse(jsonOf(text));
          return { kind: "rejected", reason: refusal.success ? `${refusal.data.code}: ${refusal.data.msg}` : `HTTP ${response.status}` };
        }
        if (!response.ok) {
          const after = Number(response.headers.get("retry-after"));
          return { kind: "retry", reason: "unavailable", ...(after > 0 && { afterMs: after * 1000 }) };
        }
        const page = StockPage.safeParse(jsonOf(text));
        return page.success ? { kind: "page", ...page.data } : { kind: "retry", reason: "malformed" };
      } catch (error) {
        if (signal.aborted) throw error;
        return { kind: "retry", reason: timeout.aborted ? "timeout" : "unreachable" };
      }
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Why stock could not be read. */
export class StockFailed extends Error {
  readonly reason: Exclude<StockAnswer, { kind: "page" }>["reason"] | "tooMany";
  readonly rejected: boolean;

  constructor(reason: string, rejected = false) {
    super(`stock not read: ${reason}`);
    this.reason = reason;
    this.rejected = rejected;
  }
}

/**
 * All pages of an answer; what may pass is asked again after a pause.
 * @throws StockFailed after the last try, or at once for a refusal
 */
export async function readStock(
  source: StockSource,
  request: Omit<StockRequest, "cursor">,
  signal: AbortSignal,
  pausesMs: readonly number[] = stockPausesMs,
): Promise<StockRow[]> {
  const rows: StockRow[] = [];
  let cursor: string | null = null;
  do {
    const page = await askUntil(source, { ...request, cursor }, signal, pausesMs);
    rows.push(...page.rows);
    if (rows.length > stockRowsMax) throw new StockFailed("tooMany");
    // A page that leads back to itself would never end.
    if (page.cursor !== null && (page.cursor === cursor || page.rows.length === 0)) throw new StockFailed("malformed");
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}

async function askUntil(source: StockSource, request: StockRequest, signal: AbortSignal, pausesMs: readonly number[]) {
  for (let tried = 0; ; tried++) {
    const answer = await source.ask(request, signal);
    if (answer.kind === "page") return answer;
    if (answer.kind === "rejected") throw new StockFailed(answer.reason, true);
    const wait = pausesMs[tried];
    if (wait === undefined) throw new StockFailed(answer.reason);
    await pause(Math.min(stockPauseMaxMs, Math.max(wait, answer.afterMs ?? 0)), undefined, { signal });
  }
}
