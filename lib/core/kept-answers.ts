import "server-only";
import { promisify } from "node:util";
import { constants, gzip, zstdCompress, zstdCompressSync } from "node:zlib";

// Characters from which an answer is packed.
const packFrom = 2_048;
// Characters up to which an answer is packed at once: it takes a third of a millisecond, and the way to another thread and back several times as long.
const packAtOnceMax = 2 ** 17;
// An answer of usual size leaves in one piece: for each further one the packer would come back to the event loop.
const chunkSize = 2 ** 16;

/** Ways to pack an answer, by their names in headers. */
export type Packing = "zstd" | "gzip";

const zstd = promisify(zstdCompress);
const gzipped = promisify(gzip);
// zstd packs as small in a quarter of the time. Both at their quickest level: the answers pass once.
const zstdOptions = { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const packers: Record<Packing, (text: string) => Buffer | Promise<Buffer>> = {
  zstd: (text) => (text.length <= packAtOnceMax ? zstdCompressSync(text, zstdOptions) : zstd(text, zstdOptions)),
  gzip: (text) => gzipped(text, { chunkSize, level: 1 }),
};

/** The way to pack for who sends such an `accept-encoding`; null = not at all. */
export function choosePacking(accepted: string): Packing | null {
  const named = accepted.split(",").flatMap((part) => {
    const [name, weight] = part.split(";");
    return weight && /^\s*q=0(\.0*)?\s*$/.test(weight) ? [] : [name?.trim()];
  });
  return (Object.keys(packers) as Packing[]).find((packing) => named.includes(packing)) ?? null;
}

const packed = new WeakMap<object, Partial<Record<Packing, Uint8Array<ArrayBuffer>>>>();

/** Marks data that goes to many callers unchanged, so that its answer is written and packed once; it must not be changed afterwards. */
export function keepAnswer<T extends object>(data: T): T {
  packed.set(data, {});
  return data;
}

/**
 * The body of an answer, packed when it is large and the caller unpacks; a very large one beside the event loop. The packed body of kept data is the same for all:
 * the request id stands in the header alone.
 */
export async function writeBody(
  answer: { data?: unknown; requestId?: string },
  packing: Packing | null,
): Promise<{ body: string | Uint8Array<ArrayBuffer>; packing: Packing | null }> {
  if (!packing) return { body: JSON.stringify(answer), packing };
  const { data } = answer;
  const kept = typeof data === "object" && data !== null ? packed.get(data) : undefined;
  const known = kept?.[packing];
  if (known) return { body: known, packing };
  const text = JSON.stringify(kept ? { ...answer, requestId: undefined } : answer);
  if (text.length < packFrom) return { body: text, packing: null };
  const body = new Uint8Array(await packers[packing](text));
  if (kept) kept[packing] = body;
  return { body, packing };
}
