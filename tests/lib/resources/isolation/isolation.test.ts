import { beforeAll, describe, expect, it } from "vitest";
import { findMembership } from "#lib/access/queries.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { makeScope } from "#lib/core/scope.ts";
import { readSeen } from "#lib/work-orders/notices/queries.ts";
import { callAs } from "#tests/support/call.ts";
import { useDatabase } from "#tests/support/database.ts";
import { grantRole, makeMember, makeProject, makeSubcontractor, makeUser } from "#tests/support/factories.ts";
import { makeDus } from "#tests/support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let crew: CtxUser;
let lead: CtxUser;
let acme: number;
let bolt: number;
let zone: number;
let grade: number;
let north: number;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  crew = await makeMember(db.app, project.id, "SUBCON");
  lead = await makeUser(db.app, { kind: "subcontractor" });
  await grantRole(db.app, project.id, lead.id, "PM");
  acme = await makeSubcontractor(db.app, project.id, [crew.id, lead.id]);
  bolt = await makeSubcontractor(db.app, project.id);
  const attribute = async (key: string, type: string) =>
    (
      await db.app<
        { id: number }[]
      >`insert into attribute (project_id, key, name, type) values (${project.id}, ${key}, ${key}, ${type}) returning id`
    )[0]!.id;
  zone = await attribute("a1", "TEXT");
  grade = await attribute("a2", "ENUM");
  await attribute("a3", "NUMBER");
  [north] = (await db.app<{ id: number }[]>`insert into attribute_enum (attribute_id, value) values (${grade}, 'North') returning id`).map(
    ({ id }) => id,
  ) as [number];
  const add = async (code: string, subcontractorId: number | null, ext: Record<string, string | number>) => {
    const [id] = await makeDus(db.app, project.id, [{ code }]);
    await db.app`update du set code = ${code}, subcontractor_id = ${subcontractorId}, ext = ${db.app.json(ext)} where id = ${id!}`;
  };
  await add("own", acme, {});
  await add("own, of bolt's zone", acme, { a1: "Z2" });
  await add("of nobody, in our zone", null, { a1: "Z1" });
  await add("of bolt, of our grade", bolt, { a2: north });
  await add("of both zones", bolt, { a1: "Z2", a2: north });
  await add("of bolt", bolt, {});
});

const call = (user: CtxUser, address: string, input: unknown = {}) => callAs(user, address, input, { project: project.number });
const detail = (attributeId: number, value: string, subcontractorId: number) => ({ attributeId, value, subcontractorId });
const list = async () =>
  (await call(pm, "subcon/findIsolationDetail/list/1/20/default/[]")).data.records as { id: number; value: string; duCount: number }[];

async function seen(user: CtxUser, at = "2026-10-14"): Promise<string[]> {
  const scope = makeScope(db.app, project.id, user.id, await findMembership(db.app, user.id, project.id, at));
  return (await db.app<{ code: string }[]>`select code from du where ${scope.where("rollout.view")}`).map(({ code }) => code).sort();
}
/** What mails may name to a person, which is found for many recipients at once. */
async function told(user: CtxUser): Promise<string[]> {
  const dus = await db.app<{ id: number; code: string }[]>`select id, code from du where project_id = ${project.id}`;
  const heard = await readSeen(
    db.app,
    dus.map(({ id }) => ({ userId: user.id, duId: id })),
  );
  return dus.flatMap(({ id, code }) => (heard.has(`${user.id} ${id}`) ? [code] : [])).sort();
}
const print = async (user: CtxUser) =>
  makeScope(db.app, project.id, user.id, await findMembership(db.app, user.id, project.id, "2026-10-14")).fingerprint("rollout.view");
const seq = async () => (await db.app<{ seq: number }[]>`select seq from plan_seq where project_id = ${project.id}`)[0]!.seq;

