import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeCluster, makeMember, makeProject, makeRegion, makeUser } from "../../../support/factories.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";

const db = useDatabase();
let project: { id: number; number: string };
let other: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;

beforeEach(async () => {
  project = await makeProject(db.owner);
  other = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = tl, number = project.number): Promise<any> =>
  callAs(user, address, input, { project: number });
const save = async (name: string, more: object = {}, user = tl): Promise<number> => {
  const input = { kind: "grid", name, gridKey: "plan", isPublic: false, body: { columns: [] }, ...more };
  return (await done(call("template/basic/save", input, user))).id;
};
const ownerOf = async (id: number) =>
  (await db.owner<{ owner: number }[]>`select owner_id as owner from template where id = ${id}`)[0]!.owner;

describe("transferCreator", () => {
  const transfer = (ids: number[], toAccount: string, user = tl, address = "template/basic/transferCreator") =>
    call(address, { ids, toAccount }, user);

  it("hands own templates over; the PM those of everybody; both are logged [TPL-20]", async () => {
    const [a, b] = [await save("A"), await save("B")];
    await done(call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId: a }));
    expect(await done(transfer([a], pm.account.toUpperCase()))).toEqual({ transferred: 1 });
    expect(await ownerOf(a)).toBe(pm.id);
    expect((await done(call("personalized/defaultMapping/find"))).records).toEqual([]);
    expect(await transfer([a], tl.account)).toMatchObject({ status: 404 });
    const td = await makeMember(db.owner, project.id, "TD");
    await done(transfer([a, b], td.account, pm, "transferCreator"));
    expect([await ownerOf(a), await ownerOf(b)]).toEqual([td.id, td.id]);
    const lines = await db.owner<
      { detail: unknown }[]
    >`select detail from audit_log where object = ${`template ${b}`} order by id desc limit 1`;
    expect(lines[0]!.detail).toEqual({ before: { ownerId: tl.id }, after: { ownerId: td.id } });
  });

  it("needs a member, and a free name and place at the receiver [TPL-20]", async () => {
    const a = await save("Same");
    const stranger = await makeUser(db.owner);
    expect(await transfer([a], stranger.account)).toMatchObject({
      status: 422,
      code: "NOT_MEMBER",
      msg: expect.stringContaining(stranger.account),
    });
    await grantRole(db.owner, project.id, stranger.id, "TL", "2026-01-02");
    expect(await transfer([a], stranger.account)).toMatchObject({ code: "NOT_MEMBER" });
    await save("same", {}, pm);
    expect(await transfer([a], pm.account)).toMatchObject({ status: 422, code: "TEMPLATE_NAME_EXISTS", problems: [{ path: "ids.0" }] });
    const more = await save("More");
    for (let at = 1; at < 20; at++) await save(`T${at}`, {}, pm);
    expect(await transfer([more], pm.account)).toMatchObject({ code: "TEMPLATE_LIMIT", problems: [{ params: { max: 20 } }] });
    expect(await ownerOf(more)).toBe(tl.id);
  });

  it("does not hand over what somebody else made public without the right on all", async () => {
    const id = await save("Common", { isPublic: true }, pm);
    expect(await transfer([id], tl.account)).toMatchObject({ status: 403 });
    await done(transfer([id], tl.account, pm));
    expect(await ownerOf(id)).toBe(tl.id);
  });
});

