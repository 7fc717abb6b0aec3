import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { makeTab, makeTabAttribute } from "../make-tab.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;
let dus: number[];
let tabId: number;
let kind: { id: number; key: string; enumIds: number[] };
let day: { id: number; key: string };
let note: { id: number; key: string };

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
  const region = await makeRegion(db.owner, project.id);
  dus = await makeDus(db.owner, project.id, [{ code: "D-1", regionId: region }, { code: "D-2" }, { code: "D-3" }]);
});

let tabs = 0;
beforeEach(async () => {
  await db.owner`update attribute set deleted_at = now() where project_id = ${project.id}`;
  tabId = await makeTab(db.owner, project.id, `Tab ${++tabs}`);
  kind = await makeTabAttribute(db.owner, project.id, tabId, { name: "Kind", type: "ENUM", enums: ["A", "B"], required: true });
  day = await makeTabAttribute(db.owner, project.id, tabId, { name: "Day", type: "DATE" });
  note = await makeTabAttribute(db.owner, project.id, tabId, { name: "Note" });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
const save = (rows: object[], user = pm, tab = tabId) => call("duTabAttr/saveRow", { tabId: tab, rows }, user);
const row = (sn: string, more: object = {}, du = dus[0]) => ({ duId: du, sn, data: { [kind.key]: String(kind.enumIds[0]), ...more } });
const list = async (filters: object[] = [], user = pm, tab = tabId) =>
  done(call("duTabAttr/list", { page: 1, size: 20, filters: [{ field: "tabId", type: "eq", values: [tab] }, ...filters] }, user));
const history = async (more: object = {}, user = pm) => done(call("duTabAttr/getHistory", { tabId, ...more }, user));

describe("duTabAttr/saveRow", () => {
  it("makes rows and changes them as they were read; each write is in their history [DUT-17]", async () => {
    const { saved } = await done(save([row("1", { [day.key]: "2026-03-01" }), row("2", {}, dus[1])]));
    expect(saved).toMatchObject([
      { index: 0, rowVersion: 1 },
      { index: 1, rowVersion: 1 },
    ]);
    const first = { id: saved[0].id, duId: dus[0], rowVersion: 1 };
    expect(await done(save([{ ...first, data: { [day.key]: null, [note.key]: " new " } }]))).toMatchObject({
      saved: [{ id: first.id, rowVersion: 2 }],
      conflicts: [],
    });
    const { records, total } = await list();
    expect(total).toBe(2);
    expect(records[0]).toMatchObject({
      code: "D-1",
      sn: "1",
      rowVersion: 2,
      data: { [kind.key]: String(kind.enumIds[0]), [note.key]: "new" },
    });
    expect(records[0].data).not.toHaveProperty(day.key);
    const { records: lines } = await history({ rowId: first.id });
    expect(lines).toMatchObject([
      { duCode: "D-1", sn: "1", source: "UI", by: pm.name, changes: { [day.key]: ["2026-03-01", null], [note.key]: [null, "new"] } },
      { changes: { sn: [null, "1"], [day.key]: [null, "2026-03-01"] } },
    ]);
    expect((await history({ attributeKey: note.key })).total).toBe(1);
    expect((await history({ duId: dus[1] })).total).toBe(1);
  });

  it("keeps a row that moved since it was read as a conflict and saves the others", async () => {
    const { saved } = await done(save([row("1"), row("2")]));
    const [one, two] = saved.map(({ id }: { id: number }) => ({ id, duId: dus[0], rowVersion: 1 }));
    await done(save([{ ...one, data: { [note.key]: "theirs" } }]));
    const both = [one, two].map((given) => ({ ...given, data: { [note.key]: "mine" } }));
    expect(await done(save(both))).toMatchObject({ saved: [{ index: 1 }], conflicts: [{ index: 0, code: "STALE" }] });
    expect((await list()).records.map(({ data }: { data: object }) => data[note.key as never])).toEqual(["theirs", "mine"]);
  });

  it("refuses a serial number that stands twice or is another row's; two rows may exchange theirs [DUT-06]", async () => {
    const { saved } = await done(save([row("1"), row("2")]));
    expect(await save([row("1")])).toMatchObject({
      status: 422,
      code: "SN_REPEATED",
      msg: "Serial Number is repeated, please enter it again!",
      problems: [{ path: "rows.0.sn" }],
    });
    expect(await save([row("3"), row("3")])).toMatchObject({ code: "SN_REPEATED", problems: [{ path: "rows.1.sn" }] });
    expect(await save([{ ...row("x"), sn: null }])).toMatchObject({ code: "VALUE_MISSING" });
    expect(await save([row("s".repeat(51))])).toMatchObject({ status: 400 });
    const change = saved.map(({ id }: { id: number }, at: number) => ({ id, duId: dus[0], rowVersion: 1, sn: at === 0 ? "2" : "1" }));
    await done(save(change));
    expect((await list()).records.map(({ id, sn }: { id: number; sn: string }) => [id, sn])).toEqual([
      [saved[1].id, "1"],
      [saved[0].id, "2"],
    ]);
  });

  it("names the row and the column of every value that is wrong, and writes nothing [DUT-08] [DUT-10] [DUT-11]", async () => {
    const wrong = [
      row("1", { [day.key]: "2025-02-29" }),
      row("2", { [kind.key]: "999999" }),
      { duId: dus[0], sn: "3", data: {} },
      row("4", {}, 999_999_999),
      row("5", { [note.key]: "x".repeat(4001) }),
    ];
    const answer = await save(wrong);
    expect(answer).toMatchObject({ status: 422, msg: "Day: not a date" });
    expect(answer.problems.map(({ path, msg }: { path: string; msg: string }) => [path, msg])).toEqual([
      [`rows.0.data.${day.key}`, "Day: not a date"],
      [`rows.1.data.${kind.key}`, "Kind: invalid enum"],
      [`rows.2.data.${kind.key}`, "Kind must not be empty"],
      ["rows.3.duId", "DU ID invalid, missing or empty"],
      [`rows.4.data.${note.key}`, "Note: length over 4,000 characters"],
    ]);
    expect((await list()).total).toBe(0);
  });

  it("takes 500 rows and refuses more", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => row(`n${at}`));
    expect(await save(many(501))).toMatchObject({ status: 400, problems: [{ code: "TOO_MANY", params: { max: 500 } }] });
    expect((await done(save(many(500)))).saved).toHaveLength(500);
  });

  it("writes nothing for who only reads the tab, the attribute or the DU [DUT-12]", async () => {
    expect(await save([row("1")], tl)).toMatchObject({ status: 403, code: "NO_TAB_WRITE" });
    await db.owner`insert into attribute_user values (${note.id}, ${tl.id}, 'RO')`;
    await db.owner`insert into du_tab_user (project_id, tab_id, user_id, mode) values (${project.id}, ${tabId}, ${tl.id}, 'RW')`;
    expect(await save([row("1", { [note.key]: "x" })], tl)).toMatchObject({ code: "NO_PERMISSION" });
    const owner = await makeMember(db.owner, project.id, "TD");
    await db.owner`update project_member set role = 'SITE_OWNER' where project_id = ${project.id} and user_id = ${owner.id}`;
    await db.owner`insert into du_tab_user (project_id, tab_id, role, mode) values (${project.id}, ${tabId}, 'SITE_OWNER', 'RW')`;
    await db.owner`insert into du_owner (du_id, owner_kind, user_id) values (${dus[1] as number}, 'SITE_OWNER', ${owner.id})`;
    const site = { ...owner, roles: ["SITE_OWNER"] } as CtxUser;
    expect(await save([row("1")], site)).toMatchObject({ code: "DU_ID_INVALID" });
    await done(save([row("1", {}, dus[1])], site));
    await done(save([row("2")]));
    expect((await list([], site)).records.map(({ sn }: { sn: string }) => sn)).toEqual(["1"]);
    expect((await history({}, site)).total).toBe(1);
  });
});

