import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { permissions } from "#lib/permissions.ts";
import { findSession, findToken } from "#lib/session/queries.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import {
  grantRole,
  makeMember,
  makeProject,
  makeRegion,
  makeSession,
  makeSubcontractor,
  makeToken,
  makeUser,
} from "../../support/factories.ts";
import { makeDus } from "../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app, { number: "P100", tzOffset: -7 });
  pm = await makeMember(db.app, project.id, "TL", "PM");
});

describe("session/bootstrap", () => {
  it("gives person, project, roles, current role, rights, language and time zone at once [SES-01]", async () => {
    const { status, data } = await callAs(pm, "session/bootstrap?projectNumber=P100", {}, { locale: "ja" });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user: { account: pm.account },
      project: { number: "P100", tzOffset: -7 },
      roles: ["TL", "PM"],
      currentRole: "PM",
      language: "ja",
      timeZone: -7,
      permissions: { "flow.edit": true, "limit.edit": false },
      projects: [{ number: "P100", lastAccessed: clock }],
      defaultProject: null,
      spaceInfo: { projectNumber: "P100", datacenter: "dc-1" },
      spaceRoles: ["TL", "PM"],
    });
    expect(data.projects).toHaveLength(1);
  });

  it("names the default project however many were used since, unless it cannot be opened [SES-01]", async () => {
    const user = await makeUser(db.app);
    const held = await Promise.all(Array.from({ length: 52 }, (_, at) => makeProject(db.app, { number: `MANY-${at + 100}` })));
    for (const { id } of held) await grantRole(db.app, id, user.id, "TL");
    const last = held.at(-1)!;
    await callAs(user, "personal/setDefaultProject", { projectNumber: last.number });
    const entered = async () => (await callAs(user, "session/bootstrap?projectNumber=MANY-100")).data;
    expect(await entered()).toMatchObject({ defaultProject: last.number });
    expect((await entered()).projects.map(({ number }: { number: string }) => number)).not.toContain(last.number);
    await db.app`update project set datacenter = null where id = ${last.id}`;
    expect(await entered()).toMatchObject({ defaultProject: null });
  });

  it("refuses with distinct messages a number that is no project's, a project without data centre, and one that is unknown or not the person's [SES-22]", async () => {
    const bare = await makeProject(db.app, { datacenter: null });
    await grantRole(db.app, bare.id, pm.id, "PM");
    const foreign = await makeProject(db.app);
    const ask = (number: string) => callAs(pm, `session/bootstrap?projectNumber=${encodeURIComponent(number)}`);
    expect(await ask(bare.number)).toMatchObject({ status: 403, code: "NO_DATACENTER" });
    expect(await ask(foreign.number)).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    expect(await ask("NONE")).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    expect(await ask("a b!")).toMatchObject({ status: 403, code: "PROJECT_INVALID" });
    const texts = await Promise.all([bare.number, foreign.number, "a b!"].map(async (number) => (await ask(number)).msg));
    expect(new Set(texts).size).toBe(3);
  });

  it("lists the projects of roles held today by the project's clock, and those of owned regions and DUs that are there", async () => {
    const person = await makeUser(db.app);
    const [member, ended, region, du, gone] = await Promise.all([0, 0, -7, 0, 0].map((tzOffset) => makeProject(db.app, { tzOffset })));
    await grantRole(db.app, member!.id, person.id, "TL", "2026-10-14");
    for (const held of [ended!, region!]) await grantRole(db.app, held.id, person.id, "PM", "2026-10-13");
    await db.app`insert into region_owner (region_id, user_id) values (${await makeRegion(db.app, region!.id)}, ${person.id})`;
    const [siteDu] = await makeDus(db.app, du!.id, [{}]);
    const [goneDu] = await makeDus(db.app, gone!.id, [{}]);
    for (const [id, kind] of [
      [siteDu, "INVENTORY_OWNER"],
      [goneDu, "SITE_OWNER"],
    ] as const)
      await db.app`insert into du_owner (du_id, user_id, owner_kind) values (${id!}, ${person.id}, ${kind})`;
    await db.app`update du set deleted_at = now() where id = ${goneDu!}`;
    const { data } = await callAs(person, "personal/getProjectList/list", { page: 1, size: 20 });
    const roles = Object.fromEntries(data.records.map((entry: { number: string; roles: string[] }) => [entry.number, entry.roles]));
    expect(roles).toEqual({ [member!.number]: ["TL"], [region!.number]: ["REGION_OWNER"], [du!.number]: ["INVENTORY_OWNER"] });
    expect((await callAs(person, `session/bootstrap?projectNumber=${gone!.number}`)).code).toBe("NOT_AUTHORISED_FOR_PROJECT");
  });

  it("asks for the declaration at a border and shows nothing before it; it holds for that login alone [SES-18]", async () => {
    const abroad = await makeProject(db.app, { hostingCountry: "DE" });
    await grantRole(db.app, abroad.id, pm.id, "PM");
    const address = `session/bootstrap?projectNumber=${abroad.number}`;
    const [sid, later] = [await makeSession(db.app, pm.id), await makeSession(db.app, pm.id)];
    const confirm = (approved: boolean) => callAs(pm, "session/crossBorderConfirm", { projectNumber: abroad.number, approved }, { sid });
    const before = await callAs(pm, address, {}, { sid });
    expect([before.status, before.code, before.data]).toEqual([409, "CROSS_BORDER_CONFIRM", undefined]);
    expect((await callAs(pm, "memberRole/list/1/20/default/[]", {}, { project: abroad.number, sid })).code).toBe("CROSS_BORDER_CONFIRM");
    expect((await confirm(false)).code).toBe("INVALID_INPUT");
    expect((await confirm(true)).status).toBe(200);
    expect((await callAs(pm, address, {}, { sid })).status).toBe(200);
    expect((await callAs(pm, address, {}, { sid: later })).code).toBe("CROSS_BORDER_CONFIRM");
  });

  it("tells neither offset nor rights before the declaration, and none behind a border that is closed [SES-18, SES-19]", async () => {
    const abroad = await makeProject(db.app, { hostingCountry: "DE", tzOffset: -6 });
    const closed = await makeProject(db.app, { hostingCountry: "DE", customerKind: "eu_non_subsidiary" });
    for (const { id } of [abroad, closed]) await grantRole(db.app, id, pm.id, "PM");
    const sid = await makeSession(db.app, pm.id);
    const offset = ({ number }: { number: string }) => callAs(pm, `timeZone/findByProjectId/${number}`, {}, { sid });
    const rights = async ({ number }: { number: string }) =>
      (await callAs(pm, "portal/userPermission/checkUserPermission", ["flow.edit"], { project: number, sid })).data;
    expect(await offset(abroad)).toMatchObject({ status: 409, code: "CROSS_BORDER_CONFIRM" });
    expect(await rights(abroad)).toEqual({});
    expect(await offset(closed)).toMatchObject({ status: 403, code: "CROSS_BORDER_FORBIDDEN" });
    expect(await rights(closed)).toEqual({});
    expect((await offset(abroad)).data).toBeUndefined();
    await callAs(pm, "session/crossBorderConfirm", { projectNumber: abroad.number, approved: true }, { sid });
    expect((await offset(abroad)).data).toEqual({ status: "success", [abroad.number]: -6 });
    expect(await rights(abroad)).toEqual({ "flow.edit": true });
  });

  it("takes no declaration of who may not come as far as the border, and tells him no project from none", async () => {
    const abroad = await makeProject(db.app, { hostingCountry: "DE" });
    const closed = await makeProject(db.app, { hostingCountry: "DE", customerKind: "eu_non_subsidiary" });
    const stranger = await makeUser(db.app);
    const sid = await makeSession(db.app, stranger.id);
    const confirm = (projectNumber: string) => callAs(stranger, "session/crossBorderConfirm", { projectNumber, approved: true }, { sid });
    for (const number of [abroad.number, closed.number, "NOWHERE"])
      expect(await confirm(number)).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    await grantRole(db.app, abroad.id, stranger.id, "TL", "2026-10-13");
    expect((await confirm(abroad.number)).code).toBe("NOT_AUTHORISED_FOR_PROJECT");
    expect(await db.owner`select 1 from cross_border_consent where user_id = ${stranger.id}`).toHaveLength(0);
  });

  it("asks every API token for the declaration; another token's does not count, nor a session's", async () => {
    const abroad = await makeProject(db.app, { hostingCountry: "DE" });
    await grantRole(db.app, abroad.id, pm.id, "PM");
    const [one, two, sid] = [await makeToken(db.app, pm.id), await makeToken(db.app, pm.id), await makeSession(db.app, pm.id)];
    const read = (frame: object) => callAs(pm, "memberRole/list/1/20/default/[]", {}, { project: abroad.number, ...frame });
    await callAs(pm, "session/crossBorderConfirm", { projectNumber: abroad.number, approved: true }, { sid });
    expect((await read({ tokenId: one })).code).toBe("CROSS_BORDER_CONFIRM");
    await callAs(pm, "session/crossBorderConfirm", { projectNumber: abroad.number, approved: true }, { tokenId: one });
    expect((await read({ tokenId: one })).status).toBe(200);
    expect((await read({ tokenId: two })).code).toBe("CROSS_BORDER_CONFIRM");
    expect((await read({ sid })).status).toBe(200);
  });

  it("stops with an error of its own when the declarations cannot be read or kept [SES-20]", async () => {
    const abroad = await makeProject(db.app, { hostingCountry: "DE" });
    await grantRole(db.app, abroad.id, pm.id, "PM");
    const sid = await makeSession(db.app, pm.id);
    await db.owner`alter table cross_border_consent rename to consent_away`;
    try {
      const entered = await callAs(pm, `session/bootstrap?projectNumber=${abroad.number}`, {}, { sid });
      expect([entered.status, entered.code, entered.data]).toEqual([500, "CROSS_BORDER_INTERNAL", undefined]);
      expect(await callAs(pm, "session/crossBorderConfirm", { projectNumber: abroad.number, approved: true }, { sid })).toMatchObject({
        status: 500,
        code: "CROSS_BORDER_INTERNAL",
        msg: "Cross-border authentication failed internally; the login stops",
      });
      expect((await callAs(pm, "memberRole/list/1/20/default/[]", {}, { project: abroad.number, sid })).code).toBe("CROSS_BORDER_INTERNAL");
    } finally {
      await db.owner`alter table consent_away rename to cross_border_consent`;
    }
    expect(await db.owner`select 1 from session_project where sid = ${sid}`).toHaveLength(0);
  });

  it("refuses cross-border access to a project of an EU non-subsidiary customer without a way to confirm [SES-19]", async () => {
    const eu = await makeProject(db.app, { hostingCountry: "DE", customerKind: "eu_non_subsidiary" });
    await grantRole(db.app, eu.id, pm.id, "PM");
    expect((await callAs(pm, `session/bootstrap?projectNumber=${eu.number}`)).code).toBe("CROSS_BORDER_FORBIDDEN");
    expect((await callAs(pm, "session/crossBorderConfirm", { projectNumber: eu.number, approved: true })).code).toBe(
      "CROSS_BORDER_FORBIDDEN",
    );
    expect((await callAs(pm, `session/bootstrap?projectNumber=${eu.number}`)).status).toBe(403);
  });
});

