import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { peoplePerCall, phoneChars } from "#lib/resources/pool/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeResource, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let pd: CtxUser;

beforeAll(async () => {
  pd = await makeMember(db.owner, project.id, "PD");
});

const add = (rows: Record<string, unknown>[], more: Record<string, unknown> = {}) =>
  call(project.pm, "resource/save", { rows: rows.map((row) => ({ type: "OWN", ...row })), ...more });
const newcomer = async (more: Record<string, unknown> = {}) => ({ account: (await makeUser(db.owner)).account, ...more });
const list = async (user: CtxUser, tab: string, more: unknown[] = []) =>
  call(user, `resource/list/1/50/default/${encodeURIComponent(JSON.stringify([{ field: "tab", type: "eq", values: [tab] }, ...more]))}`);
const one = async (id: number) => (await list(project.pm, "OWN", [{ field: "id", type: "in", values: [id] }])).data.records[0];
const change = async (id: number, fields: Record<string, unknown>) =>
  call(project.pm, "resource/save", { rows: [{ id, rowVersion: (await one(id)).rowVersion, ...fields }] });

describe("resource/save and list", () => {
  it("keeps a person with all he carries and lists him below his tab [RES-07] [RES-09]", async () => {
    const user = await makeUser(db.owner);
    const fields = {
      contractor: "ACME",
      phone: "86138,555",
      authStart: "2026-10-01",
      authEnd: "2027-10-01",
      visaType: "Work",
      visaStart: "2026-01-01",
      visaEnd: "2026-12-31",
      skills: ["Rigging", "5G"],
      longitude: 113.3,
      latitude: 23.1,
      dataOwner: true,
    };
    const saved = await add([{ account: user.account.toUpperCase(), type: "LEASE", ...fields }]);
    const row = await one(saved.data.ids[0]);
    expect(row).toMatchObject({
      ...fields,
      account: user.account,
      name: user.name,
      type: "LEASE",
      roles: [],
      groups: [],
      subcontractor: null,
      availability: "Y",
      presence: "Y",
      publicAccount: false,
      status: "ACTIVE",
      openOrders: 0,
    });
    expect((await list(project.pm, "CUSTOMER")).data.records).toEqual([]);
    const customer = await add([await newcomer({ type: "CUSTOMER" })]);
    expect((await list(project.pm, "CUSTOMER")).data.records.map((found: { id: number }) => found.id)).toEqual(customer.data.ids);
    const tabs = (await call(project.pm, "resource/tabs")).data as { tab: string; count: number }[];
    expect(tabs.map(({ tab }) => tab)).toEqual(["OWN", "SUBCON", "CUSTOMER", "GROUPS", "ALL_GROUPS"]);
    expect(tabs[2]).toEqual({ tab: "CUSTOMER", count: 1 });
    expect((await change(row.id, { contractor: null })).status).toBe(200);
    expect(await one(row.id)).toMatchObject({ contractor: null, phone: fields.phone, rowVersion: 2 });
    const history = (await call(project.pm, "resource/history", { id: row.id })).data;
    expect(history[0]).toMatchObject({ by: project.pm.name, before: { contractor: "ACME" }, after: { contractor: null } });
  });

  const cases: [what: string, fields: Record<string, unknown>, code: string | null][] = [
    ["a year [RES-18]", { authStart: "2026-10-14", authEnd: "2027-10-14" }, null],
    ["a year and a day [RES-18]", { authStart: "2026-10-14", authEnd: "2027-10-15" }, "AUTH_OVER_ONE_YEAR"],
    ["an end without a start", { authEnd: "2027-10-14" }, "VALUE_MISSING"],
    ["a visa of one day [RES-19]", { visaStart: "2026-10-14", visaEnd: "2026-10-14" }, null],
    ["a visa that ends before [RES-19]", { visaStart: "2026-10-14", visaEnd: "2026-10-13" }, "VISA_ORDER"],
    ["numbers and commas [RES-21]", { phone: "1,2".padEnd(phoneChars, "0") }, null],
    ["one figure more [RES-21]", { phone: "1".repeat(phoneChars + 1) }, "PHONE_FORMAT"],
    ["a plus sign [RES-21]", { phone: "+86" }, "PHONE_FORMAT"],
  ];
  it.each(cases)("%s", async (_, fields, code) => {
    const answer = await add([await newcomer(fields)]);
    expect(answer.problems?.[0]?.code ?? null).toBe(code);
    expect(answer.status).toBe(code ? 400 : 200);
  });

  it("takes as many people as it may at once, and refuses one more, a stranger and who is there [RES-22]", async () => {
    const rows = await Promise.all(Array.from({ length: peoplePerCall + 1 }, () => newcomer()));
    expect((await add(rows)).problems?.[0]).toMatchObject({ code: "TOO_MANY", params: { max: peoplePerCall } });
    expect((await add(rows.slice(1))).data.ids).toHaveLength(peoplePerCall);
    expect(await add([{ account: "nobody-at-all" }])).toMatchObject({ code: "ACCOUNT_MISSING", problems: [{ path: "rows.0.account" }] });
    expect((await add([rows[1]!])).code).toBe("IN_POOL");
  });

  it("adds a public account only when that is confirmed [RES-44]", async () => {
    const row = await newcomer({ publicAccount: true });
    expect((await add([row])).code).toBe("PUBLIC_ACCOUNT_CONFIRM");
    expect((await add([row], { confirmPublic: true })).status).toBe(200);
  });

  it("refuses a change read at an older revision and one by who may not", async () => {
    const [id] = (await add([await newcomer()])).data.ids;
    const { rowVersion } = await one(id);
    expect((await call(project.pm, "resource/save", { rows: [{ id, rowVersion: rowVersion + 1, phone: "1" }] })).code).toBe("STALE");
    expect((await call(project.viewer, "resource/save", { rows: [{ id, rowVersion, phone: "1" }] })).status).toBe(403);
    const tl = await makeMember(db.owner, project.id, "TL");
    expect((await call(tl, "resource/save", { rows: [{ id, rowVersion, phone: "1" }] })).code).toBe("NO_PERMISSION");
    const made = await call(tl, "resGroup/save", { name: "TL team", members: [{ resourceId: id, isLeader: true }] });
    expect(made.status).toBe(200);
    expect((await call(tl, "resource/save", { rows: [{ id, rowVersion, phone: "1" }] })).status).toBe(200);
    expect((await call(tl, "resource/save", { rows: [{ ...(await newcomer()), type: "OWN" }] })).code).toBe("NO_PERMISSION");
    expect((await list(tl, "GROUPS")).data.records.map((row: { id: number }) => row.id)).toEqual([id]);
  });
});

