import { beforeEach, describe, expect, it } from "vitest";
import { type Role, roles } from "#lib/permissions.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { makeHolder, makeOwned } from "../../../support/role-holders.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { useMilestones } from "../make-milestones.ts";

const db = useDatabase();
useFiles();
const { project, call, save, map } = useMilestones(db);
const { run, workbook } = importsOf(db, () => ({ project, user: project.pm }));
const address = "milestoneConfig/erp/export";
let ids: number[];

beforeEach(async () => {
  await db.owner`delete from rate_limit`;
  ids = [await save("M1", { nameEn: "Site ready", flag: "acceptance" }), await save("M2", { nameEn: "On air", enabled: true })];
  await map(ids[0]!, 1);
  await map(ids[1]!, 2);
  const plan = { 1: { plan_end: "2026-10-13", baseline_end: "2026-10-12" }, 2: { plan_end: "2026-10-20", actual_end: "2026-10-14" } };
  await makeDus(
    db.owner,
    project.id,
    [
      { code: "DU-10", plan },
      { code: "DU-9", plan: {} },
    ],
    project.flow,
  );
});

const sheetOf = async (input: object) => {
  const { taskId } = await done(call(address, input));
  const task = await run(taskId);
  expect(task).toMatchObject({ status: "succeeded" });
  return (await workbook(task.result_file_id)).map((row) =>
    row.map((cell) => (cell !== null && typeof cell === "object" && "d" in cell ? cell.d.slice(0, 10) : cell)),
  );
};

describe("milestoneConfig/erp/export", () => {
  it("writes a row per DU and milestone in the ERP-PM layout", async () => {
    expect(await sheetOf({ milestoneIds: ids })).toEqual([
      [
        "Project number",
        "DU ID",
        "DU name",
        "Milestone number",
        "Milestone name (English)",
        "Flag",
        "Plan date",
        "Actual date",
        "Baseline date",
        "Status",
      ],
      [project.number, "DU-9", "Name of DU-9", "M1", "Site ready", "Acceptance", null, null, null, "Not planned"],
      [project.number, "DU-9", "Name of DU-9", "M2", "On air", "Normal", null, null, null, "Not planned"],
      [project.number, "DU-10", "Name of DU-10", "M1", "Site ready", "Acceptance", "2026-10-13", null, "2026-10-12", "Delayed"],
      [project.number, "DU-10", "Name of DU-10", "M2", "On air", "Normal", "2026-10-20", "2026-10-14", null, "Completed"],
    ]);
    const one = await sheetOf({ milestoneIds: [ids[1]], filters: [{ field: "code", type: "in", values: ["DU-10"] }] });
    expect(one.slice(1).map((row) => row[1])).toEqual(["DU-10"]);
  });

  it("counts DUs, not rows, against the limit of DU exports", async () => {
    const admin = await makeMember(db.owner, project.id, "SYS_ADMIN");
    await done(call("pageMax/save", { key: "export.du", value: 100 }, admin));
    await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 98 }, () => ({})),
      project.flow,
    );
    // 100 DUs and 200 rows.
    await done(call(address, { milestoneIds: ids }));
    await db.owner`update task set status = 'succeeded' where project_id = ${project.id}`;
    await makeDus(db.owner, project.id, [{}], project.flow);
    expect(await call(address, { milestoneIds: ids.slice(1) })).toMatchObject({
      status: 422,
      code: "EXPORT_LIMIT",
      msg: "The export has 101 rows, at most 100",
    });
  });

  it("is for PM, PCM and TD only [MDV-21]", async () => {
    const allowed: readonly Role[] = ["PM", "PCM", "TD"];
    const owned = await makeOwned(db.owner, project.id);
    for (const role of roles) {
      const answer = await call(address, { milestoneIds: ids }, await makeHolder(db.owner, project.id, role, owned));
      expect(answer, role).toMatchObject(allowed.includes(role) ? { status: 200 } : { status: 403, code: "NO_PERMISSION" });
    }
  });

  it("refuses milestones that are not there or disabled, unknown filters, and an export without DUs", async () => {
    const off = await save("M3", { enabled: false });
    expect(await call(address, { milestoneIds: [ids[0], off] })).toMatchObject({ status: 404 });
    expect((await call(address, { milestoneIds: ids, filters: [{ field: "ext", type: "eq", values: ["x"] }] })).status).toBe(400);
    const nobody = [{ field: "code", type: "in", values: ["NOWHERE"] }];
    expect(await call(address, { milestoneIds: ids, filters: nobody })).toMatchObject({ code: "NO_DATA" });
  });
});