describe("session/rebuild", () => {
  it("gives the state of a session anew, with the roles of this moment, and lets it go on [SES-16]", async () => {
    const own = await makeProject(db.app, { number: "REBUILD", tzOffset: 1.5 });
    const user = await makeMember(db.app, own.id, "TL");
    const sid = await makeSession(db.app, user.id);
    const first = await callAs(user, "session/bootstrap?projectNumber=REBUILD", {}, { sid });
    await grantRole(db.app, own.id, user.id, "PM");
    expect((await callAs(user, "memberRole/list/1/20/default/[]", {}, { project: "REBUILD", sid })).code).toBe("ROLE_CHANGED");
    const rebuilt = await callAs(user, "session/rebuild", { projectNumber: "REBUILD" }, { sid });
    expect(Object.keys(rebuilt.data).sort()).toEqual(Object.keys(first.data).sort());
    expect(rebuilt.data).toMatchObject({ roles: ["TL", "PM"], currentRole: "PM", timeZone: 1.5, csrfToken: "c".repeat(43) });
    expect((await callAs(user, "memberRole/list/1/20/default/[]", {}, { project: "REBUILD", sid })).status).toBe(200);
    expect((await callAs(null, "session/rebuild", { projectNumber: "REBUILD" })).status).toBe(401);
  });
});

