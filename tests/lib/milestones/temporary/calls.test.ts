import { describe, expect, it } from "vitest";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeDuOwner, makeDus, setSwitch } from "../../../support/plan-factories.ts";
import { makeHolder } from "../../../support/role-holders.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { milestone, useMilestones } from "../make-milestones.ts";

const db = useDatabase();
const { project, call, save, temporary } = useMilestones(db);
const draft = (name: string, more: object = {}) => call("tempMilestone/save", { name, ...more });
const dus = (count: number) =>
  makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, () => ({})),
  );
const list = async (filters: object[] = []) => (await done(call("tempMilestone/list", { page: 1, size: 20, filters }))).records;
const linked = async (id: number) => {
  const filters = encodeURIComponent(JSON.stringify([{ field: "tempMilestoneId", type: "eq", values: [id] }]));
  return (await done(call(`tempMilestone/dus/list/1/200/default/${filters}`))).records;
};
const dates = (...rows: object[]) => call("tempMilestone/dates", { rows });

describe("tempMilestone/save", () => {
  it("keeps name, product code, product and deliverable to their full length; the list shows them [MDV-10]", async () => {
    const fields = { name: "n".repeat(100), productCode: "c".repeat(60), product: "产".repeat(200), deliverable: "d".repeat(200) };
    const { id } = await done(call("tempMilestone/save", fields));
    expect(await list()).toMatchObject([
      { id, ...fields, status: "draft", rowVersion: 1, dus: 0, milestones: 0, createdByName: project.pm.name },
    ]);
    const long = await call("tempMilestone/save", {
      name: "n".repeat(101),
      productCode: "c".repeat(61),
      product: "p".repeat(201),
      deliverable: "d".repeat(201),
    });
    expect(long.problems).toMatchObject([
      { path: "name", code: "NAME_TOO_LONG" },
      { path: "productCode", code: "VALUE_TOO_LONG" },
      { path: "product", code: "VALUE_TOO_LONG" },
      { path: "deliverable", code: "VALUE_TOO_LONG" },
    ]);
    expect(await draft(" ")).toMatchObject({ problems: [{ path: "name", code: "NAME_REQUIRED" }] });
  });

  it("refuses a used name whatever its case, in this project only; a change keeps its own [MDV-15]", async () => {
    const { id } = await done(draft("Road works"));
    expect(await draft(" ROAD WORKS ")).toMatchObject({ status: 422, code: "NAME_EXISTS", problems: [{ path: "name" }] });
    await done(draft("road works", { id, rowVersion: 1 }));
    const elsewhere = await makeProject(db.owner);
    const theirs = await makeMember(db.owner, elsewhere.id, "PM");
    await done(callAs(theirs, "tempMilestone/save", { name: "Road works" }, { project: elsewhere.number }));
    const other = await done(draft("Other"));
    expect(await draft("Road Works", { id: other.id, rowVersion: 1 })).toMatchObject({ code: "NAME_EXISTS" });
    expect(await draft("X", { id, rowVersion: 1 })).toMatchObject({
      status: 409,
      code: "STALE",
      data: { name: "road works", rowVersion: 2 },
    });
  });

  it("of two that take the same name at once one gets it [MDV-15]", async () => {
    const answers = await Promise.all([draft("Twin"), draft("twin")]);
    expect(answers.map(({ code }) => code ?? "ok").sort()).toEqual(["NAME_EXISTS", "ok"]);
  });

  it("leaves the product of a released one as it is; the name may change", async () => {
    const id = await temporary("Road works");
    const same = { productCode: "P-1", product: "Radio", deliverable: "Report" };
    expect(await draft("Road works", { ...same, id, rowVersion: 2, product: "Other", productCode: "" })).toMatchObject({
      status: 422,
      code: "WRONG_STATUS",
      problems: [{ path: "productCode" }, { path: "product" }],
    });
    await done(draft("Roads", { ...same, id, rowVersion: 2 }));
  });
});

describe("tempMilestone/release", () => {
  it("needs product and deliverable, and happens once", async () => {
    const [bare, half] = [await done(draft("Bare")), await done(draft("Half", { product: "Radio" }))];
    const full = await temporary("Full");
    const answer = await done(call("tempMilestone/release", { ids: [bare.id, half.id, full, 999_999] }));
    expect(answer).toMatchObject({
      ids: [],
      rejected: [
        { id: bare.id, code: "VALUE_MISSING", msg: "Product is missing" },
        { id: half.id, code: "VALUE_MISSING", msg: "Deliverable is missing" },
        { id: full, code: "WRONG_STATUS" },
        { id: 999_999, code: "NOT_FOUND" },
      ],
    });
  });
});

