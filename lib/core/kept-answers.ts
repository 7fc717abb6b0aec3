import "server-only";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

// Characters from which an answer is packed.
const packFrom = 2_048;
const pack = promisify(gzip);

const packed = new WeakMap<object, Uint8Array<ArrayBuffer> | null>();

/** Marks data that goes to many callers unchanged, so that its answer is written and packed once; it must not be changed afterwards. */
export function keepAnswer<T extends object>(data: T): T {
  packed.set(data, null);
  return data;
}

/**
 * The body of an answer, packed with gzip when it is large and the caller accepts that: at the quickest level, beside the event loop. The packed body of kept
 * data is the same for all: the request id stands in the header alone.
 */
export async function writeBody(
  answer: { data?: unknown; requestId?: string },
  accepts: boolean,
): Promise<{ body: string | Uint8Array<ArrayBuffer>; packed: boolean }> {
  if (!accepts) return { body: JSON.stringify(answer), packed: false };
  const { data } = answer;
  const kept = typeof data === "object" && data !== null && packed.has(data) ? data : null;
  const known = kept && packed.get(kept);
  if (known) return { body: known, packed: true };
  const text = JSON.stringify(kept ? { ...answer, requestId: undefined } : answer);
  if (text.length < packFrom) return { body: text, packed: false };
  const body = new Uint8Array(await pack(text, { level: 1 }));
  if (kept) packed.set(kept, body);
  return { body, packed: true };
}