describe("personal/shareOtherProject", () => {
  const share = (templateIds: number[], projectNumbers: string[], more: object = {}, user = tl) =>
    call("personal/shareOtherProject", { templateIds, projectNumbers, ...more }, user);
  const activity = async (projectId: number, slot: number, code: string) =>
    (
      await db.owner<
        { id: number }[]
      >`insert into activity_library (project_id, slot, code, name) values (${projectId}, ${slot}, ${code}, ${code}) returning id`
    )[0]!.id;

  it("copies into other projects as own templates, with ids mapped by code and name; what has no partner is told [TPL-26]", async () => {
    await grantRole(db.owner, other.id, tl.id, "TL");
    const [mos, gone] = [await activity(project.id, 1, "MOS"), await activity(project.id, 2, "GONE")];
    await activity(other.id, 1, "FIRST");
    const theirs = await activity(other.id, 2, "MOS");
    const ours = await makeAttribute(db.owner, project.id, { name: "Scenario", type: "ENUM", enums: ["Roof", "Tower"] });
    const mapped = await makeAttribute(db.owner, other.id, { name: "scenario", type: "ENUM", enums: ["Tower"] });
    const [north, south] = [await makeRegion(db.owner, project.id, "North"), await makeRegion(db.owner, project.id, "South")];
    const theirNorth = await makeRegion(db.owner, other.id, "North");
    const [harbour, theirHarbour] = [await makeCluster(db.owner, project.id, "Harbour"), await makeCluster(db.owner, other.id, "harbour")];
    const grid = await save("Daily", {
      body: {
        columns: [
          { key: "code", locked: true },
          { key: `${mos}:planEnd`, width: 90 },
          { key: `${gone}:planEnd`, hidden: true },
          { key: `a${ours.id}` },
          { key: "*:baselineEnd", hidden: true },
        ],
        folded: [`activity:${mos}`],
      },
    });
    const filter = await save("Late", {
      kind: "filter",
      body: {
        filters: [
          { key: "region", type: "in", values: [north, south], titles: ["North", "South"] },
          { key: "cluster", type: "eq", values: [harbour], titles: ["Harbour"] },
          { key: `a${ours.id}`, type: "in", values: ours.enumIds.map(String) },
          { key: `${gone}:planEnd`, type: "notEmpty", values: [] },
          { key: `${mos}:status`, type: "in", values: ["delayed"] },
        ],
        sort: [{ key: `${mos}:planEnd`, dir: "asc" }],
      },
    });
    const { done: copies, refused } = await done(share([grid, filter], [other.number]));
    expect(refused).toEqual([]);
    expect(copies).toMatchObject([
      { project: other.number, templateId: grid, name: "Daily", unmapped: ["GONE"] },
      { project: other.number, templateId: filter, name: "Late", unmapped: ["South", "Roof", "GONE"] },
    ]);
    const find = (id: number) => done(call("template/basic/find", { id }, tl, other.number));
    expect(await find(copies[0].id)).toMatchObject({ isPublic: false, ownerId: tl.id, sharedBy: tl.id, lockedColumns: 1 });
    expect((await find(copies[0].id)).body).toEqual({
      columns: [
        { key: "code", locked: true },
        { key: `${theirs}:planEnd`, width: 90 },
        { key: "[GONE]:planEnd", hidden: true },
        { key: `a${mapped.id}` },
        { key: "*:baselineEnd", hidden: true },
      ],
      folded: [`activity:${theirs}`],
    });
    expect((await find(copies[1].id)).body).toEqual({
      filters: [
        { key: "region", type: "in", values: [theirNorth], titles: ["North"] },
        { key: "cluster", type: "eq", values: [theirHarbour], titles: ["Harbour"] },
        { key: `a${mapped.id}`, type: "in", values: mapped.enumIds.map(String) },
        { key: `${theirs}:status`, type: "in", values: ["delayed"] },
      ],
      sort: [{ key: `${theirs}:planEnd`, dir: "asc" }],
    });
  });

  it("refuses projects one is no member of, this one, and closed ones, each alone", async () => {
    await grantRole(db.owner, other.id, tl.id, "TL");
    const closed = await makeProject(db.owner, { status: "closed" });
    await grantRole(db.owner, closed.id, tl.id, "TL");
    const foreign = await makeProject(db.owner);
    const abroad = await makeProject(db.owner, { hostingCountry: "DE" });
    await grantRole(db.owner, abroad.id, tl.id, "TL");
    const id = await save("Daily");
    const all = [foreign.number, project.number, closed.number, abroad.number, "NOWHERE", other.number];
    const answer = await done(share([id], all));
    expect(answer.done.map((one: { project: string }) => one.project)).toEqual([other.number]);
    expect(answer.refused.map((one: { project: string; reason: string }) => [one.project, one.reason])).toEqual([
      [foreign.number, "NOT_MEMBER"],
      [project.number, "TEMPLATE_NAME_EXISTS"],
      [closed.number, "PROJECT_CLOSED"],
      [abroad.number, "CROSS_BORDER_CONFIRM"],
      ["NOWHERE", "NOT_MEMBER"],
    ]);
    expect(await db.owner`select 1 from template where project_id = any(${[foreign.id, closed.id, abroad.id]})`).toHaveLength(0);
  });

  it("a used name is refused, or gets a number behind it when that was confirmed", async () => {
    await grantRole(db.owner, other.id, tl.id, "TL");
    const long = "x".repeat(30);
    const id = await save(long, { kind: "search", objectType: "site", body: { field: "code", values: [] } });
    await done(share([id], [other.number]));
    expect((await done(share([id], [other.number]))).refused).toEqual([
      { project: other.number, templateId: id, reason: "TEMPLATE_NAME_EXISTS" },
    ]);
    const renamed = await done(share([id], [other.number], { rename: true }));
    expect(renamed.done[0].name).toBe(`${"x".repeat(26)} (2)`);
    expect((await done(share([id], [other.number], { rename: true }))).done[0].name).toBe(`${"x".repeat(26)} (3)`);
    for (let at = 4; at <= 10; at++) await done(share([id], [other.number], { rename: true }));
    // The tenth is in; the next has no place whatever it is called.
    expect((await done(share([id], [other.number], { rename: true }))).refused).toMatchObject([{ reason: "TEMPLATE_LIMIT" }]);
  });

  it("own templates only, but for who shares those of everybody; a plan template needs its flow and its right there", async () => {
    for (const user of [tl, pm]) await grantRole(db.owner, other.id, user.id, "TL");
    const common = await save("Common", { isPublic: true }, pm);
    expect(await share([common], [other.number])).toMatchObject({ status: 403 });
    await done(share([common], [other.number], {}, pm));
    const flow = async (projectId: number) =>
      (
        await db.owner<{ id: number }[]>`
          insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
          values (${projectId}, 'Rollout', 'released', 1, ${pm.id}, ${pm.id}, now(), ${pm.id}, now()) returning id`
      )[0]!.id;
    const plan = await save("Plan", { kind: "plan", objectType: "project", body: { flowId: await flow(project.id) } }, pm);
    expect((await done(share([plan], [other.number], {}, pm))).refused).toMatchObject([{ reason: "NO_PERMISSION" }]);
    await grantRole(db.owner, other.id, pm.id, "PCM");
    expect((await done(share([plan], [other.number], {}, pm))).refused).toMatchObject([{ reason: "FLOW_NOT_RELEASED" }]);
    const theirs = await flow(other.id);
    const { done: copies } = await done(share([plan], [other.number], {}, pm));
    const [copy] = await db.owner`select body, is_public from template where id = ${copies[0].id}`;
    expect(copy).toMatchObject({ body: { flowId: theirs }, is_public: true });
  });

  it("takes at most 10 templates and 50 projects", async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => `P${at}`);
    const id = await save("Daily");
    expect((await share([id], numbers(50))).status).toBe(200);
    expect(await share([id], numbers(51))).toMatchObject({ status: 400, problems: [{ code: "TOO_MANY", params: { max: 50 } }] });
    expect(
      await share(
        Array.from({ length: 11 }, (_, at) => at + 1),
        ["P1"],
      ),
    ).toMatchObject({ problems: [{ code: "TOO_MANY", params: { max: 10 } }] });
  });

  it("validateProjectExist tells which projects can be chosen, and no more than the project list would [TPL-25]", async () => {
    await grantRole(db.owner, other.id, tl.id, "TL");
    const foreign = await makeProject(db.owner);
    const expected = { [other.number]: true, [foreign.number]: false, NOWHERE: false };
    for (const address of ["template/basic/validateProjectExist", "template/validateProjectExist", "validateProjectExist"])
      expect(await done(call(address, { projectNumbers: Object.keys(expected) }))).toEqual(expected);
  });
});