describe("a tab by DU", () => {
  it("has one row per DU, also before it is filled; values of DU attributes are written with the plan's log", async () => {
    const own = await makeTab(db.owner, project.id, `By DU ${tabs}`, "DU");
    const kept = await makeTabAttribute(db.owner, project.id, own, { name: `Kept ${tabs}` });
    const ofDu = await makeTabAttribute(db.owner, project.id, own, { name: `With the DU ${tabs}`, ofDu: true });
    const before = (await list([], pm, own)).records;
    expect(before.map(({ code, id }: { code: string; id: null }) => [code, id])).toEqual([
      ["D-1", null],
      ["D-2", null],
      ["D-3", null],
    ]);
    const given = { duId: dus[0], duVersion: before[0].duVersion, data: { [kept.key]: "tab", [ofDu.key]: "du" } };
    await done(save([given], pm, own));
    expect((await list([], pm, own)).records[0]).toMatchObject({ data: { [kept.key]: "tab", [ofDu.key]: "du" }, rowVersion: 1 });
    const [stored] = await db.owner`select ext ->> ${ofDu.key} as value from du where id = ${dus[0] as number}`;
    expect(stored!.value).toBe("du");
    const [logged] = await db.owner`select count(*)::int as lines from plan_log where du_id = ${dus[0] as number} and attrs ? ${ofDu.key}`;
    expect(logged!.lines).toBe(1);
    expect(await done(save([given], pm, own))).toMatchObject({ saved: [], conflicts: [{ code: "STALE" }] });
    expect(await save([{ duId: dus[0], data: { [kept.key]: "x" } }], pm, own)).toMatchObject({ code: "SN_REPEATED" });
  });
});

