import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { done } from "../../scheduling/make-scheduled.ts";
import { attributeCalls, given, refusal } from "../make-attribute.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let customer: CtxUser;
const call = attributeCalls(
  () => project,
  () => pm,
);

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  customer = await makeMember(db.owner, project.id, "CUSTOMER");
});

async function make(name: string, values: string[], more: object = {}): Promise<{ id: number; rowVersion: number; ids: number[] }> {
  const saved = await done(call("planAttr/save", given({ name, type: "ENUM", enums: values.map((value) => ({ value })), ...more })));
  const { records } = await done(call("planAttrEnum/enumList/page", { attributeId: saved.id }));
  return { ...saved, ids: records.map(({ id }: { id: number }) => id) };
}

/** Saves a list of choices upon the one that is stored. */
async function saveChoices(attributeId: number, values: object[]) {
  const [stored] = await db.owner<{ rowVersion: number }[]>`select row_version as "rowVersion" from attribute where id = ${attributeId}`;
  return call("planAttrEnum/save", { attributeId, ...stored, values });
}

describe("choices of an enumeration", () => {
  test("planAttrEnum/enumList/page gives them in pages, with their use to who sees the configuration [ATT-33]", async () => {
    const { id, ids } = await make("Paged", ["One", "Two", "Three"], { visibleCustomer: true });
    await makeDus(db.owner, project.id, [{ ext: { [`a${id}`]: String(ids[1]) } }, { ext: { [`a${id}`]: String(ids[1]) } }]);
    const page = (input: object, user?: CtxUser) => done(call("planAttrEnum/enumList/page", { attributeId: id, ...input }, user));
    expect(await page({ page: 2, size: 1 })).toMatchObject({
      records: [{ id: ids[1], value: "Two", active: true, usedCount: 2 }],
      total: 3,
      page: 2,
      size: 1,
    });
    expect((await page({ keyword: "tHr" })).records).toMatchObject([{ value: "Three", usedCount: 0 }]);
    expect((await page({}, customer)).records[0]).not.toHaveProperty("usedCount");
    expect(await refusal(call("planAttrEnum/enumList/page", { attributeId: id, size: 501 }))).toHaveLength(1);
    expect((await page({ size: 200 })).total).toBe(3);
    expect((await call("planAttrEnum/enumList/page", { attributeId: 999_999_999 })).status).toBe(404);
  });

  test.each([
    "stored in a cell",
    "the default",
    "in a filter",
    "in a rule",
    "allowed by the value limit",
  ])("one that is %s cannot be deleted, but taken out of the offer [ATT-11]", async (use) => {
    const { id, rowVersion, ids } = await make(`Used ${use}`, ["Kept", "Free"], use === "the default" ? { defaultValue: "Kept" } : {});
    if (use === "stored in a cell") await makeDus(db.owner, project.id, [{ ext: { [`a${id}`]: String(ids[0]) } }]);
    if (use === "allowed by the value limit")
      await done(
        call(
          "planAttr/save",
          given({
            id,
            rowVersion,
            name: `Used ${use}`,
            type: "ENUM",
            valueLimit: { allowed: [ids[0]] },
            enums: [
              { id: ids[0], value: "Kept" },
              { id: ids[1], value: "Free" },
            ],
          }),
        ),
      );
    if (use === "in a filter") {
      const [holder] = await db.owner<{ id: number }[]>`
          insert into template (project_id, kind, object_type, name, is_public, owner_id, body, updated_at) values (${project.id}, 'filter', 'project', 'Kept ones', false, ${pm.id}, '{}', now()) returning id`;
      await db.owner`insert into config_ref values (${project.id}, 'TEMPLATE', ${holder!.id}, 'ENUM_VALUE', ${ids[0]!}, 'FILTER')`;
    }
    if (use === "in a rule")
      await done(
        call("planAutoRule/save", {
          name: "Kept ones",
          ruleType: "ACT_TO_ATTR",
          flowId: await makeFlow(db.owner, project.id, pm.id, []),
          actions: [{ sources: [{ k: "FIXED", value: String(ids[0]) }], target: { k: "ATTR", key: `a${id}` } }],
        }),
      );
    const refused = await call("planAttrEnum/delete", { ids: [ids[0]] });
    expect(refused).toMatchObject({ status: 422, code: "ENUM_REFERENCED" });
    expect(refused.msg).toMatch(/^The value is referenced and cannot be deleted: Kept: /);
    expect((await saveChoices(id, [{ id: ids[1], value: "Free" }])).code).toBe("ENUM_REFERENCED");
    expect(await done(call("planAttrEnum/delete", { ids: [ids[1]] }))).toEqual({ deleted: 1 });
    await done(saveChoices(id, [{ id: ids[0], value: "Kept", active: false }, { value: "New" }]));
    const { records } = await done(call("planAttrEnum/enumList/page", { attributeId: id }));
    expect(records).toMatchObject([
      { id: ids[0], active: false },
      { value: "New", active: true },
    ]);
  });

  test("are not saved over what others have added since they were read", async () => {
    const { id, rowVersion, ids } = await make("Saved at once", ["One"]);
    const kept = { id: ids[0], value: "One" };
    await done(call("planAttrEnum/save", { attributeId: id, rowVersion, values: [kept, { value: "Theirs" }] }));
    const late = await call("planAttrEnum/save", { attributeId: id, rowVersion, values: [kept, { value: "Mine" }] });
    expect(late).toMatchObject({ status: 409, code: "STALE", data: { enums: [{ value: "One" }, { value: "Theirs" }] } });
    const { records } = await done(call("planAttrEnum/enumList/page", { attributeId: id }));
    expect(records.map(({ value }: { value: string }) => value)).toEqual(["One", "Theirs"]);
  });

  test("are told apart by their texts; texts may change places", async () => {
    const { id, ids } = await make("Texts", ["One", "Two"]);
    expect(await refusal(saveChoices(id, [{ value: "Same" }, { value: "same" }]))).toEqual(["values.1.value ENUM_REPEAT"]);
    expect(
      await done(
        saveChoices(id, [
          { id: ids[0], value: "Two" },
          { id: ids[1], value: "One" },
        ]),
      ),
    ).toEqual({ ids });
    expect((await saveChoices(id, [{ id: 999_999_999, value: "X" }])).status).toBe(404);
    expect((await call("planAttrEnum/delete", { ids: [999_999_999] })).status).toBe(404);
  });
});

