import { expect, it } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { milestone, useMilestones } from "../make-milestones.ts";

const db = useDatabase();
const { project, call, save, map, temporary } = useMilestones(db);
const find = async (...duIds: number[]) => done(call("milestoneConfig/findByDu", { duIds }));
const none = { plan: null, actual: null, baseline: null, status: "notApplicable" };

it("gives the dates of the activity that stands for a milestone in the flow of each DU, with its status", async () => {
  const [a, b, off] = [await save("A"), await save("B"), await save("C")];
  await map(a, 1);
  await map(a, 2, project.other.id);
  await map(b, 3);
  await map(off, 2);
  await done(call("milestoneConfig/save", { milestone: { ...milestone("C"), id: off, rowVersion: 1, enabled: false } }));
  const plan = {
    1: { plan_end: "2026-10-13", baseline_end: "2026-10-12" },
    2: { plan_end: "2026-10-20", actual_end: "2026-10-14" },
    3: { plan_end: "2026-10-30", state: 3 },
  };
  const [first] = await makeDus(db.owner, project.id, [{ plan }], project.flow);
  const [second] = await makeDus(db.owner, project.id, [{ plan }], project.other);
  const [unbound] = await makeDus(db.owner, project.id, [{}]);
  expect(await find(second!, first!, unbound!, 999_999)).toEqual([
    {
      duId: second,
      milestones: [
        { id: a, plan: "2026-10-20", actual: "2026-10-14", baseline: null, status: "completed" },
        { id: b, ...none },
      ],
    },
    {
      duId: first,
      milestones: [
        { id: a, plan: "2026-10-13", actual: null, baseline: "2026-10-12", status: "delayed" },
        // The activity is NA in this DU.
        { id: b, ...none },
      ],
    },
    {
      duId: unbound,
      milestones: [
        { id: a, ...none },
        { id: b, ...none },
      ],
    },
  ]);
});

it("prefers the temporary milestone that the row for the DU's delivery type names", async () => {
  const temp = await temporary("Road works");
  const id = await save("A", {}, [
    { deliveryType: "5G", target: "temp_milestone", tempMilestoneId: temp, dateField: "plan_end" },
    { target: "activity", dateField: "plan_end" },
  ]);
  await map(id, 1);
  const dus = await makeDus(
    db.owner,
    project.id,
    [1, 2, 3].map(() => ({ plan: { 1: { plan_end: "2026-10-30" } } })),
    project.flow,
  );
  await db.owner`update du set delivery_type = '5g' where id = any(${dus.slice(0, 2)}::bigint[])`;
  await done(call("tempMilestone/link", { id: temp, duIds: [dus[0]], planDate: "2026-10-16" }));
  expect((await find(...dus)).map(({ milestones }: { milestones: unknown[] }) => milestones[0])).toEqual([
    { id, plan: "2026-10-16", actual: null, baseline: null, status: "within7" },
    { id, ...none },
    { id, plan: "2026-10-30", actual: null, baseline: null, status: "after7" },
  ]);
});

it("takes 200 DUs a call", async () => {
  const ids = Array.from({ length: 201 }, (_, n) => n + 1);
  expect(await call("milestoneConfig/findByDu", { duIds: ids })).toMatchObject({
    problems: [{ path: "duIds", code: "TOO_MANY_DU", msg: "At most 200 DUs" }],
  });
  expect((await call("milestoneConfig/findByDu", { duIds: ids.slice(1) })).status).toBe(200);
  expect(await call("milestoneConfig/findByDu", { duIds: [] })).toMatchObject({
    problems: [{ code: "NO_SELECTION", msg: "Please select one DU at least" }],
  });
});

it("finds DUs by up to 500 codes and tells which are not there", async () => {
  const [a, b] = await makeDus(db.owner, project.id, [{ code: "DU-A" }, { code: "DU-B" }]);
  expect(await done(call("milestoneConfig/findDus", { codes: ["DU-B", "NOWHERE", "DU-A", "DU-B"] }))).toEqual({
    found: [
      { id: b, code: "DU-B" },
      { id: a, code: "DU-A" },
    ],
    missing: ["NOWHERE"],
  });
  const codes = Array.from({ length: 501 }, (_, n) => `C-${n}`);
  expect(await call("milestoneConfig/findDus", { codes })).toMatchObject({ problems: [{ path: "codes", code: "SEARCH_TOO_MANY" }] });
  expect((await done(call("milestoneConfig/findDus", { codes: codes.slice(1) }))).missing).toHaveLength(500);
});
