import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Ctx } from "#lib/core/ctx.ts";
import { putFile } from "#lib/core/storage.ts";
import { enqueueTask } from "#lib/core/task.ts";
import { useDatabase } from "../support/database.ts";
import { makeMember, makeProject } from "../support/factories.ts";
import { root } from "../support/server.ts";
import { makeWholeProject, projectPrint, type WholeProject } from "../support/whole-project.ts";

const db = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "milepost-backup-"));
const backup = join(folder, "backup");
const admin = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
const made: string[] = [];
let whole: WholeProject;
let ctx: Ctx;
let fileId: string;

beforeAll(async () => {
  process.env.DATA_DIR = join(folder, "from");
  whole = await makeWholeProject(db.owner);
  // The file of the whole project has a row only: as one that was removed meanwhile.
  const project = await makeProject(db.owner);
  const user = await makeMember(db.owner, project.id, "PM");
  ctx = { sql: db.app, project, user, now: new Date(), locale: "zh", audit: () => {} } as unknown as Ctx;
  // Rows for more than one pause of a slow reader.
  await db.owner`
    insert into error_report (project_id, user_id, code, request_id, text, at)
    select ${project.id}, ${user.id}, 'x', 'r', repeat(md5(n::text), 20), now() from generate_series(1, 20000) n`;
  fileId = await putFile(ctx, { name: "站点.csv", mime: "text/csv", bytes: Buffer.from("东莞") });
  await enqueueTask(ctx, { kind: "x", direction: "process", title: "open", inputFileId: fileId });
});
afterAll(async () => {
  for (const name of made) await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<Record<string, string>> {
  const name = `milepost_test_${process.pid}_${randomBytes(4).toString("hex")}`;
  made.push(name);
  await admin.unsafe(`create database ${name}`);
  const at = (login: string) => {
    const url = new URL(login);
    url.pathname = `/${name}`;
    return url.href;
  };
  return { DATABASE_URL: at(inject("appLogin")), DATABASE_OWNER_URL: at(inject("serverUrl")), DATA_DIR: mkdtempSync(join(folder, "to-")) };
}

/** Runs the script; gives what it said, also when it refuses. */
async function run(script: string, env: Record<string, string>): Promise<{ code: number; said: string }> {
  const args = ["--conditions=react-server", join(root, `scripts/${script}.ts`), backup];
  return promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, VITEST: "", ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error) => ({ code: error.code, said: error.stdout + error.stderr }),
  );
}

describe("backup and restore", () => {
  test("of a database that was never started says so and leaves no folder", async () => {
    const empty = await emptyDatabase();
    expect(await run("backup", { ...empty, AUTH_SECRET: "k".repeat(40) })).toEqual({
      code: 1,
      said: expect.stringMatching(/^The database is empty: .*\n$/),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual([]);
  });

  test("of everything: each table, file and secret is what it was, and the database goes on where it stood", {
    timeout: 90_000,
  }, async () => {
    const from = { DATABASE_URL: db.url, DATABASE_OWNER_URL: db.ownerUrl, DATA_DIR: join(folder, "from"), AUTH_SECRET: "k".repeat(40) };
    expect(await run("backup", from)).toMatchObject({ code: 0, said: expect.stringContaining("1 files, 0.0 MB, 1 gone") });
    expect(await run("backup", from)).toMatchObject({ code: 1, said: expect.stringContaining("exists already") });
    const to = await emptyDatabase();
    const restored = await run("restore", to);
    expect(restored).toMatchObject({ code: 0, said: expect.stringContaining("every table: number of rows and checksum") });

    const sql = postgres(to.DATABASE_OWNER_URL!, { max: 1, onnotice: () => {} });
    expect(await projectPrint(sql as never, whole.id)).toEqual(await projectPrint(db.owner, whole.id));
    const [queue] = await sql`select count(*)::int as jobs from pgboss.job where name = 'tasks'`;
    expect(queue).toEqual({ jobs: 1 });
    // New rows get new numbers, references hold, and the log still refuses changes.
    const [next] = await sql<
      { id: string }[]
    >`insert into project (number, name, country, hosting_country) select 'NEW', 'n', country, hosting_country from project limit 1 returning id`;
    expect(Number(next?.id)).toBeGreaterThan(Math.max(whole.id, ctx.project.id));
    await expect(sql`delete from app_user where id = ${whole.pm.id}`).rejects.toMatchObject({ code: "23503" });
    await expect(sql`update plan_log set at = now()`).rejects.toThrow();
    await sql.end();

    process.env.DATA_DIR = to.DATA_DIR;
    const { readBytes } = await import("#lib/core/storage.ts");
    expect(await text(await readBytes(fileId))).toBe("东莞");
    expect(readFileSync(join(to.DATA_DIR!, "secrets/auth-secret"), "utf8")).toBe("k".repeat(40));
    // A second restore would mix two states.
    expect(await run("restore", to)).toMatchObject({ code: 1, said: expect.stringContaining("not empty") });
  });

  test("a damaged backup is refused, and nothing of it stays", { timeout: 60_000 }, async () => {
    const file = join(backup, "database", readdirSync(join(backup, "database")).find((name) => name.startsWith("public.app_user.")) ?? "");
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 0xff;
    writeFileSync(file, bytes);
    const to = await emptyDatabase();
    expect((await run("restore", to)).code).not.toBe(0);
    const sql = postgres(to.DATABASE_OWNER_URL!, { max: 1, onnotice: () => {} });
    expect((await sql`select count(*)::int as users from app_user`)[0]).toEqual({ users: 0 });
    await sql.end();
  });
});
