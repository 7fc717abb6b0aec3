import { afterEach, expect, test } from "vitest";
import { orderCalls, useOrderProject } from "../lib/work-orders/make-orders.ts";
import { useDatabase } from "../support/database.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const project = useOrderProject(db);
const { data, dus, install, survey } = orderCalls(db, project);
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed between two steps of a large NA request: every activity is NA exactly once", { timeout: 180_000 }, async () => {
  const duIds = await dus(150);
  await data(project.pm, "workOrder/dispatch", { duIds, activityIds: [survey().id] });
  // The second transaction of the task waits for a DU that somebody else holds; the first has 200 of the 300 requests.
  const holder = await db.owner.reserve();
  await holder`begin`;
  const asked = await data(project.pm, "activity/na/set", {
    duIds,
    activityIds: [survey().id, install().id],
    kind: "NA",
    reason: "no longer needed",
  });
  expect(asked).toMatchObject({ requested: 300, approving: 0, rejected: [] });
  await holder`select 1 from du where id = ${duIds.at(-1)!} for update`;
  const first = await worker();
  await until(
    () => db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%from du where%'`,
    (rows) => rows.length > 0,
  );
  await end(first, "SIGKILL");
  const counts = async () =>
    (
      await db.owner`
        select count(*) filter (where status = 'done')::int as done, count(*) filter (where status = 'processing')::int as open from na_request where project_id = ${project.id}`
    )[0];
  expect(await counts()).toEqual({ done: 200, open: 100 });
  await holder`rollback`;
  holder.release();

  await worker();
  const task = await until(
    async () => (await db.owner`select * from task where id = ${asked.taskId}`)[0]!,
    ({ status }) => status !== "queued" && status !== "running",
    90_000,
  );
  expect(task).toMatchObject({ status: "succeeded", attempt: 2, done_count: 300, failed_count: 0 });
  expect(await counts()).toEqual({ done: 300, open: 0 });
  const [bits] = await db.owner`
    select count(*) filter (where (state[1] >> 1) & 3 = 1 and (state[2] >> 1) & 3 = 1)::int as na, count(*) filter (where state[1] & (1 << 14) <> 0)::int as open
    from du_plan where project_id = ${project.id}`;
  expect(bits).toEqual({ na: 150, open: 0 });
  const [history] = await db.owner`
    select count(*)::int as steps, count(distinct work_order_id)::int as orders from work_order_event where project_id = ${project.id} and event = 'discard'`;
  expect(history).toEqual({ steps: 150, orders: 150 });
});
