import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeScheduledFlow, type ScheduledFlow } from "../../scheduling/make-scheduled.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: ScheduledFlow;
const { run, workbook } = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  flow = await makeScheduledFlow(db.owner, project.id, pm.id, "A* arrival 1\nB build 3 | A FS 0");
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const plan = { 1: { plan_start: "2026-10-14", plan_end: "2026-10-14" }, 2: { plan_start: "2026-10-15", plan_end: "2026-10-19" } };
const dus = (...codes: string[]) =>
  makeDus(
    db.owner,
    project.id,
    codes.map((code) => ({ code, plan: structuredClone(plan) })),
    flow,
  );
const baseline = async () => (await done(call("dataVersion/save", { kind: "baseline", name: "promise" }))).id as number;
/** The cells of the exported sheet, days as ISO text. */
async function exported(input: object) {
  const { taskId } = await done(call("dataVersion/export", input));
  const task = await run(taskId);
  expect(task).toMatchObject({ status: "succeeded" });
  return (await workbook(task.result_file_id)).map((row) =>
    row.map((cell) => (cell !== null && typeof cell === "object" && "d" in cell ? cell.d.slice(0, 10) : cell)),
  );
}

describe("dataVersion/export", () => {
  test("of a version has a row per DU with the dates of its activities", async () => {
    await dus("DU-10", "DU-9");
    const id = await baseline();
    await db.owner`update du_plan set plan_end = '{9799,9799}'`;
    const [head, ...rows] = await exported({ id });
    expect(head!.slice(0, 4)).toEqual(["DU", "Name", "arrival Plan start", "arrival Plan end"]);
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ["DU-9", "Name of DU-9", "2026-10-14", "2026-10-14"],
      ["DU-10", "Name of DU-10", "2026-10-14", "2026-10-14"],
    ]);
  });

  test("of a comparison has a row per DU that differs, with both dates and the shift", async () => {
    const [first] = await dus("DU-1", "DU-2");
    const id = await baseline();
    await db.owner`update du_plan set plan_end = '{9785,9788}' where du_id = ${first!}`;
    const sheet = await exported({ left: id, right: "current", fields: ["planEnd"] });
    expect(sheet).toEqual([
      ["DU", "Name", "arrival Plan end Before", "arrival Plan end After", "arrival Plan end Working days"],
      ["DU-1", "Name of DU-1", "2026-10-14", "2026-10-16", 2],
    ]);
  });

  test("asks for a version or two sides, for data, and for the right to see versions", async () => {
    await dus("DU-1");
    const id = await baseline();
    expect((await call("dataVersion/export")).problems?.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "left VALUE_MISSING",
      "right VALUE_MISSING",
    ]);
    expect(await call("dataVersion/export", { left: id, right: "current" })).toMatchObject({ status: 422, code: "NO_DATA" });
    expect(await call("dataVersion/export", { id: 999_999 })).toMatchObject({ status: 404 });
    const other = await makeProject(db.owner);
    const otherPm = await makeMember(db.owner, other.id, "PM");
    expect(await callAs(otherPm, "dataVersion/export", { id }, { project: other.number })).toMatchObject({ status: 404 });
    const exporter = await makeMember(db.owner, project.id, "SCM");
    expect((await call("dataVersion/export", { id }, exporter)).status).toBe(403);
  });
});
