import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { clearDeleted } from "#lib/attributes/defaults/commands.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { attributeTypes } from "#lib/rollout-plan/columns/limits.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeMember, makeProject, setLimit } from "../../support/factories.ts";
import { makeAttribute, makeDus, makeFlow } from "../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../support/take-up.ts";
import { makeTab } from "../du-tabs/make-tab.ts";
import { importsOf, useFiles } from "../imports/support.ts";
import { done } from "../scheduling/make-scheduled.ts";
import { attributeCalls, given, refusal } from "./make-attribute.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;
let subcon: CtxUser;
let customer: CtxUser;
const call = attributeCalls(
  () => project,
  () => pm,
);
const { run } = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
  subcon = await makeMember(db.owner, project.id, "SUBCON_PM");
  customer = await makeMember(db.owner, project.id, "CUSTOMER");
});
// Names are free again; what was made stays out of the way.
beforeEach(async () => {
  await db.owner`update attribute set deleted_at = now() where project_id = ${project.id} and deleted_at is null`;
});

const save = (more: object = {}, user?: CtxUser) => call("planAttr/save", given(more), user);
const make = async (more: object = {}): Promise<{ id: number; rowVersion: number }> => done(save(more));
const info = async (id: number, user?: CtxUser) => (await done(call("planAttr/getAttributeInfo", { ids: [id] }, user))).attributes[0];
const setExt = (duId: number, ext: object) => db.owner`update du set ext = ${db.owner.json(ext as never)} where id = ${duId}`;
const extOf = async (duId: number) => (await db.owner<{ ext: Record<string, unknown> }[]>`select ext from du where id = ${duId}`)[0]!.ext;
const name = (length: number) => "n".repeat(length);
/** Says that an object of a kind names an attribute. */
async function holds(kind: string, target: "ATTRIBUTE" | "ENUM_VALUE", id: number, label = `Holder ${id}`): Promise<void> {
  const [holder] = await db.owner<{ id: number }[]>`
    insert into template (project_id, kind, object_type, name, is_public, owner_id, body, updated_at) values (${project.id}, 'filter', 'project', ${label}, false, ${pm.id}, '{}', now()) returning id`;
  await db.owner`insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage) values (${project.id}, ${kind}, ${holder!.id}, ${target}, ${id}, 'FILTER')`;
}

