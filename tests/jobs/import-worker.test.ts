import { afterEach, beforeAll, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { importsOf, useFiles } from "../lib/imports/support.ts";
import { useDatabase } from "../support/database.ts";
import { makeMember, makeProject } from "../support/factories.ts";
import { makeActivities, makeFlow } from "../support/plan-factories.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
useFiles();
const processes: Process[] = [];
let project: { id: number; number: string };
let pm: CtxUser;
const imports = importsOf(db, () => ({ project, user: pm }));
const count = 10_000;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
});

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/import-worker-process.ts", db.url);
  processes.push(started);
  return started;
}

test("a worker killed while it writes: every accepted row arrives exactly once", { timeout: 300_000 }, async () => {
  const activities = await makeActivities(db.app, project.id, ["Survey", "Install"]);
  const flowId = await makeFlow(db.app, project.id, pm.id, activities);
  const lines = Array.from({ length: count }, (_, row) => `GD-${row},Site ${row},${row % 50 === 0 ? "1971-12-01" : "2026-09-30"}`);
  const fileId = await imports.upload("many.csv", `DU ID,DU name,Install actual end\n${lines.join("\n")}\n`);
  const preview = await imports.preview({ fileId, kind: "dus", options: { flowId, ownerId: pm.id } });
  expect(preview.result.counts).toEqual({ new: count - 200, changed: 0, unchanged: 0, conflict: 0, rejected: 200 });

  // The writer is held inside its transaction, after DUs and before plan rows are logged, by a lock on the row every batch has to take.
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from plan_seq where project_id = ${project.id} for update`;
  const { data } = await imports.call("import/apply", { taskId: preview.id });
  const first = await worker();
  await until(
    () => db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%plan_seq%'`,
    (rows) => rows.length > 0,
    90_000,
  );
  await end(first, "SIGKILL");
  await holder`rollback`;
  holder.release();
  expect((await db.owner`select count(*)::int as n from du where project_id = ${project.id}`)[0]?.n).toBe(0);

  await worker();
  const done = await until(
    () => imports.task(data.taskId),
    (task) => task.status !== "queued" && task.status !== "running",
    90_000,
  );
  expect(done).toMatchObject({ status: "partial", attempt: 2, done_count: count - 200, failed_count: 200 });
  const [totals] = await db.owner`
    select count(*)::int as dus, count(distinct code)::int as codes, (select count(*)::int from du_activity where project_id = ${project.id} and actual_end = '2026-09-30') as dates,
      (select count(*)::int from du_flow where project_id = ${project.id} and unbound_at is null) as bound from du where project_id = ${project.id}`;
  expect(totals).toEqual({ dus: count - 200, codes: count - 200, dates: count - 200, bound: count - 200 });
  expect((await imports.workbook(done.error_file_id)).length).toBe(201);
});
