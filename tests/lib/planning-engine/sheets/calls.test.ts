import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { withLocalFile } from "#lib/core/storage.ts";
import { type Cell, cellText } from "#lib/core/workbook-cell.ts";
import { maxUploadBytes } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { inputBlocks } from "#lib/planning-engine/input-check/limits.ts";
import { clock, useDatabase } from "#tests/support/database.ts";
import { setLimit } from "#tests/support/factories.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";
import { readSheet, type Sheet } from "#tests/support/read-sheet.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
const files = importsOf(db, () => ({ project, user: project.pm }));
let versionId: number;

const filled = async (address: string, rows: Record<string, unknown>[]) => {
  const answer = await call(project.pm, address, { versionId, rows });
  expect(answer.status, JSON.stringify(answer.problems ?? answer.msg)).toBe(200);
  return (answer.data as { ids: number[] }).ids;
};

beforeAll(async () => {
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
  const [duId, other] = await makeDus(db.owner, project.id, [{ code: "DU-A" }, { code: "=DU-B" }]);
  await call(project.pm, "engine/setting/save", {
    versionId,
    planStartDate: "2026-11-02",
    sortByRfi: true,
    targetAzimuth: 90,
    damageRate: 0.05,
  });
  await filled("nc/duConfig/save", [
    {
      duId,
      workflowName: "NEW",
      duType: "install",
      longitude: 10.5,
      latitude: -1.25,
      planEndDate: "2026-12-24",
      eomonth: "2026-12-01",
      rfiPriority: 2,
    },
    { duId: other, workflowName: "NEW", duType: "both", inScope: false },
  ]);
  await filled("engine/activity/save", [
    { workflowName: "NEW", activityName: "Survey", sort: 1, durationDays: 1 },
    {
      workflowName: "NEW",
      activityName: "Install",
      sort: 2,
      durationDays: 3,
      needSubcontractor: true,
      skillType: "INST",
      predecessors: [{ activityName: "Survey", relation: "SS", offsetDays: -2 }],
      coResource: ["Survey"],
    },
  ]);
  await filled("engine/skillResource/save", [{ skillType: "INST", resourceName: "R", region: null, teamCount: 4 }]);
  await filled("nc/duMaterial/save", [
    { duId, itemCode: "ANT", description: "=1+1", installQty: 2.25 },
    { duId, itemCode: "ANT", decomQty: 3 },
  ]);
  const rows = [{ name: "Main", type: "central", priority: 1 }];
  const [warehouseId] = ((await call(project.pm, "nc/centerWarehouse/save", { rows })).data as { ids: number[] }).ids;
  const stock = { warehouseId, itemCode: "ANT", inventoryQty: 0.5 };
  await filled("nc/inventory/save", [stock, stock, { ...stock, inventoryQty: null, planQty: 7, planInboundDate: "2026-11-09" }]);
  const substitute = { designItemCode: "ANT", designQty: 1, designPriority: 1, groupName: "G", warehouseQty: 2, substitutionPriority: 1 };
  await filled("nc/itemSubstitute/save", [{ ...substitute, warehouseItemCode: "ANT-2" }]);
  await filled("nc/reuseMaterial/save", [{ itemCode: "ANT", bufferRate: 0.1, turnaroundDays: 2 }]);
});

