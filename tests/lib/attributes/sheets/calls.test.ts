import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { shownColumns } from "#components/grid/column-layout.ts";
import { hiddenByDefault, type PlanHead, planGridHead } from "#components/rollout-plan/plan-columns.ts";
import { firstState, gridView } from "#components/rollout-plan/plan-state.ts";
import { definitionColumns } from "#lib/attributes/sheets/limits.ts";
import { checksumOf } from "#lib/attributes/sheets/queries.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { withLocalFile } from "#lib/core/storage.ts";
import { cellText } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { readSheet, type Sheet } from "../../../support/read-sheet.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done } from "../../scheduling/make-scheduled.ts";
import { attributeCalls, given, refusal } from "../make-attribute.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
const call = attributeCalls(
  () => project,
  () => pm,
);
const files = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  pm = await makeMember(db.owner, (await makeProject(db.owner)).id, "PM");
});
let height: { id: number };
let kind: { id: number };
beforeEach(async () => {
  project = await makeProject(db.owner);
  await db.owner`insert into project_member (project_id, user_id, role, valid_from, granted_at) values (${project.id}, ${pm.id}, 'PM', '2026-01-01', now())`;
  height = await done(call("planAttr/save", given({ name: "Height", sortNo: 1 })));
  kind = await done(call("planAttr/save", given({ name: "Kind", type: "ENUM", sortNo: 2, enums: [{ value: "One" }, { value: "Two" }] })));
});

const ctx = () => ({ sql: db.app, project, user: pm, now: clock }) as never;
const read = (fileId: string): Promise<Sheet> => withLocalFile(ctx(), fileId, readSheet);
async function exported(input: object = {}): Promise<Sheet> {
  const { taskId } = await done(call("planAttr/export", input));
  const task = await files.run(taskId);
  expect(task).toMatchObject({ status: "succeeded", direction: "export" });
  return read(task.result_file_id);
}
async function upload(name: string, { meta, rows }: Sheet): Promise<string> {
  const [keys = [], heads = [], ...cells] = rows;
  const chunks: Buffer[] = [];
  const stream = writeWorkbook({
    name: "Attributes",
    columns: keys.map((key, at) => ({ key: cellText(key), title: cellText(heads[at] ?? null) })),
    rows: cells,
    meta,
  });
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return files.upload(name, Buffer.concat(chunks));
}
async function imported(sheet: Sheet) {
  const { taskId } = await done(call("planAttr/import", { fileId: await upload("attributes.xlsx", sheet) }));
  const task = await files.run(taskId);
  await expectSameWhenTakenUp(db, taskId, files.run);
  return task;
}
const at = (column: (typeof definitionColumns)[number]) => definitionColumns.indexOf(column);
const nameOf = async (id: number) => (await done(call("planAttr/getAttributeInfo", { ids: [id] }))).attributes[0];

