import { describe, expect, it } from "vitest";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);

describe("the head", () => {
  it("rolloutPlan/head gives flows, project.activities in order, columns with titles in the caller's language and what may be edited [RPL-12]", async () => {
    const head = await call(project.pm, "rolloutPlan/head", { flowIds: [project.flow.id] });
    expect(head.data.flows).toMatchObject([{ flowId: project.flow.id, version: 1, activityIds: project.activities.map(({ id }) => id) }]);
    expect(head.data.activities[3]).toEqual({ activityId: project.activities[3]!.id, slot: 4, name: "MOS", kind: "mos" });
    expect(head.data.fields.find((column: { key: string }) => column.key === "name")).toEqual({
      key: "name",
      title: "DU name",
      type: "text",
      width: 200,
      editable: true,
    });
    expect(
      head.data.activityColumns.map((column: { key: string; editable: boolean }) => [column.key, column.editable]).slice(0, 6),
    ).toEqual([
      ["planStart", true],
      ["planEnd", true],
      ["actualStart", true],
      ["actualEnd", true],
      ["baselineStart", false],
      ["baselineEnd", false],
    ]);
    const seen = await call(project.viewer, "rolloutPlan/head", {});
    expect(seen.data.fields.some((column: { editable: boolean }) => column.editable)).toBe(false);
    const zh = await callAs(project.pm, "rolloutPlan/head", { flowIds: [project.flow.id] }, { project: project.number, locale: "zh" });
    expect(zh.data.activityColumns[1].title).toBe("计划结束");
  });
});