describe("lookup lists", () => {
  test("offer their values to attributes, those of the second level by the value of the first in the same row", async () => {
    const { id: listId } = await done(
      call("lookupList/save", {
        code: "Vendors",
        values: [
          { value: "North", children: [{ value: "N1" }, { value: "N2" }] },
          { value: "South", children: [{ value: "S1" }] },
        ],
      }),
    );
    const { lists } = await done(call("lookupList/list"));
    const [north, south] = lists[0].values;
    const { id: first } = await done(call("planAttr/save", given({ name: "Vendor", type: "LOOKUP_ENUM", lookupListId: listId })));
    const { id: second } = await done(
      call("planAttr/save", given({ name: "Model", type: "LOOKUP_ENUM", lookupListId: listId, lookupParentId: first })),
    );
    const head = (await done(call("rolloutPlan/head"))).attributes.find(({ key }: { key: string }) => key === `a${second}`);
    expect(head).toMatchObject({ type: "choice", parentKey: `a${first}` });
    expect(head.choices.map(({ title, parent }: { title: string; parent: string }) => `${parent} ${title}`)).toEqual([
      `${north.id} N1`,
      `${north.id} N2`,
      `${south.id} S1`,
    ]);
    const page = await done(call("planAttrEnum/enumList/page", { attributeId: second, parentId: south.id }));
    expect(page.records).toMatchObject([{ value: "S1" }]);
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const write = async (values: Record<number, number>) => {
      const [row] = await db.owner<{ ext: Record<string, string> }[]>`select ext from du where id = ${du!}`;
      const edits = Object.entries(values).map(([id, value]) => ({
        duId: du,
        field: `a${id}`,
        value: String(value),
        base: row!.ext[`a${id}`] ?? null,
      }));
      return done(call("rolloutPlan/save", { edits }));
    };
    expect((await write({ [second]: north.children[0].id })).rejected).toMatchObject([{ code: "VALUE_UNKNOWN" }]);
    expect((await write({ [first]: south.id, [second]: north.children[0].id })).rejected).toHaveLength(2);
    expect(await write({ [first]: north.id, [second]: north.children[0].id })).toMatchObject({ saved: 2, rejected: [] });
    // What is stored stays; what is not may go.
    const without = { id: listId, rowVersion: 1, code: "Vendors", values: [{ id: north.id, value: "North", children: [] }] };
    expect(await call("lookupList/save", without)).toMatchObject({
      status: 422,
      code: "ENUM_REFERENCED",
      msg: expect.stringContaining("N1: Model (1 DU)"),
    });
    const kept = { ...without, values: [{ id: north.id, value: "North", children: [{ id: north.children[0].id, value: "N-1" }] }] };
    expect(await done(call("lookupList/save", kept))).toMatchObject({ rowVersion: 2 });
    expect((await call("lookupList/save", kept)).code).toBe("STALE");
    expect(await call("lookupList/delete", { ids: [listId] })).toMatchObject({ status: 422, code: "ENUM_REFERENCED" });
    expect(await done(call("lookupList/import", { id: listId, rowVersion: 2, text: "East\nNorth\tN9\nEast\tE1\n" }))).toMatchObject({
      rowVersion: 3,
    });
    const after = (await done(call("lookupList/list"))).lists[0].values;
    expect(
      after.map(({ value, children }: { value: string; children: { value: string }[] }) =>
        [value, ...children.map((child) => child.value)].join(" "),
      ),
    ).toEqual(["North N-1 N9", "East E1"]);
    expect((await call("lookupList/import", { id: listId, rowVersion: 3, text: " \n" })).code).toBe("FILE_FORMAT");
    expect((await call("lookupList/save", { code: "vendors", values: [] })).code).toBe("NAME_EXISTS");
  });
});

