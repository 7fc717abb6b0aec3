import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { aliasChars, rowLimitMax, rowLimitMin, tabActivitiesMax, tabsSeenMax } from "#lib/dimension-views/limits.ts";
import { callAs } from "../../support/call.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";
import { makeActivities, makeAttribute } from "../../support/plan-factories.ts";
import { done } from "../scheduling/make-scheduled.ts";
import { makeViewProject, viewCalls } from "./make-view.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let td: CtxUser;
let view: Awaited<ReturnType<typeof makeViewProject>>;
const call = viewCalls(
  () => project.number,
  () => pm,
);

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  td = await makeMember(db.owner, project.id, "TD");
  view = await makeViewProject(db.owner, project.id, pm.id);
});

const tab = (more: object = {}) => ({
  alias: "By town",
  dimension: "town",
  activityIds: [view.install],
  showRate: true,
  showAmount: true,
  ...more,
});
const save = (more: object = {}, as?: CtxUser) => call("multiDim/tab/save", tab(more), as);
const list = async (as?: CtxUser) =>
  (await done(call("multiDim/tab/list", {}, as))).tabs as { id: number; alias: string; global: boolean; rowVersion: number }[];
const names = async (as?: CtxUser) => (await list(as)).map(({ alias }) => alias);
const problems = async (answer: ReturnType<typeof call>) => {
  const { status, problems: found = [] } = await answer;
  expect(status).toBe(400);
  return found.map(({ path, code }) => `${path} ${code}`);
};