describe("definitions as a workbook", () => {
  test("come back changed, with everything the file does not say kept", async () => {
    const sheet = await exported();
    expect(sheet.meta).toMatchObject({ project: project.number, kind: "attributes", node_count: "0", rows: `${height.id},${kind.id}` });
    expect(sheet.rows).toHaveLength(4);
    sheet.rows[2]![at("name")] = "Tower height";
    sheet.rows[2]![at("required")] = true;
    sheet.rows[3]![at("choices")] = "Two\nThree";
    expect(await imported(sheet)).toMatchObject({ status: "succeeded", done_count: 2 });
    expect(await nameOf(height.id)).toMatchObject({ name: "Tower height", required: true, inRolloutPlan: true, rowVersion: 2 });
    expect((await nameOf(kind.id)).enums.map(({ value, active }: { value: string; active: boolean }) => `${value} ${active}`)).toEqual([
      "Two true",
      "Three true",
      "One false",
    ]);
  });

  test("are imported all or none; what failed is a workbook on the page of imports [ATT-21]", async () => {
    const sheet = await exported();
    sheet.rows[2]![at("name")] = "Good name";
    sheet.rows[3]![at("name")] = "Bad <name>";
    const task = await imported(sheet);
    expect(task).toMatchObject({ status: "failed", direction: "import", failed_count: 1 });
    expect((await nameOf(height.id)).name).toBe("Height");
    const listed = await done(call("task/list/import/1/20/default/[]"));
    expect(listed.records.find(({ id }: { id: string }) => id === task.id)).toMatchObject({ status: "failed" });
    const failures = await read(task.error_file_id);
    expect(failures.rows[0]![0]).toBe("Failure reason");
    expect(failures.rows.map((row) => row[0] ?? null).slice(1)).toEqual([null, expect.stringContaining("may not contain")]);
  });

  test.each([
    ["of another project", (sheet: Sheet) => ({ ...sheet, meta: { ...sheet.meta, project: "OTHER" } }), "WRONG_PROJECT"],
    [
      "of other activity nodes",
      (sheet: Sheet) => ({
        ...sheet,
        meta: { ...sheet.meta, node_count: "7", checksum: checksumOf(project.number, 7, [height.id, kind.id]) },
      }),
      "node count",
    ],
    ["with a row missing", (sheet: Sheet) => ({ ...sheet, rows: sheet.rows.slice(0, 3) }), "row mismatch"],
    ["with an unknown row", (sheet: Sheet) => ({ ...sheet, rows: [...sheet.rows, [999_999_999, "Extra"]] }), "row mismatch"],
    ["with its hidden sheet edited", (sheet: Sheet) => ({ ...sheet, meta: { ...sheet.meta, rows: "1" } }), "row mismatch"],
    ["without its hidden sheet", (sheet: Sheet) => ({ ...sheet, meta: { project: "x", kind: "plan" } }), "template"],
  ])("a template %s is refused [ATT-22]", async (_name, change, reason) => {
    const sheet = change(await exported()) as Sheet;
    const task = await imported(sheet);
    expect(task.status).toBe("failed");
    expect(JSON.stringify(task.message ?? task)).toContain(reason);
    expect((await nameOf(height.id)).rowVersion).toBe(1);
  });

  test("exactly one file, xlsx or xlsm, of at most 100 MB is taken [ATT-19]", async () => {
    const sheet = await exported();
    for (const name of ["a.xlsx", "b.XLSM"])
      expect((await call("planAttr/import", { fileId: await upload(name, sheet) })).status).toBe(200);
    for (const name of ["a.csv", "a.xls", "attributes"])
      expect(await refusal(call("planAttr/import", { fileId: await files.upload(name, "x") })), name).toEqual(["FILE_FORMAT"]);
    expect(await refusal(call("planAttr/import", {}))).toHaveLength(1);
    expect((await call("planAttr/import", { fileId: [await upload("a.xlsx", sheet), await upload("b.xlsx", sheet)] })).status).toBe(400);
    const sized = async (size: number) => {
      const fileId = await upload("large.xlsx", sheet);
      await db.owner`update file_object set size = ${size} where id = ${fileId}`;
      return (await call("planAttr/import", { fileId })).code;
    };
    expect(await sized(100 * 1024 * 1024)).toBeUndefined();
    expect(await sized(100 * 1024 * 1024 + 1)).toBe("FILE_TOO_LARGE");
  });
});

