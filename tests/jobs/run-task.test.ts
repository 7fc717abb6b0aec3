import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { connect, transaction } from "#db/client.ts";
import { runTask, type TaskKinds } from "#jobs/run-task.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { enqueueTask, type NewTask, taskKind } from "#lib/core/task.ts";
import { clock, useDatabase } from "../support/database.ts";
import { makeMember, makeProject } from "../support/factories.ts";
import { testKinds } from "./support/kinds.ts";

const database = useDatabase();
const never = new AbortController().signal;

type Made = { project: { id: number; number: string }; user: CtxUser };

async function setUp(): Promise<Made> {
  const project = await makeProject(database.owner);
  return { project, user: await makeMember(database.owner, project.id, "PM") };
}

function enqueue({ project, user }: Made, task: Partial<NewTask> = {}): Promise<string> {
  const ctx = { sql: database.app, project, user, now: clock, locale: "en", audit: () => {} };
  return enqueueTask(ctx as never, { kind: "test.chunked", direction: "process", title: "Test", params: { chunks: 3 }, ...task });
}

const row = async (id: string) => (await database.owner`select * from task where id = ${id}`)[0] as Record<string, never>;
const written = async (id: string) =>
  (await database.owner<{ code: string }[]>`select code from error_report where request_id = ${id} order by id`).map((one) => one.code);
const run = (id: string, kinds: TaskKinds = testKinds, leaving = never) => runTask(database.app, kinds, id, leaving);

const kindThat = (work: Parameters<typeof taskKind>[0]["run"], needs: Parameters<typeof taskKind>[0]["needs"] = "member"): TaskKinds => ({
  "test.chunked": async () => taskKind({ params: z.any(), needs, run: work }),
});

describe("a task", () => {
  let made: Made;
  beforeAll(async () => {
    made = await setUp();
  });

  test("exists exactly when the transaction that makes it commits", async () => {
    let id = "";
    const rolledBack = transaction(database.app, async (sql) => {
      id = await enqueueTask({ sql, project: made.project, user: made.user, now: clock, locale: "en", audit: () => {} } as never, {
        kind: "test.chunked",
        direction: "process",
        title: "never",
      });
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    expect(await row(id)).toBeUndefined();
    expect(await database.owner`select 1 from pgboss.job where data->>'taskId' = ${id}`).toHaveLength(0);
    const kept = await enqueue(made);
    expect(await database.owner`select 1 from pgboss.job where data->>'taskId' = ${kept}`).toHaveLength(1);
    await run(kept);
  });

  test("runs chunk by chunk, counts, and ends succeeded", async () => {
    const id = await enqueue(made);
    await run(id);
    expect(await row(id)).toMatchObject({
      status: "succeeded",
      progress: 100,
      total_count: 30,
      done_count: 30,
      failed_count: 0,
      chunks_done: 3,
      attempt: 1,
    });
    expect(await written(id)).toEqual(["chunk 0", "chunk 1", "chunk 2"]);
  });

  test("does nothing when it is run a second time", async () => {
    const id = await enqueue(made);
    await run(id);
    const before = await row(id);
    await run(id);
    expect(await row(id)).toEqual(before);
    expect(await written(id)).toHaveLength(3);
  });

  test.each([
    ["some rows failed", 5, 2, "partial"],
    ["every row failed", 0, 2, "failed"],
    ["no row failed", 5, 0, "succeeded"],
    ["there was nothing to do", 0, 0, "succeeded"],
  ])("of which %s ends as %s, %s, %s", async (_, done, failed, status) => {
    const id = await enqueue(made);
    await run(
      id,
      kindThat(async (job) => {
        await job.chunk(async (_ctx, tally) => {
          tally.done += done;
          tally.failed += failed;
        });
        return {};
      }),
    );
    expect(await row(id)).toMatchObject({ status, done_count: done, failed_count: failed, total_count: done + failed });
  });

  test("that refuses its work fails with the code as message", async () => {
    const id = await enqueue(made);
    await run(
      id,
      kindThat(async () => {
        throw new AppError("EXPORT_CELLS", { max: 7 });
      }),
    );
    expect(await row(id)).toMatchObject({ status: "failed", message_key: "errors.EXPORT_CELLS", message_args: { max: 7 } });
  });

  test("that breaks fails without inner text", async () => {
    const id = await enqueue(made);
    await run(
      id,
      kindThat(async () => {
        throw new Error("secret detail");
      }),
    );
    const after = await row(id);
    expect(after).toMatchObject({ status: "failed", message_key: "tasks.message.fault" });
    expect(JSON.stringify(after)).not.toContain("secret");
  });

  test("whose kind is unknown fails", async () => {
    const id = await enqueue(made, { kind: "test.unheard" });
    await run(id);
    expect(await row(id)).toMatchObject({ status: "failed", message_key: "tasks.message.fault" });
  });

  test("writes an audit row and refuses to audit outside a chunk", async () => {
    const id = await enqueue(made);
    await run(
      id,
      kindThat(async (job) => {
        await job.chunk(async (ctx) => ctx.audit("thing 1", null, { a: 1 }));
        expect(() => job.audit("thing 2", null, null)).toThrow();
        return {};
      }),
    );
    const rows = await database.owner`select object, address, actor_id from audit_log where request_id = ${`task-${id}-1`}`;
    expect(rows).toEqual([{ object: "thing 1", address: "task test.chunked", actor_id: made.user.id }]);
  });
});

describe("rights are read again when the job starts", () => {
  test("a creator without the right is refused and nothing runs", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    let ran = false;
    await run(
      id,
      kindThat(async () => {
        ran = true;
        return {};
      }, "limit.edit"),
    );
    expect(ran).toBe(false);
    expect(await row(id)).toMatchObject({ status: "failed", message_key: "errors.NO_PERMISSION" });
  });

  test("a creator whose role has ended is refused", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    await database.owner`update project_member set valid_to = '2026-01-02' where project_id = ${made.project.id}`;
    await run(id);
    expect(await row(id)).toMatchObject({ status: "failed", message_key: "errors.NO_PERMISSION" });
  });

  test("a project closed meanwhile refuses", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    await database.owner`update project set status = 'closed' where id = ${made.project.id}`;
    await run(id);
    expect(await row(id)).toMatchObject({ status: "failed", message_key: "errors.PROJECT_CLOSED" });
  });
});

