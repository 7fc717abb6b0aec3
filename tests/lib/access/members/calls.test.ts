import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeProject, makeSession, makeUser } from "../../../support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let admin: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app, { number: "CREW" });
  pm = await makeMember(db.app, project.id, "PM");
  admin = await makeMember(db.app, project.id, "PROJECT_ADMIN");
});

const call = (user: CtxUser, address: string, input: unknown = {}, sid?: string) =>
  callAs(user, address, input, { project: project.number, ...(sid ? { sid } : {}) });
const list = async (filters: unknown[] = [], sort: unknown[] = []) =>
  (await call(pm, `memberRole/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, { sort })).data.records;
const rolesOf = (user: CtxUser) =>
  db.owner`select role, valid_from, valid_to, row_version from project_member where user_id = ${user.id} and project_id = ${project.id} order by role`;
const period = { validFrom: "2026-10-01", validTo: "2026-12-31" };

describe("memberRole/list", () => {
  it("gives every member once, with all roles and their validity, and the next day on which one ends", async () => {
    const user = await makeMember(db.app, project.id, "TL");
    await grantRole(db.app, project.id, user.id, "DQA", "2026-11-01");
    const [row] = await list([{ field: "account", type: "eq", values: [user.account.toUpperCase()] }]);
    expect(row).toMatchObject({ account: user.account, kind: "employee", active: true, expiresOn: "2026-11-01" });
    expect(
      row.roles.map(({ role, validFrom, validTo, rowVersion }: Record<string, unknown>) => [role, validFrom, validTo, rowVersion]),
    ).toEqual([
      ["TL", "2026-01-01", null, 1],
      ["DQA", "2026-01-01", "2026-11-01", 1],
    ]);
  });

  it("filters by role, by state of that role, by text, and sorts by the end", async () => {
    const soon = await makeMember(db.app, project.id, "CM");
    await db.app`update project_member set valid_to = '2026-10-20' where user_id = ${soon.id}`;
    const gone = await makeMember(db.app, project.id, "CM");
    await db.app`update project_member set valid_to = '2026-10-13' where user_id = ${gone.id}`;
    await grantRole(db.app, project.id, gone.id, "TL");
    const accounts = async (...filters: unknown[]) => (await list(filters)).map((row: { account: string }) => row.account);
    const cm = { field: "role", type: "in", values: ["CM"] };
    expect(await accounts(cm)).toEqual([soon.account, gone.account].sort());
    expect(await accounts(cm, { field: "state", type: "in", values: ["ending"] })).toEqual([soon.account]);
    expect(await accounts(cm, { field: "state", type: "eq", values: ["ended"] })).toEqual([gone.account]);
    expect(await accounts({ field: "role", type: "eq", values: ["TL"] }, { field: "state", type: "in", values: ["ended"] })).toEqual([]);
    expect(await accounts({ field: "search", type: "like", values: [`${soon.account}@EXAMPLE`] })).toEqual([soon.account]);
    expect(await accounts({ field: "search", type: "like", values: ["%"] })).toEqual([]);
    expect((await list([], [{ field: "expiresOn", dir: "asc" }]))[0].account).toBe(soon.account);
  });
});

describe("memberRole/save", () => {
  it("gives a role with its validity, and writes who gave it", async () => {
    const user = await makeUser(db.app);
    const { status, data } = await call(admin, "memberRole/save", { userId: user.id, role: "TL", ...period });
    expect([status, data.ids.length]).toEqual([200, 1]);
    expect(await rolesOf(user)).toMatchObject([{ role: "TL", valid_from: "2026-10-01", valid_to: "2026-12-31" }]);
    const [audit] = await db.owner`select actor_id, detail from audit_log where object = ${`role TL of ${user.account}`}`;
    expect(audit).toMatchObject({ actor_id: admin.id, detail: { before: null, after: period } });
  });

  it("gives 200 people a role at once and refuses 201", async () => {
    const people = await db.app<{ id: number }[]>`
      insert into app_user (account, name, email, country) select 'crowd' || n, 'Crowd', 'c@example.com', 'CN' from generate_series(1, 201) n returning id`;
    const userIds = people.map(({ id }) => id);
    const many = await call(pm, "memberRole/save", { userIds, role: "SCM", ...period });
    expect(many).toMatchObject({ status: 400, problems: [{ path: "userIds", code: "TOO_MANY", params: { max: 200 } }] });
    const fits = await call(pm, "memberRole/save", { userIds: userIds.slice(1), role: "SCM", ...period });
    expect([fits.status, fits.data?.ids.length]).toEqual([200, 200]);
  });

  it("writes nothing while one of the people still holds the role, and names them; a role that has ended is given anew", async () => {
    const [held, ended, fresh] = [await makeMember(db.app, project.id, "PPM"), await makeUser(db.app), await makeUser(db.app)];
    await grantRole(db.app, project.id, ended.id, "PPM", "2026-10-13");
    const answer = await call(pm, "memberRole/save", { userIds: [fresh.id, held.id, ended.id], role: "PPM", ...period });
    expect(answer).toMatchObject({
      status: 422,
      code: "ROLE_EXISTS",
      problems: [{ path: "userIds.1", params: { account: held.account } }],
    });
    expect(await rolesOf(fresh)).toEqual([]);
    expect((await call(pm, "memberRole/save", { userIds: [fresh.id, ended.id], role: "PPM", ...period })).status).toBe(200);
    expect(await rolesOf(ended)).toMatchObject([{ valid_from: "2026-10-01", valid_to: "2026-12-31", row_version: 2 }]);
  });

  it.each([
    ["a role that follows from ownership", { role: "SITE_OWNER" }, 400, "INVALID_INPUT"],
    ["a role nobody knows", { role: "BOSS" }, 400, "INVALID_INPUT"],
    ["an end before the begin", { validTo: "2026-09-30" }, 422, "DATE_ORDER"],
    ["nobody", { userId: undefined }, 400, "INVALID_INPUT"],
    ["an unknown account", { userId: 999_999 }, 404, "NOT_FOUND"],
  ])("refuses %s", async (_what, wrong, status, code) => {
    const user = await makeUser(db.app);
    const input = { userId: user.id, role: "TL", ...period, ...wrong };
    expect(await call(pm, "memberRole/save", input)).toMatchObject({ status, code });
  });

  it("takes an end on the first day", async () => {
    const user = await makeUser(db.app);
    expect(
      (await call(pm, "memberRole/save", { userId: user.id, role: "TL", validFrom: "2026-10-14", validTo: "2026-10-14" })).status,
    ).toBe(200);
  });

  it("refuses an account that is off", async () => {
    const user = await makeUser(db.app, { active: false });
    expect(await call(pm, "memberRole/save", { userId: user.id, role: "TL", ...period })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("changes the validity of one role; a stale revision is answered with the present one", async () => {
    const user = await makeMember(db.app, project.id, "CM");
    const [{ id }] = (await list([{ field: "account", type: "eq", values: [user.account] }]))[0].roles;
    expect((await call(pm, "memberRole/save", { id, rowVersion: 1, ...period })).status).toBe(200);
    expect(await rolesOf(user)).toMatchObject([{ valid_to: "2026-12-31", row_version: 2 }]);
    const stale = await call(pm, "memberRole/save", { id, rowVersion: 1, validFrom: "2026-01-01" });
    expect(stale).toMatchObject({ status: 409, code: "STALE", data: { roles: [{ rowVersion: 2, validTo: "2026-12-31" }] } });
  });

  it("reaches no role of another project", async () => {
    const other = await makeProject(db.app);
    const stranger = await makeMember(db.app, other.id, "PM");
    const [row] = await db.app<{ id: number }[]>`select id from project_member where user_id = ${stranger.id}`;
    expect(await call(pm, "memberRole/save", { id: row!.id, ...period })).toMatchObject({ status: 404 });
    expect(await call(pm, "memberRole/delete", { ids: [row!.id] })).toMatchObject({ status: 404 });
    expect(await db.app`select 1 from project_member where id = ${row!.id} and valid_to is null`).toHaveLength(1);
  });
});

describe("the last project manager", () => {
  it("cannot be removed, ended or moved into the future; with a second one he can", async () => {
    const own = await makeProject(db.app, { number: "LASTPM" });
    const only = await makeMember(db.app, own.id, "PM");
    await grantRole(db.app, own.id, only.id, "PD");
    const [row] = await db.app<{ id: number }[]>`select id from project_member where user_id = ${only.id} and role = 'PM'`;
    const id = row!.id;
    const ask = (address: string, input: unknown) => callAs(only, address, input, { project: "LASTPM" });
    // One who is a manager later, or was one, or whose account is off, is no manager today.
    await grantRole(db.app, own.id, (await makeUser(db.app)).id, "PM", "2026-10-13");
    await grantRole(db.app, own.id, (await makeUser(db.app, { active: false })).id, "PM");
    expect(await ask("memberRole/delete", { ids: [id] })).toMatchObject({ status: 422, code: "LAST_PM" });
    expect(await ask("memberRole/save", { id, validFrom: "2026-01-01", validTo: "2026-10-13" })).toMatchObject({ code: "LAST_PM" });
    expect(await ask("memberRole/save", { id, validFrom: "2026-10-15" })).toMatchObject({ code: "LAST_PM" });
    expect((await ask("memberRole/save", { id, validFrom: "2026-01-01", validTo: "2026-10-14" })).status).toBe(200);
    const second = await makeMember(db.app, own.id, "PM");
    expect((await ask("memberRole/delete", { ids: [id] })).status).toBe(200);
    expect(await callAs(second, "memberRole/list/1/20/default/[]", {}, { project: "LASTPM" })).toMatchObject({ status: 200 });
  });

  it("two managers who remove each other at once leave one", async () => {
    const own = await makeProject(db.app, { number: "DUEL" });
    const [one, two] = [await makeMember(db.app, own.id, "PM"), await makeMember(db.app, own.id, "PM")];
    const rows = await db.app<
      { id: number; userId: number }[]
    >`select id, user_id as "userId" from project_member where project_id = ${own.id}`;
    const idOf = (user: CtxUser) => rows.find((row) => row.userId === user.id)!.id;
    const answers = await Promise.all([
      callAs(one, "memberRole/delete", { ids: [idOf(two)] }, { project: "DUEL" }),
      callAs(two, "memberRole/delete", { ids: [idOf(one)] }, { project: "DUEL" }),
    ]);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await db.app`select 1 from project_member where project_id = ${own.id}`).toHaveLength(1);
  });
});

describe("memberRole/delete", () => {
  it("takes at most 200 roles away at once, in one go", async () => {
    const rows = await db.app<{ id: number }[]>`
      with people as (insert into app_user (account, name, email, country) select 'leaver' || n, 'Leaver', 'l@example.com', 'CN' from generate_series(1, 201) n returning id)
      insert into project_member (project_id, user_id, role, valid_from, granted_at) select ${project.id}, id, 'HRBP', '2026-01-01', now() from people returning id`;
    const ids = rows.map(({ id }) => id);
    expect(await call(pm, "memberRole/delete", { ids })).toMatchObject({ status: 400, problems: [{ path: "ids", code: "TOO_MANY" }] });
    expect((await call(pm, "memberRole/delete", { ids: ids.slice(1) })).data.ids).toHaveLength(200);
    expect(await call(pm, "memberRole/delete", { ids: [ids[0], ids[1]] })).toMatchObject({ status: 404 });
    expect(await db.app`select 1 from project_member where id = ${ids[0]!}`).toHaveLength(1);
  });

  it("refuses a role changed since it was read", async () => {
    const user = await makeMember(db.app, project.id, "CM");
    const [row] = await db.app<{ id: number }[]>`select id from project_member where user_id = ${user.id}`;
    const ids = [row!.id];
    expect(await call(pm, "memberRole/delete", { ids, rowVersions: { [ids[0]!]: 2 } })).toMatchObject({ status: 409, code: "STALE" });
    expect((await call(pm, "memberRole/delete", { ids, rowVersions: { [ids[0]!]: 1 } })).status).toBe(200);
  });
});

describe("somebody whose role was changed here", () => {
  it("is refused every call until he enters the project again [PRM-25]", async () => {
    const user = await makeMember(db.app, project.id, "TL");
    const sid = await makeSession(db.app, user.id);
    const read = () => call(user, "memberRole/list/1/20/default/[]", {}, sid);
    expect((await read()).status).toBe(200);
    await call(pm, "memberRole/save", { userId: user.id, role: "PCM", ...period });
    expect(await read()).toMatchObject({ status: 403, code: "ROLE_CHANGED" });
    const rebuilt = await call(user, "session/rebuild", { projectNumber: project.number }, sid);
    expect(rebuilt).toMatchObject({ status: 200, data: { currentRole: "PCM" } });
    expect((await read()).status).toBe(200);
  });
});

describe("memberRole/export", () => {
  it("makes a task in the export list with the conditions of the list", async () => {
    const { status, data } = await call(pm, "memberRole/export", { filters: [{ field: "role", type: "in", values: ["PM"] }] });
    expect(status).toBe(200);
    const [task] = await db.app`select kind, direction, params from task where id = ${data.taskId}`;
    expect(task).toMatchObject({
      kind: "access.exportMembers",
      direction: "export",
      params: { filters: [{ field: "role", values: ["PM"] }] },
    });
    expect(await call(admin, "memberRole/export", { filters: [{ field: "salary", type: "eq", values: [1] }] })).toMatchObject({
      status: 400,
    });
  });
});
