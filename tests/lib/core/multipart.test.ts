import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundaryOf, multipartParts } from "#lib/core/multipart.ts";

type Read = { name: string; filename: string | null; body: Buffer };

async function read(body: Buffer, boundary: string, cuts: number[] = []): Promise<Read[]> {
  const edges = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((left, right) => left - right), body.length];
  async function* source() {
    for (let index = 1; index < edges.length; index++) yield body.subarray(edges[index - 1], edges[index]);
  }
  const parts: Read[] = [];
  for await (const part of multipartParts(source(), boundary)) {
    const chunks: Buffer[] = [];
    for await (const chunk of part.body) chunks.push(chunk);
    parts.push({ name: part.name, filename: part.filename, body: Buffer.concat(chunks) });
  }
  return parts;
}

async function encode(form: FormData): Promise<{ body: Buffer; boundary: string }> {
  const response = new Response(form);
  return { body: Buffer.from(await response.arrayBuffer()), boundary: boundaryOf(response.headers.get("content-type")) as string };
}

describe("a multipart body", () => {
  test("is read as a browser writes it, however it is cut on the way", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.string({ maxLength: 30 }),
        async (bytes, cuts, note) => {
          const form = new FormData();
          form.append("note", note.replace(/\r|\n/g, " "));
          form.append("file", new Blob([bytes]), '计划 "a".xlsx');
          const { body, boundary } = await encode(form);
          const parts = await read(body, boundary, cuts);
          expect(parts).toEqual([
            { name: "note", filename: null, body: Buffer.from(note.replace(/\r|\n/g, " ")) },
            { name: "file", filename: '计划 "a".xlsx', body: Buffer.from(bytes) },
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("may hold what looks like its boundary", async () => {
    const boundary = "xx";
    const inner = "\r\n--x\r\n--\r\nxx--xx";
    const body = Buffer.from(`--xx\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${inner}\r\n--xx--\r\n`);
    for (let cut = 0; cut < body.length; cut++) expect((await read(body, boundary, [cut]))[0]?.body.toString()).toBe(inner);
  });

  test("what a reader leaves of a part is skipped", async () => {
    const body = Buffer.from(
      '--xx\r\nContent-Disposition: form-data; name="a"\r\n\r\nlong\r\n--xx\r\nContent-Disposition: form-data; name="b"\r\n\r\nkept\r\n--xx--',
    );
    const names: string[] = [];
    for await (const part of multipartParts(Readable.from([body]), "xx")) names.push(part.name);
    expect(names).toEqual(["a", "b"]);
  });

  test.each([
    ["breaks off", '--xx\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'],
    ["has a part without a name", "--xx\r\nContent-Type: text/plain\r\n\r\na\r\n--xx--"],
    ["has an endless head", `--xx\r\n${"x".repeat(40_000)}`],
    ["begins with something else", "hello"],
    ["is empty", ""],
  ])("that %s is refused", async (_, body) => {
    await expect(read(Buffer.from(body), "xx")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

test.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ['multipart/form-data; charset=utf-8; boundary="a b c"', "a b c"],
  ["application/json", null],
  ["multipart/form-data", null],
  [null, null],
])("the boundary of %s is %s", (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});
