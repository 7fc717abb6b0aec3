import { describe, expect, it } from "vitest";
import { milestonesSeenMax } from "#lib/milestones/limits.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember } from "../../support/factories.ts";
import { done } from "../activity-flows/make-flow.ts";
import { milestone, useMilestones } from "./make-milestones.ts";

const db = useDatabase();
const { project, call, save, map, temporary } = useMilestones(db);
const list = async (input: object = {}) => done(call("milestoneConfig/list", input));
const numbers = async (input: object = {}) => (await list(input)).records.map((row: { number: string }) => row.number);

describe("milestoneConfig/save", () => {
  it("keeps numbers, three names, flag, colour and rows for delivery types; a change names its revision", async () => {
    const temp = await temporary("Road works");
    const infos = [
      { deliveryType: "5G", target: "temp_milestone", tempMilestoneId: temp, weight: 12.5, dateField: "actual_end" },
      { target: "activity", dateField: "plan_end" },
    ];
    const id = await save("M1", { nameJa: "着工", flag: "revenue", color: "c4" }, infos);
    const found = await done(call(`milestoneConfig/find/${id}`));
    expect(found).toMatchObject({ ...milestone("M1"), nameJa: "着工", flag: "revenue", color: "c4", rowVersion: 1, usage: 0 });
    expect(found.infos).toEqual([
      { deliveryType: null, target: "activity", tempMilestoneId: null, tempMilestone: null, weight: null, dateField: "plan_end" },
      { ...infos[0], tempMilestone: "Road works" },
    ]);
    expect(await done(call("milestoneConfig/save", { milestone: { ...milestone("M1"), id, rowVersion: 1 }, infos: [] }))).toEqual({
      id,
      rowVersion: 2,
    });
    expect(await call("milestoneConfig/save", { milestone: { ...milestone("M9"), id, rowVersion: 1 } })).toMatchObject({
      status: 409,
      code: "STALE",
      data: { number: "M1", rowVersion: 2, infos: [] },
    });
  });

  it("takes ten enabled milestones and refuses the eleventh, enabled later or made so; disabled ones are free [MDV-20]", async () => {
    for (let n = 1; n <= 10; n++) await save(`M${n}`);
    expect(await call("milestoneConfig/save", { milestone: milestone("M11") })).toMatchObject({
      status: 422,
      code: "MILESTONE_LIMIT",
      msg: "At most 10 milestones can be enabled",
      problems: [{ path: "milestone.enabled" }],
    });
    const spare = await save("M12", { enabled: false });
    const enable = { milestone: { ...milestone("M12"), id: spare, rowVersion: 1 } };
    expect(await call("milestoneConfig/save", enable)).toMatchObject({ code: "MILESTONE_LIMIT" });
    expect(await list()).toMatchObject({ enabled: 10, max: 10 });
    // An enabled one can still be changed, and makes room when it is disabled.
    const first = (await list()).records[0];
    await done(call("milestoneConfig/save", { milestone: { ...milestone("M1"), id: first.id, rowVersion: 1, enabled: false } }));
    await done(call("milestoneConfig/save", enable));
  });

  it("counts under a lock: of two that want the tenth place one gets it [MDV-20]", async () => {
    for (let n = 1; n <= 9; n++) await save(`M${n}`);
    const answers = await Promise.all(["A", "B", "C"].map((number) => call("milestoneConfig/save", { milestone: milestone(number) })));
    expect(answers.map(({ code }) => code ?? "ok").sort()).toEqual(["MILESTONE_LIMIT", "MILESTONE_LIMIT", "ok"]);
  });

  it("refuses numbers and names that are used, whatever their case, and names beyond 100 characters", async () => {
    await save("M1", { nameJa: "着工" });
    const taken = await call("milestoneConfig/save", {
      milestone: milestone("m1", { nameZh: "里程碑 m1", nameEn: "MILESTONE M1", nameJa: "着工" }),
    });
    expect(taken.problems.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
      "milestone.number CODE_EXISTS",
      "milestone.nameZh NAME_EXISTS",
      "milestone.nameEn NAME_EXISTS",
      "milestone.nameJa NAME_EXISTS",
    ]);
    await save("M2", { nameEn: "n".repeat(100), nameZh: "名".repeat(100) });
    const long = await call("milestoneConfig/save", { milestone: milestone("M3", { nameEn: "n".repeat(101), nameZh: "" }) });
    expect(long.problems).toMatchObject([
      { path: "milestone.nameZh", code: "NAME_REQUIRED" },
      { path: "milestone.nameEn", code: "NAME_TOO_LONG", msg: "The name is too long: at most 100 characters" },
    ]);
  });

  it("refuses a delivery type given twice, a weight out of bounds and a temporary milestone that is not there", async () => {
    const of = (infos: object[]) => call("milestoneConfig/save", { milestone: milestone("M1"), infos });
    const row = { target: "activity", dateField: "plan_end" };
    expect(
      await of([
        { ...row, deliveryType: "5G" },
        { ...row, deliveryType: "5g" },
      ]),
    ).toMatchObject({
      status: 400,
      problems: [{ path: "infos.1.deliveryType", code: "VALUE_REPEATED" }],
    });
    for (const weight of [0, 100.01, 1.234])
      expect(await of([{ ...row, weight }])).toMatchObject({ problems: [{ path: "infos.0.weight", code: "NUMBER_RANGE" }] });
    expect(await of([{ target: "temp_milestone", dateField: "plan_end" }])).toMatchObject({
      problems: [{ path: "infos.0.tempMilestoneId", code: "VALUE_MISSING" }],
    });
    expect(await of([{ target: "temp_milestone", tempMilestoneId: 999_999, dateField: "plan_end" }])).toMatchObject({ status: 404 });
    for (const weight of [0.01, 100]) await save(`W${weight}`, {}, [{ ...row, weight }]);
  });
});

