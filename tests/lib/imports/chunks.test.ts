import { beforeAll, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { chunkRows } from "#lib/imports/limits.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../support/factories.ts";
import { expectSameWhenTakenUp } from "../../support/take-up.ts";
import { importsOf, useFiles } from "./support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
const imports = importsOf(db, () => ({ project, user: pm }));
const count = chunkRows + 50;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
});

it("writes nothing of a file that is refused whole, also when it is taken up again behind the refusal", { timeout: 180_000 }, async () => {
  await makeRegion(db.app, project.id, "Passing");
  const lines = Array.from({ length: count }, (_, row) => `D-${row},${row === 0 ? "Passing" : ""}`);
  const preview = await imports.preview({ fileId: await imports.upload("dus.csv", `DU ID,Region\n${lines.join("\n")}\n`), kind: "dus" });
  expect(preview.result.counts).toMatchObject({ new: count, rejected: 0 });
  await db.app`update delivery_region set status = 'INVALID' where project_id = ${project.id}`;
  const applied = await imports.apply(preview.id, { mode: "all" });
  expect(applied).toMatchObject({ status: "failed", done_count: 0, failed_count: count, error_file_id: expect.any(String) });
  // Killed while the workbook of what was refused is written.
  await db.owner`update task set chunks_done = 1 where id = ${applied.id}`;
  await expectSameWhenTakenUp(db, applied.id, imports.run);
  expect(await db.owner`select 1 from du where project_id = ${project.id}`).toHaveLength(0);
});

it("writes more than 10,000 rows in chunks and continues behind the last one that was committed", { timeout: 180_000 }, async () => {
  await db.app`insert into customer_site (project_id, code, name) values (${project.id}, ${`S-${count - 1}`}, 'held')`;
  const lines = Array.from({ length: count }, (_, row) => `S-${row},Site ${row}`);
  const fileId = await imports.upload("sites.csv", `Customer site ID,Customer site name\n${lines.join("\n")}\n`);
  const preview = await imports.preview({ fileId, kind: "sites" });
  expect(preview.result.counts).toEqual({ new: count - 1, changed: 1, unchanged: 0, conflict: 0, rejected: 0 });

  // The second chunk waits for a row that somebody else holds, and its connection is cut.
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`select 1 from customer_site where project_id = ${project.id} for update`;
  const { data } = await imports.call("import/apply", { taskId: preview.id });
  const first = imports.run(data.taskId).then(
    () => "finished",
    () => "cut",
  );
  let waiting: number | undefined;
  while (waiting === undefined) {
    const [found] = await db.owner<
      { pid: number }[]
    >`select pid from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock'`;
    waiting = found?.pid;
  }
  expect(await imports.task(data.taskId)).toMatchObject({ chunks_done: 1, done_count: 9_998 });
  await db.owner`select pg_terminate_backend(${waiting})`;
  expect(await first).toBe("cut");
  await holder`rollback`;
  holder.release();
  expect((await db.owner`select count(*)::int as n from customer_site where project_id = ${project.id}`)[0]?.n).toBe(9_999);

  expect(await imports.run(data.taskId)).toMatchObject({
    status: "succeeded",
    attempt: 2,
    chunks_done: 2,
    done_count: count,
    failed_count: 0,
  });
  const [sites] =
    await db.owner`select count(*)::int as n, count(distinct code)::int as codes from customer_site where project_id = ${project.id}`;
  expect(sites).toEqual({ n: count, codes: count });
});
