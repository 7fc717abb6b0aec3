import { afterEach, expect, test } from "vitest";
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

test("a worker killed in a calculation leaves the plan before in force; the next one takes it up from its frozen input and comes to the same plan [ENG-21]", {
  timeout: 180_000,
}, async () => {
  const { versionId } = await makeVersion("K", { count: 6, settings: { evaluationLimit: 2_000 } });
  const before = await plan(versionId);
  expect(before.status.status).toBe("success");
  const { runId, taskId } = await start(versionId);
  const run = async () => (await db.owner`select status, phase, error_code as "errorCode" from engine_run where id = ${runId}`)[0]!;
  const first = await worker();
  await until(run, ({ phase }) => phase !== "queued");
  await end(first, "SIGKILL");
  expect(await run()).toMatchObject({ status: "executing" });
  const shown = await ok("engine/output/find/outputPlan", { versionId, filters: [], page: 1, size: 20 });
  expect([shown.run.id, shown.total]).toEqual([before.runId, 6]);
  expect(await db.owner`select 1 from engine_out_du where run_id = ${runId}`).toHaveLength(0);
  // The inputs of now are not those the run was started with.
  await db.owner`update engine_skill_resource set team_count = 5 where version_id = ${versionId}`;
  // Its last sign of life was long ago, as it is ten seconds later.
  await db.owner`update pgboss.job set heartbeat_on = now() - interval '1 minute' where data ->> 'taskId' = ${taskId} and state = 'active'`;
  await worker();
  const task = await until(
    async () => (await db.owner`select status, attempt from task where id = ${taskId}`)[0]!,
    ({ status }) => status !== "queued" && status !== "running",
    90_000,
  );
  expect(task).toEqual({ status: "succeeded", attempt: 2 });
  const vectors = (id: number) =>
    db.owner`select du_id, starts, ends, pools, teams, bindings, binding_refs, fixed from engine_out_du where run_id = ${id} order by du_id`;
  expect(await vectors(runId)).toEqual(await vectors(before.runId));
});
