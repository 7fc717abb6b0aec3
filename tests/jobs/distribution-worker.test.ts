import { afterEach, expect, test } from "vitest";
import { useFiles } from "../lib/imports/support.ts";
import { mailsOf, makeDistributed } from "../lib/plan-versions/make-distributions.ts";
import { done } from "../lib/scheduling/make-scheduled.ts";
import { callAs } from "../support/call.ts";
import { useDatabase } from "../support/database.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
useFiles();
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed between two addresses a plan is sent to: each gets its workbook exactly once", { timeout: 180_000 }, async () => {
  const { project, pm, versionId } = await makeDistributed(db.owner);
  const recipients = [{ email: "first@example.org" }, { email: "second@example.org" }];
  const { ids, taskId } = await done(callAs(pm, "planDistribution/send", { versionId, recipients }, { project: project.number }));
  // The second transaction of the task waits for a distribution that somebody else holds.
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from plan_distribution where id = ${ids[1]} for update`;
  const first = await worker();
  await until(
    () =>
      db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%update plan_distribution%'`,
    (rows) => rows.length > 0,
  );
  await end(first, "SIGKILL");
  const sent = async () =>
    (await mailsOf(db.owner, project.id)).filter(({ kind }) => kind === "planDistribution.sent").map(({ address }) => address);
  expect(await sent()).toEqual(["first@example.org"]);
  await holder`rollback`;
  holder.release();

  await worker();
  const task = await until(
    async () => (await db.owner`select * from task where id = ${taskId}`)[0]!,
    ({ status }) => status !== "queued" && status !== "running",
    90_000,
  );
  expect(task).toMatchObject({ status: "succeeded", attempt: 2, done_count: 2, failed_count: 0 });
  expect(await sent()).toEqual(["first@example.org", "second@example.org"]);
  expect(await db.owner`select 1 from plan_distribution where project_id = ${project.id} and file_id is null`).toHaveLength(0);
});
