import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";
import { meanwhile } from "../../support/meanwhile.ts";
import { makeDus } from "../../support/plan-factories.ts";
import { done } from "../activity-flows/make-flow.ts";
import { makeTab, makeTabAttribute } from "./make-tab.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm, number = project.number): Promise<any> =>
  callAs(user, address, input, { project: number });
const save = (name: string, more: object = {}) => call("duTabAttr/tab/save", { name, keyMode: "SN", ...more });

describe("duTabAttr/tab/save", () => {
  it("makes a tab and changes it; a name is used once whatever its case, a revision once", async () => {
    const { id, rowVersion } = await done(save("Network elements", { sortNo: 3 }));
    expect(rowVersion).toBe(1);
    expect(await save(" NETWORK ELEMENTS ")).toMatchObject({ status: 422, code: "NAME_EXISTS", problems: [{ path: "name" }] });
    expect(await done(save("network elements", { id, rowVersion: 1, keyMode: "DU" }))).toEqual({ id, rowVersion: 2 });
    expect(await save("Other", { id, rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE", data: { name: "network elements" } });
    expect(await save("n".repeat(101))).toMatchObject({ status: 400, problems: [{ code: "NAME_TOO_LONG", params: { max: 100 } }] });
    await done(save("n".repeat(100)));
    expect(await call("duTabAttr/tab/save", { name: "By TL", keyMode: "SN" }, tl)).toMatchObject({ status: 403 });
  });

  it("keeps the key mode of a tab with rows, and the tab itself; a tab that attributes name stays too", async () => {
    const id = await makeTab(db.owner, project.id, "With a row");
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const row = await done(call("duTabAttr/saveRow", { tabId: id, rows: [{ duId: du, sn: "1" }] }));
    expect(await save("With a row", { id, rowVersion: 1, keyMode: "DU" })).toMatchObject({
      code: "TAB_HAS_ROWS",
      msg: "The tab still has 1 row",
    });
    expect(await call("duTabAttr/tab/delete", { ids: [id] })).toMatchObject({ code: "TAB_HAS_ROWS" });
    await done(call("duTabAttr/deleteRows", { tabId: id, ids: [row.saved[0].id] }));
    const attribute = await makeTabAttribute(db.owner, project.id, id, { name: "Length" });
    expect(await call("duTabAttr/tab/delete", { ids: [id] })).toMatchObject({ code: "IN_USE", msg: expect.stringContaining("Length") });
    await db.owner`update attribute set deleted_at = now() where id = ${attribute.id}`;
    expect(await done(call("duTabAttr/tab/delete", { ids: [id] }))).toEqual({ deleted: 1 });
    expect(await call("duTabAttr/find/duTabAttrList", { tabId: id })).toMatchObject({ status: 404 });
    await done(save("With a row"));
  });
});

describe("rows that are being made", () => {
  const withRow = (tabId: number, act: () => Promise<unknown>) =>
    makeDus(db.owner, project.id, [{}]).then(([du]) =>
      meanwhile(
        db,
        async (sql) => {
          await sql`select 1 from du_tab where id = ${tabId} for share`;
          await sql`
            insert into du_tab_row (project_id, tab_id, du_id, key_mode, sn, data, created_by, created_at, updated_by, updated_at)
            values (${project.id}, ${tabId}, ${du!}, 'SN', '1', '{}', ${pm.id}, now(), ${pm.id}, now())`;
        },
        act,
      ),
    );

  it("keep their tab from being deleted, and its key mode", async () => {
    const id = await makeTab(db.owner, project.id, "Being filled");
    expect(await withRow(id, () => call("duTabAttr/tab/delete", { ids: [id] }))).toMatchObject({ code: "TAB_HAS_ROWS" });
    const other = await makeTab(db.owner, project.id, "Being filled too");
    const change = () => save("Being filled too", { id: other, rowVersion: 1, keyMode: "DU" });
    expect(await withRow(other, change)).toMatchObject({ code: "TAB_HAS_ROWS" });
  });
});

describe("the tabs of a project", () => {
  it("are listed for a select box in their order with what the caller may do, at both addresses [DUT-21]", async () => {
    const own = await makeProject(db.owner);
    const user = await makeMember(db.owner, own.id, "TL");
    const [late, early] = [await makeTab(db.owner, own.id, "Late"), await makeTab(db.owner, own.id, "Early")];
    await db.owner`update du_tab set sort_no = 9 where id = ${late}`;
    await db.owner`insert into du_tab (project_id, name, key_mode, brazil_only, created_at, updated_at) values (${own.id}, 'Brazil', 'DU', true, now(), now())`;
    await db.owner`insert into du_tab_user (project_id, tab_id, role, mode) values (${own.id}, ${early}, 'TL', 'RW')`;
    const expected = [
      { id: early, name: "Early", mode: "RW", rows: 0 },
      { id: late, name: "Late", mode: "RO", rows: 0 },
    ];
    for (const address of ["duTabAttr/find/duTabList4Select", "find/duTabList4Select"])
      expect(await done(call(address, {}, user, own.number))).toMatchObject(expected);
    expect(await done(call("isBzProject", {}, user, own.number))).toEqual({ isBz: false });
    await db.owner`update project set country = 'BR' where id = ${own.id}`;
    const brazil = await done(call("duTabAttr/find/duTabList4Select", {}, user, own.number));
    expect(brazil.map(({ name }: { name: string }) => name)).toEqual(["Brazil", "Early", "Late"]);
  });

  it("tells whether the project is a Brazilian one, at both addresses [DUT-19]", async () => {
    const brazil = await makeProject(db.owner);
    await db.owner`update project set country = 'BR' where id = ${brazil.id}`;
    const user = await makeMember(db.owner, brazil.id, "TL");
    for (const address of ["duTabAttr/isBzProject", "isBzProject"]) {
      expect(await done(call(address, {}, user, brazil.number))).toEqual({ isBz: true });
      expect(await done(call(address))).toEqual({ isBz: false });
    }
  });

  it("gives the columns of a tab, those of the DU first; hidden attributes are absent [DUT-18]", async () => {
    const id = await makeTab(db.owner, project.id, "Columns", "DU");
    const kept = await makeTabAttribute(db.owner, project.id, id, { name: "Kept", type: "ENUM", enums: ["A", "B"] });
    const ofDu = await makeTabAttribute(db.owner, project.id, id, { name: "With the DU", ofDu: true });
    const hidden = await makeTabAttribute(db.owner, project.id, id, { name: "Hidden" });
    await db.owner`
      insert into attribute_permission (project_id, subject_type, role, entries, updated_at)
      values (${project.id}, 'ROLE', 'TL', ${db.owner.json([{ attributeId: hidden.id, mode: "HIDDEN" }])}, now())`;
    const read = async (user: CtxUser) => {
      const { fixed, attributes, mode } = await done(call("find/duTabAttrList", { tabId: id }, user));
      return { first: fixed[0], names: attributes.map(({ name }: { name: string }) => name), mode, attributes };
    };
    const all = await read(pm);
    expect(all).toMatchObject({ first: "code", names: ["Kept", "With the DU", "Hidden"], mode: "RW" });
    expect(all.attributes[0]).toMatchObject({ key: kept.key, level: "TAB", choices: [{ value: "A" }, { value: "B" }] });
    expect(all.attributes[1]).toMatchObject({ key: ofDu.key, level: "DU" });
    expect(await read(tl)).toMatchObject({ names: ["Kept", "With the DU"], mode: "RO" });
    await db.owner`delete from attribute_permission where project_id = ${project.id}`;
  });
});

describe("duTabAttr/user/save", () => {
  it("names accounts and roles; who is no member is refused by name [DUT-12]", async () => {
    const id = await makeTab(db.owner, project.id, "Users");
    const users = [
      { account: tl.account.toUpperCase(), mode: "RW" },
      { role: "TD", mode: "RO" },
    ];
    await done(call("duTabAttr/user/save", { tabId: id, users, base: [] }));
    expect((await done(call("duTabAttr/user/find", { tabId: id }))).users).toMatchObject([
      { role: "TD", mode: "RO", account: null },
      { account: tl.account, mode: "RW", role: null },
    ]);
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const write = (user: CtxUser) => call("duTabAttr/saveRow", { tabId: id, rows: [{ duId: du, sn: user.account.slice(0, 50) }] }, user);
    await done(write(tl));
    const td = await makeMember(db.owner, project.id, "TD");
    expect(await write(td)).toMatchObject({ status: 403, code: "NO_TAB_WRITE", msg: "No write permission (Users)" });
    // Of a role without the right to write any tab it is told that it still only reads.
    const named = [{ role: "CM", mode: "RW" }, { role: "TD", mode: "RW" }, ...users.slice(0, 1)];
    await done(call("duTabAttr/user/save", { tabId: id, users: named, base: users }));
    const idle = (await done(call("duTabAttr/user/find", { tabId: id }))).users as { role: string | null; isIdle: boolean }[];
    expect(idle.map(({ role, isIdle }) => [role, isIdle])).toEqual([
      ["CM", true],
      ["TD", false],
      [null, false],
    ]);
    await done(call("duTabAttr/user/save", { tabId: id, users, base: named }));
    const stranger = [{ account: "no-such-account", mode: "RO" }];
    expect(await call("duTabAttr/user/save", { tabId: id, users: stranger, base: users })).toMatchObject({
      code: "NOT_MEMBER",
      problems: [{ path: "users.0.account" }],
    });
    expect(await call("duTabAttr/user/save", { tabId: id, users: [users[0], users[0]], base: users })).toMatchObject({ status: 400 });
    expect((await done(call("duTabAttr/user/find", { tabId: id }))).users).toHaveLength(2);
  });

  it("refuses a list that was made upon one others have changed meanwhile", async () => {
    const id = await makeTab(db.owner, project.id, "Users at once");
    const lead = { role: "TL", mode: "RO" };
    const designer = { role: "TD", mode: "RW" };
    await done(call("duTabAttr/user/save", { tabId: id, users: [lead], base: [] }));
    expect(await call("duTabAttr/user/save", { tabId: id, users: [designer], base: [] })).toMatchObject({ status: 409, code: "STALE" });
    expect((await done(call("duTabAttr/user/find", { tabId: id }))).users).toMatchObject([lead]);
    await done(call("duTabAttr/user/save", { tabId: id, users: [lead, designer], base: [lead] }));
    // Another mode is another list, too.
    expect(await call("duTabAttr/user/save", { tabId: id, users: [], base: [lead, { ...designer, mode: "RO" }] })).toMatchObject({
      code: "STALE",
    });
    expect((await done(call("duTabAttr/user/find", { tabId: id }))).users).toHaveLength(2);
  });
});
