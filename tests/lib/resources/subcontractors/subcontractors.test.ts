import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "#tests/support/call.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember, makeProject, makeSubcontractor } from "#tests/support/factories.ts";
import { meanwhile } from "#tests/support/meanwhile.ts";
import { makeDus } from "#tests/support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let crew: CtxUser;
let acme: number;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  crew = await makeMember(db.app, project.id, "SUBCON_PM");
  acme = await makeSubcontractor(db.app, project.id, [crew.id]);
});

const call = (user: CtxUser, address: string, input: unknown = {}) => callAs(user, address, input, { project: project.number });
const save = (given: object) => call(pm, "subcontractor/save", { code: "B1", name: "Bolt", ...given });
const list = async (filters: unknown[] = []) =>
  (await call(pm, `subcontractor/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`)).data.records as Record<
    string,
    unknown
  >[];

describe("subcontractor/save", () => {
  it.each([
    ["", false],
    ["A", true],
    ["AB12z", true],
    ["AB12zz", false],
    ["A-1", false],
    ["甲", false],
  ])("takes a code of 1 to 5 letters or digits: %s is %s [RES-28]", async (code, taken) => {
    const answer = await save({ code, name: `Company of ${code}` });
    expect(answer.status).toBe(taken ? 200 : 400);
    if (!taken) expect(answer.problems?.[0]).toMatchObject({ path: "code", code: "CODE_FORMAT" });
  });

  it("keeps code and name single in the project and refuses a stale change", async () => {
    const { id, rowVersion } = (await save({ code: "C1", name: "Cord" })).data;
    expect(await save({ code: "C1", name: "cord" })).toMatchObject({
      status: 422,
      problems: [
        { path: "code", code: "CODE_EXISTS" },
        { path: "name", code: "NAME_EXISTS" },
      ],
    });
    expect((await save({ id, code: "C1", name: "Cord & sons", rowVersion })).data).toEqual({ id, rowVersion: rowVersion + 1 });
    expect(await save({ id, code: "C1", name: "Cord", rowVersion })).toMatchObject({ status: 409, code: "STALE" });
    expect((await call(await makeMember(db.app, project.id, "TD"), "subcontractor/save", { code: "X", name: "X" })).status).toBe(403);
  });
});

describe("subcontractor/list", () => {
  it("tells the state of the agreement, people and open DUs of each company [RES-01]", async () => {
    await save({ code: "D1", name: "Dam", countries: ["JP"], dpaExpires: "2026-10-14" });
    await save({ code: "D2", name: "Dew", countries: ["JP"], dpaExpires: "2026-10-13" });
    await save({ code: "D3", name: "Dip", dpaRequired: true });
    await save({ code: "D4", name: "Dot", countries: ["CN"] });
    const [du] = await makeDus(db.app, project.id, [{}]);
    await db.app`update du set subcontractor_id = ${acme} where id = ${du!}`;
    await db.app`update du_plan set applicable_count = 2, done_count = 1 where du_id = ${du!}`;
    const rows = new Map((await list()).map((row) => [row.code, row]));
    expect(["D1", "D2", "D3", "D4"].map((code) => rows.get(code)?.dpa)).toEqual(["valid", "ended", "ended", "none"]);
    expect([...rows.values()].find(({ id }) => id === acme)).toMatchObject({ people: 1, openDus: 1 });
    expect((await list([{ field: "search", type: "like", values: ["dam"] }])).map(({ code }) => code)).toEqual(["D1"]);
  });
});

describe("subcon/findSubcontractors", () => {
  it("gives the project's companies in use, and who works for one his own alone [RES-47]", async () => {
    await save({ code: "E1", name: "Elm", status: "INVALID" });
    const found = (await call(pm, "subcon/findSubcontractors")).data as { id: number; code: string }[];
    expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(["C1", "D1"]));
    expect(found.map(({ code }) => code)).not.toContain("E1");
    expect((await call(pm, "subcon/findSubcontractors", { keyword: "cord" })).data).toHaveLength(1);
    expect(((await call(crew, "subcon/findSubcontractors")).data as { id: number }[]).map(({ id }) => id)).toEqual([acme]);
  });
});

describe("subcontractor/delete", () => {
  it("deletes companies nothing refers to, all or none", async () => {
    const { id } = (await save({ code: "F1", name: "Fir" })).data;
    expect(await call(pm, "subcontractor/delete", { ids: [id, acme] })).toMatchObject({ status: 422, code: "IN_USE" });
    expect(await call(pm, "subcontractor/delete", { ids: [id] })).toMatchObject({ status: 200, data: { deleted: 1 } });
    expect(await call(pm, "subcontractor/delete", { ids: [id] })).toMatchObject({ status: 404 });
  });
});

describe("a company that is being referred to", () => {
  it("is not deleted", async () => {
    const { id } = (await save({ code: "H1", name: "Hop" })).data;
    const [du] = await makeDus(db.app, project.id, [{}]);
    const answer = await meanwhile(
      db,
      (sql) => sql`update du set subcontractor_id = ${id} where id = ${du!}`,
      () => call(pm, "subcontractor/delete", { ids: [id] }),
    );
    expect(answer).toMatchObject({ status: 422, code: "IN_USE", msg: expect.stringContaining("Hop (DU)") });
  });
});

describe("subconType", () => {
  it("is a name of up to 200 characters with the activities it covers [RES-13]", async () => {
    const [activity] = await db.app<{ id: number }[]>`
      insert into activity_library (project_id, slot, code, name) values (${project.id}, 1, 'A1', 'Civil works') returning id`;
    const saveType = (given: object) => call(pm, "subconType/save", { activityIds: [activity!.id], ...given });
    expect(await saveType({ name: "n".repeat(201) })).toMatchObject({ status: 400, problems: [{ path: "name", code: "NAME_TOO_LONG" }] });
    const { id, rowVersion } = (await saveType({ name: "n".repeat(200) })).data;
    expect(await saveType({ name: "N".repeat(200) })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    expect(await saveType({ name: "other", activityIds: [activity!.id + 99] })).toMatchObject({ status: 404 });
    expect((await call(pm, "subconType/find")).data).toMatchObject([{ id, activities: ["Civil works"], companies: 0 }]);
    const made = await save({ code: "G1", name: "Gum", typeIds: [id] });
    expect(await call(pm, "subconType/delete", { ids: [id] })).toMatchObject({ status: 422, code: "IN_USE" });
    await save({ id: made.data.id, code: "G1", name: "Gum", typeIds: [], rowVersion: 1 });
    expect(rowVersion).toBe(1);
    expect((await call(pm, "subconType/delete", { ids: [id] })).status).toBe(200);
  });
});
