import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ctx } from "#lib/core/ctx.ts";
import { getFile, putFile, readFileStream, safeName, withLocalFile } from "#lib/core/storage.ts";
import { sweepFiles } from "#lib/tasks/commands.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeProject, makeUser } from "../../support/factories.ts";

const database = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "milepost-test-"));
const files = join(folder, "files");
type FileCtx = Pick<Ctx, "sql" | "user" | "project" | "now">;
let ctx: FileCtx;
let elsewhere: FileCtx;

beforeAll(async () => {
  process.env.DATA_DIR = folder;
  const user = await makeUser(database.owner);
  const make = async () => ({ sql: database.app, user, project: await makeProject(database.owner), now: clock }) as unknown as FileCtx;
  [ctx, elsewhere] = [await make(), await make()];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a stored file", () => {
  test("keeps content, length and hash; its name stands in the database only", async () => {
    const bytes = Buffer.from("site,lat\n东莞,23.02\n");
    const id = await putFile(ctx, { name: "站点.csv", mime: "text/csv", stream: Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]) });
    expect(await getFile(ctx, id)).toMatchObject({
      name: "站点.csv",
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      mime: "text/csv",
    });
    expect(readdirSync(files)).toEqual([id]);
    expect(await text(await readFileStream(ctx, id))).toBe(bytes.toString());
    expect(await withLocalFile(ctx, id, (path) => readFile(path, "utf8"))).toBe(bytes.toString());
  });

  test("of another project does not exist", async () => {
    const id = await putFile(ctx, { name: "a.xlsx", mime: "application/octet-stream", bytes: Buffer.from("x") });
    await expect(getFile(elsewhere, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(readFileStream(elsewhere, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(withLocalFile(elsewhere, id, async () => {})).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("past its age is expired, also before the sweep has come", async () => {
    const id = await putFile(ctx, { name: "a", mime: "text/plain", bytes: Buffer.from("x"), expiresAt: clock });
    await expect(getFile(ctx, id)).rejects.toMatchObject({ code: "FILE_EXPIRED" });
  });

  test("whose source breaks off leaves nothing behind", async () => {
    const before = readdirSync(files);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("half");
        throw new Error("gone");
      })(),
    );
    await expect(putFile(ctx, { name: "a", mime: "text/plain", stream: broken })).rejects.toThrow("gone");
    expect(readdirSync(files)).toEqual(before);
  });
});

test("the sweep removes contents without a living row once they are a day old", async () => {
  const kept = await putFile(ctx, { name: "kept", mime: "text/plain", bytes: Buffer.from("x") });
  const orphan = await putFile(ctx, { name: "orphan", mime: "text/plain", bytes: Buffer.from("x") });
  const young = await putFile(ctx, { name: "young", mime: "text/plain", bytes: Buffer.from("x") });
  await database.owner`delete from file_object where id in (${orphan}, ${young})`;
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const id of [kept, orphan]) await utimes(join(files, id), old, old);
  await sweepFiles(database.app, clock);
  const left = readdirSync(files);
  expect(left).toContain(kept);
  expect(left).toContain(young);
  expect(left).not.toContain(orphan);
});

describe("a file name", () => {
  test.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\a\\plan.xlsx", "plan.xlsx"],
    ["a\u0000b\u202exslx.exe", "abxslx.exe"],
    ["..", "file"],
    ["", "file"],
    ["计划 2026.xlsx", "计划 2026.xlsx"],
    [`${"长".repeat(300)}.xlsx`, `${"长".repeat(250)}.xlsx`],
  ])("%j becomes %j", (given, kept) => {
    expect(safeName(given)).toBe(kept);
  });
});