describe("planAttr/save", () => {
  it("keeps everything an attribute is, and the definition gives it back [ATT-05] [ATT-30]", async () => {
    const flow = { id: await makeFlow(db.owner, project.id, pm.id, []) };
    const duTabId = await makeTab(db.owner, project.id, "Towers", "DU");
    const { id, rowVersion } = await make({
      name: "  Tower type ",
      standardName: "Type of tower",
      type: "ENUM",
      classification: "Site",
      required: true,
      visibleCustomer: true,
      editableSubcon: true,
      mobileDisplay: true,
      duTabId,
      defaultValue: "Monopole",
      projectDefaultValue: "Lattice",
      enums: [{ value: "Lattice" }, { value: "Monopole" }, { value: "Old", active: false }],
      flowIds: [flow.id],
      users: [
        { userId: tl.id, mode: "RO" },
        { userId: pm.id, mode: "RW" },
      ],
      editablePersonControl: true,
      editablePersonIds: [pm.id],
      sortNo: 12,
      remark: "Measured on site",
    });
    expect(rowVersion).toBe(1);
    const stored = await info(id);
    const choice = (value: string) => stored.enums.find((one: { value: string }) => one.value === value).id;
    expect(stored).toMatchObject({
      id,
      name: "Tower type",
      standardName: "Type of tower",
      type: "ENUM",
      level: "DU",
      classification: "Site",
      valueLimit: null,
      required: true,
      visibleCustomer: true,
      visibleSubcon: true,
      editableSubcon: true,
      mobileDisplay: true,
      inRolloutPlan: true,
      enums: [{ value: "Lattice" }, { value: "Monopole" }, { value: "Old", active: false }],
      duTabId,
      duTab: "Towers",
      defaultValue: String(choice("Monopole")),
      projectDefaultValue: String(choice("Lattice")),
      flows: [{ id: flow.id }],
      users: expect.arrayContaining([
        expect.objectContaining({ id: tl.id, mode: "RO" }),
        expect.objectContaining({ id: pm.id, mode: "RW" }),
      ]),
      editablePersons: [{ id: pm.id }],
      editablePersonControl: true,
      sortNo: 12,
      remark: "Measured on site",
      effectiveMode: "RW",
    });
    const again = await done(
      save({
        ...given(),
        id,
        rowVersion,
        name: "Tower kind",
        type: "ENUM",
        valueLimit: { allowed: [choice("Old"), choice("Lattice")] },
        enums: stored.enums.map(({ id: key, value }: { id: number; value: string }) => ({ id: key, value })),
      }),
    );
    expect(again).toMatchObject({ id, rowVersion: 2 });
    expect(await info(id)).toMatchObject({
      name: "Tower kind",
      valueLimit: { allowed: [choice("Old"), choice("Lattice")] },
      duTabId: null,
      duTab: null,
      users: [],
      flows: [],
      defaultValue: null,
      projectDefaultValue: null,
    });
    expect(await refusal(save({ id, rowVersion, name: "Late" }))).toEqual(["STALE"]);
    expect((await info(id, customer))?.users).toBeUndefined();
  });

  test("knows exactly ten types [ATT-06]", async () => {
    expect(attributeTypes).toHaveLength(10);
    const [list] = await db.owner<
      { id: number }[]
    >`insert into lookup_list (project_id, code, updated_at) values (${project.id}, 'Vendors', now()) returning id`;
    for (const type of attributeTypes)
      expect((await save({ name: `Of ${type}`, type, ...(type === "LOOKUP_ENUM" ? { lookupListId: list!.id } : {}) })).status).toBe(200);
    expect(await refusal(save({ name: "Eleventh", type: "COLOUR" }))).toEqual(["type VALUE_UNKNOWN"]);
    await db.owner`update attribute set lookup_list_id = null where lookup_list_id = ${list!.id}`;
  });

  test("a name has 1 to 250 characters, none of them special, and is the project's only one [ATT-07]", async () => {
    expect((await save({ name: name(250) })).status).toBe(200);
    expect(await refusal(save({ name: name(251) }))).toEqual(["name NAME_TOO_LONG"]);
    expect(await refusal(save({ name: "   " }))).toEqual(["name NAME_REQUIRED"]);
    for (const sign of [
      "<",
      ">",
      '"',
      "'",
      "\\",
      ";",
      "%",
      "&",
      "$",
      "#",
      "{",
      "}",
      "[",
      "]",
      "|",
      "^",
      "~",
      "!",
      "?",
      "*",
      "=",
      "`",
      "\u0001",
    ])
      expect(await refusal(save({ name: `A${sign}B` })), sign).toEqual(["name NAME_INVALID"]);
    const { id } = await make({ name: "铁塔 类型_a-b.c,d:e/f(g)+h@1" });
    expect(await refusal(save({ name: name(250).toUpperCase() }))).toEqual(["name NAME_EXISTS"]);
    await done(call("planAttr/delete", { ids: [id] }));
    expect((await save({ name: "铁塔 类型_a-b.c,d:e/f(g)+h@1" })).status).toBe(200);
  });

  test("a classification has at most 70 characters [ATT-08], an enumeration value too [ATT-09]", async () => {
    expect((await save({ name: "A", classification: name(70) })).status).toBe(200);
    expect(await refusal(save({ name: "B", classification: name(71) }))).toEqual(["classification VALUE_TOO_LONG"]);
    expect((await save({ name: "C", type: "ENUM", enums: [{ value: name(70) }] })).status).toBe(200);
    expect(await refusal(save({ name: "D", type: "ENUM", enums: [{ value: name(71) }] }))).toEqual(["enums.0.value VALUE_TOO_LONG"]);
    expect(await refusal(save({ name: "D", type: "ENUM", enums: [{ value: "" }] }))).toEqual(["enums.0.value VALUE_MISSING"]);
    expect(await refusal(save({ name: "D", type: "ENUM", enums: [{ value: "One" }, { value: "one" }] }))).toEqual([
      "enums.1.value ENUM_REPEAT",
    ]);
  });

  test("remark and long default are at most 2000 characters and 4000 bytes [ATT-15]", async () => {
    expect((await save({ name: "A", remark: name(2000) })).status).toBe(200);
    expect(await refusal(save({ name: "B", remark: name(2001) }))).toEqual(["remark VALUE_TOO_LONG"]);
    expect((await save({ name: "C", remark: "塔".repeat(1333) })).status).toBe(200);
    // 1,400 Chinese characters are 4,200 bytes.
    expect(await refusal(save({ name: "D", remark: "塔".repeat(1400) }))).toEqual(["remark VALUE_TOO_LONG"]);
    expect((await save({ name: "E", type: "LONG_TEXT", defaultValue: name(2000) })).status).toBe(200);
    expect(await refusal(save({ name: "F", type: "TEXT_AREA", defaultValue: name(2001) }))).toEqual(["defaultValue VALUE_TOO_LONG"]);
    expect(await refusal(save({ name: "F", type: "TEXT_AREA", projectDefaultValue: "塔".repeat(1400) }))).toEqual([
      "projectDefaultValue VALUE_TOO_LONG",
    ]);
  });

  test("a sort value is a whole number from 1 to 10000 [ATT-20]", async () => {
    const { id } = await make({ name: "A", sortNo: 1 });
    expect((await save({ name: "B", sortNo: 10_000 })).status).toBe(200);
    for (const sortNo of [0, 10_001, 1.5]) {
      expect(await refusal(save({ name: "C", sortNo }))).toEqual(["sortNo SORT_RANGE"]);
      expect(await refusal(call("planAttr/saveSort", { items: [{ id, sortNo, was: 1 }] }))).toEqual(["items.0.sortNo SORT_RANGE"]);
    }
    expect(await done(call("planAttr/saveSort", { items: [{ id, sortNo: 10_000, was: 1 }] }))).toEqual({ sorted: 1 });
    expect((await info(id)).sortNo).toBe(10_000);
  });

  test("of two orders made upon the same one the second is refused, and taken once it is made upon the present one", async () => {
    const [a, b] = [await make({ name: "A", sortNo: 1 }), await make({ name: "B", sortNo: 2 })];
    const sort = (...places: [sortNo: number, was: number][]) =>
      call("planAttr/saveSort", { items: [a, b].map(({ id }, at) => ({ id, sortNo: places[at]![0], was: places[at]![1] })) });
    const places = async () => [(await info(a.id)).sortNo, (await info(b.id)).sortNo];
    const audits = async () => (await db.owner`select 1 from audit_log where object = 'attributes' and project_id = ${project.id}`).length;
    expect(await refusal(call("planAttr/saveSort", { items: [{ id: a.id, sortNo: 2 }] }))).toEqual(["items.0.was VALUE_MISSING"]);
    await done(sort([2, 1], [1, 2]));
    const written = await audits();
    expect(await sort([3, 1], [2, 2])).toMatchObject({
      status: 409,
      code: "STALE",
      data: [
        { id: b.id, sortNo: 1 },
        { id: a.id, sortNo: 2 },
      ],
    });
    // The order wanted is the one that is stored already.
    expect(await sort([2, 1], [1, 2])).toMatchObject({ code: "STALE" });
    expect([await places(), await audits()]).toEqual([[2, 1], written]);
    expect(await done(sort([3, 2], [2, 1]))).toEqual({ sorted: 2 });
    expect(await places()).toEqual([3, 2]);
  });

  test("at most as many own fields as the project allows can be appended: 10, or what was configured [ATT-18]", async () => {
    for (let at = 1; at <= 10; at++) await make({ name: `Own ${at}`, custom: true });
    expect(await call("planAttr/save", given({ name: "Own 11", custom: true }))).toMatchObject({
      status: 422,
      code: "ATTRIBUTE_LIMIT",
      msg: "At most 10 attributes",
    });
    expect((await save({ name: "Of the catalogue" })).status).toBe(200);
    await setLimit(db.owner, project.id, "attribute.customMax", 11);
    expect((await save({ name: "Own 11", custom: true })).status).toBe(200);
    expect((await save({ name: "Own 12", custom: true })).code).toBe("ATTRIBUTE_LIMIT");
  });

  test("the attributes of a project are bounded", async () => {
    await setLimit(db.owner, project.id, "attribute.totalMax", 2);
    await make({ name: "A" });
    await make({ name: "B" });
    expect((await save({ name: "C" })).code).toBe("ATTRIBUTE_LIMIT");
    await setLimit(db.owner, project.id, "attribute.totalMax", null);
    expect((await save({ name: "C" })).status).toBe(200);
  });

  test("levels, tabs and people are those there are", async () => {
    const [sn, du] = await db.owner<{ id: number }[]>`
      insert into du_tab (project_id, name, key_mode, created_at, updated_at) values (${project.id}, 'Elements', 'SN', now(), now()), (${project.id}, 'Keys', 'DU', now(), now()) returning id`;
    expect(await refusal(save({ level: "TAB", inRolloutPlan: false }))).toEqual(["duTabId VALUE_MISSING"]);
    expect(await refusal(save({ level: "TAB", duTabId: sn!.id }))).toEqual(["inRolloutPlan VALUE_UNKNOWN"]);
    expect((await save({ name: "NE ID", type: "TEXT", level: "TAB", duTabId: sn!.id, inRolloutPlan: false })).status).toBe(200);
    expect(await refusal(save({ name: "Key", duTabId: sn!.id }))).toEqual(["duTabId VALUE_UNKNOWN"]);
    const { id, rowVersion } = await make({ name: "Key", duTabId: du!.id });
    expect(await refusal(save({ id, rowVersion, name: "Key", level: "ACTIVITY" }))).toEqual(["level VALUE_UNKNOWN"]);
    expect(await refusal(save({ name: "Alone", editablePersonControl: true }))).toEqual(["editablePersonIds VALUE_MISSING"]);
    const stranger = await makeMember(db.owner, (await makeProject(db.owner)).id, "PM");
    expect(await refusal(save({ name: "Foreign", users: [{ userId: stranger.id, mode: "RW" }] }))).toEqual(["users NOT_MEMBER"]);
  });
});