describe("tempMilestone/delete", () => {
  it("refuses what is linked to a DU or is the target of an enabled milestone; the others go [MDV-16]", async () => {
    const [free, withDu, targeted, spare] = [
      await temporary("Free"),
      await temporary("DU"),
      await temporary("Target"),
      await temporary("Spare"),
    ];
    const [du] = await dus(1);
    await done(call("tempMilestone/link", { id: withDu, duIds: [du] }));
    const info = (id: number) => [{ target: "temp_milestone", tempMilestoneId: id, dateField: "plan_end" }];
    await save("M1", {}, info(targeted));
    const off = await save("M2", { enabled: false }, info(spare));
    const answer = await done(call("tempMilestone/delete", { ids: [free, withDu, targeted, spare] }));
    expect(answer).toMatchObject({
      ids: [free, spare],
      rejected: [
        { id: withDu, code: "LINKED" },
        { id: targeted, code: "LINKED" },
      ],
    });
    expect(answer.rejected[0].msg).toBe(
      "The temporary milestone is linked to another DU or a released configuration and cannot be deleted",
    );
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["DU", "Target"]);
    // Its row has gone from the milestone that is out of use.
    expect((await done(call(`milestoneConfig/find/${off}`))).infos).toEqual([]);
    await done(call("tempMilestone/unlink", { id: withDu, duIds: [du] }));
    await done(
      call("milestoneConfig/save", {
        milestone: { ...milestone("M1"), id: (await done(call("milestoneConfig/list"))).records[0].id, rowVersion: 1 },
        infos: [],
      }),
    );
    expect(await done(call("tempMilestone/delete", { ids: [withDu, targeted] }))).toMatchObject({ ids: [withDu, targeted], rejected: [] });
  });
});

describe("tempMilestone/link", () => {
  it("links 200 DUs to a released one with a plan date; what is linked keeps its dates, what is out of reach is rejected", async () => {
    const id = await temporary("Road works");
    const [a, b] = await dus(2);
    expect(await done(call("tempMilestone/link", { id, duIds: [a], planDate: "2026-11-01" }))).toEqual({ ids: [a], rejected: [] });
    expect(await done(call("tempMilestone/link", { id, duIds: [a, b, 999_999], planDate: "2026-12-01" }))).toMatchObject({
      ids: [a, b],
      rejected: [{ duId: 999_999, code: "DU_NOT_FOUND" }],
    });
    expect((await linked(id)).map(({ planDate }: { planDate: string }) => planDate)).toEqual(["2026-11-01", "2026-12-01"]);
    const many = Array.from({ length: 201 }, (_, n) => n + 1);
    expect(await call("tempMilestone/link", { id, duIds: many })).toMatchObject({ problems: [{ code: "TOO_MANY_DU" }] });
    expect((await call("tempMilestone/link", { id, duIds: many.slice(1) })).status).toBe(200);
    expect(await done(call("tempMilestone/unlink", { id, duIds: [b, 999_999] }))).toMatchObject({
      ids: [b],
      rejected: [{ duId: 999_999 }],
    });
  });

  it("refuses a draft, and a plan date more than three years ahead", async () => {
    const { id } = await done(draft("Draft"));
    const [du] = await dus(1);
    expect(await call("tempMilestone/link", { id, duIds: [du] })).toMatchObject({ code: "WRONG_STATUS" });
    const open = await temporary("Open");
    expect(await call("tempMilestone/link", { id: open, duIds: [du], planDate: "2029-10-15" })).toMatchObject({
      code: "PLAN_TOO_FAR",
      problems: [{ path: "planDate" }],
    });
    expect((await call("tempMilestone/link", { id: open, duIds: [du], planDate: "2000-01-01" })).problems).toMatchObject([
      { path: "planDate", code: "DATE_OUT_OF_RANGE" },
    ]);
    expect((await call("tempMilestone/link", { id: open, duIds: [du], planDate: "2029-10-14" })).status).toBe(200);
  });
});

