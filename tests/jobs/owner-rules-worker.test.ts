import { afterEach, expect, test } from "vitest";
import { done, useOwnerProject } from "../lib/owners/make-owners.ts";
import { useDatabase } from "../support/database.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const { at, call, enable, list, makeDus } = useOwnerProject(db);
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed while it fills owners leaves nothing half written; the next one fills every cell once", {
  timeout: 180_000,
}, async () => {
  const { li } = at.people;
  const rule = await enable("All", { fillMode: "FIXED", fillValue: { accounts: [li.account] } });
  const dus = await makeDus(Array.from({ length: 5 }, () => ({})));
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from du where id = ${dus.at(-1)!} for update`;
  const { runId, taskId } = await done(call("ownerRule/run", { ruleIds: [rule] }));
  const first = await worker();
  await until(
    () => db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%from du where%'`,
    (rows) => rows.length > 0,
  );
  await end(first, "SIGKILL");
  const written = async () =>
    (await db.owner`select count(*)::int as n from du_plan where du_id = any(${dus}::bigint[]) and row_version > 1`)[0]!.n;
  const logged = async () => (await db.owner`select count(*)::int as n from rule_run_change where run_id = ${runId}`)[0]!.n;
  expect([await written(), await logged()]).toEqual([0, 0]);
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
  expect(task).toMatchObject({ status: "succeeded", attempt: 2, done_count: 15 });
  expect([await written(), await logged()]).toEqual([5, 5]);
  const [run] = await db.owner`select status, changed_count, skipped_count from rule_run where id = ${runId}`;
  expect(run).toEqual({ status: "DONE", changed_count: 15, skipped_count: 0 });
  const [batches] = await db.owner`select count(*)::int as n from plan_batch where project_id = ${at.id} and source = 'owner_rule'`;
  expect(batches!.n).toBe(1);
});