describe("a change of type", () => {
  test("clears the values after it was confirmed, in one batch of the log [ATT-12]", async () => {
    const [first, second] = await makeDus(db.owner, project.id, [{}, {}]);
    const { id, rowVersion } = await make({ name: "Height", type: "TEXT" });
    await setExt(first!, { [`a${id}`]: "tall", a9999: "stays" });
    await setExt(second!, { [`a${id}`]: "small" });
    const change = { id, rowVersion, name: "Height", type: "NUMBER" };
    expect(await save(change)).toMatchObject({
      status: 409,
      code: "CLEARS_VALUES",
      msg: "Changing the type clears 2 stored values; confirm it",
    });
    expect(await extOf(first!)).toHaveProperty(`a${id}`, "tall");
    expect(await done(save({ ...change, clearValues: true }))).toMatchObject({ cleared: 2 });
    expect(await extOf(first!)).toEqual({ a9999: "stays" });
    expect(await extOf(second!)).toEqual({});
    const [batch] =
      await db.owner`select du_count, cell_count, source from plan_batch where project_id = ${project.id} order by seq desc limit 1`;
    expect(batch).toEqual({ du_count: 2, cell_count: 2, source: "system" });
    const [log] = await db.owner`select attrs from plan_log where du_id = ${first!} order by batch_id desc limit 1`;
    expect(log).toEqual({ attrs: { [`a${id}`]: ["tall", null] } });
  });

  test("clears the values in the rows of DU tabs too, and their history says so [ATT-12]", async () => {
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const tabId = await makeTab(db.owner, project.id, `Clear ${du}`);
    const { id, rowVersion } = await make({ name: "Length", type: "TEXT", level: "TAB", duTabId: tabId, inRolloutPlan: false });
    const data = (value: object) => ({ ...value, a9999: 1 });
    await db.owner`
      insert into du_tab_row (project_id, tab_id, du_id, key_mode, sn, data, created_at, updated_at, deleted_at)
      select ${project.id}, ${tabId}, ${du!}, 'SN', n.sn, n.data, now(), now(), case n.sn when 'gone' then now() end
      from jsonb_to_recordset(${db.owner.json([
        { sn: "1", data: data({ [`a${id}`]: "long" }) },
        { sn: "2", data: data({ [`a${id}`]: "short" }) },
        { sn: "gone", data: data({ [`a${id}`]: "old" }) },
      ])}) as n(sn text, data jsonb)`;
    const change = { id, rowVersion, name: "Length", type: "NUMBER", level: "TAB", duTabId: tabId, inRolloutPlan: false };
    expect(await save(change)).toMatchObject({ code: "CLEARS_VALUES", msg: "Changing the type clears 2 stored values; confirm it" });
    expect(await done(save({ ...change, clearValues: true }))).toMatchObject({ cleared: 3 });
    const rows = await db.owner`select sn, data, row_version from du_tab_row where tab_id = ${tabId} order by id`;
    expect(rows.map(({ data: kept, row_version }) => [kept, row_version])).toEqual([1, 2, 3].map(() => [{ a9999: 1 }, 2]));
    expect(await db.owner`select changes, source from du_tab_history where tab_id = ${tabId} order by id limit 1`).toMatchObject([
      { changes: { [`a${id}`]: ["long", null] }, source: "CLEAR" },
    ]);
  });

  test("is refused once something names the attribute, with the first ten names [ATT-12]", async () => {
    const { id, rowVersion } = await make({ name: "Named", type: "TEXT" });
    for (let at = 1; at <= 12; at++) await holds("TEMPLATE", "ATTRIBUTE", id, `T${String(at).padStart(2, "0")} ${id}`);
    const answer = await save({ id, rowVersion, name: "Named", type: "DATE", clearValues: true });
    expect(answer).toMatchObject({ status: 422, code: "TYPE_IN_USE" });
    expect(answer.msg).toContain(`T10 ${id} +2`);
    expect(answer.msg).not.toContain("T11");
    expect((await save({ id, rowVersion, name: "Named anew", type: "TEXT" })).status).toBe(200);
  });
});

