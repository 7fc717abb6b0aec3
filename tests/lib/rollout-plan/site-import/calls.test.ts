import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import type { CtxUser } from "#lib/core/ctx.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
});

describe("an import of sites", () => {
  it("makes, changes and refuses sites, writes nothing of a refused row, and logs the change with the DUs that show it [OPS-48]", async () => {
    const [du] = await makeDus(db.app, project.id, [{ code: "D-1" }]);
    const fileId = await imports.upload(
      "sites.csv",
      "SITE_ID;LATITUDE;LONGITUDE;NAME;City\r\n10003026;-37.81517;144.97476;Spring and Flinders;Melbourne\r\nS-D-1;;;;Suzhou\r\nX;91;0;north of the pole;\r\n;;;nobody;\r\n10003026;1;1;twice;\r\n",
    );
    const opened = await imports.call("import/open", { fileId, kind: "sites", delimiter: ";" });
    expect(opened.data.columns.map((column: { field: string | null }) => column.field)).toEqual([
      "code",
      "latitude",
      "longitude",
      "name",
      "city",
    ]);
    const done = await imports.preview({ fileId, kind: "sites", delimiter: ";" });
    expect(done.result.counts).toEqual({ new: 1, changed: 1, unchanged: 0, conflict: 0, rejected: 3 });
    const rows = await imports.rows(done.id);
    expect(rows.map((row) => row.problems.map((problem) => problem.code))).toEqual([
      [],
      [],
      ["VALUE_RANGE"],
      ["VALUE_MISSING"],
      ["REPEATED_IN_FILE"],
    ]);
    const applied = await imports.apply(done.id);
    expect(applied).toMatchObject({ status: "partial", done_count: 2, failed_count: 3 });
    await expectSameWhenTakenUp(db, applied.id, imports.run);
    const [site] = await db.app`select latitude, longitude, name from customer_site where project_id = ${project.id} and code = '10003026'`;
    expect(site).toEqual({ latitude: -37.81517, longitude: 144.97476, name: "Spring and Flinders" });
    expect(
      await db.app`select code from customer_site where project_id = ${project.id} and (code = 'X' or name in ('nobody', 'twice'))`,
    ).toEqual([]);
    const [log] = await db.app`select attrs from plan_log where du_id = ${du as number}`;
    expect(log?.attrs).toEqual({ "site.city": ["Shanghai", "Suzhou"] });
  });

  it("takes workbooks of this project and kind only [OPS-17]", async () => {
    const make = async (meta: Record<string, string>) => {
      const bytes = await buffer(
        writeWorkbook({
          name: "x",
          columns: [
            { title: "Code", key: "code" },
            { title: "Town", key: "town" },
          ],
          rows: [["M-1", "x"]],
          meta,
        }),
      );
      return imports.upload("m.xlsx", bytes);
    };
    const open = async (meta: Record<string, string>) => imports.call("import/open", { fileId: await make(meta), kind: "sites" });
    expect(await open({ project: "ELSEWHERE", kind: "sites" })).toMatchObject({
      status: 422,
      code: "WRONG_PROJECT",
      msg: "The imported file is inconsistent with the current project",
    });
    expect(await open({ project: project.number, kind: "dus" })).toMatchObject({ status: 422, code: "WRONG_FILE" });
    expect(await open({ project: project.number, kind: "sites" })).toMatchObject({
      status: 200,
      data: {
        keyed: true,
        columns: [
          { title: "Code", field: "code" },
          { title: "Town", field: "town" },
        ],
      },
    });
    const failed = await imports.preview({ fileId: await make({ project: "ELSEWHERE", kind: "sites" }), kind: "sites" });
    expect(failed).toMatchObject({ status: "failed", message_key: "errors.WRONG_PROJECT" });
  });

  it.each([
    ["a.txt", "code,name\nA,b\n", "FILE_FORMAT"],
    ["a.xls", "code,name\nA,b\n", "FILE_FORMAT"],
    ["a.xlsx", "code,name\nA,b\n", "FILE_FORMAT"],
    ["a.csv", "PK\u0003\u0004 no text", "FILE_FORMAT"],
    ["a.csv", "code,name\n", "NO_DATA"],
    ["a.csv", "", "NO_DATA"],
  ])("refuses %s with %j [OPS-16]", async (name, text, code) => {
    const fileId = await imports.upload(name, text);
    expect(await imports.call("import/open", { fileId, kind: "sites" })).toMatchObject({ code });
  });

  it("gives a template that can be filled in: locked head, open cells, lists, and what it is", async () => {
    const made = await imports.call("import/template", { kind: "sites" });
    expect(made.data.name).toBe("Site import.xlsx");
    const bytes = Buffer.from(made.data.base64, "base64");
    const book = XLSX.read(bytes, { bookFiles: true });
    expect(book.SheetNames).toEqual(["Site import", "_lists", "_meta"]);
    expect(book.Workbook?.Sheets?.map((one) => one.Hidden)).toEqual([0, 1, 1]);
    const xml = String((book as unknown as { files: Record<string, { content: Buffer }> }).files["xl/worksheets/sheet1.xml"]?.content);
    expect(xml).toContain("<sheetProtection");
    expect(xml).toMatch(/<dataValidation type="list"[^>]*>.*_lists/s);
    const rows = XLSX.utils.sheet_to_json<string[]>(book.Sheets["Site import"] as XLSX.WorkSheet, { header: 1 });
    expect(rows[0]?.slice(0, 2)).toEqual(["code", "name"]);
    expect(rows[1]?.slice(0, 2)).toEqual(["Customer site ID", "Customer site name"]);
    XLSX.utils.sheet_add_aoa(book.Sheets["Site import"] as XLSX.WorkSheet, [["T-1", "From a template"]], { origin: "A3" });
    const fileId = await imports.upload("filled.xlsx", XLSX.write(book, { type: "buffer", bookType: "xlsx" }));
    const done = await imports.preview({ fileId, kind: "sites" });
    expect(done.result.counts).toMatchObject({ new: 1, rejected: 0 });
  });

  it("lists the kinds a person may import", async () => {
    expect((await imports.call("import/kinds")).data.kinds.map((one: { kind: string }) => one.kind)).toEqual([
      "calendar",
      "duRelations",
      "dus",
      "flows",
      "members",
      "networkRegions",
      "resources",
      "sites",
      "duOwners",
      "regionOwners",
      "planFeedback",
      "reversePlan",
      "plan",
    ]);
  });
});
