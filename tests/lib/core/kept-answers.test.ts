import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { keepAnswer, writeBody } from "#lib/core/kept-answers.ts";

const unpack = { zstd: zstdDecompressSync, gzip: gunzipSync };
const answerOf = (data: object) => ({ status: 200, data, requestId: "r-1" });
/** An answer whose text has so many characters. */
const ofLength = (length: number) => answerOf({ text: "x".repeat(length - JSON.stringify(answerOf({ text: "" })).length) });

describe("the body of an answer", () => {
  it.each(["zstd", "gzip"] as const)("is packed with %s from 2,048 characters", async (packing) => {
    const small = await writeBody(ofLength(2_047), packing);
    expect([small.packing, small.body]).toEqual([null, JSON.stringify(ofLength(2_047))]);
    const large = await writeBody(ofLength(2_048), packing);
    expect(large.packing).toBe(packing);
    expect(unpack[packing](large.body as Uint8Array).toString()).toBe(JSON.stringify(ofLength(2_048)));
  });

  it.each(["zstd", "gzip"] as const)("is the same packed with %s at once and beside the event loop", async (packing) => {
    for (const length of [2 ** 17, 2 ** 17 + 1, 2 ** 20]) {
      const answer = answerOf({ text: "计划".repeat(length / 2) });
      const { body } = await writeBody(answer, packing);
      expect(unpack[packing](body as Uint8Array).toString()).toBe(JSON.stringify(answer));
    }
  });

  it("of kept data is packed once for each way, and names no request", async () => {
    const data = keepAnswer({ text: "x".repeat(5_000) });
    for (const packing of ["zstd", "gzip"] as const) {
      const first = await writeBody(answerOf(data), packing);
      expect(JSON.parse(unpack[packing](first.body as Uint8Array).toString())).toEqual({ status: 200, data });
      expect((await writeBody(answerOf(data), packing)).body).toBe(first.body);
    }
    expect((await writeBody(answerOf(data), null)).body).toBe(JSON.stringify(answerOf(data)));
  });
});