describe("value limits", () => {
  test.each([
    ["NUMBER", { min: 0, max: 10, decimals: 1, step: 0.5 }, []],
    ["NUMBER", { min: 10, max: 0 }, ["valueLimit.max VALUE_RANGE"]],
    ["NUMBER", { decimals: 7 }, ["valueLimit.decimals VALUE_RANGE"]],
    ["NUMBER", { min: "low" }, ["valueLimit.min NUMBER_FORMAT"]],
    ["DATE", { min: "2026-01-01", max: "2026-12-31" }, []],
    ["DATE", { min: "2025-02-29" }, ["valueLimit.min DATE_FORMAT"]],
    ["TIME", { max: "17:30" }, []],
    ["DATETIME", { min: "2026-01-01T00:00:00" }, []],
    ["DATETIME", { min: "2026-01-01" }, ["valueLimit.min DATE_FORMAT"]],
    ["TEXT", { maxLength: 1024, pattern: "[A-Z]{3}\\d+" }, []],
    ["TEXT", { maxLength: 1025 }, ["valueLimit.maxLength VALUE_RANGE"]],
    ["LONG_TEXT", { maxLength: 2000 }, []],
    ["TEXT", { pattern: "(a+)+$" }, ["valueLimit.pattern VALUE_FORMAT"]],
    ["TEXT", { pattern: "[" }, ["valueLimit.pattern VALUE_FORMAT"]],
    ["TEXT", { min: 1 }, ["valueLimit.min VALUE_UNKNOWN"]],
    ["READ_ONLY", { maxLength: 5 }, ["valueLimit.maxLength VALUE_UNKNOWN"]],
    ["ENUM", { allowed: [1] }, ["valueLimit.allowed VALUE_UNKNOWN"]],
  ])("of %s: %j", async (type, valueLimit, expected) => {
    const answer = save({ name: "Limited", type, valueLimit });
    expect(await refusal(answer)).toEqual(expected.length > 0 ? expected : ["200"]);
  });

  test("change only as far as every stored value still fits [ATT-13]", async () => {
    const [first, second] = await makeDus(db.owner, project.id, [{ code: "FIT-1" }, { code: "FIT-2" }]);
    const { id, rowVersion } = await make({ name: "Height", valueLimit: { min: 0, max: 100 } });
    await setExt(first!, { [`a${id}`]: 40 });
    await setExt(second!, { [`a${id}`]: 60 });
    const narrow = (valueLimit: object | null) => save({ id, rowVersion, name: "Height", valueLimit });
    expect(await narrow({ max: 59 })).toMatchObject({
      status: 422,
      code: "VALUE_LIMIT_CONFLICT",
      msg: "1 stored values do not fit the new value limit, such as FIT-2",
    });
    expect(await narrow({ max: 30 })).toMatchObject({ code: "VALUE_LIMIT_CONFLICT", msg: expect.stringContaining("FIT-1, FIT-2") });
    expect((await narrow({ min: 40, max: 60 })).status).toBe(200);
    expect(await done(call("planAttr/findValueLimit", { attributeIds: [id] }))).toEqual({ [id]: { min: 40, max: 60 } });
  });

  test("planAttr/findValueLimit gives them, null where there is none [ATT-31]", async () => {
    const { id } = await make({ name: "Free" });
    const { id: bound } = await make({ name: "Bound", valueLimit: { decimals: 0 } });
    expect(await done(call("planAttr/findValueLimit", { attributeIds: [id, bound] }, tl))).toEqual({
      [id]: null,
      [bound]: { decimals: 0 },
    });
    expect((await call("planAttr/findValueLimit", { attributeIds: [id, 999_999_999] })).status).toBe(404);
  });
});

