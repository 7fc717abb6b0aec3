import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { makeViewProject } from "../make-view.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let tabId: number;
let view: Awaited<ReturnType<typeof makeViewProject>>;
const tasks = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  view = await makeViewProject(db.owner, project.id, pm.id);
  const saved = await tasks.call("multiDim/tab/save", {
    alias: "By town",
    dimension: "town",
    activityIds: [view.install, view.accept],
    showRate: true,
    showAmount: false,
  });
  tabId = saved.data.id;
});

describe("multiDim/export", () => {
  it("writes the table as ordered and searched, every figure a number, the totals last", async () => {
    await view.dus([{ town: "=Beech", install: "done" }, { town: "Apricot", install: "late", accept: "outside" }, { install: "late" }]);
    const started = await tasks.call("multiDim/export", { tabId, sort: { by: "done", activity: 0, dir: "desc" } });
    expect(started.status).toBe(200);
    const task = await tasks.run(started.data.taskId);
    expect(task).toMatchObject({ status: "succeeded", done_count: 4, title: "By town" });
    const rows = await tasks.workbook(task.result_file_id);
    expect(rows[0]).toEqual([
      "Town",
      "DUs",
      ...["Install", "Accept"].flatMap((name) =>
        ["applicable", "planned", "done", "delayed", "completion rate, %"].map((word) => `${name}: ${word}`),
      ),
    ]);
    expect(rows[1]).toEqual(["=Beech", 1, 1, 1, 1, 0, 100, 1, 0, 0, 0, 0]);
    expect(rows.slice(1).map((row) => row[0])).toEqual(["=Beech", "Apricot", "(empty)", "Total"]);
    expect(rows.find((row) => row[0] === "Apricot")!.slice(7)).toEqual([0, 0, 0, 0]);
    expect(rows.at(-1)!.slice(0, 7)).toEqual(["Total", 3, 3, 3, 1, 2, 33.3]);
  });

  it("refuses an empty table and somebody else's tab", async () => {
    expect(await tasks.call("multiDim/export", { tabId })).toMatchObject({ status: 422, code: "NO_DATA" });
    pm = await makeMember(db.owner, project.id, "TD");
    expect(await tasks.call("multiDim/export", { tabId })).toMatchObject({ status: 404 });
  });
});