describe("the project to start with", () => {
  it("is the session's, else the default, else the last used, else the first [SES-01]", async () => {
    const user = await makeUser(db.app);
    const [a, b, c] = [
      await makeProject(db.app, { number: "START-A" }),
      await makeProject(db.app, { number: "START-B" }),
      await makeProject(db.app, { number: "START-C" }),
    ];
    for (const project of [a, b, c]) await grantRole(db.app, project.id, user.id, "TL");
    const sid = await makeSession(db.app, user.id);
    const list = async (session: string) => (await callAs(user, "personal/getProjectList/list", {}, { sid: session })).data;
    expect(await list(sid)).toMatchObject({ current: null, records: [{ number: "START-A" }, {}, {}] });
    await callAs(user, "session/bootstrap?projectNumber=START-B", {}, { sid });
    await callAs(user, "session/bootstrap?projectNumber=START-C", {}, { sid, now: new Date(clock.getTime() + 1000) });
    await callAs(user, "personal/setDefaultProject", { projectNumber: "START-A" }, { sid });
    expect(await list(sid)).toMatchObject({
      current: "START-C",
      records: [{ number: "START-C" }, { number: "START-B" }, { isDefault: true }],
    });
    // Another sign-in has entered nothing yet.
    expect((await list(await makeSession(db.app, user.id))).current).toBeNull();
    await db.app`delete from project_member where user_id = ${user.id} and project_id = ${c.id}`;
    expect((await list(sid)).current).toBeNull();
  });
});