test("a value of a list and a choice of the same id are told apart by what names them", async () => {
  const { id: listId } = await done(call("lookupList/save", { code: "Grades", values: [{ value: "Iron" }] }));
  const gold = { id: 9_000_001 };
  await db.owner`insert into lookup_value (id, list_id, value, sort_no) overriding system value values (${gold.id}, ${listId}, 'Gold', 2)`;
  const [iron] = (await done(call("lookupList/list"))).lists.find(({ id }: { id: number }) => id === listId).values;
  const grade = await done(call("planAttr/save", given({ name: "Grade", type: "LOOKUP_ENUM", lookupListId: listId })));
  const colour = await make("Colour", ["Red"]);
  await db.owner`insert into attribute_enum (id, attribute_id, value) overriding system value values (${gold.id}, ${colour.id}, 'Gold paint')`;
  const flow = { id: await makeFlow(db.owner, project.id, pm.id, []) };
  const condition = (operator: string) => ({ object: { k: "ATTR", key: `a${grade.id}` }, operator, values: [String(gold.id)] });
  for (const address of ["duFlowRule/save", "ownerRule/save"] as const) {
    const own = address === "duFlowRule/save";
    const more = own ? { flowId: flow.id } : { flowIds: [flow.id], ownerFields: ["PLAN_OWNER"], fillMode: "REGION_OWNER" };
    const conditions = [own ? { ...condition("in"), logic: null } : condition("IN")];
    await done(call(address, { name: `Golden ${address}`, conditions, ...more }));
  }
  const filters = [{ key: `a${grade.id}`, type: "in", values: [String(gold.id)] }];
  await done(
    call("template/basic/save", {
      kind: "filter",
      name: "Golden filter",
      objectType: "project",
      gridKey: "plan",
      isPublic: false,
      body: { filters, sort: [] },
    }),
  );
  const keep = { id: listId, rowVersion: 1, code: "Grades" };
  const refused = await call("lookupList/save", { ...keep, values: [{ id: iron.id, value: "Iron", children: [] }] });
  expect(refused).toMatchObject({ status: 422, code: "ENUM_REFERENCED" });
  expect(refused.msg).toContain("Gold: Golden duFlowRule/save, Golden ownerRule/save, Golden filter");
  expect(await done(call("planAttrEnum/delete", { ids: [gold.id] }))).toEqual({ deleted: 1 });
  expect((await call("lookupList/save", { ...keep, values: [{ id: gold.id, value: "Gold", children: [] }] })).status).toBe(200);
});

