import { describe, expect, it } from "vitest";
import { cellKey, type MappingRow } from "#lib/milestones/mapping/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { done, makeFlow } from "../../activity-flows/make-flow.ts";
import { useMilestones } from "../make-milestones.ts";

const db = useDatabase();
const { project, call, save } = useMilestones(db);
type Cell = [milestoneId: number, flowId: number, activityId: number | null];
/** Writes cells upon what stands in them now. */
const write = async (...cells: Cell[]) => {
  const { rows } = await done(call("milestoneConfig/mapping/list"));
  const present = new Map(rows.map((row: MappingRow) => [cellKey(row), row.activityId]));
  return call("milestoneConfig/mapping/save", {
    rows: cells.map(([milestoneId, flowId, activityId]) => ({
      milestoneId,
      flowId,
      activityId,
      base: present.get(cellKey({ milestoneId, flowId })) ?? null,
    })),
  });
};
const activity = (slot: number) => project.activities[slot - 1]!.id;
const cells = async () => (await done(call("milestoneConfig/mapping/list"))).rows.length;

describe("milestoneConfig/mapping/save", () => {
  it("writes cells of the matrix and lists it with flows and their activities", async () => {
    const [a, b] = [await save("A"), await save("B")];
    await done(write([a, project.flow.id, activity(1)], [a, project.other.id, activity(2)], [b, project.flow.id, activity(2)]));
    // The two change places in one flow; the other cell stays.
    await done(write([a, project.flow.id, activity(2)], [b, project.flow.id, activity(1)]));
    const matrix = await done(call("milestoneConfig/mapping/list"));
    expect(matrix.flows.map(({ name }: { name: string }) => name)).toEqual(["New build", "Swap"]);
    expect(matrix.flows[0].activities.map(({ name }: { name: string }) => name)).toEqual(["Survey", "Installation", "Acceptance"]);
    expect(matrix.rows).toEqual(
      expect.arrayContaining([
        { milestoneId: a, flowId: project.flow.id, activityId: activity(2) },
        { milestoneId: a, flowId: project.other.id, activityId: activity(2) },
        { milestoneId: b, flowId: project.flow.id, activityId: activity(1) },
      ]),
    );
    expect(matrix.rows).toHaveLength(3);
    expect((await done(call(`milestoneConfig/find/${a}`))).mapping).toEqual([
      { flowId: project.flow.id, flow: "New build", activityId: activity(2), activity: "Installation" },
      { flowId: project.other.id, flow: "Swap", activityId: activity(2), activity: "Installation" },
    ]);
  });

  it("refuses a milestone whose targets would all be empty; one filled cell is enough [MDV-18]", async () => {
    const a = await save("A");
    expect(await write([a, project.flow.id, null], [a, project.other.id, null])).toMatchObject({
      status: 422,
      code: "ALL_TARGETS_EMPTY",
      msg: "The target activities of milestone A must not all be empty",
      problems: [{ path: "rows.0.activityId" }],
    });
    await done(write([a, project.flow.id, null], [a, project.other.id, activity(1)]));
    expect(await write([a, project.other.id, null])).toMatchObject({ code: "ALL_TARGETS_EMPTY" });
    expect(await cells()).toBe(1);
  });

  it("refuses an activity that is the target of two milestones in one flow, given at once or one after the other [MDV-19]", async () => {
    const [a, b] = [await save("A"), await save("B")];
    const twice = await write([a, project.flow.id, activity(1)], [b, project.flow.id, activity(1)]);
    expect(twice).toMatchObject({ status: 422, code: "TARGET_REPEATED", msg: "The target activity is repeated: New build: A, B" });
    expect(twice.problems.map(({ path }: { path: string }) => path)).toEqual(["rows.0.activityId", "rows.1.activityId"]);
    expect(await cells()).toBe(0);
    await done(write([a, project.flow.id, activity(1)]));
    expect(await write([b, project.flow.id, activity(1)])).toMatchObject({
      code: "TARGET_REPEATED",
      problems: [{ path: "rows.0.activityId" }],
    });
    // In another flow the same activity is free.
    await done(write([b, project.other.id, activity(1)]));
  });

  it("refuses cells given twice, unknown milestones and flows, drafts, and activities the flow does not have", async () => {
    const a = await save("A");
    expect(await write([a, project.flow.id, activity(1)], [a, project.flow.id, null])).toMatchObject({
      status: 400,
      problems: [{ path: "rows.1.flowId", code: "VALUE_REPEATED" }],
    });
    expect(await write([999_999, project.flow.id, activity(1)])).toMatchObject({ status: 404, problems: [{ path: "rows.0.milestoneId" }] });
    expect(await write([a, 999_999, activity(1)])).toMatchObject({ status: 404, problems: [{ path: "rows.0.flowId" }] });
    expect(await write([a, project.flow.id, 999_999])).toMatchObject({ code: "NO_ACTIVITY", problems: [{ path: "rows.0.activityId" }] });
    const draft = await done(call("flow/save", { name: "Draft" }));
    expect(await write([a, draft.id, activity(1)])).toMatchObject({ status: 404 });
  });

  it("refuses cells that others have changed since they were read, each at its place, and writes none", async () => {
    const [a, b] = [await save("A"), await save("B")];
    await done(write([a, project.flow.id, activity(1)]));
    const cell = (milestoneId: number, activityId: number | null, base: number | null) => ({
      milestoneId,
      flowId: project.flow.id,
      activityId,
      base,
    });
    const rows = [cell(b, activity(2), null), cell(a, activity(3), null)];
    expect(await call("milestoneConfig/mapping/save", { rows })).toMatchObject({
      status: 409,
      code: "STALE",
      problems: [{ path: "rows.1.activityId", code: "STALE" }],
      data: { rows: [{ milestoneId: a, flowId: project.flow.id, activityId: activity(1) }] },
    });
    expect(await cells()).toBe(1);
    // Whoever wants what stands there already is not in the way.
    await done(call("milestoneConfig/mapping/save", { rows: [cell(b, activity(2), null), cell(a, activity(1), activity(3))] }));
    // An emptied cell is a changed one, too.
    await done(write([a, project.flow.id, null], [a, project.other.id, activity(1)]));
    expect(await call("milestoneConfig/mapping/save", { rows: [cell(a, activity(3), activity(1))] })).toMatchObject({ code: "STALE" });
  });

  it("keeps a mapped activity in its flow: who wants to delete it learns which milestones name it [FLW-33]", async () => {
    const made = await makeFlow(project.pm, project.number, "By call", "A* B C", "A>B B>C");
    const id = await save("On air");
    await done(write([id, made.id, made.activityIds.get("B")!]));
    const copy = await done(call("flow/edit", { id: made.id }));
    const { nodes } = await done(call(`flow/find/${copy.id}`));
    const node = nodes.find(({ name }: { name: string }) => name === "B");
    expect(await call("flow/node/delete", { ids: [node.id] })).toMatchObject({
      status: 422,
      code: "ACTIVITY_REFERENCED",
      msg: "Activity referenced, cannot be deleted: B (On air)",
    });
    // Mapped to another activity, the milestone lets it go.
    await done(write([id, made.id, made.activityIds.get("C")!]));
    await done(call("flow/node/delete", { ids: [node.id] }));
  });
});