describe("multiDim/tab/save", () => {
  it("keeps alias, extended field, activities in their order and what is shown [MDV-09]", async () => {
    const vendor = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["A"] });
    const { id, rowVersion } = await done(
      save({
        alias: "  By vendor ",
        dimension: vendor.key,
        activityIds: [view.accept, view.install, view.accept],
        showAmount: false,
      }),
    );
    expect(await list()).toEqual([
      {
        id,
        global: false,
        alias: "By vendor",
        dimension: vendor.key,
        activityIds: [view.accept, view.install],
        showRate: true,
        showAmount: false,
        visible: true,
        rowVersion,
      },
    ]);
    const next = await done(save({ id, rowVersion, activityIds: [view.install], showRate: false, showAmount: true }));
    expect(next).toEqual({ id, rowVersion: 2 });
    expect(await list()).toEqual([
      expect.objectContaining({
        alias: "By town",
        dimension: "town",
        activityIds: [view.install],
        showRate: false,
        showAmount: true,
        rowVersion: 2,
      }),
    ]);
    const audits = await db.owner`select detail from audit_log where object = ${`multi_dim_tab ${id}`} order by id`;
    expect(audits).toHaveLength(2);
    expect(audits[1]!.detail).toMatchObject({ before: { alias: "By vendor" }, after: { alias: "By town" } });
  });

  it("refuses an alias of its set in any case, and takes it in the other set [MDV-11]", async () => {
    await done(save({ global: true }));
    await done(save());
    expect(await save({ alias: "BY TOWN", dimension: "region" })).toMatchObject({
      status: 422,
      code: "NAME_EXISTS",
      problems: [{ path: "alias" }],
    });
    expect(await save({ alias: "by town", dimension: "region", global: true })).toMatchObject({ code: "NAME_EXISTS" });
    await done(save({}, td));
    expect(await names(td)).toEqual(["By town", "By town"]);
  });

  it("refuses a field its set uses already, and says where [MDV-12]", async () => {
    await done(save());
    const attribute = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["A"] });
    const { id } = await done(save({ alias: "Vendor", dimension: attribute.key }));
    expect(await save({ alias: "Towns", dimension: "town" })).toMatchObject({
      status: 422,
      code: "FIELD_EXISTS",
      problems: [{ path: "dimension", params: { alias: "By town" } }],
    });
    expect(await save({ id, rowVersion: 1, alias: "Vendor", dimension: "town" })).toMatchObject({ code: "FIELD_EXISTS" });
    expect(await save({ alias: "Vendors", dimension: attribute.key })).toMatchObject({ code: "FIELD_EXISTS" });
    await done(save({ alias: "Towns", dimension: "town", global: true }));
  });

  it("needs an activity and takes no more than its limit [MDV-14]", async () => {
    expect(await problems(save({ activityIds: [] }))).toEqual(["activityIds ACTIVITY_REQUIRED"]);
    await db.owner`delete from flow_activity`;
    await db.owner`delete from activity_library where project_id = ${project.id}`;
    const many = (
      await makeActivities(
        db.owner,
        project.id,
        Array.from({ length: tabActivitiesMax + 1 }, (_, at) => `Step ${at}`),
      )
    ).map(({ id }) => id);
    expect(await problems(save({ activityIds: many }))).toEqual(["activityIds TOO_MANY_ACTIVITIES"]);
    await done(save({ activityIds: many.slice(1) }));
    const before = await list();
    expect(await save({ id: before[0]!.id, rowVersion: 1, activityIds: [999_999] })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await list()).toEqual(before);
  });

  it("needs a measure, and a name that fits", async () => {
    expect(await problems(save({ showRate: false, showAmount: false }))).toEqual(["showRate NO_MEASURE"]);
    expect(await problems(save({ alias: "   " }))).toEqual(["alias NAME_REQUIRED"]);
    expect(await problems(save({ alias: "塔".repeat(aliasChars + 1) }))).toEqual(["alias NAME_TOO_LONG"]);
    await done(save({ alias: "塔".repeat(aliasChars), showRate: false }));
  });

  it("refuses a revision that is not the present one, and gives what is there", async () => {
    const { id } = await done(save());
    await done(save({ id, rowVersion: 1, alias: "Towns" }));
    expect(await save({ id, rowVersion: 1, alias: "Cities" })).toMatchObject({
      status: 409,
      code: "STALE",
      data: { alias: "Towns", rowVersion: 2 },
    });
    expect(await problems(save({ id }))).toEqual(["rowVersion VALUE_MISSING"]);
  });

  it("takes a field of DUs and an enumeration or text of theirs only", async () => {
    const [number, ofActivity, text] = [
      await makeAttribute(db.owner, project.id, { type: "NUMBER" }),
      await makeAttribute(db.owner, project.id, { type: "ENUM", level: "ACTIVITY" }),
      await makeAttribute(db.owner, project.id, { type: "TEXT" }),
    ];
    for (const dimension of [number.key, ofActivity.key, "code", "a999999"])
      expect(await save({ dimension })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    await done(save({ dimension: text.key }));
  });

  it("is for those who may change tabs; those of everybody for those who may change them", async () => {
    const viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    const admin = await makeMember(db.owner, project.id, "PROJECT_ADMIN");
    expect(await save({}, viewer)).toMatchObject({ status: 403 });
    expect(await save({ global: true }, td)).toMatchObject({ status: 403 });
    expect(await save({}, admin)).toMatchObject({ status: 403 });
    const { id } = await done(save({ global: true }, admin));
    const mine = await done(save({}, td));
    // A tab of everybody is not reached by calling it one's own, nor somebody else's by its id.
    expect(await save({ id, rowVersion: 1, alias: "Mine" }, td)).toMatchObject({ status: 404 });
    expect(await save({ id: mine.id, rowVersion: 1, alias: "Not mine" })).toMatchObject({ status: 404 });
    expect(await names(viewer)).toEqual(["By town"]);
  });
});

