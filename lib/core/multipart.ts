import { AppError } from "./error.ts";

/** One part of a multipart body; `body` has to be read to its end before the next part is asked for. */
export type Part = { name: string; filename: string | null; body: AsyncGenerator<Buffer> };

const headBytes = 16_384;

/** The boundary of a multipart/form-data content type, or null. */
export function boundaryOf(contentType: string | null): string | null {
  const found = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i.exec(contentType ?? "");
  return found?.[1] ?? found?.[2] ?? null;
}

function broken(): AppError {
  return new AppError("INVALID_INPUT", { field: "" }, [{ path: "", code: "VALUE_FORMAT", params: { field: "" } }]);
}

/**
 * Reads a multipart body part by part while it arrives; nothing is kept but the bytes between two arrivals.
 * @throws INVALID_INPUT when the body is no multipart body or breaks off
 */
export async function* multipartParts(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const chunks = source[Symbol.asyncIterator]();
  // The first delimiter stands at the very start, without the line end that goes before all others.
  let buffer: Buffer = Buffer.from("\r\n");

  const more = async (): Promise<void> => {
    const next = await chunks.next();
    if (next.done) throw broken();
    buffer = Buffer.concat([buffer, next.value]);
  };
  async function* body(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = buffer.indexOf(delimiter);
      if (at >= 0) {
        const last = buffer.subarray(0, at);
        buffer = buffer.subarray(at + delimiter.length);
        if (last.length > 0) yield last;
        return;
      }
      const safe = buffer.length - delimiter.length + 1;
      if (safe > 0) {
        const part = buffer.subarray(0, safe);
        buffer = buffer.subarray(safe);
        yield part;
      }
      await more();
    }
  }
  const until = async (mark: string, most: number): Promise<string> => {
    for (;;) {
      const at = buffer.indexOf(mark);
      if (at >= 0) {
        const text = buffer.subarray(0, at).toString("utf8");
        buffer = buffer.subarray(at + mark.length);
        return text;
      }
      if (buffer.length > most) throw broken();
      await more();
    }
  };

  for await (const preamble of body()) if (preamble.length > headBytes) throw broken();
  for (;;) {
    while (buffer.length < 2) await more();
    if (buffer.subarray(0, 2).toString("latin1") === "--") return;
    await until("\r\n", headBytes);
    const head = await until("\r\n\r\n", headBytes);
    const { name, filename } = disposition(head);
    if (name === null) throw broken();
    const rest = body();
    yield { name, filename, body: rest };
    // What the reader left is skipped.
    for await (const _ of rest);
  }
}

function disposition(head: string): { name: string | null; filename: string | null } {
  const line = head.split("\r\n").find((one) => /^content-disposition\s*:\s*form-data\b/i.test(one)) ?? "";
  const value = (key: string): string | null => {
    const found = new RegExp(`;\\s*${key}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(line)?.[1];
    return found === undefined ? null : found.replace(/%22/g, '"').replace(/\\(["\\])/g, "$1");
  };
  const extended = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(line)?.[1];
  return { name: value("name"), filename: (extended && decode(extended)) ?? value("filename") };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