const ctx = () => ({ sql: db.app, project, user: project.pm, now: clock }) as never;
const read = (fileId: string): Promise<Sheet> => withLocalFile(ctx(), fileId, readSheet);
async function exportedFile(block: string): Promise<string> {
  const { taskId } = (await call(project.pm, "engine/input/export", { versionId, block })).data as { taskId: string };
  const task = await files.run(taskId);
  expect(task).toMatchObject({ status: "succeeded", direction: "export" });
  return task.result_file_id;
}
const exported = async (block: string) => read(await exportedFile(block));
async function bytesOf({ meta, rows }: Sheet): Promise<Buffer> {
  const [keys = [], heads = [], ...cells] = rows;
  const chunks: Buffer[] = [];
  const columns = keys.map((key, at) => ({ key: cellText(key), title: cellText(heads[at] ?? null) }));
  for await (const chunk of writeWorkbook({
    name: "Input",
    columns,
    rows: cells.map((row) => row.map((cell) => (cell !== null && typeof cell === "object" ? cell.d : cell))),
    meta,
  }))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const start = async (block: string, fileId: string) => call(project.pm, "engine/input/import", { versionId, block, fileId });
async function imported(block: string, sheet: Sheet | Buffer) {
  const fileId = await files.upload("input.xlsx", Buffer.isBuffer(sheet) ? sheet : await bytesOf(sheet));
  const { taskId } = (await start(block, fileId)).data as { taskId: string };
  expect(await upload(block)).toBe("uploading");
  const task = await files.run(taskId);
  await expectSameWhenTakenUp(db, taskId, files.run);
  return task;
}
const upload = async (block: string) =>
  (
    (await call(project.pm, "engine/input/status", { versionId })).data as { blocks: { block: string; uploadStatus: string | null }[] }
  ).blocks.find((row) => row.block === block)!.uploadStatus;
const tables = [
  "engine_setting",
  "engine_du",
  "engine_activity",
  "engine_skill_resource",
  "engine_du_material",
  "engine_inventory",
  "engine_item_substitute",
  "engine_reuse_material",
];
const state = async () => {
  const found: unknown[] = [];
  for (const table of tables)
    found.push(...(await db.owner`select * from ${db.owner(table)} where version_id = ${versionId} order by 1, 2, 3`));
  return found;
};
const column = ({ rows }: Sheet, key: string) => rows[0]!.indexOf(key);
/** The sheet with another value in a cell of a data row. */
const changed = (sheet: Sheet, row: number, key: string, value: Cell): Sheet => ({
  ...sheet,
  rows: sheet.rows.map((cells, at) =>
    at === row + 2
      ? Object.assign(
          Array.from({ length: sheet.rows[0]!.length }, (_, i) => cells[i] ?? null),
          { [column(sheet, key)]: value },
        )
      : cells,
  ),
});

describe("workbooks of inputs", () => {
  it.each(inputBlocks)("change nothing when they come back as they went out: %s", async (block) => {
    const before = await state();
    const file = await withLocalFile(ctx(), await exportedFile(block), (path) => readFile(path));
    expect(await imported(block, file)).toMatchObject({
      status: "succeeded",
      total_count: block === "inventory" ? 3 : ["du", "activity", "du_material"].includes(block) ? 2 : 1,
    });
    expect(await state()).toEqual(before);
    expect(await upload(block)).toBe("completed");
  });

  it("change what was changed, and add what is new by what tells rows apart [ENG-20]", async () => {
    const sheet = changed(await exported("activity"), 1, "durationDays", 5);
    const fresh = ["workflowName", "activityName", "sort", "durationDays", "predecessors"];
    const values = ["NEW", "Cutover", 3, "2", "Install FS+1\nSurvey ss"];
    sheet.rows.push(sheet.rows[0]!.map((key) => values[fresh.indexOf(String(key))] ?? null));
    expect(await imported("activity", sheet)).toMatchObject({ status: "succeeded" });
    const { records } = (await call(project.pm, "engine/activity/find/list", { page: 1, size: 20 })).data as {
      records: Record<string, unknown>[];
    };
    expect(records).toMatchObject([
      { activityName: "Survey", rowVersion: 1 },
      { activityName: "Install", durationDays: 5, rowVersion: 2, coResource: ["Survey"] },
      {
        activityName: "Cutover",
        durationDays: 2,
        predecessors: [
          { activityName: "Survey", relation: "SS", offsetDays: 0 },
          { activityName: "Install", relation: "FS", offsetDays: 1 },
        ],
      },
    ]);
    // Of another version, rows are known by what they say.
    const { id } = (await call(project.pm, "engine/version/copy", { fromVersionId: versionId, versionName: "Copy" })).data as {
      id: number;
    };
    const fileId = await files.upload("input.xlsx", await bytesOf(changed(await exported("reuse"), 0, "turnaroundDays", 9)));
    const { taskId } = (await call(project.pm, "engine/input/import", { versionId: id, block: "reuse", fileId })).data as {
      taskId: string;
    };
    expect(await files.run(taskId)).toMatchObject({ status: "succeeded" });
    expect(
      await db.owner`select version_id = ${id} as own, turnaround_days as days from engine_reuse_material order by version_id`,
    ).toEqual([
      { own: false, days: 2 },
      { own: true, days: 9 },
    ]);
    const setting = changed(await exported("setting"), 0, "horizonDays", 50);
    expect(await imported("setting", setting)).toMatchObject({ status: "succeeded" });
    expect((await call(project.pm, "engine/setting/find", { versionId })).data).toMatchObject({
      horizonDays: 50,
      targetAzimuth: 90,
      rowVersion: 2,
    });
  });

  it("are taken whole or not at all, and what is refused comes back with its reasons [ENG-20]", async () => {
    const sheet = await exported("du_material");
    const before = await state();
    let wrong = changed(changed(sheet, 0, "installQty", "many"), 1, "duCode", "DU-Z");
    wrong = {
      ...wrong,
      rows: [...wrong.rows, wrong.rows[2]!.map((cell, at) => (["id", "rowVersion"].includes(String(wrong.rows[0]![at])) ? null : cell))],
    };
    const task = await imported("du_material", wrong);
    expect(task).toMatchObject({ status: "failed", message_key: "engine-inputs.sheet.refused" });
    expect(await state()).toEqual(before);
    expect(await upload("du_material")).toBe("failed");
    const errors = await read(task.error_file_id);
    expect(errors.meta).toMatchObject({ block: "du_material" });
    const reasons = errors.rows.slice(2).map((row) => String(row[0] ?? ""));
    expect(reasons).toEqual([expect.stringMatching(/Install qty/), expect.stringMatching(/DU-Z/), expect.stringMatching(/./)]);
    // Mended, the file of refusals itself can be imported.
    const mended = changed(changed({ ...errors, rows: errors.rows.slice(0, -1) }, 0, "installQty", 4), 1, "duCode", "DU-A");
    expect(await imported("du_material", mended)).toMatchObject({ status: "succeeded" });
    expect(await imported("du_material", changed(sheet, 0, "installQty", 6))).toMatchObject({ status: "failed" });
    const loop = changed(await exported("activity"), 0, "predecessors", "Install FS");
    expect(await imported("activity", loop)).toMatchObject({ status: "failed" });
  });

  it("go out without rows, with 2,000 of them and no more; those of DUs with as many DUs as any export of DUs [OPS-10]", async () => {
    const own = ((await call(project.pm, "engine/version/save", { versionName: "Wide" })).data as { id: number }).id;
    const out = (block: string) => call(project.pm, "engine/input/export", { versionId: own, block });
    const end = () => db.owner`update task set status = 'succeeded' where kind = 'planningEngine.export'`;
    expect((await out("reuse")).status).toBe(200);
    await end();
    const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ itemCode: `I${at}` }));
    expect((await call(project.pm, "nc/reuseMaterial/save", { versionId: own, rows: rows(2_000) })).status).toBe(200);
    expect((await out("reuse")).status).toBe(200);
    await end();
    expect((await call(project.pm, "nc/reuseMaterial/save", { versionId: own, rows: [{ itemCode: "more" }] })).status).toBe(200);
    expect(await out("reuse")).toMatchObject({ code: "EXPORT_LIMIT", msg: expect.stringContaining("2,001") });
    const dus = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 101 }, (_, at) => ({ code: `W-${at}` })),
    );
    const needed = dus.flatMap((duId) => rows(20).map((row) => ({ ...row, duId, installQty: 1 })));
    expect((await call(project.pm, "nc/duMaterial/save", { versionId: own, rows: needed })).status).toBe(200);
    expect((await out("du_material")).status).toBe(200);
    await end();
    await setLimit(db.owner, project.id, "export.du", 100);
    expect(await out("du_material")).toMatchObject({ code: "EXPORT_LIMIT", msg: expect.stringContaining("101") });
  });

  it("belong to the project and the input, are xlsx and at most 100 MB [ENG-37] [OPS-15]", async () => {
    const sheet = await exported("reuse");
    const failure = async (block: string, given: Sheet) => {
      const { message_key, message_args } = await imported(block, given);
      return `${message_key} ${JSON.stringify(message_args)}`;
    };
    expect(await failure("reuse", { ...sheet, meta: { ...sheet.meta, project: "OTHER" } })).toMatch(/WRONG_PROJECT/);
    expect(await upload("reuse")).toBe("failed");
    expect(await failure("reuse", { ...sheet, meta: { ...sheet.meta, version: "0" } })).toMatch(/TEMPLATE_MISMATCH/);
    expect(await failure("substitution", sheet)).toMatch(/TEMPLATE_MISMATCH/);
    const bytes = await bytesOf(sheet);
    for (const name of ["input.xlsm", "input.csv"])
      expect((await start("reuse", await files.upload(name, name.endsWith("csv") ? "a" : bytes))).code).toBe("FILE_FORMAT");
    const fileId = await files.upload("input.xlsx", bytes);
    await db.owner`update file_object set size = ${maxUploadBytes + 1} where id = ${fileId}`;
    expect(await start("reuse", fileId)).toMatchObject({ status: 413, code: "FILE_TOO_LARGE" });
    await db.owner`update file_object set size = ${maxUploadBytes} where id = ${fileId}`;
    expect((await start("reuse", fileId)).status).toBe(200);
    await db.owner`update engine_plan_version set status = 'calculating' where id = ${versionId}`;
    expect((await start("reuse", fileId)).code).toBe("VERSION_LOCKED");
    await db.owner`update engine_plan_version set status = 'setting' where id = ${versionId}`;
  });
});