describe("planConfig/checkNameUnique", () => {
  test("says whether a name is free, by kind [ATT-34]", async () => {
    const { id } = await make("Taken name", []);
    const ask = (kind: string, name: string, more: object = {}, user?: CtxUser) =>
      call("planConfig/checkNameUnique", { kind, name, ...more }, user);
    expect(await done(ask("ATTRIBUTE", "tAKEN name "))).toEqual({ unique: false });
    expect(await done(ask("ATTRIBUTE", "Taken name", { id }))).toEqual({ unique: true });
    expect(await done(ask("ATTRIBUTE", "Free name"))).toEqual({ unique: true });
    expect((await ask("PLANET", "Mars")).status).toBe(404);
    expect((await ask("ATTRIBUTE", "Taken name", {}, customer)).status).toBe(403);
  });

  test("does so for plan rules, owner rules and groups, in their project and until they are deleted [ATT-34]", async () => {
    const { id: target, ids } = await make("Filled by a rule", ["One"]);
    const flowId = await makeFlow(db.owner, project.id, pm.id, []);
    const action = { sources: [{ k: "FIXED", value: String(ids[0]) }], target: { k: "ATTR", key: `a${target}` } };
    const areas: Record<string, [area: string, more: object]> = {
      RULE: ["planAutoRule", { ruleType: "ACT_TO_ATTR", flowId, actions: [action] }],
      OWNER_RULE: ["ownerRule", { flowIds: [flowId], ownerFields: ["PLAN_OWNER"], fillMode: "REGION_OWNER" }],
      GROUP: ["resGroup", { members: [] }],
    };
    const elsewhere = await makeProject(db.owner);
    const neighbour = await makeMember(db.owner, elsewhere.id, "PM");
    const manager = await makeMember(db.owner, project.id, "CM");
    const statuses: Record<string, number[]> = {};
    for (const [kind, [area, more]] of Object.entries(areas)) {
      const ask = async (asked: object = {}) => done(call("planConfig/checkNameUnique", { kind, name: " north STAR ", ...asked }));
      expect(await ask(), kind).toEqual({ unique: true });
      const { id } = await done(call(`${area}/save`, { name: "North star", ...more }));
      expect(await ask(), kind).toEqual({ unique: false });
      expect(await ask({ id }), kind).toEqual({ unique: true });
      expect(await ask({ name: "North" }), kind).toEqual({ unique: true });
      const there = await callAs(neighbour, "planConfig/checkNameUnique", { kind, name: "North star" }, { project: elsewhere.number });
      expect(there, kind).toMatchObject({ status: 200, data: { unique: true } });
      const of = async (user: CtxUser) => (await call("planConfig/checkNameUnique", { kind, name: "North star" }, user)).status;
      statuses[kind] = [await of(manager), await of(customer)];
      await done(call(`${area}/delete`, { ids: [id] }));
      expect(await ask(), kind).toEqual({ unique: true });
    }
    expect(statuses).toEqual({ RULE: [403, 403], OWNER_RULE: [403, 403], GROUP: [200, 403] });
  });

  test("the name of a DU tab is not empty and is the project's only one [ATT-10]", async () => {
    const add = (name: string) => db.owner`
      insert into du_tab (project_id, name, key_mode, created_at, updated_at) values (${project.id}, ${name}, 'SN', now(), now())`;
    await add("Network elements");
    await expect(add("network ELEMENTS")).rejects.toThrow("du_tab_name_unique");
    await expect(add("  ")).rejects.toThrow("du_tab_name");
    expect(await done(call("planConfig/checkNameUnique", { kind: "DU_TAB", name: "network elements" }))).toEqual({ unique: false });
    expect(await refusal(call("planConfig/checkNameUnique", { kind: "DU_TAB", name: " " }))).toHaveLength(1);
  });
});