describe("what tabs name", () => {
  it("keeps an activity in the library while a tab counts it, and says which [FLW-33]", async () => {
    const vendor = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["A"] });
    await done(save({ global: true }));
    const own = await done(save({ alias: "Vendors", dimension: vendor.key, activityIds: [view.accept] }));
    await db.owner`delete from flow_activity`;
    const disable = (id: number) => call("activityLibrary/disable", { ids: [id] });
    expect(await disable(view.accept)).toMatchObject({ status: 422, code: "ACTIVITY_REFERENCED", msg: expect.stringContaining("Vendors") });
    const refs = () =>
      db.owner`select target_kind, target_id::int as id from config_ref where holder_kind = 'MULTI_DIM' and holder_id = ${own.id} order by 1, 2`;
    expect([...(await refs())]).toEqual([
      { target_kind: "ACTIVITY", id: view.accept },
      { target_kind: "ATTRIBUTE", id: vendor.id },
    ]);
    await done(save({ id: own.id, rowVersion: 1, alias: "Vendors", dimension: "region" }));
    expect([...(await refs())]).toEqual([{ target_kind: "ACTIVITY", id: view.install }]);
    await done(disable(view.accept));
    await done(call("multiDim/tab/delete", { ids: [own.id] }));
    expect(await refs()).toHaveLength(0);
  });
});

