import { afterEach, expect, test } from "vitest";
import { ticks } from "#jobs/schedule.ts";
import { attemptLimit } from "#lib/tasks/limits.ts";
import { useDatabase } from "../support/database.ts";
import { engineCalls } from "../support/engine-version.ts";
import { usePlanProject } from "../support/plan-project.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { ok, start, plan, makeVersion } = engineCalls(db, project);
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

/** Kills a worker in a calculation. Its job goes back to the queue as after ten seconds without a sign of life (worker.test.ts), only at once. */
async function lose(lost: Process, taskId: string): Promise<void> {
  await end(lost, "SIGKILL");
  await db.owner`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where data ->> 'taskId' = ${taskId} and state = 'active'`;
}

const taskOf = async (taskId: string) =>
  (await db.owner<{ status: string; attempt: number }[]>`select status, attempt from task where id = ${taskId}`)[0]!;
const runOf = async (runId: number) =>
  (await db.owner`select status, phase, error_code as "errorCode" from engine_run where id = ${runId}`)[0]!;
const isOver = ({ status }: { status: string }) => status !== "queued" && status !== "running";

test("a worker killed in a calculation leaves the plan before in force; the next one takes it up from its frozen input and comes to the same plan; after three losses the run has failed and can be started again [ENG-21]", {
  timeout: 180_000,
}, async () => {
  const { versionId } = await makeVersion("K", { count: 6, settings: { evaluationLimit: 2_000 } });
  const before = await plan(versionId);
  expect(before.status.status).toBe("success");
  const shown = async () => {
    const { run, total } = await ok("engine/output/find/outputPlan", { versionId, filters: [], page: 1, size: 20 });
    return [run.id, total];
  };
  const { runId, taskId } = await start(versionId);
  const first = await worker();
  await until(
    () => runOf(runId),
    ({ phase }) => phase !== "queued",
  );
  await lose(first, taskId);
  expect(await runOf(runId)).toMatchObject({ status: "executing" });
  expect(await shown()).toEqual([before.runId, 6]);
  expect(await db.owner`select 1 from engine_out_du where run_id = ${runId}`).toHaveLength(0);
  // The inputs of now are not those the run was started with.
  await db.owner`update engine_skill_resource set team_count = 5 where version_id = ${versionId}`;
  let alive = await worker();
  expect(await until(() => taskOf(taskId), isOver, 90_000)).toEqual({ status: "succeeded", attempt: 2 });
  const vectors = (id: number) =>
    db.owner`select du_id, starts, ends, pools, teams, bindings, binding_refs, fixed from engine_out_du where run_id = ${id} order by du_id`;
  expect(await vectors(runId)).toEqual(await vectors(before.runId));
  expect(await shown()).toEqual([runId, 6]);

  // Long enough that each worker is lost in it.
  await db.owner`update engine_setting set evaluation_limit = 1000000, time_budget_s = 600 where version_id = ${versionId}`;
  const fatal = await start(versionId);
  for (let attempt = 1; attempt <= attemptLimit; attempt++) {
    await until(
      () => taskOf(fatal.taskId),
      (task) => task.status === "running" && task.attempt === attempt,
    );
    await lose(alive, fatal.taskId);
    expect(await runOf(fatal.runId)).toMatchObject({ status: "executing", errorCode: null });
    alive = await worker();
  }
  expect(await until(() => taskOf(fatal.taskId), isOver)).toEqual({ status: "failed", attempt: attemptLimit });
  // As every worker does once a minute.
  await ticks.lostEngineRuns?.(db.app, new Date());
  expect(await runOf(fatal.runId)).toEqual({ status: "failed", phase: "done", errorCode: "ENGINE_LOST" });
  expect(await shown()).toEqual([runId, 6]);
  await db.owner`update engine_setting set evaluation_limit = 60 where version_id = ${versionId}`;
  const again = await start(versionId);
  expect(await until(() => taskOf(again.taskId), isOver, 90_000)).toEqual({ status: "succeeded", attempt: 1 });
  expect(await shown()).toEqual([again.runId, 6]);
});