describe("user settings", () => {
  it("stores a setting, replaces it under the same id, and gives all back [SES-02, SES-11, SES-13]", async () => {
    const user = await makeMember(db.app, project.id, "TL");
    await callAs(user, "userSetting/saveUserSetting", { settingId: "rows", value: 50 });
    await callAs(user, "userSetting/saveUserSetting", { settingId: "rows", value: { size: 100 } });
    await callAs(user, "userSetting/saveUserSetting", { settingId: "view", value: "board", projectScoped: true, projectNumber: "P100" });
    await callAs(pm, "userSetting/saveUserSetting", { settingId: "rows", value: 20 });
    expect((await callAs(user, "userSetting/findUserSetting")).data).toEqual([
      { settingId: "rows", value: { size: 100 }, projectNumber: null },
      { settingId: "view", value: "board", projectNumber: "P100" },
    ]);
    expect((await callAs(pm, "userSetting/findUserSetting")).data).toEqual([{ settingId: "rows", value: 20, projectNumber: null }]);
  });

  it("keeps a setting for a project of the person alone, and tells a project of others from none as little as anywhere", async () => {
    const foreign = await makeProject(db.app);
    const user = await makeMember(db.app, project.id, "TL");
    await callAs(user, "userSetting/saveUserSetting", { settingId: "view", value: "grid" });
    const save = (projectNumber?: string) =>
      callAs(user, "userSetting/saveUserSetting", { settingId: "view", value: "board", projectScoped: true, projectNumber });
    const told = async (number: string) => {
      const { code, msg } = await save(number);
      return [code, msg?.replace(number, "…")];
    };
    expect((await told(foreign.number))[0]).toBe("NOT_FOUND");
    expect(await told("NONE")).toEqual(await told(foreign.number));
    expect((await save()).problems).toMatchObject([{ path: "projectNumber", code: "VALUE_MISSING" }]);
    const kept = [{ settingId: "view", value: "grid", projectNumber: null }];
    expect((await callAs(user, "userSetting/findUserSetting")).data).toEqual(kept);
    expect((await save("P100")).status).toBe(200);
    const both = [...kept, { settingId: "view", value: "board", projectNumber: "P100" }];
    expect((await callAs(user, "userSetting/findUserSetting")).data).toEqual(both);
  });

  it("removes the one setting of its id, the person's own, and knows when there is none [SES-12]", async () => {
    const user = await makeUser(db.app);
    const other = await makeUser(db.app);
    const save = (whose: CtxUser, settingId: string) => callAs(whose, "userSetting/saveUserSetting", { settingId, value: "light" });
    const left = async (whose: CtxUser) =>
      (await callAs(whose, "userSetting/findUserSetting")).data.map(({ settingId }: { settingId: string }) => settingId);
    for (const settingId of ["skin", "skins"]) await save(user, settingId);
    await save(other, "skin");
    expect((await callAs(user, "userSetting/deleteUserSetting/skin")).status).toBe(200);
    expect([await left(user), await left(other)]).toEqual([["skins"], ["skin"]]);
    expect((await callAs(user, "userSetting/deleteUserSetting/skin")).code).toBe("NOT_FOUND");
    expect([await left(user), await left(other)]).toEqual([["skins"], ["skin"]]);
  });

  it("takes 64 KB and refuses one byte more", async () => {
    const value = "x".repeat(65_536 - 2);
    expect((await callAs(pm, "userSetting/saveUserSetting", { settingId: "big", value })).status).toBe(200);
    expect((await callAs(pm, "userSetting/saveUserSetting", { settingId: "big", value: `${value}x` })).code).toBe("SETTING_TOO_LARGE");
  });
});