describe("choices and limits of an attribute of a DU tab", () => {
  test("stay while a row of the tab holds them [ATT-13]", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ code: "TAB-DU" }]);
    const tabId = await makeTab(db.owner, project.id, `Held ${du}`);
    const of = { level: "TAB", duTabId: tabId, inRolloutPlan: false };
    const kind = await make({ name: "Kind of row", type: "ENUM", enums: [{ value: "One" }, { value: "Two" }], ...of });
    const size = await make({ name: "Size of row", type: "NUMBER", ...of });
    const [one, two] = (await info(kind.id)).enums as { id: number; value: string }[];
    const hold = (sn: string, deleted: boolean) => db.owner`
      insert into du_tab_row (project_id, tab_id, du_id, key_mode, sn, data, created_at, updated_at, deleted_at)
      values (${project.id}, ${tabId}, ${du!}, 'SN', ${sn}, ${db.owner.json({ [`a${kind.id}`]: String(deleted ? two!.id : one!.id), [`a${size.id}`]: 7 })}, now(), now(), ${deleted ? clock : null})`;
    await hold("1", false);
    await hold("2", false);
    await hold("3", true);
    const choices = await done(call("planAttrEnum/enumList/page", { attributeId: kind.id, size: 10 }));
    expect(choices.records.map(({ usedCount }: { usedCount: number }) => usedCount)).toEqual([1, 0]);
    const refused = await call("planAttrEnum/delete", { ids: [one!.id] });
    expect(refused).toMatchObject({ status: 422, code: "ENUM_REFERENCED" });
    expect(refused.msg).toContain("One: Kind of row (1 DU)");
    expect((await call("planAttrEnum/delete", { ids: [two!.id] })).status).toBe(200);
    const limited = { id: size.id, rowVersion: size.rowVersion, name: "Size of row", type: "NUMBER", ...of };
    expect(await save({ ...limited, valueLimit: { max: 5 } })).toMatchObject({
      code: "VALUE_LIMIT_CONFLICT",
      problems: [{ params: { count: 2, list: "TAB-DU" } }],
    });
    expect((await save({ ...limited, valueLimit: { max: 7 } })).status).toBe(200);
  });
});

describe("planAttr/delete", () => {
  test("is refused where something names the attribute or a choice of it, and says what; the others go [ATT-14]", async () => {
    const { id } = await make({ name: "Used" });
    const { id: chosen } = await make({ name: "Chosen", type: "ENUM", enums: [{ value: "One" }] });
    const { id: free } = await make({ name: "Free" });
    await holds("TEMPLATE", "ATTRIBUTE", id, "North filter");
    await holds("TEMPLATE", "ENUM_VALUE", (await info(chosen)).enums[0].id, "One only");
    expect(await call("planAttr/delete", { ids: [id] })).toMatchObject({
      status: 422,
      code: "IN_USE",
      msg: "Referenced, cannot be deleted: Used (North filter)",
    });
    expect(await done(call("planAttr/usage", { id: chosen }))).toMatchObject([{ kind: "TEMPLATE", name: "One only" }]);
    expect(await done(call("planAttr/delete", { ids: [id, chosen, free] }))).toEqual({
      deleted: 1,
      refused: [
        { id, name: "Used", usedBy: "North filter" },
        { id: chosen, name: "Chosen", usedBy: "One only" },
      ],
    });
    expect(await info(free)).toBeUndefined();
    expect((await call("planAttr/usage", { id: free })).status).toBe(404);
  });

  test.each([
    "the condition of a plan rule",
    "the action of a plan rule",
    "a mail rule",
  ])("is refused as a change of type is while %s names the attribute [ATT-12] [ATT-14]", async (what) => {
    const { id, rowVersion } = await make({ name: "Permit", type: "TEXT" });
    const { id: other } = await make({ name: "Remark of the permit", type: "TEXT" });
    const [named, target] = (what.startsWith("the condition") ? [id, other] : [other, id]).map((of) => ({ k: "ATTR", key: `a${of}` }));
    const action = { sources: [{ k: "FIXED", value: "yes" }], target };
    const planRule = {
      ruleType: "ACT_TO_ATTR",
      flowId: await makeFlow(db.owner, project.id, pm.id, []),
      actions: [action],
      conditions: what.startsWith("the condition") ? [{ object: named, operator: "eq", values: ["granted"] }] : [],
    };
    const mailRule = {
      type: "CHANGE_COL_VALUE",
      attributeIds: [id],
      frequency: { kind: "DAILY" },
      sendTime: "08:00",
      validBegin: "2026-10-14T00:00",
      validEnd: "2026-12-31T00:00",
      receivers: { userIds: [pm.id] },
    };
    const rule = `Permits, ${what}`;
    const [address, more] = what === "a mail rule" ? ["emailAuto/addAndEditRule", mailRule] : ["planAutoRule/save", planRule];
    const made = await done(call(address as string, { name: rule, ...(more as object) }));
    expect(await call("planAttr/delete", { ids: [id] })).toMatchObject({
      status: 422,
      code: "IN_USE",
      msg: `Referenced, cannot be deleted: Permit (${rule})`,
    });
    const change = { id, rowVersion, name: "Permit", type: "DATE", clearValues: true };
    expect(await save(change)).toMatchObject({ status: 422, code: "TYPE_IN_USE", problems: [{ path: "type", params: { by: rule } }] });
    expect(await info(id)).toMatchObject({ name: "Permit", type: "TEXT" });
    await done(
      what === "a mail rule"
        ? call("emailAuto/deleteReminds", { kind: "RULE", ids: [made.id] })
        : call("planAutoRule/delete", { ids: [made.id] }),
    );
    expect((await save(change)).status).toBe(200);
    expect(await done(call("planAttr/delete", { ids: [id] }))).toEqual({ deleted: 1, refused: [] });
  });

  test("keeps the values for thirty days, then they go without a trace", async () => {
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const { id } = await make({ name: "Gone" });
    await setExt(du!, { [`a${id}`]: 5, a9999: 1 });
    await done(call("planAttr/delete", { ids: [id] }));
    await db.owner`update attribute set deleted_at = ${clock} where id = ${id}`;
    const [seq] = await db.owner`select seq from plan_seq where project_id = ${project.id}`;
    const days = (count: number) => new Date(clock.getTime() + count * 86_400_000);
    await clearDeleted(db.app, project.id, days(30));
    expect(await extOf(du!)).toHaveProperty(`a${id}`);
    await clearDeleted(db.app, project.id, new Date(days(30).getTime() + 1000));
    expect(await extOf(du!)).toEqual({ a9999: 1 });
    expect((await db.owner`select seq from plan_seq where project_id = ${project.id}`)[0]).toEqual(seq);
  });
});

