import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeProject } from "../../../support/factories.ts";
import { makeDraft } from "../../activity-flows/make-flow.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let other: { id: number; number: string };
let pm: CtxUser;
let user: CtxUser;
const tasks = importsOf(db, () => ({ project, user }));

beforeAll(async () => {
  project = await makeProject(db.owner);
  other = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  user = pm;
  await grantRole(db.owner, other.id, pm.id, "PM");
  const build = await makeDraft(pm, project.number, "Build", "Survey* Install");
  await tasks.call("flow/copy", { id: build.id, name: "=Swap" });
  const started = await tasks.call("flow/copy", { id: build.id, name: "Build", toProjectNumber: other.number });
  await db.owner`insert into activity_library (project_id, slot, code, name) values (${other.id}, 2000, 'LAST', 'Survey')`;
  await tasks.run(started.data.taskId);
});
beforeEach(() => {
  user = pm;
});

const list = async (filters: object[] = [], page = 1) =>
  tasks.call(`replicationLog/list/${page}/10/default/${encodeURIComponent(JSON.stringify(filters))}`);
const names = async (filters: object[]) => (await list(filters)).data.records.map(({ targetName }: { targetName: string }) => targetName);

describe("replicationLog/list", () => {
  it("is filtered by flow, status, project, person and days [LOG-03]", async () => {
    expect(await names([])).toEqual(["Build", "=Swap"]);
    expect(await names([{ field: "flow", type: "like", values: ["swAP"] }])).toEqual(["=Swap"]);
    expect(await names([{ field: "status", type: "in", values: ["partly", "failed"] }])).toEqual(["Build"]);
    expect(await names([{ field: "project", type: "eq", values: [other.number] }])).toEqual(["Build"]);
    expect(await names([{ field: "actor", type: "eq", values: [pm.id + 1] }])).toEqual([]);
    expect(await names([{ field: "at", type: "range", values: ["2026-10-14", "2026-10-14"] }])).toHaveLength(2);
    expect(await names([{ field: "at", type: "range", values: [null, "2026-10-13"] }])).toEqual([]);
    expect((await list([{ field: "at", type: "range", values: ["x", null] }])).status).toBe(400);
    expect((await list([], 1_001)).code).toBe("NARROW_FILTER");
  });

  it("offers a retry to those who may copy, and is shown to those who see the log", async () => {
    expect((await list()).data.records[0]).toMatchObject({ status: "partly", mayRetry: true });
    user = await makeMember(db.owner, project.id, "TD");
    expect((await list()).data.records[0].mayRetry).toBe(false);
    user = await makeMember(db.owner, project.id, "CM");
    expect((await list()).status).toBe(403);
    user = await makeMember(db.owner, other.id, "PM");
    expect((await list()).status).toBe(403);
  });
});

describe("replicationLog/export", () => {
  it("writes a row per activity, newest copy first [LOG-03]", async () => {
    const started = await tasks.call("replicationLog/export", { filters: [] });
    const task = await tasks.run(started.data.taskId);
    expect(task).toMatchObject({ status: "succeeded", done_count: 4 });
    const rows = await tasks.workbook(task.result_file_id);
    expect(rows[0]).toEqual(["Time", "Person", "Flow", "Into project", "Copy", "Status", "Activity", "Result", "Reason"]);
    expect(rows.slice(1).map((row) => row.slice(2))).toEqual([
      ["Build", other.number, "Build", "In part", "Survey", "Matched"],
      ["Build", other.number, "Build", "In part", "Install", "Failed", expect.stringContaining("2,000")],
      ["Build", null, "=Swap", "Complete", "Survey", "Matched"],
      ["Build", null, "=Swap", "Complete", "Install", "Matched"],
    ]);
    await db.owner`delete from rate_limit`;
    expect(await tasks.call("replicationLog/export", { filters: [{ field: "flow", type: "like", values: ["nothing"] }] })).toMatchObject({
      code: "NO_DATA",
    });
  });
});