describe("reads", () => {
  it("lists the projects the person may open [SES-10]", async () => {
    const user = await makeUser(db.app);
    const mine = await makeProject(db.app, { number: "MINE-1" });
    await makeProject(db.app, { number: "OTHER-1" });
    await grantRole(db.app, mine.id, user.id, "TL");
    const { data } = await callAs(user, "personal/getProjectList/list", {});
    expect(data.records.map((entry: { number: string }) => entry.number)).toEqual(["MINE-1"]);
  });

  it("lists no project that cannot be opened, which are asked for by themselves; one whose border waits for a declaration can [SES-10]", async () => {
    const user = await makeUser(db.app, { kind: "subcontractor" });
    const [bare, closed, abroad, ended, open] = await Promise.all([
      makeProject(db.app, { datacenter: null }),
      makeProject(db.app, { hostingCountry: "DE", customerKind: "eu_non_subsidiary" }),
      makeProject(db.app, { hostingCountry: "DE" }),
      makeProject(db.app),
      makeProject(db.app),
    ]);
    for (const { id } of [bare, closed, abroad, ended, open]) await grantRole(db.app, id, user.id, "SUBCON");
    const company = await makeSubcontractor(db.app, ended.id, [user.id]);
    await makeSubcontractor(db.app, open.id, [user.id]);
    await db.app`update subcontractor set dpa_required = true, dpa_expires = '2026-10-13' where id = ${company}`;
    const opened = async (number: string) => (await callAs(user, `session/bootstrap?projectNumber=${number}`)).code ?? "in";
    expect(await Promise.all([bare, closed, ended].map(({ number }) => opened(number)))).toEqual([
      "NO_DATACENTER",
      "CROSS_BORDER_FORBIDDEN",
      "DPA_EXPIRED",
    ]);
    const list = async (which = {}) =>
      (await callAs(user, "personal/getProjectList/list", which)).data.records.map(({ number }: { number: string }) => number).sort();
    expect(await list()).toEqual([abroad.number, open.number].sort());
    expect(await list({ closed: true })).toEqual([bare.number, closed.number, ended.number].sort());
    await db.app`update subcontractor set dpa_expires = '2026-10-14' where id = ${company}`;
    expect(await list()).toEqual([abroad.number, ended.number, open.number].sort());
  });

  it("searches the directory by searchKey and gives the people as records [SES-14]", async () => {
    await makeUser(db.app, { account: "zhang.wei", name: "张伟" });
    const { data } = await callAs(pm, "user/searchDirectory", { searchKey: "zhang" });
    expect(data.records.map((entry: { account: string }) => entry.account)).toEqual(["zhang.wei"]);
    expect((await callAs(pm, "user/searchDirectory", { searchKey: "张伟" })).data.total).toBe(1);
    expect((await callAs(pm, "user/searchDirectory", { searchKey: "z" })).code).toBe("INVALID_INPUT");
  });

  it("answers the offset of a project under the number asked; 0 when none is set [SES-07, SES-15]", async () => {
    expect((await callAs(pm, "timeZone/findByProjectId/P100")).data).toEqual({ status: "success", P100: -7 });
    const [plain] = await db.app<{ id: number }[]>`
      insert into project (number, name, country, hosting_country, datacenter) values ('PLAIN', 'Plain', 'CN', 'CN', 'dc-1') returning id`;
    await grantRole(db.app, plain!.id, pm.id, "PM");
    expect((await callAs(pm, "timeZone/findByProjectId/PLAIN")).data).toEqual({ status: "success", PLAIN: 0 });
  });

  it("know as a member also who owns a region, a site or an inventory, and nobody whose role has ended [SES-15]", async () => {
    const there = await makeProject(db.app, { number: "OWNED", tzOffset: 2 });
    const [ofRegion, ofSite, ofInventory, gone] = await Promise.all([0, 1, 2, 3].map(() => makeUser(db.app)));
    const [du] = await makeDus(db.app, there.id, [{}]);
    await db.app`insert into region_owner (region_id, user_id) values (${await makeRegion(db.app, there.id)}, ${ofRegion!.id})`;
    await db.app`
      insert into du_owner (du_id, user_id, owner_kind) values (${du!}, ${ofSite!.id}, 'SITE_OWNER'), (${du!}, ${ofInventory!.id}, 'INVENTORY_OWNER')`;
    await grantRole(db.app, there.id, gone!.id, "PM", "2026-10-13");
    for (const owner of [ofRegion!, ofSite!, ofInventory!]) {
      expect((await callAs(owner, "timeZone/findByProjectId/OWNED")).data).toEqual({ status: "success", OWNED: 2 });
      expect((await callAs(owner, "personal/setDefaultProject", { projectNumber: "OWNED" })).status).toBe(200);
    }
    for (const number of ["OWNED", "NOWHERE"])
      expect(await callAs(gone!, `timeZone/findByProjectId/${number}`)).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    expect(await callAs(gone!, "personal/setDefaultProject", { projectNumber: "OWNED" })).toMatchObject({ status: 404 });
  });

  it("refuses who is not signed in", async () => {
    expect((await callAs(null, "userSetting/findUserSetting")).status).toBe(401);
  });
});