describe("defaults", () => {
  test("a new DU begins with the default of the project, else with that of the attribute", async () => {
    const { id: plain } = await make({ name: "Plain", defaultValue: "3" });
    const { id: own } = await make({ name: "Own", type: "TEXT", defaultValue: "all", projectDefaultValue: "ours" });
    const { ids } = await done(call("du/save", { rows: [{ code: "BEGINS", name: "Begins" }] }));
    expect(await extOf(ids[0])).toEqual({ [`a${plain}`]: 3, [`a${own}`]: "ours" });
    const history = await done(call("planLog/cell", { duId: ids[0], field: `a${own}` }));
    expect(history).toMatchObject([{ old: null, new: "ours" }]);
    expect(await refusal(save({ name: "Wrong", defaultValue: "many" }))).toEqual(["defaultValue VALUE_FORMAT"]);
    expect(await refusal(save({ name: "Wrong", defaultValue: "5", valueLimit: { max: 4 } }))).toEqual(["defaultValue NUMBER_RANGE"]);
  });

  test("applied to all fill empty cells only, as a task", async () => {
    const [empty, full] = await makeDus(db.owner, project.id, [{}, {}]);
    const { id } = await make({ name: "Filled", defaultValue: "7" });
    await setExt(full!, { [`a${id}`]: 1 });
    expect((await call("planAttr/applyDefault", { id })).status).toBe(400);
    const { taskId } = await done(call("planAttr/applyDefault", { id, confirm: true }));
    expect(await run(taskId)).toMatchObject({ status: "succeeded" });
    await expectSameWhenTakenUp(db, taskId, run);
    expect(await extOf(empty!)).toHaveProperty(`a${id}`, 7);
    expect(await extOf(full!)).toEqual({ [`a${id}`]: 1 });
    const { id: bare } = await make({ name: "Bare" });
    expect((await call("planAttr/applyDefault", { id: bare, confirm: true })).code).toBe("VALUE_MISSING");
  });
});

describe("who may what", () => {
  test("planAttr/checkAttrPermission says what the caller may do with each [ATT-32]", async () => {
    const { id: shown } = await make({ name: "Shown", visibleCustomer: true, visibleSubcon: true });
    const { id: edited } = await make({ name: "Edited", editableSubcon: true });
    const { id: inner } = await make({ name: "Inner" });
    const ids = [shown, edited, inner, 999_999_999];
    const ask = async (user: CtxUser) => Object.values(await done(call("planAttr/checkAttrPermission", { attributeIds: ids }, user)));
    expect(await ask(pm)).toEqual(["RW", "RW", "RW", "HIDDEN"]);
    expect(await ask(customer)).toEqual(["RO", "HIDDEN", "HIDDEN", "HIDDEN"]);
    expect(await ask(subcon)).toEqual(["RO", "RW", "HIDDEN", "HIDDEN"]);
    // A subcontractor writes on the DUs of its company only.
    const [foreign] = await makeDus(db.owner, project.id, [{}]);
    expect((await call("planAttr/checkAttrPermission", { attributeIds: ids, duId: foreign }, subcon)).status).toBe(404);
    expect(await done(call("planAttr/checkAttrPermission", { attributeIds: [shown], duId: foreign }))).toEqual({ [shown]: "RW" });
  });

  test("an attribute is read-only or read-write for named people, and shown to customers and subcontractors apart [ATT-29]", async () => {
    const { id } = await make({ name: "Price", visibleCustomer: true, users: [{ userId: tl.id, mode: "RO" }] });
    const mode = async (user: CtxUser) => (await info(id, user))?.effectiveMode ?? "HIDDEN";
    expect([await mode(pm), await mode(tl), await mode(customer), await mode(subcon)]).toEqual(["RW", "RO", "RO", "HIDDEN"]);
    await done(save({ id, rowVersion: 1, name: "Price", visibleSubcon: true, users: [{ userId: tl.id, mode: "RW" }] }));
    expect([await mode(pm), await mode(tl), await mode(customer), await mode(subcon)]).toEqual(["RO", "RW", "HIDDEN", "RO"]);
  });

  test("only the named persons edit an attribute under person control, also not the PM [ATT-28]", async () => {
    const { id } = await make({ name: "Controlled", editablePersonControl: true, editablePersonIds: [tl.id] });
    expect((await info(id, tl)).effectiveMode).toBe("RW");
    expect((await info(id)).effectiveMode).toBe("RO");
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const write = (user: CtxUser) => call("rolloutPlan/save", { edits: [{ duId: du, field: `a${id}`, value: 5, base: null }] }, user);
    expect((await done(write(pm))).rejected).toMatchObject([{ code: "NO_PERMISSION", msg: "Permission denied: Controlled" }]);
    expect((await done(write(tl))).saved).toBe(1);
  });

  test("adding can be kept to named roles and members; without names everybody who edits may add [ATT-27]", async () => {
    const pcm = await makeMember(db.owner, project.id, "PCM");
    expect((await save({ name: "Anybody" }, pcm)).status).toBe(200);
    let base: object[] = [];
    const grant = async (grants: object[]) => {
      await done(call("attrPermission/addGrant/save", { grants, base }));
      base = grants;
    };
    await grant([{ subjectType: "ROLE", role: "PM" }]);
    expect(await save({ name: "Refused" }, pcm)).toMatchObject({ status: 403, code: "NO_ADD_GRANT" });
    expect((await save({ name: "By role" })).status).toBe(200);
    await grant([{ subjectType: "ACCOUNT", userId: pcm.id }]);
    expect((await save({ name: "By account" }, pcm)).status).toBe(200);
    expect((await save({ name: "No longer" })).code).toBe("NO_ADD_GRANT");
    expect(await done(call("attrPermission/addGrant/find"))).toMatchObject({ grants: [{ subjectType: "ACCOUNT", userId: pcm.id }] });
    expect(
      await refusal(
        call("attrPermission/addGrant/save", {
          grants: [
            { subjectType: "ROLE", role: "PM" },
            { subjectType: "ROLE", role: "PM" },
          ],
          base,
        }),
      ),
    ).toEqual(["grants.1 ROLE_EXISTS"]);
    await grant([]);
  });
});

