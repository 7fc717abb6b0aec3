import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { maxExportCells } from "#lib/core/workbook-limits.ts";
import { startListExport } from "#lib/tasks/list-export/commands.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let user: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  user = await makeMember(database.owner, project.id, "PM");
});
beforeEach(async () => {
  await database.owner`delete from task`;
});

const start = (list: { total: number; columns?: number; counted?: number; limit?: "export.du" }) => {
  const ctx = { sql: database.app, project, user, now: clock, locale: "en", audit: () => {} };
  return startListExport(ctx as never, { kind: "logs.auditExport", title: "List", params: {}, columns: 1, ...list });
};
const tasks = async () =>
  (await database.owner`select total_count from task where project_id = ${project.id}`).map((row) => row.total_count);

describe("the export of a list", () => {
  it("takes 5,000,000 cells and refuses one more [OPS-13]", async () => {
    expect(maxExportCells).toBe(5_000_000);
    // Rows beside what is counted, so that no limit of rows comes before that of cells.
    await expect(start({ total: maxExportCells + 1, counted: 1 })).rejects.toMatchObject({
      code: "EXPORT_CELLS",
      params: { count: 5_000_001, max: 5_000_000 },
    });
    await expect(start({ total: 2_000, columns: 2_501 })).rejects.toMatchObject({ code: "EXPORT_CELLS" });
    expect(await tasks()).toEqual([]);
    await start({ total: 2_000, columns: 2_500 });
    expect(await tasks()).toEqual([2_000]);
  });

  it("takes 2,000 rows and refuses one more; of DUs it takes 9,999 [OPS-10]", async () => {
    await expect(start({ total: 2_001 })).rejects.toMatchObject({ code: "EXPORT_LIMIT", params: { count: 2_001, max: 2_000 } });
    await expect(start({ total: 10_000, limit: "export.du" })).rejects.toMatchObject({ code: "EXPORT_LIMIT" });
    expect(await tasks()).toEqual([]);
    await start({ total: 2_000 });
    await database.owner`delete from task`;
    await start({ total: 9_999, limit: "export.du" });
    expect(await tasks()).toEqual([9_999]);
  });

  it("is refused without rows [OPS-12], unless other things are counted", async () => {
    await expect(start({ total: 0 })).rejects.toMatchObject({ code: "NO_DATA" });
    expect(await tasks()).toEqual([]);
    await start({ total: 0, counted: 0 });
    expect(await tasks()).toEqual([0]);
  });
});