describe("one tab stays shown", () => {
  it("refuses to hide or delete the last shown one of everybody [MDV-13]", async () => {
    const first = await done(save({ global: true }));
    const second = await done(save({ global: true, alias: "By batch", dimension: "deliveryBatchNo" }));
    await done(save({ alias: "Mine", dimension: "region" }));
    const hide = (id: number, more: object = {}) => save({ global: true, id, rowVersion: 1, visible: false, ...more });
    await done(hide(second.id, { alias: "By batch", dimension: "deliveryBatchNo" }));
    expect(await hide(first.id)).toMatchObject({ status: 422, code: "LAST_TAB" });
    expect(await call("multiDim/tab/delete", { ids: [first.id] })).toMatchObject({ status: 422, code: "LAST_TAB" });
    expect(await call("multiDim/tab/delete", { ids: [first.id, second.id] })).toMatchObject({ code: "LAST_TAB" });
    // The hidden one may go.
    await done(call("multiDim/tab/delete", { ids: [second.id] }));
    expect(await names()).toEqual(["By town", "Mine"]);
  });

  it("lets one's own go while one of everybody is shown, else not [MDV-13]", async () => {
    expect(await save({ visible: false })).toMatchObject({ status: 422, code: "LAST_TAB" });
    const { id } = await done(save());
    expect(await save({ id, rowVersion: 1, visible: false })).toMatchObject({ code: "LAST_TAB" });
    expect(await call("multiDim/tab/delete", { ids: [id] })).toMatchObject({ code: "LAST_TAB" });
    await done(save({ global: true }));
    await done(save({ id, rowVersion: 1, visible: false }));
    await done(call("multiDim/tab/delete", { ids: [id] }));
  });

  it("holds against two who delete at once [MDV-13]", async () => {
    const ids = [
      await done(save({ global: true })),
      await done(save({ global: true, alias: "By batch", dimension: "deliveryBatchNo" })),
    ].map(({ id }) => id as number);
    const answers = await Promise.all(ids.map((id) => call("multiDim/tab/delete", { ids: [id] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await names()).toHaveLength(1);
  });
});

describe("multiDim/tab/sort and delete", () => {
  /** Three tabs of one set: A, B, C. */
  const makeThree = async (more: object = {}): Promise<number[]> => {
    const made: number[] = [];
    for (const [alias, dimension] of [
      ["A", "town"],
      ["B", "region"],
      ["C", "deliveryBatchNo"],
    ])
      made.push((await done(save({ alias, dimension, ...more }))).id);
    return made;
  };

  it("puts tabs in order, each set for itself, and leaves others' alone", async () => {
    const own = await makeThree();
    const global = (await done(save({ alias: "All", global: true }))).id as number;
    await done(call("multiDim/tab/sort", { ids: [own[2], own[0]], before: own }));
    expect(await names()).toEqual(["All", "C", "A", "B"]);
    expect(await call("multiDim/tab/sort", { ids: own, before: [global] }, td)).toMatchObject({ status: 404 });
    expect(await call("multiDim/tab/delete", { ids: own }, td)).toMatchObject({ status: 404 });
    expect(await call("multiDim/tab/sort", { ids: [global], before: [global] }, td)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await call("multiDim/tab/delete", { ids: [global] }, td)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  it.each([true, false])("of two orders made upon the same one takes the first, of everybody: %s", async (global) => {
    const [a, b, c] = (await makeThree({ global })) as [number, number, number];
    const sort = (ids: number[], before: number[]) => call("multiDim/tab/sort", { ids, before });
    const audits = async () =>
      (await db.owner`select 1 from audit_log where object = 'multi_dim_tab' and project_id = ${project.id}`).length;
    expect(await call("multiDim/tab/sort", { ids: [b, a, c] })).toMatchObject({ problems: [{ path: "before", code: "VALUE_MISSING" }] });
    const seen = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    expect(await call("multiDim/tab/sort", { ids: [b], before: seen(tabsSeenMax) })).toMatchObject({ code: "STALE" });
    expect(await call("multiDim/tab/sort", { ids: [b], before: seen(tabsSeenMax + 1) })).toMatchObject({
      status: 400,
      problems: [{ path: "before", code: "TOO_MANY", params: { max: tabsSeenMax } }],
    });
    await done(sort([b, a, c], [a, b, c]));
    const written = await audits();
    expect(await sort([a, c, b], [a, b, c])).toMatchObject({ status: 409, code: "STALE", data: [b, a, c] });
    // A tab that was not seen is put in no order.
    expect(await sort([c, b], [b, a])).toMatchObject({ code: "STALE" });
    expect([await names(), await audits()]).toEqual([["B", "A", "C"], written]);
    await done(sort([a, c, b], [b, a, c]));
    // What was made meanwhile follows; what is gone meanwhile was a part of the order.
    await done(save({ alias: "D", dimension: "deliveryType", global }));
    await done(sort([c, b, a], [a, c, b]));
    expect(await names()).toEqual(["C", "B", "A", "D"]);
    await done(call("multiDim/tab/delete", { ids: [b] }));
    expect(await sort([a, b, c], [c, b, a])).toMatchObject({ status: 409, code: "STALE" });
    expect(await names()).toEqual(["C", "A", "D"]);
  });
});

describe("multiDim/global [MDV-02]", () => {
  const settings = { allowPersonal: true, defaultTabId: null, period: null, rowLimit: 500, rowVersion: 0 };

  it("gives the product's settings, then those of the project", async () => {
    expect(await done(call("multiDim/global/find"))).toEqual(settings);
    const { id } = await done(save({ global: true }));
    const next = { ...settings, defaultTabId: id, period: "thisMonth", rowLimit: 20 };
    expect(await done(call("multiDim/global/save", next))).toEqual({ ...next, rowVersion: 1 });
    expect(await done(call("multiDim/global/find", {}, td))).toEqual({ ...next, rowVersion: 1 });
    expect(await call("multiDim/global/save", next)).toMatchObject({ status: 409, code: "STALE", data: { rowLimit: 20 } });
    expect(await call("multiDim/global/save", { ...next, rowVersion: 1 }, td)).toMatchObject({ status: 403 });
    const [audit] = await db.owner`select event from audit_log where object = 'multi_dim_global' and project_id = ${project.id}`;
    expect(audit).toEqual({ event: "config_changed" });
  });

  it("keeps the row limit inside its bounds", async () => {
    const limit = (rowLimit: number, rowVersion = 0) => call("multiDim/global/save", { ...settings, rowLimit, rowVersion });
    for (const wrong of [rowLimitMin - 1, rowLimitMax + 1])
      expect(await limit(wrong)).toMatchObject({
        status: 400,
        problems: [{ path: "rowLimit", code: "NUMBER_RANGE", params: { min: rowLimitMin, max: rowLimitMax } }],
      });
    expect(await limit(99.5)).toMatchObject({ status: 400, problems: [{ path: "rowLimit", code: "NUMBER_INTEGER" }] });
    await done(limit(rowLimitMin));
    await done(limit(rowLimitMax, 1));
  });

  it("begins with a shown tab of everybody only, and forgets it when it goes", async () => {
    const own = await done(save());
    const first = await done(save({ global: true }));
    await done(save({ global: true, alias: "By batch", dimension: "deliveryBatchNo" }));
    const begin = (defaultTabId: number | null) => call("multiDim/global/save", { ...settings, defaultTabId });
    expect(await begin(own.id)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    await done(begin(first.id));
    await done(call("multiDim/tab/delete", { ids: [first.id] }));
    expect(await done(call("multiDim/global/find"))).toMatchObject({ defaultTabId: null });
  });

  it("takes own tabs away only while one of everybody is shown [MDV-13]", async () => {
    const close = () => call("multiDim/global/save", { ...settings, allowPersonal: false });
    const refused = { status: 422, code: "LAST_TAB", problems: [{ path: "allowPersonal" }] };
    await done(save());
    expect(await close()).toMatchObject(refused);
    const { id } = await done(save({ global: true, alias: "For all" }));
    await db.owner`update multi_dim_tab set visible = false where id = ${id}`;
    expect(await close()).toMatchObject(refused);
    expect(await done(call("multiDim/global/find"))).toEqual(settings);
    await db.owner`update multi_dim_tab set visible = true where id = ${id}`;
    expect(await done(close())).toMatchObject({ allowPersonal: false });
  });

  it("keeps own tabs out of sight where they are not allowed, and brings them back", async () => {
    const { id } = await done(save({}, td));
    await done(save({ global: true, alias: "For all" }));
    await done(call("multiDim/global/save", { ...settings, allowPersonal: false }));
    expect(await names(td)).toEqual(["For all"]);
    expect(await save({ alias: "More", dimension: "region" }, td)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await call("multiDim/query", { tabId: id }, td)).toMatchObject({ status: 404 });
    await done(call("multiDim/global/save", { ...settings, allowPersonal: true, rowVersion: 1 }));
    expect(await names(td)).toEqual(["For all", "By town"]);
  });
});

describe("multiDim/dimensions", () => {
  it("offers enumerations, texts and fields, and suggests the most filled enumerations before fields, with the milestones", async () => {
    const [scene, vendor] = [
      await makeAttribute(db.owner, project.id, { name: "Scene", type: "ENUM", enums: ["Roof"] }),
      await makeAttribute(db.owner, project.id, { name: "Vendor", type: "ENUM", enums: ["North"] }),
    ];
    await makeAttribute(db.owner, project.id, { name: "Weight", type: "NUMBER" });
    await view.dus([
      { ext: { [vendor.key]: String(vendor.enumIds[0]), [scene.key]: String(scene.enumIds[0]) }, batch: "B1" },
      { ext: { [vendor.key]: String(vendor.enumIds[0]) }, batch: "B1" },
    ]);
    await db.owner`update flow_activity set is_milestone = true where activity_id = ${view.accept}`;
    const { dimensions, suggestions } = await done(call("multiDim/dimensions"));
    expect(dimensions.map(({ key, name }: { key: string; name: string | null }) => name ?? key)).toEqual([
      "Scene",
      "Vendor",
      "region",
      "cluster",
      "subcontractor",
      "deliveryType",
      "productLine",
      "deliveryBatchNo",
      "town",
    ]);
    expect(suggestions).toEqual([
      { dimension: vendor.key, filled: 2, activityIds: [view.accept, view.activities[0]!.id, view.install] },
      { dimension: scene.key, filled: 1, activityIds: expect.any(Array) },
      { dimension: "deliveryBatchNo", filled: 2, activityIds: expect.any(Array) },
    ]);
  });

  it("is not answered to people without the right", async () => {
    const site = await makeMember(db.owner, project.id, "SITE_OWNER");
    for (const address of ["multiDim/dimensions", "multiDim/tab/list", "multiDim/global/find"])
      expect(await callAs(site, address, {}, { project: project.number })).toMatchObject({ status: 403 });
  });
});
