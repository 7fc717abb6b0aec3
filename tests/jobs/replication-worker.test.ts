import { afterEach, expect, test } from "vitest";
import { done, makeDraft } from "../lib/activity-flows/make-flow.ts";
import { callAs } from "../support/call.ts";
import { useDatabase } from "../support/database.ts";
import { grantRole, makeMember, makeProject } from "../support/factories.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed while it copies a flow into another project leaves nothing there; the next one copies it once [LOG-03]", {
  timeout: 180_000,
}, async () => {
  const [here, there] = [await makeProject(db.owner), await makeProject(db.owner)];
  const pm = await makeMember(db.owner, here.id, "PM");
  await grantRole(db.owner, there.id, pm.id, "PM");
  const flow = await makeDraft(pm, here.number, "Build", "Survey* Install Accept", "Survey>Install Install>Accept");
  // The copy waits for the other project, where somebody is giving out slots.
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from project where id = ${there.id} for no key update`;
  const started = await done(
    callAs(pm, "flow/copy", { id: flow.id, name: "Build", toProjectNumber: there.number }, { project: here.number }),
  );
  const first = await worker();
  await until(
    () =>
      db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%from project where%'`,
    (rows) => rows.length > 0,
  );
  await end(first, "SIGKILL");
  await holder`rollback`;
  holder.release();
  const made = () => db.owner`select f.id from activity_flow f where f.project_id = ${there.id}`;
  expect(await made()).toHaveLength(0);

  await worker();
  const task = await until(
    async () => (await db.owner`select * from task where id = ${started.taskId}`)[0]!,
    ({ status }) => status !== "queued" && status !== "running",
    90_000,
  );
  expect(task).toMatchObject({ status: "succeeded", attempt: 2, done_count: 3, failed_count: 0 });
  expect(await made()).toHaveLength(1);
  const [library] = await db.owner`select count(*)::int as count from activity_library where project_id = ${there.id}`;
  expect(library!.count).toBe(3);
  const [log] = await db.owner`select status, success_count from replication_log where id = ${started.logId}`;
  expect(log).toEqual({ status: "done", success_count: 3 });
});