describe("milestones", () => {
  it("are listed in their order, by state and by a part of number or name, and sorted anew; those not named follow", async () => {
    const [a, b, c] = [await save("A"), await save("B", { enabled: false }), await save("C", { nameEn: "On air" })];
    expect(await numbers()).toEqual(["A", "B", "C"]);
    expect(await numbers({ enabled: false })).toEqual(["B"]);
    expect(await numbers({ searchKey: "ON A" })).toEqual(["C"]);
    expect(await done(call("milestoneConfig/sort", { ids: [c, a], before: [a, b, c] }))).toEqual({ sorted: 2 });
    expect(await numbers()).toEqual(["C", "A", "B"]);
    expect(await call("milestoneConfig/sort", { ids: [b, 999_999], before: [c, a, b] })).toMatchObject({ status: 404 });
  });

  it("of two orders made upon the same one take the first, and the second once it is made upon the present one", async () => {
    const [a, b, c] = [await save("A"), await save("B"), await save("C")];
    const sort = (ids: number[], before: number[]) => call("milestoneConfig/sort", { ids, before });
    const audits = async () => (await db.owner`select 1 from audit_log where object = 'milestones' and project_id = ${project.id}`).length;
    expect(await call("milestoneConfig/sort", { ids: [b, a, c] })).toMatchObject({ problems: [{ path: "before", code: "VALUE_MISSING" }] });
    const seen = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    expect(await call("milestoneConfig/sort", { ids: [b], before: seen(milestonesSeenMax) })).toMatchObject({ code: "STALE" });
    expect(await call("milestoneConfig/sort", { ids: [b], before: seen(milestonesSeenMax + 1) })).toMatchObject({
      status: 400,
      problems: [{ path: "before", code: "TOO_MANY", params: { max: milestonesSeenMax } }],
    });
    await done(sort([b, a, c], [a, b, c]));
    const written = await audits();
    expect(await sort([a, c, b], [a, b, c])).toMatchObject({ status: 409, code: "STALE", data: [b, a, c] });
    // A milestone that was not seen is put in no order.
    expect(await sort([c, b], [b, a])).toMatchObject({ code: "STALE" });
    expect([await numbers(), await audits()]).toEqual([["B", "A", "C"], written]);
    await done(sort([a, c, b], [b, a, c]));
    // What was made meanwhile follows; what is gone meanwhile was a part of the order.
    await save("D");
    await done(sort([c, b, a], [a, c, b]));
    expect(await numbers()).toEqual(["C", "B", "A", "D"]);
    await done(call("milestoneConfig/delete", { ids: [b] }));
    expect(await sort([a, b, c], [c, b, a])).toMatchObject({ status: 409, code: "STALE" });
    expect(await numbers()).toEqual(["C", "A", "D"]);
  });

  it("are deleted unless a flow has an activity for one: then none is, and the flows are named", async () => {
    const [a, b] = [await save("A"), await save("B")];
    await map(a, 1);
    expect(await call("milestoneConfig/delete", { ids: [b, a] })).toMatchObject({
      status: 422,
      code: "IN_USE",
      msg: "Referenced, cannot be deleted: A (New build)",
      problems: [{ path: "ids.1" }],
    });
    expect(await numbers()).toEqual(["A", "B"]);
    expect(await done(call("milestoneConfig/delete", { ids: [b] }))).toEqual({ deleted: 1 });
    expect(await call("milestoneConfig/delete", { ids: [b] })).toMatchObject({ status: 404 });
    // Out of use, its cells may be emptied, and then it can go.
    await done(call("milestoneConfig/save", { milestone: { ...milestone("A"), id: a, rowVersion: 1, enabled: false } }));
    await done(
      call("milestoneConfig/mapping/save", {
        rows: [{ milestoneId: a, flowId: project.flow.id, activityId: null, base: project.activities[0]!.id }],
      }),
    );
    await done(call("milestoneConfig/delete", { ids: [a] }));
    expect(await numbers()).toEqual([]);
  });

  it("are read by who sees the plan and changed by who may configure them", async () => {
    const viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    await save("A");
    expect((await done(call("milestoneConfig/list", {}, viewer))).records).toHaveLength(1);
    expect((await call("milestoneConfig/save", { milestone: milestone("B") }, viewer)).status).toBe(403);
  });
});