describe("what a company sees", () => {
  it("is its own DUs while isolation is off, also for a subcontractor's account that holds a role for all rows [RES-48]", async () => {
    expect((await call(pm, "subcon/findIsolation")).data).toEqual({ enabled: false, unmatched: 6 });
    for (const user of [crew, lead]) expect(await seen(user)).toEqual(["own", "own, of bolt's zone"]);
    expect(await told(lead)).toEqual(["own", "own, of bolt's zone"]);
    expect(await told(pm)).toHaveLength(6);
    expect(await seen(pm)).toHaveLength(6);
    const stranger = await makeUser(db.app, { kind: "subcontractor" });
    await grantRole(db.app, project.id, stranger.id, "PM");
    expect(await seen(stranger)).toEqual([]);
    expect(await told(stranger)).toEqual([]);
  });

  it("is with isolation on what names it, and of its own what names no other; the change shows at once and grids load anew [RES-49] [RES-50]", async () => {
    const [before, at] = [await print(crew), await seq()];
    const details = [detail(zone, "Z1", acme), detail(grade, String(north), acme), detail(zone, "Z2", bolt)];
    expect(await call(pm, "subcon/save", { enabled: true, details })).toMatchObject({ status: 200, data: { version: 1 } });
    for (const user of [crew, lead])
      expect(await seen(user)).toEqual(["of bolt, of our grade", "of both zones", "of nobody, in our zone", "own"]);
    expect(await told(lead)).toEqual(["of bolt, of our grade", "of both zones", "of nobody, in our zone", "own"]);
    expect(await print(crew)).not.toBe(before);
    expect(await seq()).toBe(at + 1);
    expect((await call(pm, "subcon/findIsolation")).data).toEqual({ enabled: true, unmatched: 2 });
    expect((await list()).map(({ value, duCount }) => [value, duCount])).toEqual([
      ["Z1", 1],
      ["Z2", 2],
      [String(north), 2],
    ]);
  });

  it("names no other company: details, regions of choice and people are the own ones [RES-47]", async () => {
    const told = await call(lead, "subcon/findIsolationDetail/list", { page: 1, size: 20 });
    expect(told.data.records.map((row: { subcontractorId: number }) => row.subcontractorId)).toEqual([acme, acme]);
    expect(told.data.total).toBe(2);
  });

  it("names no other company by its number either: in rows, conditions, orders, lanes, saves", async () => {
    const ofBolt = "of bolt, of our grade";
    const seenDus = (await call(lead, "du/list/1/20/default/[]")).data.records as { id: number; code: string; subcontractorId: unknown }[];
    expect(seenDus.find(({ code }) => code === ofBolt)).toMatchObject({ subcontractorId: null });
    expect(seenDus.find(({ code }) => code === "own")).toMatchObject({ subcontractorId: acme });
    const numbered = [{ field: "subcontractorId", type: "in", values: [bolt] }];
    expect((await call(lead, `du/list/1/20/default/${encodeURIComponent(JSON.stringify(numbered))}`)).data.total).toBe(0);
    const rows = (await call(lead, "rolloutPlan/list/1/20/default/[]")).data.records as { code: string; subcontractor: unknown }[];
    expect(rows.find(({ code }) => code === ofBolt)).toMatchObject({ subcontractor: null });
    const query = async (user: CtxUser, given: object) =>
      (await call(user, "wbs/filter", { ids: true, ...given })).data as { queryId: string; total: number; duIds: number[] };
    const isBolts = { field: "subcontractor", type: "in", values: [bolt] };
    expect((await query(pm, { filters: [isBolts] })).total).toBe(3);
    expect((await query(lead, { filters: [isBolts] })).total).toBe(0);
    expect((await query(lead, { filters: [{ field: "subcontractor", type: "empty", values: [] }] })).total).toBe(3);
    // The order of a column tells nothing of names that are not shown: all blanks are alike.
    const sorted = async (dir: string) => (await query(lead, { sort: [{ field: "subcontractor", dir }] })).duIds;
    expect((await sorted("asc")).slice(1)).toEqual((await sorted("desc")).slice(1));
    const { queryId } = await query(lead, {});
    const parts = { plan: true, fields: ["subcontractor"], attrs: [], notes: [] };
    const tile = (await call(lead, "rolloutPlan/tile", { queryId, from: 0, count: 10, parts })).data;
    expect(tile.fields[0].dict.map(([id]: [number]) => id)).toEqual([acme]);
    const facet = (await call(lead, "rolloutPlan/facet", { column: "subcontractor" })).data as { value: unknown; count: number }[];
    expect(facet.map(({ value, count }) => [value, count])).toEqual([
      [null, 3],
      [acme, 1],
    ]);
    await db.app`insert into activity_library (project_id, slot, code, name) values (${project.id}, 1, 'A1', 'Civil works')`;
    await db.app`update du_plan set plan_end = array[9783], state = array[1], applicable_count = 1 where du_id = any(${seenDus.map(({ id }) => id)}::bigint[])`;
    const board = await call(lead, "rolloutPlan/board", { from: "2026-10-14", to: "2026-10-15", groupBy: "subcontractor", queryId });
    expect((board.data.lanes as { id: number }[]).map(({ id }) => id)).toEqual([acme, 0]);
    const edits = [{ duId: seenDus.find(({ code }) => code === ofBolt)!.id, field: "subcontractor", value: acme, base: null }];
    expect(await call(lead, "rolloutPlan/save", { edits })).toMatchObject({ data: { conflicts: [{ mine: acme, theirs: null }] } });
    // What was logged before they saw it is told in the same way.
    const { duId } = edits[0]!;
    const given = (value: number, base: number) => ({ edits: [{ duId, field: "subcontractor", value, base }] });
    expect((await call(pm, "rolloutPlan/save", given(acme, bolt))).data.saved).toBe(1);
    expect((await call(pm, "rolloutPlan/save", given(bolt, acme))).data.saved).toBe(1);
    const history = async (user: CtxUser) =>
      (await call(user, "planLog/cell", { duId, field: "subcontractor" })).data.map((row: { old: unknown; new: unknown }) => [
        row.old,
        row.new,
      ]);
    expect(await history(pm)).toEqual([
      [acme, bolt],
      [bolt, acme],
    ]);
    expect(await history(lead)).toEqual([
      [acme, null],
      [null, acme],
    ]);
  });

  it("is all that versions count", async () => {
    await db.app`insert into rollout_plan (project_id, name, created_at, updated_at) values (${project.id}, 'Plan', now(), now()) on conflict do nothing`;
    const [version] = await db.app<{ id: number }[]>`
      insert into plan_version (project_id, plan_id, kind, name, code, scope, in_force, du_count, activity_count, slot_count, source, created_by, created_at)
      select ${project.id}, p.id, 'published', 'V', 'V-1', 'selection', true, 6, 6, 1, 'manual', ${pm.id}, now() from rollout_plan p where p.project_id = ${project.id} returning id`;
    await db.app`
      insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, plan_start, plan_end, state)
      select ${version!.id}, project_id, id, code, name, '{0}', '{9783}', '{1}' from du where project_id = ${project.id}`;
    const counts = async (user: CtxUser) =>
      (await call(user, `dataVersion/list/1/10/default/[]`)).data.records.map((row: { duCount: number; activityCount: number }) => [
        row.duCount,
        row.activityCount,
      ]);
    expect(await counts(pm)).toEqual([[6, 6]]);
    expect(await counts(lead)).toEqual([[4, 4]]);
  });

  it("has another fingerprint after every change of the details", async () => {
    const [first, second] = await list();
    const before = await print(crew);
    await call(pm, "subcon/save", { details: [{ ...detail(zone, "Z3", acme), id: first!.id, base: detail(zone, "Z1", acme) }] });
    const changed = await print(crew);
    expect(changed).not.toBe(before);
    expect(await seen(crew)).not.toContain("of nobody, in our zone");
    expect(await call(pm, "subcon/delete", { ids: [second!.id] })).toMatchObject({ status: 200, data: { deleted: 1 } });
    expect(await print(crew)).not.toBe(changed);
    expect(await seen(crew)).toContain("own, of bolt's zone");
  });
});