describe("rows of a tab that changes meanwhile", () => {
  const gone = () => (sql: Sql) => sql`update du_tab set deleted_at = now() where id = ${tabId}`;
  const keyedByDu = () => (sql: Sql) => sql`update du_tab set key_mode = 'DU' where id = ${tabId}`;

  it("are not written once it is deleted", async () => {
    const { saved } = await done(save([row("1")]));
    const ids = [saved[0].id];
    await done(call("duTabAttr/deleteRows", { tabId, ids }));
    expect(await meanwhile(db, gone(), () => save([row("2")]))).toMatchObject({ status: 404 });
    await db.owner`update du_tab set deleted_at = null where id = ${tabId}`;
    expect(await meanwhile(db, gone(), () => call("duTabAttr/restoreRows", { tabId, ids }))).toMatchObject({ status: 404 });
    expect(await db.owner`select 1 from du_tab_row where tab_id = ${tabId} and deleted_at is null`).toHaveLength(0);
  });

  it("are written and brought back by the key mode it has then", async () => {
    const { saved } = await done(save([row("1")]));
    const ids = [saved[0].id];
    await done(call("duTabAttr/deleteRows", { tabId, ids }));
    await done(meanwhile(db, keyedByDu(), () => save([row("2", {}, dus[1])])));
    expect(await db.owner`select key_mode as key, sn from du_tab_row where tab_id = ${tabId} and deleted_at is null`).toEqual([
      { key: "DU", sn: null },
    ]);
    expect(await call("duTabAttr/restoreRows", { tabId, ids })).toMatchObject({ code: "UNDO_TOO_LATE" });
  });
});

describe("a row somebody else makes at the same moment", () => {
  const theirs = (sql: Sql, keyMode: "SN" | "DU") => sql`
    insert into du_tab_row (project_id, tab_id, du_id, key_mode, sn, data, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${tabId}, ${dus[0]!}, ${keyMode}, ${keyMode === "SN" ? "1" : null}, '{}', ${tl.id}, now(), ${tl.id}, now())`;

  it.each(["SN", "DU"] as const)("takes the number or the place of the DU in a tab by %s", async (keyMode) => {
    await db.owner`update du_tab set key_mode = ${keyMode} where id = ${tabId}`;
    const mine = keyMode === "SN" ? row("1") : { duId: dus[0], data: { [kind.key]: String(kind.enumIds[0]) } };
    expect(
      await meanwhile(
        db,
        (sql) => theirs(sql, keyMode),
        () => save([mine]),
      ),
    ).toMatchObject({ status: 422, code: "SN_REPEATED" });
  });
});

