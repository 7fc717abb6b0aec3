import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { addedMax } from "#lib/resources/groups/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeResource, makeUser } from "../../../support/factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let tl: CtxUser;
let people: number[];
let lead: number;

beforeAll(async () => {
  tl = await makeMember(db.owner, project.id, "TL");
  [{ id: lead }] = (await db.owner`select id from resource where user_id = ${tl.id}`) as unknown as [{ id: number }];
  people = [];
  for (let at = 0; at <= addedMax; at++) people.push(await makeResource(db.owner, project.id, (await makeUser(db.owner)).id));
});

type Row = {
  id: number;
  name: string;
  rowVersion: number;
  members: { resourceId: number; isLeader: boolean; memberType: string | null }[];
  mayEdit: boolean;
};
const list = async (user = project.pm) => (await call(user, "resGroup/list")).data as Row[];
const named = async (name: string, user = project.pm) => (await list(user)).find((row) => row.name === name) as Row;
const save = (given: Record<string, unknown>, user = project.pm) => call(user, "resGroup/save", { members: [], ...given });
const again = async (name: string, more: Record<string, unknown>, user = project.pm) => {
  const { id, rowVersion, members } = await named(name);
  const held = members.map(({ resourceId, isLeader, memberType }) => ({ resourceId, isLeader, memberType }));
  return save({ id, rowVersion, name, members: held, ...more }, user);
};

describe("resGroup", () => {
  it("keeps a group with scenario, contractor, members, their type and leaders [RES-11]", async () => {
    const members = [
      { resourceId: lead, isLeader: true, memberType: "Foreman" },
      { resourceId: people[0], isLeader: false, memberType: null },
    ];
    expect((await save({ name: "North team 1", scenario: "Swap", contractor: "ACME", members })).status).toBe(200);
    expect(await named("North team 1")).toMatchObject({
      scenario: "Swap",
      contractor: "ACME",
      creator: project.pm.name,
      members,
      mayEdit: true,
    });
    expect((await named("North team 1", project.viewer)).mayEdit).toBe(false);
  });

  it("refuses a name that is there [RES-25], a group nobody leads, and too many at once [RES-22]", async () => {
    expect(await save({ name: "NORTH TEAM 1" })).toMatchObject({ code: "GROUP_NAME_EXISTS", msg: "The group name exists" });
    expect((await save({ name: "No head", members: [{ resourceId: people[1] }] })).problems?.[0]?.code).toBe("GROUP_LEADER_REQUIRED");
    const all = people.map((resourceId, at) => ({ resourceId, isLeader: at === 0 }));
    expect((await save({ name: "Many", members: all })).code).toBe("TOO_MANY");
    expect((await save({ name: "Many", members: all.slice(0, addedMax) })).status).toBe(200);
    expect((await save({ name: "Gone", members: [{ resourceId: 999_999, isLeader: true }] })).code).toBe("ACCOUNT_NOT_IN_POOL");
  });

  it("is changed by its leaders and its creator alone [RES-27]", async () => {
    expect((await again("North team 1", { scenario: "New" }, tl)).status).toBe(200);
    const other = await makeMember(db.owner, project.id, "PM");
    expect((await again("North team 1", { scenario: "Not mine" }, other)).code).toBe("NOT_LEADER");
    expect((await again("North team 1", { name: "North team 1", members: [{ resourceId: people[0], isLeader: true }] })).status).toBe(200);
    expect((await again("North team 1", { scenario: "No longer" }, tl)).code).toBe("NOT_LEADER");
    // Where neither creator nor a leader is active any more, a project manager stands in.
    await db.owner`update resource set status = 'INACTIVE' where id = ${people[0]!} or user_id = ${project.pm.id}`;
    expect((await again("North team 1", { scenario: "Stands in" }, other)).status).toBe(200);
    await db.owner`update resource set status = 'ACTIVE' where id = ${people[0]!} or user_id = ${project.pm.id}`;
  });

  it("is not deleted while it has members [RES-26]", async () => {
    const { id } = await named("North team 1");
    expect(await call(project.pm, "resGroup/delete", { ids: [id] })).toMatchObject({
      code: "GROUP_HAS_MEMBERS",
      msg: "The group has members: North team 1 (1)",
    });
    expect((await again("North team 1", { members: [] })).status).toBe(200);
    expect((await call(tl, "resGroup/delete", { ids: [id] })).code).toBe("NOT_LEADER");
    expect((await call(project.pm, "resGroup/delete", { ids: [id] })).data).toEqual({ deleted: 1 });
  });

  it("keeps its last leader in the pool while others are in it", async () => {
    await save({ name: "Led", members: [{ resourceId: people[2], isLeader: true }, { resourceId: people[3] }] });
    expect((await call(project.pm, "resource/delete", { ids: [people[2]] })).code).toBe("GROUP_LEADER_REQUIRED");
    await again("Many", { members: [] });
    expect((await call(project.pm, "resource/delete", { ids: [people[2], people[3]] })).data).toEqual({ deleted: 2 });
  });
});
