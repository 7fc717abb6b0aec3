import { readFile } from "node:fs/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { withLocalFile } from "#lib/core/storage.ts";
import { type Cell, cellText } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { importFileBytes } from "#lib/du-tabs/sheets/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { readSheet, type Sheet } from "../../../support/read-sheet.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { makeTab, makeTabAttribute } from "../make-tab.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;
let tabId: number;
let dus: number[];
let day: { id: number; key: string };
let note: { id: number; key: string };
let kind: { id: number; key: string; enumIds: number[] };

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
  dus = await makeDus(db.owner, project.id, [{ code: "D-1" }, { code: "D-2" }, { code: "D-3" }]);
});

let tabs = 0;
beforeEach(async () => {
  await db.owner`delete from rate_limit`;
  await db.owner`update attribute set deleted_at = now() where project_id = ${project.id}`;
  tabId = await makeTab(db.owner, project.id, `NE: ${++tabs}`);
  kind = await makeTabAttribute(db.owner, project.id, tabId, { name: "Kind", type: "ENUM", enums: ["One", "Two"], required: true });
  day = await makeTabAttribute(db.owner, project.id, tabId, { name: "Install date", type: "DATE" });
  await makeTabAttribute(db.owner, project.id, tabId, { name: "Hour", type: "TIME" });
  await makeTabAttribute(db.owner, project.id, tabId, { name: "Count", type: "NUMBER" });
  note = await makeTabAttribute(db.owner, project.id, tabId, { name: "DU name" });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
const filesOf = (user: CtxUser) => importsOf(db, () => ({ project, user }));
const seed = (rows: object[], tab = tabId) => done(call("duTabAttr/saveRow", { tabId: tab, rows }));
const seedTwo = () =>
  seed(["7001", "7002"].map((sn, at) => ({ duId: dus[at], sn, data: { [kind.key]: String(kind.enumIds[0]), [day.key]: "2026-03-01" } })));
const list = async (tab = tabId) =>
  (await done(call("duTabAttr/list", { page: 1, size: 20, filters: [{ field: "tabId", type: "eq", values: [tab] }] }))).records;

const ctx = () => ({ sql: db.app, project, user: pm, now: clock }) as never;
const read = (fileId: string): Promise<Sheet> => withLocalFile(ctx(), fileId, readSheet);
async function exported(filters: object[] = [], user = pm, tab = tabId): Promise<Sheet> {
  const { taskId } = await done(call("duTabAttr/export", { tabId: tab, filters }, user));
  const task = await filesOf(user).run(taskId);
  expect(task, JSON.stringify(task)).toMatchObject({ status: "succeeded", direction: "export" });
  return read(task.result_file_id);
}
async function bytesOf({ sheet, meta, rows: [keys = [], heads = [], ...rows] }: Sheet): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const columns = Array.from({ length: Math.max(keys.length, heads.length) }, (_, at) => ({
    key: cellText(keys[at] ?? null),
    title: cellText(heads[at] ?? null),
  }));
  for await (const chunk of writeWorkbook({ name: sheet, columns, rows: rows.map((row) => Array.from(row, (cell) => cell ?? null)), meta }))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const upload = async (book: Sheet, user = pm, name = "ne.xlsx") => filesOf(user).upload(name, await bytesOf(book));
async function imported(books: Sheet[], user = pm) {
  const fileIds = [];
  for (const [at, book] of books.entries()) fileIds.push(await upload(book, user, `file ${at + 1}.xlsx`));
  const { taskId } = await done(call("duTabAttr/import", { fileIds }, user));
  return filesOf(user).run(taskId);
}
/** Column of a head. */
const at = ({ rows }: Sheet, title: string) => {
  const found = rows[1]!.indexOf(title);
  expect(found, title).toBeGreaterThan(-1);
  return found;
};
/** The errors of an import as people read them, without the file. */
const errors = (task: { result: { errors: Record<string, unknown>[] } }) =>
  task.result.errors.map(({ sheet, row, column, msg }) => [sheet, row, column, msg]);
const codes = (task: { result: { errors: { code: string }[] } }) => task.result.errors.map(({ code }) => code);
const newest = () => db.owner`select id, tab_id, row_count from du_tab_export where tab_id = ${tabId}`;

describe("the workbook of a tab", () => {
  it("is a sheet of the tab's name with DU, fixed columns and attributes, and comes back changed [DUT-02] [DUT-13]", async () => {
    await seedTwo();
    const book = await exported();
    expect(book.sheet).toBe(`NE ${tabs}`);
    expect(book.rows[1]!.slice(1, 6)).toEqual(["DU ID", "SN", "DU name", "Customer site ID", "Customer site name"]);
    expect(book.rows[1]!.slice(-5)).toEqual(["Kind", "Install date", "Hour", "Count", "DU name (attribute)"]);
    expect(book.rows[2]).toEqual(expect.arrayContaining(["D-1", "7001", "One", { d: "2026-03-01" }]));
    expect(await newest()).toMatchObject([{ id: book.meta.token, row_count: 2 }]);
    const first = book.rows[2]!;
    first[at(book, "SN")] = "7009";
    first[at(book, "Kind")] = "two";
    first[at(book, "Install date")] = "2026-04-30";
    first[at(book, "Hour")] = "08:30";
    first[at(book, "Count")] = 2.5;
    first[at(book, "DU name (attribute)")] = "=note";
    book.rows.push([null, "D-3", "7003"]);
    book.rows[4]![at(book, "Kind")] = "One";
    const task = await imported([book]);
    expect(task, JSON.stringify(task)).toMatchObject({ status: "succeeded", direction: "import", done_count: 2, failed_count: 0 });
    const rows = await list();
    expect(rows).toMatchObject([
      {
        code: "D-1",
        sn: "7009",
        rowVersion: 2,
        data: { [kind.key]: String(kind.enumIds[1]), [day.key]: "2026-04-30", [note.key]: "=note" },
      },
      { code: "D-2", sn: "7002", rowVersion: 1 },
      { code: "D-3", sn: "7003", rowVersion: 1 },
    ]);
    expect(Object.values(rows[0].data)).toEqual(expect.arrayContaining(["08:30", 2.5]));
    const { records } = await done(call("duTabAttr/getHistory", { tabId, rowId: rows[0].id }));
    expect(records[0]).toMatchObject({ source: "IMPORT", changes: { sn: ["7001", "7009"] } });
    const pages = async (kind: string) =>
      (await done(call(`task/list/${kind}/1/20/default/[]`))).records.map(({ id }: { id: string }) => id);
    expect(await pages("import")).toContain(task.id);
    expect(await pages("export")).toContain(book.meta.token);
  });

  it("offers the values of a choice and refuses typing into what is only read", async () => {
    await seedTwo();
    const { taskId } = await done(call("duTabAttr/export", { tabId }));
    const { result_file_id: fileId } = await filesOf(pm).run(taskId);
    const XLSX = await import("xlsx");
    const files = await withLocalFile(ctx(), fileId, async (path) => XLSX.read(await readFile(path), { bookFiles: true }));
    expect(files.SheetNames).toEqual([`NE ${tabs}`, "_meta", "_lists"]);
    expect(files.Workbook?.Sheets?.map(({ Hidden }) => Hidden)).toEqual([0, 1, 1]);
    expect(XLSX.utils.sheet_to_json(files.Sheets._lists!, { header: 1 })).toEqual([["One"], ["Two"]]);
    const xml = String((files as unknown as { files: Record<string, { content: Buffer }> }).files["xl/worksheets/sheet1.xml"]!.content);
    expect(xml).toContain('type="custom" showErrorMessage="1" sqref="B3:B4"><formula1>FALSE<');
    expect(xml).not.toContain('sqref="C3:C4"');
    expect(xml).toContain("<formula1>_lists!$A$1:$A$2</formula1>");
  });

  it("of an empty tab is there to be filled in; filters narrow it", async () => {
    const empty = await exported();
    expect(empty.rows).toHaveLength(2);
    empty.rows.push([null, "D-1", "1"]);
    empty.rows[2]![at(empty, "Kind")] = "One";
    expect((await imported([empty])).status).toBe("succeeded");
    await seed([{ duId: dus[1], sn: "2", data: { [kind.key]: String(kind.enumIds[0]) } }]);
    const book = await exported([{ field: "search", type: "like", values: ["D-2"] }]);
    expect(book.rows.slice(2).map((row) => row[2])).toEqual(["2"]);
  });

  it("of a tab by DU has a line for every DU; lines nobody filled in are passed over, values of the DU go with it", async () => {
    const tab = await makeTab(db.owner, project.id, `By DU ${tabs}`, "DU");
    const own = await makeTabAttribute(db.owner, project.id, tab, { name: "Own", required: true });
    const ofDu = await makeTabAttribute(db.owner, project.id, tab, { name: "Of DU", ofDu: true });
    const book = await exported([], pm, tab);
    expect(book.rows.slice(2).map((row) => row[1])).toEqual(["D-1", "D-2", "D-3"]);
    book.rows[3]![at(book, "Own")] = "filled";
    book.rows[3]![at(book, "Of DU")] = "kept with the DU";
    const task = await imported([book]);
    expect(task, JSON.stringify(task.result)).toMatchObject({ status: "succeeded", done_count: 1 });
    const rows = await list(tab);
    expect(rows[1]).toMatchObject({ rowVersion: 1, data: { [own.key]: "filled", [ofDu.key]: "kept with the DU" } });
    expect(rows.map(({ id }: { id: number | null }) => id !== null)).toEqual([false, true, false]);
    // The row is there now: what was exported before it is not taken again.
    expect(codes(await imported([book]))).toEqual(["ROW_CHANGED_SINCE"]);
  });

  it("hides what the caller does not see, and passes over cells he may not write [DUT-16]", async () => {
    await seedTwo();
    await db.owner`insert into du_tab_user (project_id, tab_id, user_id, mode) values (${project.id}, ${tabId}, ${tl.id}, 'RW')`;
    await db.owner`
      insert into attribute_permission (project_id, subject_type, user_id, entries, updated_at)
      values (${project.id}, 'ACCOUNT', ${tl.id}, ${db.owner.json([
        { attributeId: day.id, mode: "HIDDEN" },
        { attributeId: note.id, mode: "RO" },
      ])}, now())`;
    const book = await exported([], tl);
    expect(book.rows[1]).not.toContain("Install date");
    book.rows[2]![at(book, "DU name (attribute)")] = "not mine";
    const task = await imported([book], tl);
    expect(errors(task)).toEqual([[book.sheet, null, null, "The modification not data or has not modified permission"]]);
    book.rows[2]![at(book, "Count")] = 3;
    expect((await imported([book], tl)).status).toBe("succeeded");
    const [first] = await list();
    expect(first.data).toMatchObject({ [day.key]: "2026-03-01" });
    expect(first.data).not.toHaveProperty(note.key);
  });
});

describe("an import", () => {
  it("takes only the caller's newest export of the tab [DUT-03]", async () => {
    await seedTwo();
    const old = await exported();
    const book = await exported();
    const first = "Please export excel firstly before import excel!";
    const refused: [string, Sheet][] = [
      ["an older export", old],
      ["no token", { ...book, meta: { ...book.meta, token: "" } }],
      ["an unknown token", { ...book, meta: { ...book.meta, token: crypto.randomUUID() } }],
      ["another tab", { ...book, meta: { ...book.meta, tab: String(tabId + 1000) } }],
      ["a workbook of something else", { ...book, meta: { ...book.meta, kind: "plan" } }],
    ];
    for (const [name, given] of refused) {
      given.rows[2]![at(given, "Count")] = 1;
      const task = await imported([given]);
      expect(task.status, name).toBe("failed");
      expect(errors(task), name).toEqual([[null, null, null, first]]);
    }
    const foreign = await imported([{ ...book, meta: { ...book.meta, project: "OTHER" } }]);
    expect(codes(foreign)).toEqual(["EXPORT_FIRST", "WRONG_PROJECT"]);
    // Somebody else's is not the caller's.
    await db.owner`insert into du_tab_user (project_id, tab_id, user_id, mode) values (${project.id}, ${tabId}, ${tl.id}, 'RW')`;
    expect(codes(await imported([book], tl))).toEqual(["EXPORT_FIRST"]);
    await db.owner`update attribute set name = 'Tally' where name = 'Count' and project_id = ${project.id} and deleted_at is null`;
    expect(codes(await imported([book]))).toEqual(["EXPORT_FIRST"]);
    await db.owner`update attribute set name = 'Count' where name = 'Tally' and project_id = ${project.id} and deleted_at is null`;
    expect((await imported([book])).status).toBe("succeeded");
    // What it has changed is exported anew before it is changed again.
    book.rows[2]![at(book, "Count")] = 2;
    expect(codes(await imported([book]))).toEqual(["ROW_CHANGED_SINCE"]);
  });

  it("takes nothing for a tab that is deleted meanwhile", async () => {
    await seedTwo();
    const book = await exported();
    const { taskId } = await done(call("duTabAttr/import", { fileIds: [await upload(book)] }));
    const task = await meanwhile(
      db,
      (sql) => sql`update du_tab set deleted_at = now() where id = ${tabId}`,
      () => filesOf(pm).run(taskId),
    );
    expect(codes(task)).toEqual(["EXPORT_FIRST"]);
  });

  it("asks for the sheet of the tab, open to changes [DUT-04]", async () => {
    await seedTwo();
    const book = await exported();
    expect(codes(await imported([{ ...book, sheet: "Other" }]))).toEqual(["WRONG_FILE"]);
    const XLSX = await import("xlsx");
    const workbook = XLSX.read(await bytesOf(book));
    workbook.Sheets[book.sheet]!["!protect"] = { password: "x" };
    const fileId = await filesOf(pm).upload("p.xlsx", XLSX.write(workbook, { type: "buffer", bookType: "xlsx" }));
    const { taskId } = await done(call("duTabAttr/import", { fileIds: [fileId] }));
    const task = await filesOf(pm).run(taskId);
    expect(errors(task)).toEqual([[book.sheet, null, null, "Wrong template"]]);
  });

  it("names columns that are missing, stand twice or are new [DUT-05] [DUT-07]", async () => {
    await seedTwo();
    const book = await exported();
    const heads = (change: (heads: Cell[]) => void): Sheet => {
      const rows = book.rows.map((row) => [...row]);
      change(rows[1]!);
      return { ...book, rows };
    };
    const named = async (given: Sheet) => errors(await imported([given])).map(([sheet, row, column]) => [sheet, row, column]);
    const sn = at(book, "SN");
    expect(await named(heads((row) => row.splice(sn, 1, "Serial")))).toEqual([
      [book.sheet, 2, "SN"],
      [book.sheet, 2, "Serial"],
    ]);
    expect(await named(heads((row) => row.splice(at(book, "DU ID"), 1, "SN")))).toEqual([
      [book.sheet, 2, "DU ID"],
      [book.sheet, 2, "SN"],
    ]);
    expect(await named(heads((row) => row.push("Extra")))).toEqual([[book.sheet, 2, "Extra"]]);
    // Columns may stand in another order.
    const moved = book.rows.map((row) => [
      ...row.slice(0, sn),
      ...Array.from({ length: 1 }, () => row[at(book, "Count")] ?? null),
      ...row.slice(sn),
    ]);
    const last = at(book, "Count") + 1;
    for (const row of moved) row.splice(last, 1);
    moved[2]![sn] = 5;
    expect((await imported([{ ...book, rows: moved }])).status).toBe("succeeded");
  });

  it("writes nothing of a tab the caller only reads [DUT-12]", async () => {
    await seedTwo();
    const book = await exported([], tl);
    book.rows[2]![at(book, "Count")] = 1;
    const task = await imported([book], tl);
    expect(codes(task)).toEqual(["NO_TAB_WRITE"]);
    expect(errors(task)[0]![3]).toContain("No write permission");
    expect((await list())[0].rowVersion).toBe(1);
  });

  it("says of every wrong cell its sheet, row and column, and writes nothing [DUT-05] [DUT-06] [DUT-08] [DUT-09] [DUT-10] [DUT-11] [DUT-15]", async () => {
    await seedTwo();
    const book = await exported();
    const { sheet } = book;
    const width = book.rows[1]!.length;
    const add = (cells: Record<string, Cell>) => {
      const row: Cell[] = Array.from({ length: width }, () => null);
      for (const [title, cell] of Object.entries({ Kind: "One", ...cells })) row[at(book, title)] = cell;
      book.rows.push(row);
    };
    book.rows[2]![at(book, "Count")] = 8;
    add({ "DU ID": "D-1", SN: "7001" });
    add({ "DU ID": "D-1", SN: null });
    add({ "DU ID": "D-1", SN: "7003", "Install date": "2025/3/1" });
    add({ "DU ID": "D-1", SN: "7004", "Install date": "2025-02-29", Hour: "24:00", Count: "1,000", Kind: "Three" });
    add({ "DU ID": "D-1", SN: "7005", Kind: null });
    add({ "DU ID": "NONE", SN: "7006" });
    add({ "DU ID": null, SN: "7007" });
    add({ "DU ID": "D-1", SN: "7008", "DU name (attribute)": "x".repeat(4001) });
    add({ "DU ID": "D-1", SN: "7009", "DU name (attribute)": "x".repeat(4000), Hour: { d: "1899-12-30T23:59:00" } });
    const task = await imported([book]);
    const repeated = "Serial Number is repeated, please enter it again!";
    expect(errors(task)).toEqual([
      [sheet, 5, "SN", repeated],
      [sheet, 6, "SN", repeated],
      [sheet, 7, "Install date", "Install date: not a date"],
      [sheet, 8, "Kind", "Kind: invalid enum"],
      [sheet, 8, "Install date", "Install date: not a date"],
      [sheet, 8, "Hour", "Hour: not a time"],
      [sheet, 8, "Count", "Count: not a number"],
      [sheet, 9, "Kind", "Kind must not be empty"],
      [sheet, 10, "DU ID", "DU ID invalid, missing or empty"],
      [sheet, 11, "DU ID", "DU ID invalid, missing or empty"],
      [sheet, 12, "DU name (attribute)", "DU name: length over 4,000 characters"],
    ]);
    expect(task).toMatchObject({ status: "failed", failed_count: 8, done_count: 0, result: { errorCount: 11 } });
    expect((await list()).map(({ rowVersion }: { rowVersion: number }) => rowVersion)).toEqual([1, 1]);
    const rejects = await filesOf(pm).workbook(task.error_file_id);
    expect(rejects).toHaveLength(12);
    expect(rejects[1]).toEqual(["file 1.xlsx", sheet, 5, "SN", repeated]);
  });

  it("of a tab by DU takes a DU ID once in its sheet [DUT-05]", async () => {
    const tab = await makeTab(db.owner, project.id, `Once ${tabs}`, "DU");
    await makeTabAttribute(db.owner, project.id, tab, { name: "Own" });
    const book = await exported([], pm, tab);
    const own = at(book, "Own");
    book.rows[2]![own] = "first";
    book.rows[3]![own] = "second";
    // Once with a value, once with nothing to write.
    const more = ["again", null].map((value) => book.rows[2]!.map((cell, column) => (column === own ? value : column === 0 ? null : cell)));
    const once = [...book.rows];
    book.rows.push(...more);
    const task = await imported([book]);
    expect(task).toMatchObject({ status: "failed", done_count: 0 });
    const repeated = "Serial Number is repeated, please enter it again!";
    expect(errors(task)).toEqual([6, 7].map((row) => [book.sheet, row, "DU ID", repeated]));
    expect((await list(tab)).map(({ id }: { id: number | null }) => id)).toEqual([null, null, null]);
    expect(await imported([{ ...book, rows: once }])).toMatchObject({ status: "succeeded", done_count: 2 });
  });

  it("shows 1,000 errors and lists all of them in its workbook [DUT-15]", async () => {
    await seedTwo();
    const book = await exported();
    for (let no = 0; no < 1001; no++)
      book.rows.push([null, "NONE", `S-${no}`, ...Array.from({ length: at(book, "Kind") - 3 }, () => null), "One"]);
    const task = await imported([book]);
    expect(task.result.errors).toHaveLength(1000);
    expect(task).toMatchObject({ failed_count: 1001, result: { errorCount: 1001 } });
    expect(await filesOf(pm).workbook(task.error_file_id)).toHaveLength(1002);
  });

  it("refuses a serial number that another DU has, and a line moved to another DU [DUT-06] [DUT-10]", async () => {
    await seedTwo();
    const book = await exported([{ field: "search", type: "like", values: ["D-1"] }]);
    book.rows.push([null, "D-3", "7002"]);
    book.rows[3]![at(book, "Kind")] = "One";
    expect(errors(await imported([book]))).toEqual([[book.sheet, 4, "SN", "Serial Number is repeated, please enter it again!"]]);
    book.rows.pop();
    book.rows[2]![at(book, "DU ID")] = "D-3";
    expect(codes(await imported([book]))).toEqual(["DU_ID_INVALID"]);
  });

  it("refuses rows somebody has changed since, and an import that changes nothing [DUT-16]", async () => {
    const { saved } = await seedTwo();
    const book = await exported();
    const nothing = await imported([book]);
    expect(nothing.status).toBe("failed");
    expect(errors(nothing)).toEqual([[book.sheet, null, null, "The modification not data or has not modified permission"]]);
    await seed([{ id: saved[1].id, duId: dus[1], rowVersion: 1, data: { [note.key]: "theirs" } }]);
    book.rows[2]![at(book, "Count")] = 1;
    const task = await imported([book]);
    expect(errors(task)).toEqual([[book.sheet, 4, "SN", "The row was changed since the export"]]);
    expect((await list())[0].rowVersion).toBe(1);
  });

  it("takes each file whole or not at all, in the order given; an attempt after a killed one passes over what is written", async () => {
    await seedTwo();
    const book = await exported();
    const part = (no: number, count: Cell): Sheet => {
      const rows = [book.rows[0]!, book.rows[1]!, [...book.rows[no]!]];
      rows[2]![at(book, "Count")] = count;
      return { ...book, rows };
    };
    const task = await imported([part(2, 1), part(3, "many"), part(2, 2)]);
    expect(task).toMatchObject({ status: "partial", done_count: 1, failed_count: 2 });
    expect(task.result.files.map(({ name, isWritten }: { name: string; isWritten: boolean }) => [name, isWritten])).toEqual([
      ["file 1.xlsx", true],
      ["file 2.xlsx", false],
      ["file 3.xlsx", false],
    ]);
    expect(task.result.errors.map(({ file, code }: { file: string; code: string }) => [file, code])).toEqual([
      ["file 2.xlsx", "NOT_A_NUMBER"],
      ["file 3.xlsx", "ROW_CHANGED_SINCE"],
    ]);
    // As a worker leaves it that is killed behind its first file.
    const [kept] = task.result.files;
    await db.owner`
      update task set status = 'queued', finished_at = null, done_count = 1, failed_count = 0, result = null, kept = ${db.owner.json({ files: [kept] })} where id = ${task.id}`;
    const again = await filesOf(pm).run(task.id);
    expect(again).toMatchObject({ done_count: 1, failed_count: 2 });
    expect(again.result.errors).toEqual(task.result.errors);
    // And as it is left behind its last one.
    await db.owner`update task set status = 'queued', finished_at = null, result = null where id = ${task.id}`;
    expect(await filesOf(pm).run(task.id)).toMatchObject({ status: "partial", done_count: 1, failed_count: 2 });
    expect((await list()).map(({ rowVersion }: { rowVersion: number }) => rowVersion)).toEqual([2, 1]);
  });

  it("takes 5 files of 20 MB, xlsx or xlsm, of the caller [DUT-14] [OPS-15]", async () => {
    const book = await exported();
    const many = async (count: number) =>
      Promise.all(Array.from({ length: count }, (_, no) => upload(book, pm, `${no}.${no % 2 ? "XLSM" : "xlsx"}`)));
    const five = await many(5);
    expect((await call("duTabAttr/import", { fileIds: five })).status).toBe(200);
    const six = await call("duTabAttr/import", { fileIds: await many(6) });
    expect(JSON.stringify(six)).toContain("At most 5 files");
    expect(six.status).toBeGreaterThanOrEqual(400);
    expect((await call("duTabAttr/import", { fileIds: [] })).status).toBe(400);
    const sized = async (size: number) => {
      const fileId = await upload(book);
      await db.owner`update file_object set size = ${size} where id = ${fileId}`;
      return call("duTabAttr/import", { fileIds: [fileId] });
    };
    expect(importFileBytes).toBe(20 * 1024 * 1024);
    expect((await sized(importFileBytes)).status).toBe(200);
    expect(await sized(importFileBytes + 1)).toMatchObject({ status: 413, code: "FILE_TOO_LARGE" });
    expect(await call("duTabAttr/import", { fileIds: [await upload(book, pm, "a.csv")] })).toMatchObject({ code: "FILE_FORMAT" });
    expect(await call("duTabAttr/import", { fileIds: [await upload(book, tl)] })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is exported once at a time; another tab may be exported beside it", async () => {
    await done(call("duTabAttr/export", { tabId }));
    expect(await call("duTabAttr/export", { tabId })).toMatchObject({ code: "EXPORT_UNFINISHED" });
    const other = await makeTab(db.owner, project.id, "Beside");
    await done(call("duTabAttr/export", { tabId: other }));
    expect(await call("duTabAttr/export", { tabId: other })).toMatchObject({ code: "EXPORT_UNFINISHED" });
  });

  it("gives a refused file back with its wrong cells red and the reasons as comments; put right it is imported [DUT-15]", async () => {
    await seedTwo();
    const book = await exported();
    book.rows[2]![at(book, "Count")] = "many";
    book.rows[3]![at(book, "Kind")] = null;
    book.rows[3]![at(book, "Install date")] = "2025-02-29";
    const task = await imported([book]);
    expect(task.status).toBe("failed");
    const [{ markedFileId }] = task.result.files;
    const XLSX = await import("xlsx");
    const marked = await withLocalFile(ctx(), markedFileId, async (path) => XLSX.read(await readFile(path), { cellStyles: true }));
    const sheet = marked.Sheets[book.sheet]!;
    const cell = (row: number, title: string) => sheet[XLSX.utils.encode_cell({ r: row - 1, c: at(book, title) })];
    const told = (row: number, title: string) =>
      cell(row, title)
        ?.c?.map(({ t }: { t: string }) => t)
        .join();
    expect(told(3, "Count")).toBe("Count: not a number");
    expect(told(4, "Kind")).toBe("Kind must not be empty");
    expect(told(4, "Install date")).toBe("Install date: not a date");
    expect(told(3, "Kind")).toBeUndefined();
    expect(cell(3, "Count").s.fgColor.rgb).toBe("FFC7CE");
    expect(cell(3, "Kind").s?.fgColor).toBeUndefined();
    const again = await read(markedFileId);
    expect(again.meta).toEqual(book.meta);
    again.rows[2]![at(again, "Count")] = 4;
    again.rows[3]![at(again, "Kind")] = "One";
    again.rows[3]![at(again, "Install date")] = null;
    expect(await imported([again])).toMatchObject({ status: "succeeded", done_count: 2 });
    // A file that is not of the tab has no cells to mark.
    const foreign = await imported([{ ...book, meta: { ...book.meta, token: "" } }]);
    expect(foreign.result.files[0].markedFileId).toBeNull();
  });

  it("takes a value of the second level below the value of its row, where several have the same words", async () => {
    const [makers] = await db.owner<{ id: number }[]>`
      insert into lookup_list (project_id, code, updated_at) values (${project.id}, ${`Makers ${tabId}`}, now()) returning id`;
    const value = async (text: string, parent: number | null) =>
      (
        await db.owner<{ id: number }[]>`
        insert into lookup_value (list_id, parent_id, value) values (${makers!.id}, ${parent}, ${text}) returning id`
      )[0]!.id;
    const [north, south] = [await value("North", null), await value("South", null)];
    const [, below] = [await value("Other", north), await value("Other", south)];
    const maker = await makeTabAttribute(db.owner, project.id, tabId, { name: "Maker" });
    const model = await makeTabAttribute(db.owner, project.id, tabId, { name: "Model" });
    await db.owner`update attribute set type = 'LOOKUP_ENUM', lookup_list_id = ${makers!.id} where id = any(${[maker.id, model.id]}::bigint[])`;
    await db.owner`update attribute set lookup_parent_id = ${maker.id} where id = ${model.id}`;
    await seedTwo();
    const book = await exported();
    const [first, second] = [book.rows[2]!, book.rows[3]!];
    [first[at(book, "Maker")], first[at(book, "Model")]] = ["South", "Other"];
    second[at(book, "Model")] = "Other";
    expect(errors(await imported([book]))).toEqual([[book.sheet, 4, "Model", "Model: invalid enum"]]);
    second[at(book, "Model")] = null;
    expect((await imported([book])).status).toBe("succeeded");
    const [row] = await list();
    expect(row.data).toMatchObject({ [maker.key]: String(south), [model.key]: String(below) });
    // On the screen both go together too.
    const alone = { id: row.id, duId: row.duId, rowVersion: row.rowVersion, data: { [maker.key]: String(north) } };
    expect(await call("duTabAttr/saveRow", { tabId, rows: [alone] })).toMatchObject({
      code: "NOT_A_CHOICE",
      problems: [{ path: `rows.0.data.${model.key}` }],
    });
    await seed([{ ...alone, data: { ...alone.data, [model.key]: null } }]);
  });
});