describe("values as a workbook", () => {
  test("are exported for every DU and come back as an ordinary import of changed cells", async () => {
    const [first, second] = await makeDus(db.owner, project.id, [{ code: "V-1" }, { code: "V-2" }]);
    const sheet = await exported({ kind: "VALUES" });
    const column = sheet.rows[0]!.indexOf(`a${height.id}`);
    expect(sheet.rows.slice(2).map((row) => row[0])).toEqual(["V-1", "V-2"]);
    sheet.rows[2]![column] = 42;
    const { taskId } = await done(call("planAttr/import", { kind: "VALUES", fileId: await upload("values.xlsx", sheet) }));
    const preview = await files.run(taskId);
    expect(preview).toMatchObject({ kind: "imports.preview", status: "succeeded" });
    expect(await files.apply(taskId)).toMatchObject({ status: "succeeded", done_count: 1 });
    const rows = await db.owner<
      { ext: Record<string, unknown> }[]
    >`select ext from du where id = any(${[first!, second!]}::bigint[]) order by id`;
    expect(rows.map(({ ext }) => ext[`a${height.id}`])).toEqual([42, undefined]);
  });

  test("of a new attribute are in the grid, the filters, the workbook and the rules right after its save", async () => {
    const [first, second] = await makeDus(db.owner, project.id, [{ code: "N-1" }, { code: "N-2" }]);
    const { id } = await done(call("planAttr/save", given({ name: "Mast height" })));
    const crew = await done(call("planAttr/save", given({ name: "Crew", type: "TEXT", level: "ACTIVITY" })));
    const key = `a${id}`;
    const head: PlanHead = await done(call("rolloutPlan/head"));
    const grid = planGridHead(head, { fields: "", attributes: "", bar: "", barTitle: "" }, {});
    const shown = shownColumns(grid, gridView(firstState, grid, head)).map(({ column }) => column);
    expect(shown.find((column) => column.key === key)).toMatchObject({ title: "Mast height", editable: true, filterable: true });
    expect(hiddenByDefault(head)).not.toContain(`*:a${crew.id}`);
    await done(call("rolloutPlan/save", { edits: [{ duId: first, field: key, value: 32, base: null }] }));
    const filters = [{ field: key, type: "range", values: [30, null] }];
    expect((await done(call("wbs/filter", { filters, ids: true }))).duIds).toEqual([first]);
    const { objects, fields } = await done(call("planAutoRule/objects"));
    expect(objects.find((object: { key: string }) => object.key === key)).toMatchObject({ title: "Mast height", type: "number" });
    expect(fields.find((field: { key: string }) => field.key === key)).toMatchObject({ kind: "number", fillable: true });
    const { taskId } = await done(call("rolloutPlan/export", { duIds: [first, second], columns: ["code", key] }));
    const book = await read((await files.run(taskId)).result_file_id);
    expect(book.rows.map((row) => row.slice(0, 2))).toEqual([
      ["code", key],
      ["DU ID", "Mast height"],
      ["N-1", 32],
      ["N-2", null],
    ]);
    book.rows[3]![1] = 33;
    const checked = await done(call("planAttr/import", { kind: "VALUES", fileId: await upload("new.xlsx", book) }));
    await files.run(checked.taskId);
    expect(await files.apply(checked.taskId)).toMatchObject({ status: "succeeded", done_count: 1 });
    expect((await done(call("wbs/filter", { filters, ids: true }))).duIds).toEqual([first, second]);
  });

  test("are exported and read back also where the plan does not show the attribute; one of a tab or hidden is not there", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ code: "H-1" }]);
    const beside = await done(call("planAttr/save", given({ name: "Beside the plan", inRolloutPlan: false })));
    const tab = await db.owner<{ id: number }[]>`
      insert into du_tab (project_id, name, key_mode, created_at, updated_at) values (${project.id}, 'Tab', 'SN', now(), now()) returning id`;
    const own = await done(call("planAttr/save", given({ name: "Of a tab", level: "TAB", duTabId: tab[0]!.id, inRolloutPlan: false })));
    const hidden = await done(call("planAttr/save", given({ name: "Hidden", inRolloutPlan: false })));
    await done(
      call("attrPermission/save", { subjectType: "ACCOUNT", userId: pm.id, entries: [{ attributeId: hidden.id, mode: "HIDDEN" }] }),
    );
    const sheet = await exported({ kind: "VALUES" });
    const keys = sheet.rows[0]!.map((key) => cellText(key));
    expect(keys).toContain(`a${beside.id}`);
    expect(keys.filter((key) => [`a${own.id}`, `a${hidden.id}`].includes(key))).toEqual([]);
    sheet.rows[2]![keys.indexOf(`a${beside.id}`)] = 7;
    const { taskId } = await done(call("planAttr/import", { kind: "VALUES", fileId: await upload("values.xlsx", sheet) }));
    await files.run(taskId);
    expect(await files.apply(taskId)).toMatchObject({ status: "succeeded", done_count: 1 });
    const [row] = await db.owner<{ ext: Record<string, unknown> }[]>`select ext from du where id = ${du!}`;
    expect(row!.ext).toEqual({ [`a${beside.id}`]: 7 });
    // What the plan does not show is not written by its grid.
    const edit = { duId: du, field: `a${beside.id}`, value: 8, base: 7 };
    expect((await done(call("rolloutPlan/save", { edits: [edit] }))).rejected).toMatchObject([{ code: "VALUE_UNKNOWN" }]);
  });
});