describe("sign-ins", () => {
  it("are the person's own, and every one but the present can be ended", async () => {
    const user = await makeUser(db.app);
    const [here, there, far] = [await makeSession(db.app, user.id), await makeSession(db.app, user.id), await makeSession(db.app, user.id)];
    const foreign = await makeSession(db.app, pm.id);
    const list = async () => (await callAs(user, "session/listOwn", {}, { sid: here })).data.records as { sid: string; isThis: boolean }[];
    expect((await list()).map(({ sid, isThis }) => [sid, isThis]).sort()).toEqual(
      [
        [here, true],
        [there, false],
        [far, false],
      ].sort(),
    );
    expect((await callAs(user, "session/revoke", { sid: there }, { sid: here })).data).toEqual({ count: 1 });
    expect(await callAs(user, "session/revoke", { sid: there }, { sid: here })).toMatchObject({ status: 404 });
    expect(await callAs(user, "session/revoke", { sid: foreign }, { sid: here })).toMatchObject({ status: 404 });
    expect((await callAs(user, "session/revoke", { others: true }, { sid: here })).data).toEqual({ count: 1 });
    expect((await list()).map(({ sid }) => sid)).toEqual([here]);
    expect(await findSession(there, clock)).toBeNull();
    expect(await findSession(foreign, clock)).not.toBeNull();
    expect(await callAs(user, "session/revoke", {}, { sid: here })).toMatchObject({ status: 400 });
  });
});