describe("values on their way into the plan", () => {
  const write = (edits: object[], user?: CtxUser) => call("rolloutPlan/save", { edits }, user);
  let du: number;
  beforeAll(async () => {
    du = (await makeDus(db.owner, project.id, [{}]))[0] as number;
  });
  const rejected = async (id: number, value: unknown) => {
    const [stored] = await db.owner<{ value: unknown }[]>`select ext -> ${`a${id}`} as value from du where id = ${du}`;
    const { rejected: found } = await done(write([{ duId: du, field: `a${id}`, value, base: stored!.value }]));
    return found[0] && `${found[0].code} ${found[0].msg}`;
  };

  test("a text holds 1024 characters [ATT-16], a long one 2000 and 4000 bytes [ATT-15]", async () => {
    const { id: text } = await make({ name: "Short", type: "TEXT" });
    const { id: long } = await make({ name: "Long", type: "LONG_TEXT" });
    const { id: area } = await make({ name: "Area", type: "TEXT_AREA" });
    expect(await rejected(text, name(1024))).toBeUndefined();
    expect(await rejected(text, name(1025))).toBe("VALUE_TOO_LONG Short may have 1,024 characters at most");
    expect(await rejected(long, name(2000))).toBeUndefined();
    expect(await rejected(long, name(2001))).toContain("VALUE_TOO_LONG");
    expect(await rejected(area, "塔".repeat(1333))).toBeUndefined();
    expect(await rejected(area, "塔".repeat(1400))).toContain("VALUE_TOO_LONG");
  });

  test("a value of the wrong type or outside its limit is refused by the name of the attribute [ATT-23]", async () => {
    const { id: count } = await make({ name: "Antennas", valueLimit: { min: 1, max: 9, decimals: 0 } });
    const { id: day } = await make({ name: "Lease ends", type: "DATE", valueLimit: { min: "2026-01-01" } });
    const { id: kind } = await make({ name: "Kind", type: "ENUM", enums: [{ value: "One" }, { value: "Two", active: false }] });
    expect(await rejected(count, "many")).toBe("VALUE_FORMAT Antennas has the wrong format");
    expect(await rejected(count, 10)).toContain("NUMBER_RANGE");
    expect(await rejected(count, 2.5)).toContain("NUMBER_INTEGER");
    expect(await rejected(count, 9)).toBeUndefined();
    expect(await rejected(day, "2025-12-31")).toBe("VALUE_RANGE Lease ends must lie between 2026-01-01 and ");
    expect(await rejected(day, "2026-02-29")).toContain("DATE_FORMAT");
    const [one, two] = (await info(kind)).enums.map(({ id }: { id: number }) => String(id));
    expect(await rejected(kind, two)).toBe("VALUE_UNKNOWN Kind has an unknown value");
    expect(await rejected(kind, one)).toBeUndefined();
    const batch = await call("rolloutPlan/batch/setAttribute", { duIds: [du], attributeId: count, value: 10, preview: false });
    expect(batch.problems).toMatchObject([{ code: "NUMBER_RANGE" }]);
  });

  test("what is required cannot be cleared", async () => {
    const { id } = await make({ name: "Needed", required: true });
    expect(await rejected(id, 4)).toBeUndefined();
    expect(await rejected(id, null)).toBe("EMPTY_CONTENT Needed must not be empty");
  });

  test("a batch takes a custom text of 2000 characters, a single-line one 1024 [ATT-17]", async () => {
    const { id: long } = await make({ name: "Long", type: "TEXT_AREA" });
    const { id: short } = await make({ name: "Short", type: "TEXT" });
    const batch = (attributeId: number, value: string) =>
      call("rolloutPlan/batch/setAttribute", { duIds: [du], attributeId, value, preview: false });
    expect((await batch(long, name(2000))).status).toBe(200);
    expect((await batch(long, name(2001))).problems).toMatchObject([{ path: "value", code: "VALUE_TOO_LONG" }]);
    expect((await batch(short, name(1024))).status).toBe(200);
    expect((await batch(short, name(1025))).problems).toMatchObject([{ path: "value", code: "VALUE_TOO_LONG" }]);
  });
});

