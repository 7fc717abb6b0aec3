import { createHash, randomBytes, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partBytes } from "#lib/core/bucket.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { lastWritten, listKeys, putFile, readFileStream, removeBytes, storeBytes, withLocalFile } from "#lib/core/storage.ts";
import { sweepFiles } from "#lib/tasks/commands.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeProject, makeUser } from "../../support/factories.ts";
import { openTestBucket, type TestBucket } from "../../support/s3.ts";

const database = useDatabase();
type FileCtx = Pick<Ctx, "sql" | "user" | "project" | "now">;
let ctx: FileCtx;
let bucket: TestBucket;

beforeAll(async () => {
  bucket = await openTestBucket();
  process.env.STORAGE_URL = bucket.url;
  const user = await makeUser(database.owner);
  ctx = { sql: database.app, user, project: await makeProject(database.owner), now: clock } as unknown as FileCtx;
});
afterAll(async () => {
  delete process.env.STORAGE_URL;
  await bucket?.close();
});

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of listKeys()) found.push(...batch);
  return found;
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function* chunks(bytes: number, chunkBytes = 65_536): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += chunkBytes) yield randomBytes(Math.min(chunkBytes, bytes - sent));
}

describe("a bucket as the store of files", () => {
  test.each([
    0,
    1,
    partBytes - 1,
    partBytes,
    partBytes + 1,
    2 * partBytes,
    2 * partBytes + 7,
  ])("gives back %d bytes as they were written", async (size) => {
    const bytes = randomBytes(size);
    const id = await putFile(ctx, {
      name: "计划.xlsx",
      mime: "text/csv",
      stream: Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]),
    });
    expect(hashOf(await buffer(await readFileStream(ctx, id)))).toBe(hashOf(bytes));
    expect((await withLocalFile(ctx, id, (path) => stat(path))).size).toBe(size);
    const { Contents } = await bucket.client.send(new ListObjectsV2Command({ Bucket: bucket.bucket, Prefix: "inst/a/" }));
    expect(Contents?.find((object) => object.Key === `inst/a/${id}`)).toMatchObject({ Size: size });
  });

  test("takes 100 MB in parts and gives them back without holding them in memory", { timeout: 120_000 }, async () => {
    const size = 100 * 2 ** 20;
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 20);
    const stored = await storeBytes(Readable.from(chunks(size)), "application/octet-stream");
    expect(stored.size).toBe(size);
    await ctx.sql`insert into file_object (id, project_id, name, size, mime, sha256, created_by, created_at)
      values (${stored.id}, ${ctx.project.id}, 'big', ${size}, 'text/csv', ${stored.sha256}, ${ctx.user.id}, ${clock})`;
    const hash = createHash("sha256");
    for await (const chunk of await readFileStream(ctx, stored.id)) hash.update(chunk);
    clearInterval(watch);
    expect(hash.digest("hex")).toBe(stored.sha256);
    // The server of the test lives in this process too, so this bounds both.
    expect(most).toBeLessThan(size);
  });

  test("removes what is removed, twice too, and says when a content is gone", async () => {
    const id = await putFile(ctx, { name: "a", mime: "text/plain", bytes: Buffer.from("x") });
    expect((await lastWritten(id)).getTime()).toBeGreaterThan(Date.now() - 3_600_000);
    await removeBytes([id]);
    await removeBytes([id]);
    expect(await lastWritten(id)).toEqual(new Date(0));
    await expect(readFileStream(ctx, id)).rejects.toMatchObject({ code: "FILE_EXPIRED" });
    await expect(withLocalFile(ctx, id, async () => {})).rejects.toMatchObject({ code: "FILE_EXPIRED" });
  });

  test("lists more than one page of keys", { timeout: 60_000 }, async () => {
    const before = (await keys()).length;
    const ids: string[] = [];
    for (let round = 0; round < 21; round++)
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => storeBytes(Buffer.from("."), "text/plain")))).map((one) => one.id));
    const found = await keys();
    expect(found).toHaveLength(before + ids.length);
    expect(ids.filter((id) => !found.includes(id))).toEqual([]);
    await removeBytes(ids);
  });

  test("whose source breaks off leaves neither object nor parts, and the source's own error", async () => {
    const before = await keys();
    for (const sent of [1_000, 2 * partBytes]) {
      const broken = Readable.from(
        (async function* () {
          yield* chunks(sent);
          throw new Error("the line broke");
        })(),
      );
      await expect(storeBytes(broken, "text/plain")).rejects.toThrow("the line broke");
    }
    expect(await keys()).toEqual(before);
    const uploads = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket: bucket.bucket })).catch(() => null);
    expect(uploads?.Uploads ?? []).toEqual([]);
  });

  test("that is down refuses as a service out of order, keeps every content, and works again when it is back", {
    timeout: 60_000,
  }, async () => {
    const id = await putFile(ctx, { name: "a", mime: "text/plain", bytes: Buffer.from("kept") });
    await bucket.cut();
    const refused = { code: "SERVICE_ERROR", cause: expect.anything() };
    await expect(readFileStream(ctx, id)).rejects.toMatchObject(refused);
    await expect(storeBytes(Buffer.from("x"), "text/plain")).rejects.toMatchObject(refused);
    await expect(removeBytes([id])).rejects.toMatchObject(refused);
    // A sweep that cannot ask removes nothing.
    await expect(lastWritten(id)).rejects.toMatchObject(refused);
    await expect(sweepFiles(database.app, new Date())).rejects.toMatchObject(refused);
    await bucket.mend();
    expect((await buffer(await readFileStream(ctx, id))).toString()).toBe("kept");
  });

  test("that goes down in the middle of an upload refuses it, and the next one succeeds", { timeout: 60_000 }, async () => {
    let cut = false;
    const source = Readable.from(
      (async function* () {
        for await (const chunk of chunks(3 * partBytes)) {
          yield chunk;
          if (cut) continue;
          cut = true;
          await bucket.cut();
        }
      })(),
    );
    const before = (await (async () => keys())()).length;
    await expect(storeBytes(source, "text/plain")).rejects.toMatchObject({ code: "SERVICE_ERROR" });
    await bucket.mend();
    expect(await keys()).toHaveLength(before);
    expect((await storeBytes(Buffer.from("x"), "text/plain")).size).toBe(1);
  });

  test.each([
    ["a wrong secret", { AWS_SECRET_ACCESS_KEY: "wrong" }],
    ["an unknown key", { AWS_ACCESS_KEY_ID: "NOBODY" }],
  ])("refuses %s", async (_title, login) => {
    const id = randomUUID();
    const right = { ...process.env };
    Object.assign(process.env, login);
    // Another address opens another client.
    process.env.STORAGE_URL = `${bucket.url}&as=${id}`;
    try {
      await expect(storeBytes(Buffer.from("x"), "text/plain")).rejects.toMatchObject({ code: "SERVICE_ERROR" });
      await expect(lastWritten(id)).rejects.toMatchObject({ code: "SERVICE_ERROR" });
    } finally {
      for (const name of Object.keys(login)) process.env[name] = right[name];
      process.env.STORAGE_URL = bucket.url;
    }
  });
});