describe("API tokens", () => {
  it("are made by a signed-in person, shown once, kept as a hash, and end when revoked", async () => {
    const user = await makeUser(db.app);
    const sid = await makeSession(db.app, user.id);
    const { data } = await callAs(user, "apiToken/save", { name: "nightly", days: 30 }, { sid });
    expect(data.token).toMatch(/^mp_/);
    expect((await findToken(data.token, clock))?.user.id).toBe(user.id);
    const stored = JSON.stringify(await db.owner`select * from api_token where id = ${data.id}`);
    const audited = JSON.stringify(await db.owner`select * from audit_log where object = ${`api token ${data.id}`}`);
    for (const text of [stored, audited]) expect(text).not.toContain(data.token);
    const { records } = (await callAs(user, "apiToken/list", {}, { sid })).data;
    expect(records).toMatchObject([{ id: data.id, name: "nightly", expiresAt: new Date(clock.getTime() + 30 * 86_400_000) }]);
    expect(await callAs(pm, "apiToken/revoke", { id: data.id })).toMatchObject({ status: 404 });
    expect((await callAs(user, "apiToken/revoke", { id: data.id }, { sid })).status).toBe(200);
    expect(await findToken(data.token, clock)).toBeNull();
    expect((await callAs(user, "apiToken/list", {}, { sid })).data.records).toEqual([]);
  });

  it("make no further tokens", async () => {
    const user = await makeUser(db.app);
    const tokenId = await makeToken(db.app, user.id);
    expect(await callAs(user, "apiToken/save", { name: "more" }, { tokenId })).toMatchObject({ status: 403, code: "SESSION_REQUIRED" });
  });

  it.each([
    [1, 200],
    [365, 200],
    [0, 400],
    [366, 400],
  ])("may be valid for %i days: %i", async (days, status) => {
    const user = await makeUser(db.app);
    expect((await callAs(user, "apiToken/save", { name: "x".repeat(100), days }, { sid: await makeSession(db.app, user.id) })).status).toBe(
      status,
    );
  });

  it("are at most fifty for one person", async () => {
    const user = await makeUser(db.app);
    const sid = await makeSession(db.app, user.id);
    for (let made = 0; made < 49; made++) await makeToken(db.app, user.id);
    expect((await callAs(user, "apiToken/save", { name: "fifty" }, { sid })).status).toBe(200);
    expect(await callAs(user, "apiToken/save", { name: "one more" }, { sid })).toMatchObject({ code: "TOO_MANY" });
  });
});

