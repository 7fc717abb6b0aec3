import { afterEach, expect, test } from "vitest";
import { done } from "../lib/activity-flows/make-flow.ts";
import { usePlanRules } from "../lib/plan-rules/make-plan-rules.ts";
import { useDatabase } from "../support/database.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const { at, call, day, enable, makeDu } = usePlanRules(db);
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed in the middle of a run of rules leaves nothing half written; the next one writes all of it once", {
  timeout: 180_000,
}, async () => {
  const rule = await enable("RFI", ["RFI.PLAN_END = Survey.ACTUAL_END + 14"]);
  const dus: number[] = [];
  for (let count = 0; count < 5; count++) dus.push(await makeDu({ Survey: { actual_end: "2026-03-03" } }));
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from du_plan where du_id = ${dus.at(-1)!} for update`;
  const { runId, taskId } = await done(call("planAutoRule/run", { ruleIds: [rule.id] }));
  const first = await worker();
  await until(
    () => db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%du_plan%'`,
    (rows) => rows.length > 0,
  );
  await end(first, "SIGKILL");
  expect(await Promise.all(dus.map((du) => day(du, "RFI.PLAN_END")))).toEqual(dus.map(() => null));
  expect(await db.owner`select 1 from rule_run_change where run_id = ${runId}`).toHaveLength(0);
  expect(await call("planAutoRule/disable", { ids: [rule.id], confirm: true })).toMatchObject({ code: "RULE_EXECUTING" });
  await holder`rollback`;
  holder.release();
  await worker();
  const task = await until(
    async () => (await db.owner`select * from task where id = ${taskId}`)[0]!,
    ({ status }) => status !== "queued" && status !== "running",
    90_000,
  );
  expect(task).toMatchObject({ status: "succeeded", attempt: 2 });
  expect(await Promise.all(dus.map((du) => day(du, "RFI.PLAN_END")))).toEqual(dus.map(() => "2026-03-17"));
  const [run] = await db.owner`select status, changed_count from rule_run where id = ${runId}`;
  expect(run).toEqual({ status: "DONE", changed_count: 5 });
  const [batches] = await db.owner`select count(*)::int as n from plan_batch where project_id = ${at.id} and source = 'rule'`;
  expect(batches).toEqual({ n: 1 });
});