describe("attempts", () => {
  test("a second attempt continues behind the chunks of the first", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    const dies: TaskKinds = kindThat(async (job) => {
      await job.chunk(async (ctx, tally) => {
        await ctx.sql`insert into error_report (project_id, user_id, code, request_id, at) values (${ctx.project.id}, ${ctx.user.id}, 'chunk 0', ${job.task.id}, now())`;
        tally.done += 10;
      });
      throw Object.assign(new Error("connection"), { code: "CONNECTION_CLOSED" });
    });
    await expect(run(id, dies)).rejects.toThrow("connection");
    expect(await row(id)).toMatchObject({ status: "running", attempt: 1, chunks_done: 1 });
    await run(id);
    expect(await row(id)).toMatchObject({ status: "succeeded", attempt: 2, done_count: 30 });
    expect(await written(id)).toEqual(["chunk 0", "chunk 1", "chunk 2"]);
  });

  test("an attempt that has been overtaken commits nothing more", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    let overtaken: Promise<void> = Promise.resolve();
    await run(
      id,
      kindThat(async (job) => {
        if (job.task.attempt > 1) return {};
        await job.chunk(async (ctx) => {
          await ctx.sql`insert into error_report (project_id, user_id, code, request_id, at) values (${ctx.project.id}, ${ctx.user.id}, 'lost', ${job.task.id}, now())`;
          overtaken = run(id);
          await overtaken;
        });
        return {};
      }),
    );
    expect(await written(id)).toEqual(["chunk 0", "chunk 1", "chunk 2"]);
    expect(await row(id)).toMatchObject({ status: "succeeded", attempt: 2, done_count: 30 });
  });

  test("the fourth attempt does not begin: the task has failed", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    const dies = kindThat(async () => {
      throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
    });
    for (let attempt = 1; attempt <= 3; attempt++) await expect(run(id, dies)).rejects.toThrow("gone");
    await run(id);
    expect(await row(id)).toMatchObject({ status: "failed", attempt: 3, message_key: "tasks.message.attempts" });
    expect(await written(id)).toEqual([]);
  });

  test("a task for which the database has no connection to spare waits: that is no attempt of its own", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    await database.owner.unsafe(`alter database ${database.name} connection limit 0`);
    const asks = kindThat(async () => {
      const other = connect(database.url, 1);
      await other`select 1`.finally(() => other.end());
      return {};
    });
    for (let attempt = 1; attempt <= 4; attempt++) {
      await expect(run(id, asks)).rejects.toMatchObject({ code: "53300" });
      expect(await row(id)).toMatchObject({ status: "queued", attempt: 0 });
    }
    await database.owner.unsafe(`alter database ${database.name} connection limit -1`);
    await run(id, asks);
    expect(await row(id)).toMatchObject({ status: "succeeded", attempt: 1 });
  });

  test("a worker that is asked to end gives the task back without counting the attempt", async () => {
    const made = await setUp();
    const id = await enqueue(made, { params: { chunks: 50, pauseMs: 20 } });
    const leaving = new AbortController();
    const running = run(id, testKinds, leaving.signal);
    while ((await written(id)).length < 2) await pause(10);
    leaving.abort();
    await expect(running).rejects.toThrow("leaving");
    const after = await row(id);
    expect(after).toMatchObject({ status: "queued", attempt: 0 });
    expect(after.chunks_done as unknown as number).toBeGreaterThanOrEqual(2);
    await run(id);
    expect(await row(id)).toMatchObject({ status: "succeeded", done_count: 500 });
    expect(await written(id)).toHaveLength(50);
  });
});

