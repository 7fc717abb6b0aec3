import { afterEach, expect, test } from "vitest";
import { useRuleProject } from "../lib/activity-flows/flow-rules/make-rules.ts";
import { done } from "../lib/activity-flows/make-flow.ts";
import { useDatabase } from "../support/database.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const { at, call, enable, list, makeDu } = useRuleProject(db);
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed while it binds DUs by rules leaves none half-bound; the next one binds every DU once", {
  timeout: 180_000,
}, async () => {
  const rule = await enable("All");
  const dus: number[] = [];
  for (let count = 0; count < 5; count++) dus.push(await makeDu(at.north));
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from du where id = ${dus.at(-1)!} for update`;
  const { runId, taskId } = await done(call("duFlowRule/run", { ids: [rule.id] }));
  const first = await worker();
  await until(
    () => db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%from du where%'`,
    (rows) => rows.length > 0,
  );
  await end(first, "SIGKILL");
  const bound = async () => (await db.owner`select count(*)::int as n from du_flow where project_id = ${at.id}`)[0]!.n;
  expect(await bound()).toBe(0);
  // A run that is not over keeps its rules from being changed.
  expect((await list())[0]).toMatchObject({ executing: true });
  await holder`rollback`;
  holder.release();

  await worker();
  const task = await until(
    async () => (await db.owner`select * from task where id = ${taskId}`)[0]!,
    ({ status }) => status !== "queued" && status !== "running",
    90_000,
  );
  expect(task).toMatchObject({ status: "succeeded", attempt: 2, done_count: 5 });
  expect(await bound()).toBe(5);
  const [run] =
    await db.owner`select scope_count, bound_count, unmatched_count, finished_at is not null as over from du_flow_run where id = ${runId}`;
  expect(run).toEqual({ scope_count: 5, bound_count: 5, unmatched_count: 0, over: true });
  const [plans] = await db.owner`
    select count(*) filter (where row_version = 2 and applicable_count = 2)::int as bound from du_plan where du_id = any(${dus}::bigint[])`;
  expect(plans).toEqual({ bound: 5 });
});