describe("the list", () => {
  test("filters, sorts, pages, and says how many objects name an attribute", async () => {
    const { id } = await make({ name: "Alpha", classification: "Site", sortNo: 5 });
    await make({ name: "Beta", type: "TEXT", sortNo: 2, inRolloutPlan: false });
    await holds("TEMPLATE", "ATTRIBUTE", id, "Names alpha");
    const list = async (filters: object[], more: object = {}) => {
      const { records, total } = await done(call(`planAttr/list/1/20/default/${JSON.stringify(filters)}`, more));
      return { total, names: records.map((row: { name: string; usedBy: number }) => `${row.name} ${row.usedBy}`) };
    };
    expect(await list([])).toEqual({ total: 2, names: ["Beta 0", "Alpha 1"] });
    expect(await list([{ field: "name", type: "like", values: ["lph"] }])).toEqual({ total: 1, names: ["Alpha 1"] });
    expect(await list([{ field: "inRolloutPlan", type: "eq", values: [false] }])).toEqual({ total: 1, names: ["Beta 0"] });
    expect(await list([{ field: "classification", type: "eq", values: ["Site"] }])).toEqual({ total: 1, names: ["Alpha 1"] });
    expect(await done(call("planAttr/setFlags", { ids: [id], flags: { editableSubcon: true } }))).toEqual({ changed: 1 });
    expect(await info(id)).toMatchObject({ editableSubcon: true, visibleSubcon: true, rowVersion: 2 });
    await done(call("planAttr/setFlags", { ids: [id], flags: { visibleSubcon: false } }));
    expect(await info(id)).toMatchObject({ editableSubcon: false, visibleSubcon: false });
  });

  test("has a condition for each of its columns", async () => {
    const flow = await makeFlow(db.owner, project.id, pm.id, []);
    const other = await makeFlow(db.owner, project.id, pm.id, []);
    const [tab] = await db.owner<{ id: number }[]>`
      insert into du_tab (project_id, name, key_mode, created_at, updated_at) values (${project.id}, 'Of the list', 'DU', now(), now()) returning id`;
    const { id } = await make({
      name: "Alpha",
      type: "ENUM",
      standardName: "First letter",
      standardAttributeId: 1,
      duTabId: tab!.id,
      flowIds: [flow],
      sortNo: 500,
      enums: [{ value: "Large tower" }],
      projectDefaultValue: "Large tower",
      required: true,
    });
    await make({ name: "Beta", level: "ACTIVITY", sortNo: 2, defaultValue: "7" });
    await holds("TEMPLATE", "ATTRIBUTE", id);
    await db.owner`update attribute set updated_by = ${tl.id}, updated_at = '2026-10-13T17:00:00Z' where id = ${id}`;
    const found = async (field: string, type: string, ...values: unknown[]) =>
      (await done(call(`planAttr/list/1/20/default/${JSON.stringify([{ field, type, values }])}`))).records.map(
        (row: { name: string }) => row.name,
      );
    const alpha = ["Alpha"];
    const both = ["Beta", "Alpha"];
    expect(await found("standardName", "like", "LETTER")).toEqual(alpha);
    expect(await found("level", "eq", "ACTIVITY")).toEqual(["Beta"]);
    expect(await found("duTab", "eq", tab!.id)).toEqual(alpha);
    // One without flows belongs to every flow.
    expect([await found("flow", "eq", flow), await found("flow", "eq", other)]).toEqual([both, ["Beta"]]);
    expect([await found("default", "like", "large"), await found("default", "like", "7")]).toEqual([alpha, ["Beta"]]);
    expect([await found("sortNo", "range", 3, 500), await found("sortNo", "range", null, 499)]).toEqual([alpha, ["Beta"]]);
    expect([await found("used", "eq", true), await found("used", "eq", false)]).toEqual([alpha, ["Beta"]]);
    expect(await found("updatedBy", "eq", tl.id)).toEqual(alpha);
    // 17:00 in UTC is the next day of the project.
    expect([await found("updatedAt", "range", "2026-10-14", "2026-10-14"), await found("updatedAt", "range", null, "2026-10-13")]).toEqual([
      expect.arrayContaining(alpha),
      [],
    ]);
    expect([await found("required", "eq", true), await found("required", "eq", false)]).toEqual([alpha, ["Beta"]]);
    expect(await info(id)).toMatchObject({ standardAttributeId: 1 });
    expect(await refusal(save({ name: "Gamma", standardAttributeId: 9_999 }))).toEqual(["standardAttributeId VALUE_UNKNOWN"]);
  });

  test("an attribute is in the grid's head, filters and export at the next request, and open screens are told", async () => {
    const { attribute } = { attribute: await makeAttribute(db.owner, project.id) };
    const before = (await done(call("rolloutPlan/head"))).attributes.map(({ key }: { key: string }) => key);
    const [seq] = await db.owner<{ seq: number }[]>`select seq from plan_seq where project_id = ${project.id}`;
    const { id } = await make({ name: "At once" });
    const after = (await done(call("rolloutPlan/head"))).attributes.map(({ key }: { key: string }) => key);
    expect(before).toContain(attribute.key);
    expect(after.filter((key: string) => !before.includes(key))).toEqual([`a${id}`]);
    expect((await db.owner`select seq from plan_seq where project_id = ${project.id}`)[0]!.seq).toBe(seq!.seq + 1);
    expect((await call("wbs/filter", { filters: [{ field: `a${id}`, type: "notEmpty", values: [] }] })).status).toBe(200);
  });
});
