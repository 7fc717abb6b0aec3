import { beforeAll, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";
import { importsOf, useFiles } from "./support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
});

const later = {
  zh: "数据仍在后台计算中，请稍后刷新",
  en: "The data is still being calculated in the background; refresh later",
  ja: "データはバックグラウンドで計算中です。しばらくしてから更新してください",
} as const;

it.each(["zh", "en", "ja"] as const)("a check that has not come to its end asks to refresh later, in %s [OPS-24]", async (locale) => {
  const fileId = await imports.upload("sites.csv", `code,name\n${locale}-1,One\n`);
  const { data } = await imports.call("import/preview", { fileId, kind: "sites" });
  const filters = encodeURIComponent(JSON.stringify([{ field: "task", type: "eq", values: [data.taskId] }]));
  const rows = () => imports.call(`import/rows/list/1/20/default/${filters}`, {}, { locale });
  for (const status of ["queued", "running"]) {
    await db.owner`update task set status = ${status} where id = ${data.taskId}`;
    expect(await rows()).toMatchObject({ status: 409, code: "CALCULATING", msg: later[locale] });
    expect(await imports.call("import/apply", { taskId: data.taskId }, { locale })).toMatchObject({
      code: "CALCULATING",
      msg: later[locale],
    });
  }
  await db.owner`update task set status = 'queued' where id = ${data.taskId}`;
  expect(await imports.run(data.taskId)).toMatchObject({ status: "succeeded" });
  expect((await rows()).data.records).toHaveLength(1);
});

it("keeps no row of a file that turns out at its end to be none that is read", { timeout: 60_000 }, async () => {
  const lines = Array.from({ length: 6_000 }, (_, row) => `END-${row},Site ${row}`).join("\n");
  const fileId = await imports.upload("sites.csv", `Customer site ID,Customer site name\n${lines}\nEND-X,${"y".repeat(40_000)}\n`);
  const task = await imports.preview({ fileId, kind: "sites" });
  expect(task).toMatchObject({ status: "failed", message_key: "errors.CELL_TOO_LONG" });
  expect(await db.owner`select 1 from import_row where task_id = ${task.id}`).toHaveLength(0);
});

it("says how wide a file is that grows behind its first rows, and reads a column that only begins there", async () => {
  const lines = Array.from({ length: 200 }, (_, row) => `WIDE-${row},Site ${row}${row === 150 ? ",,Springfield" : ""}`).join("\n");
  const fileId = await imports.upload("sites.csv", `Customer site ID,Customer site name\n${lines}\n`);
  const { result } = await imports.preview({ fileId, kind: "sites" });
  expect(result.heads).toEqual(["Customer site ID", "Customer site name", "", ""]);
  const asked = await imports.preview({ fileId, kind: "sites", mapping: ["code", "name", null, "city"] });
  expect(asked.result.mapping).toEqual(["code", "name", null, "city"]);
  const [row] = await imports.rows(asked.id, [{ field: "search", type: "like", values: ["WIDE-150"] }]);
  expect(row?.cells.city?.text).toBe("Springfield");
});
