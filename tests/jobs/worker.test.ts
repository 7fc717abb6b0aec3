import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { enqueueTask, type NewTask } from "#lib/core/task.ts";
import { useDatabase } from "../support/database.ts";
import { makeMember, makeProject } from "../support/factories.ts";
import { openLine } from "./support/line.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const script = "tests/jobs/support/worker-process.ts";
const database = useDatabase();
const processes: Process[] = [];
let project: { id: number; number: string };
let user: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  user = await makeMember(database.owner, project.id, "PM");
});

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(...args: string[]): Promise<Process> {
  const started = await startProcess(script, database.url, args);
  processes.push(started);
  return started;
}

function enqueue(params: object, task: Partial<NewTask> = {}): Promise<string> {
  const ctx = { sql: database.app, project, user, now: new Date(), locale: "en", audit: () => {} };
  return enqueueTask(ctx as never, { kind: "test.chunked", direction: "process", title: "Test", params, ...task });
}

type Row = { status: string; attempt: number; done_count: number; chunks_done: number; worker: string };
const row = async (id: string) => (await database.owner<Row[]>`select * from task where id = ${id}`)[0] as Row;
const written = async (id: string) =>
  (await database.owner<{ code: string }[]>`select code from error_report where request_id = ${id} order by id`).map((one) => one.code);

describe("the worker process", () => {
  test("takes a task within a moment, tells that it lives, and leaves on SIGTERM", { timeout: 60_000 }, async () => {
    const started = await worker();
    const beats = () => database.owner`select kind, pid from process_heartbeat where pid = ${started.child.pid ?? 0}`;
    expect(await beats()).toEqual([{ kind: "worker", pid: started.child.pid }]);
    const id = await enqueue({ chunks: 2 });
    const before = Date.now();
    await until(
      () => row(id),
      (task) => task.status === "succeeded",
    );
    expect(Date.now() - before).toBeLessThan(5_000);
    expect(await end(started, "SIGTERM")).toBe(0);
    expect(await beats()).toEqual([]);
  });

  test("killed in the middle of a chunk: another takes the task behind the committed chunks, nothing is doubled or lost", {
    timeout: 90_000,
  }, async () => {
    const [first, second] = [await worker(), await worker()];
    const id = await enqueue({ chunks: 8, pauseMs: 30, holdChunk: 3 });
    await until(
      () => row(id),
      (task) => task.chunks_done === 3,
    );
    const victim = await until(
      async () => [first, second].find((one) => one.said().includes("holding")),
      (found) => found !== undefined,
    );
    await end(victim as Process, "SIGKILL");
    const killedAt = Date.now();
    await until(
      () => row(id),
      (task) => task.status === "succeeded",
      60_000,
    );
    expect(Date.now() - killedAt).toBeLessThan(40_000);
    expect(await row(id)).toMatchObject({ attempt: 2, chunks_done: 8, done_count: 80 });
    expect(await written(id)).toEqual(Array.from({ length: 8 }, (_, chunk) => `chunk ${chunk}`));
  });

  test("cut off from the database in the middle of a chunk: it stays alive, takes the task again and finishes it", {
    timeout: 90_000,
  }, async () => {
    const line = await openLine(database.url);
    try {
      const started = await startProcess(script, line.url);
      processes.push(started);
      const id = await enqueue({ chunks: 12, pauseMs: 100 });
      await until(
        () => row(id),
        (task) => task.chunks_done >= 3,
      );
      line.cut();
      await until(
        () => row(id),
        (task) => task.status === "succeeded",
        60_000,
      );
      expect(started.child.exitCode).toBeNull();
      expect(await row(id)).toMatchObject({ attempt: 2, chunks_done: 12 });
      expect(await written(id)).toEqual(Array.from({ length: 12 }, (_, chunk) => `chunk ${chunk}`));
    } finally {
      line.close();
    }
  });

  test("asked to end in the middle: the task goes back at once and the next worker finishes it", { timeout: 60_000 }, async () => {
    const first = await worker();
    const id = await enqueue({ chunks: 40, pauseMs: 50 });
    await until(
      () => row(id),
      (task) => task.chunks_done >= 3,
    );
    expect(await end(first, "SIGTERM")).toBe(0);
    expect(await row(id)).toMatchObject({ status: "queued", attempt: 0 });
    await worker();
    await until(
      () => row(id),
      (task) => task.status === "succeeded",
    );
    expect(await written(id)).toHaveLength(40);
  });

  test("two workers tick, one slot is run", { timeout: 60_000 }, async () => {
    const count = async () => (await database.owner`select 1 from error_report where code = 'schedule'`).length;
    const slots = async () => (await database.owner`select 1 from schedule_slot where name = 'test.count'`).length;
    await Promise.all([worker("--schedules"), worker("--schedules")]);
    await until(count, (runs) => runs > 0);
    await until(
      async () => (await database.owner`select 1 from pgboss.job where name = 'schedules' and state < 'completed'`).length,
      (open) => open === 0,
    );
    expect(await count()).toBe(await slots());
  });
});