describe("duTabAttr/list", () => {
  it("carries the facts of the DU and its site, each in its column; the state of the site is a column in Brazil alone [DUT-02]", async () => {
    const of = await makeProject(db.owner);
    const person = await makeMember(db.owner, of.id, "PM");
    const [du] = await makeDus(db.owner, of.id, [{ code: "BR-1", name: "Rooftop of Campinas" }]);
    await db.owner`
      update du set hw_contract_number = 'HC-7', delivery_type = 'Swap', product_line = 'Wireless', product_type = 'RAN', delivery_batch_no = 'B-3',
        po_completeness_no = 'PO-5', completeness_type = 'Partial', delivery_key = 'K-9', network_element_id = 'NE-4' where id = ${du!}`;
    await db.owner`
      update customer_site s set code = 'SITE-2', name = 'Campinas', site_number = 'N-6', state_id = 'SP', state_name = 'São Paulo', site_scenario = 'Rooftop'
      from du where du.site_id = s.id and du.id = ${du!}`;
    const tab = await makeTab(db.owner, of.id, "Elements");
    const ask = (address: string, input: object) => done(callAs(person, address, input, { project: of.number }));
    await ask("duTabAttr/saveRow", { tabId: tab, rows: [{ duId: du, sn: "7001", data: {} }] });
    const { records } = await ask("duTabAttr/list", { page: 1, size: 20, filters: [{ field: "tabId", type: "eq", values: [tab] }] });
    const carried = {
      code: "BR-1",
      sn: "7001",
      name: "Rooftop of Campinas",
      siteCode: "SITE-2",
      siteName: "Campinas",
      siteNumber: "N-6",
      hwContractNumber: "HC-7",
      deliveryType: "Swap",
      productLine: "Wireless",
      productType: "RAN",
      stateId: "SP",
      stateName: "São Paulo",
      deliveryBatchNo: "B-3",
      poCompletenessNo: "PO-5",
      completenessType: "Partial",
      siteScenario: "Rooftop",
      deliveryKey: "K-9",
      networkElementId: "NE-4",
    };
    expect(records).toMatchObject([carried]);
    const columns = async () => (await ask("duTabAttr/find/duTabAttrList", { tabId: tab })).fixed;
    expect(await columns()).toEqual(Object.keys(carried).filter((key) => !key.startsWith("state")));
    await db.owner`update project set country = 'BR' where id = ${of.id}`;
    expect(await columns()).toEqual(Object.keys(carried));
  });

  it("finds rows by DU, serial number, region and kind of delivery, and hides what is hidden", async () => {
    await db.owner`update du set delivery_type = 'New' where id = ${dus[0] as number}`;
    await done(save([row("11", { [note.key]: "secret" }), row("12", {}, dus[1]), row("21", {}, dus[1])]));
    const sns = async (...filters: object[]) => (await list(filters)).records.map(({ sn }: { sn: string }) => sn);
    expect(await sns({ field: "search", type: "like", values: ["d-2"] })).toEqual(["12", "21"]);
    expect(await sns({ field: "sn", type: "like", values: ["1"] })).toEqual(["11", "12", "21"]);
    expect(await sns({ field: "sn", type: "in", values: ["11,21"] })).toEqual(["11", "21"]);
    expect(await sns({ field: "deliveryType", type: "in", values: ["New"] })).toEqual(["11"]);
    const [region] = await db.owner`select region_id::int as id from du where id = ${dus[0] as number}`;
    expect(await sns({ field: "region", type: "in", values: [region!.id] })).toEqual(["11"]);
    await db.owner`
      insert into attribute_permission (project_id, subject_type, role, entries, updated_at)
      values (${project.id}, 'ROLE', 'TL', ${db.owner.json([{ attributeId: note.id, mode: "HIDDEN" }])}, now())`;
    expect((await list([], tl)).records[0].data).not.toHaveProperty(note.key);
    expect((await history({}, tl)).records.every(({ changes }: { changes: object }) => !(note.key in changes))).toBe(true);
    expect((await history({ attributeKey: note.key }, tl)).total).toBe(0);
    await db.owner`delete from attribute_permission where project_id = ${project.id}`;
    expect(await call("duTabAttr/list", { page: 1, size: 20, filters: [] })).toMatchObject({ status: 400 });
  });
});

describe("findDuSNData", () => {
  it("gives the numbers of DUs and the DUs of numbers, at both addresses, within its bounds [DUT-20]", async () => {
    await done(save([row("31"), row("32", {}, dus[1])]));
    for (const address of ["findDuSNData", "duTabAttr/findDuSNData"])
      expect(await done(call(address, { tabId, duIds: [dus[0]], sns: ["32"] }))).toEqual([
        { duId: dus[0], duCode: "D-1", sn: "31" },
        { duId: dus[1], duCode: "D-2", sn: "32" },
      ]);
    const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    expect(await call("findDuSNData", { tabId, duIds: many(201) })).toMatchObject({ status: 400, problems: [{ code: "TOO_MANY_DU" }] });
    expect(await call("findDuSNData", { tabId, sns: many(501).map(String) })).toMatchObject({ problems: [{ code: "SEARCH_TOO_MANY" }] });
    await done(call("findDuSNData", { tabId, duIds: many(200), sns: many(500).map(String) }));
  });
});

describe("duTabAttr/deleteRows", () => {
  it("deletes rows for who writes the tab; one's own deletion comes back while it is fresh and the number is free [DUT-12]", async () => {
    const { saved } = await done(save([row("41"), row("42")]));
    const ids = saved.map(({ id }: { id: number }) => id);
    expect(await call("duTabAttr/deleteRows", { tabId, ids }, tl)).toMatchObject({ status: 403, code: "NO_TAB_WRITE" });
    expect(await done(call("duTabAttr/deleteRows", { tabId, ids }))).toEqual({ deleted: ids });
    expect((await list()).total).toBe(0);
    expect((await history({ rowId: ids[0] })).records[0]).toMatchObject({ source: "DELETE", changes: { sn: ["41", null] } });
    await done(save([row("42")]));
    expect(await call("duTabAttr/restoreRows", { tabId, ids })).toMatchObject({ code: "SN_REPEATED" });
    expect(await done(call("duTabAttr/restoreRows", { tabId, ids: [ids[0]] }))).toEqual({ restored: [ids[0]] });
    expect((await list()).records.map(({ sn }: { sn: string }) => sn)).toEqual(["41", "42"]);
    await db.owner`update du_tab_row set deleted_at = deleted_at - interval '11 minutes' where id = ${ids[1]}`;
    expect(await call("duTabAttr/restoreRows", { tabId, ids: [ids[1]] })).toMatchObject({ status: 409, code: "UNDO_TOO_LATE" });
  });
});