describe("subcon/save and subcon/delete", () => {
  it("refuses a detail that others have changed since it was read, at its place", async () => {
    const [was, theirs, mine] = [detail(zone, "Y1", bolt), detail(zone, "Y2", bolt), detail(zone, "Y1", acme)];
    const { ids } = (await call(pm, "subcon/save", { details: [was] })).data;
    const change = (given: object, base: object | undefined) => call(pm, "subcon/save", { details: [{ ...given, id: ids[0], base }] });
    expect(await change(theirs, undefined)).toMatchObject({ status: 400, problems: [{ path: "details.0.base", code: "VALUE_MISSING" }] });
    expect((await change(theirs, was)).status).toBe(200);
    expect(await change(mine, was)).toMatchObject({ status: 409, code: "STALE", problems: [{ path: "details.0", code: "STALE" }] });
    expect((await list()).find(({ id }) => id === ids[0])?.value).toBe("Y2");
    expect((await change(mine, theirs)).status).toBe(200);
    await call(pm, "subcon/delete", { ids });
  });

  it("refuses a detail twice, in one call and against those there are [RES-50]", async () => {
    const again = detail(zone, "Z9", bolt);
    expect(await call(pm, "subcon/save", { details: [again, again] })).toMatchObject({
      status: 400,
      problems: [{ code: "ISOLATION_REPEAT" }],
    });
    expect((await call(pm, "subcon/save", { details: [again] })).status).toBe(200);
    expect(await call(pm, "subcon/save", { details: [again] })).toMatchObject({ status: 422, code: "ISOLATION_REPEAT" });
  });

  it("takes what the project has: attributes of text or enumeration, active choices, companies [RES-52]", async () => {
    const attributes = (await call(pm, "subcon/findIsolationAttrList")).data as { id: number; choices: unknown }[];
    expect(attributes.map(({ id, choices }) => [id, choices])).toEqual([
      [zone, null],
      [grade, [{ value: String(north), title: "North" }]],
    ]);
    const refused = async (given: object) => (await call(pm, "subcon/save", { details: [given] })).code;
    expect(await refused(detail(zone + 100, "x", acme))).toBe("NOT_FOUND");
    expect(await refused(detail(zone, "x", acme + 1000))).toBe("SUBCONTRACTOR_UNKNOWN");
    expect(await refused(detail(grade, "North", acme))).toBe("VALUE_UNKNOWN");
    expect(await call(pm, "subcon/save", { details: [detail(zone, "x".repeat(251), acme)] })).toMatchObject({ status: 400 });
    expect((await call(pm, "subcon/save", { details: [detail(zone, "x".repeat(250), acme)] })).status).toBe(200);
  });

  it("refuses an attribute that subcontractors may edit: they could give DUs to themselves", async () => {
    await db.app`update attribute set visible_subcon = true, editable_subcon = true where id = ${zone}`;
    expect(await call(pm, "subcon/save", { details: [detail(zone, "Z7", acme)] })).toMatchObject({
      status: 422,
      code: "ISOLATION_ATTR_EDITABLE",
    });
    await db.app`update attribute set editable_subcon = false where id = ${zone}`;
    expect((await call(pm, "subcon/save", { details: [detail(zone, "Z7", acme)] })).status).toBe(200);
  });

  it("keeps an attribute it looks at from the hands of subcontractors, whoever changes it and how", async () => {
    await db.app`update attribute set visible_subcon = false, editable_subcon = false where id = ${zone}`;
    expect((await call(pm, "subcon/save", { details: [detail(zone, "Z8", acme)] })).status).toBe(200);
    const flags = (editableSubcon: boolean) => call(pm, "planAttr/setFlags", { ids: [zone], flags: { editableSubcon } });
    expect(await flags(true)).toMatchObject({ status: 422, code: "ISOLATION_ATTR_EDITABLE", problems: [{ path: "flags.editableSubcon" }] });
    expect((await flags(false)).status).toBe(200);
    const [row] = await db.app`select name, row_version::int as version from attribute where id = ${zone}`;
    const saved = (editableSubcon: boolean) =>
      call(pm, "planAttr/save", {
        id: zone,
        rowVersion: row!.version,
        name: row!.name,
        type: "TEXT",
        level: "DU",
        remark: "A zone",
        editableSubcon,
      });
    expect(await saved(true)).toMatchObject({ status: 422, code: "ISOLATION_ATTR_EDITABLE", problems: [{ path: "editableSubcon" }] });
    expect(await saved(false)).toMatchObject({ status: 200 });
  });

  it("says in the usage index what a detail names, and no longer once it is gone [RES-51]", async () => {
    const uses = () =>
      db.app`select target_kind, target_id from config_ref where project_id = ${project.id} and holder_kind = 'ISOLATION' and holder_id = ${made} order by 1`;
    const answer = await call(pm, "subcon/save", { details: [detail(grade, String(north), bolt)] });
    const made = answer.data.ids[0] as number;
    expect(await uses()).toMatchObject([
      { target_kind: "ATTRIBUTE", target_id: grade },
      { target_kind: "ENUM_VALUE", target_id: north },
    ]);
    await call(pm, "subcon/delete", { ids: [made] });
    expect(await uses()).toEqual([]);
    const [list] = await db.app<{ id: number; value: number }[]>`
      with l as (insert into lookup_list (project_id, code, updated_at) values (${project.id}, 'Areas', now()) returning id)
      insert into lookup_value (list_id, value, sort_no) select id, 'East', 1 from l returning list_id as id, id as value`;
    const [area] = await db.app<{ id: number }[]>`
      insert into attribute (project_id, key, name, type, lookup_list_id) values (${project.id}, 'a4', 'a4', 'LOOKUP_ENUM', ${list!.id}) returning id`;
    // What is not in the list is refused by name; what is, is read by its words.
    expect(await call(pm, "subcon/save", { details: [detail(area!.id, "0", bolt)] })).toMatchObject({
      code: "VALUE_UNKNOWN",
      problems: [{ path: "details.0.value", code: "VALUE_UNKNOWN" }],
    });
    const { ids } = (await call(pm, "subcon/save", { details: [detail(area!.id, String(list!.value), bolt)] })).data;
    const { records } = (await call(pm, "subcon/findIsolationDetail/list/1/20/default/[]")).data;
    expect(records.find(({ id }: { id: number }) => id === ids[0])).toMatchObject({ value: String(list!.value), title: "East" });
    expect(
      await db.app`select target_kind, target_id from config_ref where holder_kind = 'ISOLATION' and holder_id = ${ids[0]} order by 1`,
    ).toMatchObject([
      { target_kind: "ATTRIBUTE", target_id: area!.id },
      { target_kind: "LOOKUP_VALUE", target_id: list!.value },
    ]);
    await call(pm, "subcon/delete", { ids });
    expect(await call(pm, "subcon/delete", { ids: [made] })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("is for who isolates companies alone", async () => {
    const viewer = await makeMember(db.app, project.id, "TD");
    expect((await call(viewer, "subcon/findIsolation")).status).toBe(200);
    expect((await call(viewer, "subcon/save", { enabled: false })).status).toBe(403);
    expect((await call(viewer, "subcon/delete", { ids: [1] })).status).toBe(403);
    expect((await call(crew, "subcon/findIsolation")).status).toBe(403);
  });
});

describe("agreement on data processing", () => {
  const set = (values: { countries?: string[]; required?: boolean; expires?: string | null }) => db.app`
    update subcontractor set countries = ${values.countries ?? []}::char(2)[], dpa_required = ${values.required ?? false}, dpa_expires = ${values.expires ?? null} where id = ${acme}`;
  const enter = async (user: CtxUser) => (await call(user, "du/list/1/10/default/[]")).code ?? "in";

  it("lets nobody of a transnational company in without one or once it has ended, its last day counts [RES-45]", async () => {
    await set({ countries: ["CN"] });
    expect(await enter(crew)).toBe("in");
    await set({ countries: ["CN", "JP"] });
    expect(await enter(crew)).toBe("DPA_EXPIRED");
    await set({ countries: ["CN", "JP"], expires: "2026-10-13" });
    expect(await enter(crew)).toBe("DPA_EXPIRED");
    expect((await call(crew, `session/bootstrap?projectNumber=${project.number}`)).status).toBe(403);
    await set({ countries: ["CN", "JP"], expires: "2026-10-14" });
    expect(await enter(crew)).toBe("in");
    await set({ required: true });
    expect(await enter(lead)).toBe("DPA_EXPIRED");
    expect(await enter(pm)).toBe("in");
    await set({});
  });
});