describe("tempMilestone/dates", () => {
  it("writes the named dates; a date moved meanwhile is a conflict and is not overwritten", async () => {
    const id = await temporary("Road works");
    const [a, b] = (await dus(2)) as [number, number];
    await done(call("tempMilestone/link", { id, duIds: [a, b], planDate: "2026-11-01" }));
    const base = { planDate: "2026-11-01", actualDate: null };
    expect(await done(dates({ id, duId: a, planDate: "2026-11-05", base }))).toEqual({ saved: 1, rejected: [], conflicts: [] });
    const answer = await done(
      dates({ id, duId: a, planDate: "2026-11-09", actualDate: "2026-10-14", base }, { id, duId: b, actualDate: "2026-10-13", base }),
    );
    expect(answer).toEqual({
      saved: 1,
      rejected: [],
      conflicts: [{ id, duId: a, field: "planDate", base: "2026-11-01", present: "2026-11-05" }],
    });
    expect(await linked(id)).toMatchObject([
      { duId: a, planDate: "2026-11-05", actualDate: null },
      { duId: b, planDate: "2026-11-01", actualDate: "2026-10-13" },
    ]);
    // What somebody else moved does not matter to who changes another date, nor to who wants the same one.
    expect(
      await done(dates({ id, duId: a, actualDate: "2026-10-14", base }, { id, duId: b, actualDate: "2026-10-13", base })),
    ).toMatchObject({ saved: 2 });
    expect(await done(dates({ id, duId: a, planDate: null, base: { planDate: "2026-11-05" } }))).toMatchObject({ saved: 1 });
    expect((await linked(id))[0]).toMatchObject({ planDate: null, actualDate: "2026-10-14" });
  });

  it("rejects a plan date too far ahead, an actual date after today, and DUs that are not linked, each with its reason", async () => {
    const id = await temporary("Road works");
    const [a, b, c, d] = (await dus(4)) as [number, number, number, number];
    await done(call("tempMilestone/link", { id, duIds: [a, b, c] }));
    const answer = await done(
      dates(
        { id, duId: a, planDate: "2029-10-15", base: {} },
        { id, duId: b, actualDate: "2026-10-15", base: {} },
        { id, duId: c, planDate: "2029-10-14", actualDate: "2026-10-14", base: {} },
        { id, duId: d, planDate: "2026-11-01", base: {} },
      ),
    );
    expect(answer).toMatchObject({
      saved: 1,
      rejected: [
        { duId: a, code: "PLAN_TOO_FAR" },
        { duId: b, code: "ACTUAL_AFTER_TODAY" },
        { duId: d, code: "DU_NOT_FOUND" },
      ],
    });
    expect(await dates({ id, duId: a, base: {} }, { id, duId: a, base: {} })).toMatchObject({
      status: 400,
      problems: [{ path: "rows.1.duId", code: "VALUE_REPEATED" }],
    });
    const many = Array.from({ length: 201 }, (_, n) => ({ id, duId: n + 1, base: {} }));
    expect(await dates(...many)).toMatchObject({ problems: [{ code: "TOO_MANY" }] });
    expect((await dates(...many.slice(1))).status).toBe(200);
  });

  it("asks for the right of each date on the row", async () => {
    const id = await temporary("Road works");
    const region = await makeRegion(db.owner, project.id);
    const [own] = await makeDus(db.owner, project.id, [{ regionId: region }]);
    const [foreign] = await dus(1);
    const owner = await makeHolder(db.owner, project.id, "REGION_OWNER", { du: own!, region });
    await done(call("tempMilestone/link", { id, duIds: [own, foreign] }));
    const rows = [own, foreign].map((duId) => ({ id, duId, planDate: "2026-11-01", base: {} }));
    expect(await done(call("tempMilestone/dates", { rows }, owner))).toMatchObject({
      saved: 1,
      rejected: [{ duId: foreign, code: "DU_NOT_FOUND" }],
    });
    // Who sees a DU and may enter actual dates only is told which right he lacks for the plan.
    const lead = await makeMember(db.owner, project.id, "TL");
    const viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    expect((await call("tempMilestone/dates", { rows }, viewer)).status).toBe(403);
    expect(
      await done(call("tempMilestone/dates", { rows: [{ id, duId: foreign, planDate: "2026-11-02", base: {} }] }, lead)),
    ).toMatchObject({
      rejected: [{ code: "NO_PERMISSION" }],
    });
  });
});

describe("temporary milestones under data control", () => {
  it("leave the plan of a DU to its owner: nobody else links it, takes it off or moves its plan date [PRM-23]", async () => {
    const id = await temporary("Road works");
    const [owned, left, free] = (await dus(3)) as [number, number, number];
    const keeper = await makeMember(db.owner, project.id, "COMMON_VIEW");
    for (const du of [owned, left]) await makeDuOwner(db.owner, du, keeper.id);
    await done(call("tempMilestone/link", { id, duIds: [left], planDate: "2026-11-01" }));
    await setSwitch(db.owner, project.id, "dataControl", "Y");
    const refused = (duId: number) => ({ id, duId, code: "NO_PERMISSION", msg: expect.stringContaining("Permission denied") });
    const moves = { rows: [{ id, duId: left, planDate: "2026-11-05", base: { planDate: "2026-11-01" } }] };
    expect(await done(call("tempMilestone/link", { id, duIds: [owned, free] }))).toEqual({ ids: [free], rejected: [refused(owned)] });
    expect(await done(call("tempMilestone/unlink", { id, duIds: [left, free] }))).toEqual({ ids: [free], rejected: [refused(left)] });
    expect(await done(call("tempMilestone/dates", moves))).toEqual({ saved: 0, rejected: [refused(left)], conflicts: [] });
    expect(await linked(id)).toMatchObject([{ duId: left, planDate: "2026-11-01" }]);
    expect(await done(call("tempMilestone/dates", moves, keeper))).toMatchObject({ saved: 1, rejected: [] });
    expect(await done(call("tempMilestone/link", { id, duIds: [owned] }, keeper))).toEqual({ ids: [owned], rejected: [] });
    expect(await done(call("tempMilestone/unlink", { id, duIds: [left] }, keeper))).toEqual({ ids: [left], rejected: [] });
  });
});