describe("roles [RES-24]", () => {
  it("are written to the members; a key role only while the PD's switch allows it", async () => {
    const row = await newcomer({ roles: ["DQA"] });
    const [id] = (await add([row])).data.ids;
    expect((await one(id)).roles).toEqual(["DQA"]);
    expect(await change(id, { roles: ["DQA", "TL"] })).toMatchObject({
      code: "KEY_ROLE_LOCKED",
      msg: "The PD does not allow key roles to be granted here: TL",
    });
    const settings = (await call(project.pm, "resSetting/find")).data;
    const flip = (user: CtxUser) => call(user, "resSetting/save", { keyRoleSwitch: true, rowVersion: settings.rowVersion });
    expect(await flip(project.pm)).toMatchObject({ status: 403, code: "KEY_ROLE_SWITCH_PD" });
    expect((await flip(pd)).status).toBe(200);
    expect((await change(id, { roles: ["TL"] })).status).toBe(200);
    expect((await one(id)).roles).toEqual(["TL"]);
    const hrbp = await makeMember(db.owner, project.id, "HRBP");
    const { rowVersion } = await one(id);
    expect((await call(hrbp, "resource/save", { rows: [{ id, rowVersion, roles: [] }] })).code).toBe("NO_PERMISSION");
  });
});

describe("resource/delete and setStatus", () => {
  it("keep the data owner [RES-43]", async () => {
    const [id] = (await add([await newcomer({ dataOwner: true })])).data.ids;
    expect((await call(project.pm, "resource/delete", { ids: [id] })).code).toBe("DATA_OWNER");
    expect((await call(project.pm, "resource/setStatus", { ids: [id], status: "INACTIVE" })).code).toBe("DATA_OWNER");
    await change(id, { dataOwner: false });
    expect((await call(project.pm, "resource/setStatus", { ids: [id], status: "INACTIVE" })).status).toBe(200);
    expect(await one(id)).toMatchObject({ status: "INACTIVE", availability: "N" });
    expect((await call(project.pm, "resource/setStatus", { ids: [id], status: "ACTIVE" })).status).toBe(200);
    expect(await one(id)).toMatchObject({ status: "ACTIVE", availability: "Y" });
    expect((await call(project.pm, "resource/delete", { ids: [id] })).data).toEqual({ deleted: 1 });
  });

  it("keep who has work in hand", async () => {
    const user = await makeUser(db.owner);
    const [id] = (await add([{ account: user.account }])).data.ids;
    const [du] = await makeDus(db.owner, project.id, [{}]);
    await db.owner`insert into work_order (project_id, number, du_id, slot, status, assignee_id) values (${project.id}, 900, ${du!}, 1, 'assigned', ${user.id})`;
    expect(await call(project.pm, "resource/delete", { ids: [id] })).toMatchObject({
      code: "HAS_OPEN_WORK",
      problems: [{ params: { count: 1 } }],
    });
    await db.owner`update work_order set status = 'completed' where assignee_id = ${user.id}`;
    expect((await call(project.pm, "resource/delete", { ids: [id] })).status).toBe(200);
  });
});

describe("who sees the pool", () => {
  it("is a person of a company for his own alone, and only its tab", async () => {
    const company = await makeSubcontractor(db.owner, project.id);
    const other = await makeSubcontractor(db.owner, project.id);
    const manager = await makeMember(db.owner, project.id, "SUBCON_PM");
    const own = await makeResource(db.owner, project.id, manager.id, { subcontractorId: company });
    await makeResource(db.owner, project.id, (await makeUser(db.owner)).id, { subcontractorId: other });
    expect((await list(manager, "SUBCON")).data.records.map((row: { id: number }) => row.id)).toEqual([own]);
    expect((await call(manager, "resource/tabs")).data).toEqual([{ tab: "SUBCON", count: 1 }]);
    expect((await list(manager, "OWN")).code).toBe("NO_PERMISSION");
    expect((await list(await makeMember(db.owner, project.id, "SUBCON"), "SUBCON")).status).toBe(403);
  });
});