describe("cancel", () => {
  test("a running task stops at the border of a chunk; what it wrote stays and is counted", async () => {
    const made = await setUp();
    const id = await enqueue(made, { params: { chunks: 50, pauseMs: 20 } });
    const running = run(id);
    while ((await written(id)).length < 2) await pause(10);
    await database.app`update task set cancel_requested = true where id = ${id}`;
    await running;
    const chunks = (await written(id)).length;
    expect(chunks).toBeLessThan(50);
    expect(await row(id)).toMatchObject({ status: "cancelled", chunks_done: chunks, done_count: chunks * 10 });
  });

  test("work between chunks hears of it by its signal", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    const running = run(
      id,
      kindThat(async (job) => {
        await new Promise((_, reject) => job.signal.addEventListener("abort", () => reject(new Error("stopped by signal"))));
        return {};
      }),
    );
    await pause(100);
    await database.app`update task set cancel_requested = true where id = ${id}`;
    await running;
    expect(await row(id)).toMatchObject({ status: "cancelled" });
  });

  test("a queued task that was cancelled is not begun", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    await database.app`update task set cancel_requested = true where id = ${id}`;
    await run(id);
    expect(await row(id)).toMatchObject({ status: "cancelled", attempt: 0 });
  });
});

describe("progress", () => {
  test("is seen by others while the chunk is still open", async () => {
    const made = await setUp();
    const id = await enqueue(made);
    const seen: number[] = [];
    await run(
      id,
      kindThat(async (job) => {
        await job.chunk(async () => {
          job.progress(40, 100);
          while (((await row(id)).progress as unknown as number) !== 40) await pause(10);
          seen.push(40);
        });
        return {};
      }),
    );
    expect(seen).toEqual([40]);
    expect(await row(id)).toMatchObject({ progress: 100 });
  });
});

describe("what a project may run at once", () => {
  const held = (): { kinds: TaskKinds; release: () => void; started: () => number } => {
    let release = () => {};
    let started = 0;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const kind = kindThat(async () => {
      started++;
      await gate;
      return {};
    });
    return { kinds: { ...kind, "test.other": kind["test.chunked"]! }, release: () => release(), started: () => started };
  };

  test("two tasks run, the third waits, another project is not held up", async () => {
    const [made, other] = [await setUp(), await setUp()];
    const { kinds, release, started } = held();
    const ids = await Promise.all([enqueue(made), enqueue(made), enqueue(made)]);
    const running = [run(ids[0]!, kinds), run(ids[1]!, kinds)];
    while (started() < 2) await pause(5);
    await expect(run(ids[2]!, kinds)).rejects.toThrow("as many tasks");
    expect(await row(ids[2]!)).toMatchObject({ status: "queued", attempt: 0 });
    const elsewhere = run(await enqueue(other), kinds);
    while (started() < 3) await pause(5);
    release();
    await Promise.all([...running, elsewhere]);
    await run(ids[2]!, kinds);
    expect(await row(ids[2]!)).toMatchObject({ status: "succeeded" });
  });

  test("a second import of the kind waits, one of another kind runs", async () => {
    const made = await setUp();
    const { kinds, release, started } = held();
    const first = await enqueue(made, { direction: "import" });
    const second = await enqueue(made, { direction: "import" });
    const third = await enqueue(made, { direction: "import", kind: "test.other" });
    const running = run(first, kinds);
    while (started() < 1) await pause(5);
    await expect(run(second, kinds)).rejects.toThrow("as many tasks");
    const beside = run(third, kinds);
    while (started() < 2) await pause(5);
    release();
    await Promise.all([running, beside]);
  });
});

describe("a second task of the same", () => {
  test("[OPS-14] an export is refused while the person's previous export of the kind is unfinished, and taken after it", async () => {
    const made = await setUp();
    const first = await enqueue(made, { direction: "export" });
    await expect(enqueue(made, { direction: "export" })).rejects.toMatchObject({ code: "EXPORT_UNFINISHED" });
    await enqueue(made, { direction: "export", kind: "test.other" });
    await enqueue({ ...made, user: await makeMember(database.owner, made.project.id, "PM") }, { direction: "export" });
    await run(first);
    expect(await row(first)).toMatchObject({ status: "succeeded" });
    await enqueue(made, { direction: "export" });
  });

  test("two requests at once make one export", async () => {
    const made = await setUp();
    const results = await Promise.allSettled([enqueue(made, { direction: "export" }), enqueue(made, { direction: "export" })]);
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a key gives back the open task and makes a new one after it", async () => {
    const made = await setUp();
    const first = await enqueue(made, { dedupeKey: "roll-up" });
    expect(await enqueue(made, { dedupeKey: "roll-up" })).toBe(first);
    expect(await enqueue(await setUp(), { dedupeKey: "roll-up" })).not.toBe(first);
    await run(first);
    expect(await enqueue(made, { dedupeKey: "roll-up" })).not.toBe(first);
  });
});
