import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type Pool, type Sql, transaction } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { seedLarge } from "#db/seed/large.ts";
import { env } from "#lib/core/env.ts";
import { createApiToken } from "#lib/session/commands.ts";
import { build } from "../../scripts/build.mjs";
import { freePort } from "../../scripts/processes.mjs";
import { serve } from "../../scripts/serve.mjs";
import { askJson } from "./http-client.ts";
import { watchTask } from "./live-tasks.ts";

/** Sends a call and gives what it answers. */
export type Call = <T = unknown>(address: string, input: unknown) => Promise<T>;

type Answer<T> = { status: number; code?: string; msg?: string; data: T };

/** What the measurements run on: a database of their own with the large project, and one pair of web and worker. */
export type Installation = {
  sql: Pool;
  projectId: number;
  address: string;
  token: string;
  call: Call;
  /** Process id of "web" or "worker". */
  pid: (name: "web" | "worker") => number | undefined;
  /** Tidies the database up, which it would else begin by itself within a minute of what was written, beside whatever is measured then. */
  tidy: () => Promise<void>;
  stop: () => Promise<void>;
};

const database = "milepost_bench";
const seeded = "milepost_bench_seed";

/** Makes the measuring database anew from a seeded one beside that of `DATABASE_URL`: every run begins with the same rows. */
async function makeDatabase(): Promise<{ ownerUrl: string; appUrl: string }> {
  const settings = env();
  const admin = connect(settings.DATABASE_OWNER_URL, 1);
  const urls = (name: string) => {
    const [ownerUrl, appUrl] = [settings.DATABASE_OWNER_URL, settings.DATABASE_URL].map((text) => {
      const url = new URL(text);
      url.pathname = `/${name}`;
      return url.href;
    }) as [string, string];
    return { ownerUrl, appUrl };
  };
  const [known] = await admin`select 1 from pg_database where datname = ${seeded}`;
  if (!known) await admin.unsafe(`create database ${seeded}`);
  const { ownerUrl, appUrl } = urls(seeded);
  await migrate(ownerUrl, appUrl);
  const app = connect(appUrl, 1);
  console.log(await transaction(app, (tx) => seedLarge(tx, new Date())));
  await app.end();
  const owner = connect(ownerUrl, 1);
  await owner`vacuum analyze`;
  await owner.end();
  await admin.unsafe(`drop database if exists ${database}`);
  await admin.unsafe(`create database ${database} template ${seeded}`);
  await admin.end();
  return urls(database);
}

/** Calls in the name of whom a token is of. */
export function makeCall(origin: string, token: string, projectNumber = "LARGE"): Call {
  return async <T>(address: string, input: unknown): Promise<T> => {
    // What a browser accepts of a server it trusts.
    const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip, deflate, br, zstd" };
    const answer = (await askJson(`${origin}/api/${address}?projectNumber=${projectNumber}&lang=en`, headers, input)) as Answer<T>;
    if (answer.status !== 200)
      throw new Error(`${address}: ${answer.status} ${answer.code} ${answer.msg} ${JSON.stringify(answer).slice(0, 500)}`);
    return answer.data;
  };
}

/** Makes the measuring database, builds what has changed, and starts web and worker on it. */
export async function openInstallation(): Promise<Installation> {
  const { ownerUrl, appUrl } = await makeDatabase();
  const sql = connect(appUrl, 4);
  process.env.DATABASE_URL = appUrl;

  const dataDir = resolve(env().DATA_DIR, "bench");
  mkdirSync(dataDir, { recursive: true });
  const given = { ...process.env, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: dataDir };
  await build(given);
  const port = await freePort();
  const running = serve({ dataDir, port, env: given });
  if (!(await running.ready())) throw new Error(`The installation did not get ready: ${(await running.missing()).join(", ")}`);
  const [project] = await sql<{ id: number }[]>`select id from project where number = 'LARGE'`;
  await prepared(sql, project!.id);
  const token = await createApiToken(sql, "pm", "bench", new Date());
  return {
    sql,
    projectId: project!.id,
    address: running.address,
    token,
    call: makeCall(running.address, token),
    pid: running.pid,
    tidy: async () => {
      const owner = connect(ownerUrl, 1);
      await owner`vacuum analyze`;
      await owner.end();
    },
    stop: async () => {
      await running.stop();
      await sql.end();
    },
  };
}

/** Waits until the worker has prepared the texts of all rows, as it has where it has run for a while: it begins with that as soon as it is up. */
export async function prepared(sql: Sql, projectId: number): Promise<void> {
  for (;;) {
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int from du_plan p where project_id = ${projectId} and not exists (select from du_plan_text t where t.du_id = p.du_id)`;
    if (left?.count === 0) return;
    await pause(200);
  }
}

type Task = { status: string };

/** Waits until a task has succeeded, told by live events as a page is. */
export async function settled(
  { address, token }: Pick<Installation, "address" | "token">,
  id: string,
  projectNumber = "LARGE",
): Promise<void> {
  await watchTask({ address, token }, projectNumber, id, async () => {
    const asked = await askJson(`${address}/api/task/find/${id}?projectNumber=${projectNumber}`, { authorization: `Bearer ${token}` });
    const { data } = asked as { data: Task };
    if (!["succeeded", "queued", "running"].includes(data.status))
      throw new Error(`task ${id} is ${data.status}: ${JSON.stringify(data).slice(0, 500)}`);
    return data.status === "succeeded";
  });
}