describe("notices", () => {
  it("tell of own roles and of subcontractors one manages; put aside, exactly that role and date stays away [SES-21]", async () => {
    const own = await makeProject(db.app, { number: "NOTICE" });
    const user = await makeUser(db.app);
    const managed = await makeUser(db.app, { kind: "subcontractor", managerId: user.id });
    await db.app`update app_user set dpa_expires_on = '2026-11-13' where id = ${managed.id}`;
    await grantRole(db.app, own.id, user.id, "TL", "2026-11-13");
    await grantRole(db.app, own.id, managed.id, "SUBCON", "2026-10-14");
    await grantRole(db.app, own.id, user.id, "DQA", "2026-11-14");
    const told = async () =>
      (await callAs(user, "session/bootstrap?projectNumber=NOTICE")).data.notices as {
        key: string;
        account: string;
        role: string | null;
      }[];
    const short = (rows: { account: string; role: string | null }[]) => rows.map((row) => `${row.account} ${row.role}`);
    const all = [`${managed.account} SUBCON`, `${managed.account} null`, `${user.account} TL`].sort();
    const first = await told();
    expect(short(first).sort()).toEqual(all);
    for (const { key } of first) await callAs(user, "notice/ack", { noticeKey: key });
    expect(await told()).toEqual([]);
    const { records } = (await callAs(user, "notice/ackList")).data;
    expect(short(records).sort()).toEqual(all);
    expect(records.find((row: { role: string | null }) => row.role === "TL")).toMatchObject({
      projectNumber: "NOTICE",
      endsOn: "2026-11-13",
    });
    // Renewed and ending again, it is told again.
    await db.app`update project_member set valid_to = '2026-11-12' where user_id = ${user.id} and role = 'TL'`;
    expect(short(await told())).toEqual([`${user.account} TL`]);
    expect((await callAs(user, "notice/reset", { noticeKeys: [first[0]!.key] })).data).toEqual({ count: 1 });
    expect((await callAs(user, "notice/reset", {})).data).toEqual({ count: 2 });
    expect(short(await told()).sort()).toEqual(all);
  });
});

describe("the chosen language", () => {
  it("is Chinese, English or Japanese; no other can be selected [SES-01, SES-03]", async () => {
    const choose = async (lang: string) => (await callAs(null, "language/set", { lang })).status;
    expect(await Promise.all(locales.map(choose))).toEqual([200, 200, 200]);
    expect(locales).toEqual(["zh", "en", "ja"]);
    expect(await Promise.all(["fr", "zh-TW", "EN", ""].map(choose))).toEqual([400, 400, 400, 400]);
  });

  it("is kept for mails too; a value that is no language is not", async () => {
    const user = await makeUser(db.app);
    const language = async () => (await db.owner`select language from app_user where id = ${user.id}`)[0]?.language;
    await callAs(user, "userSetting/saveUserSetting", { settingId: "language", value: "ja" });
    expect(await language()).toBe("ja");
    await callAs(user, "userSetting/saveUserSetting", { settingId: "language", value: "fr" });
    expect(await language()).toBe("ja");
  });
});

describe("rights at entering", () => {
  it("come with the session state, every code with the answer of the check; a failing read gives none [PRM-06]", async () => {
    const codes = Object.keys(permissions);
    const { data } = await callAs(pm, "session/bootstrap?projectNumber=P100");
    const checked = await callAs(pm, "portal/userPermission/checkUserPermission", codes.slice(0, 200), { project: "P100" });
    expect(data.permissions).toEqual(checked.data);
    expect(codes.length).toBeLessThanOrEqual(200);
    await db.owner`alter table role_permission rename to permission_away`;
    try {
      const failed = await callAs(pm, "session/bootstrap?projectNumber=P100");
      expect([failed.status, failed.data]).toEqual([500, undefined]);
      expect((await callAs(pm, "portal/userPermission/checkUserPermission", codes, { project: "P100" })).data).toEqual({});
    } finally {
      await db.owner`alter table permission_away rename to role_permission`;
    }
  });
});

describe("permission check", () => {
  it("maps every asked code to its result and gives an empty map when the check fails [PRM-08]", async () => {
    const asked = ["flow.edit", "limit.edit", "no.such"];
    const address = "portal/userPermission/checkUserPermission";
    expect((await callAs(pm, address, asked, { project: "P100" })).data).toEqual({
      "flow.edit": true,
      "limit.edit": false,
      "no.such": false,
    });
    expect((await callAs(pm, address, { codes: asked }, { project: "NONE" })).data).toEqual({});
    await db.owner`alter table role_permission rename to permission_away`;
    try {
      expect(await callAs(pm, address, asked, { project: "P100" })).toMatchObject({ status: 200, data: {} });
    } finally {
      await db.owner`alter table permission_away rename to role_permission`;
    }
  });
});
