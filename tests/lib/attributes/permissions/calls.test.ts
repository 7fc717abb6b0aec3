import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeAttribute, makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { done } from "../../scheduling/make-scheduled.ts";
import { attributeCalls, refusal } from "../make-attribute.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;
let td: CtxUser;
const call = attributeCalls(
  () => project,
  () => pm,
);

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
  td = await makeMember(db.owner, project.id, "TD");
});
beforeEach(async () => {
  const { permissions } = await done(call("attrPermission/list"));
  if (permissions.length > 0) await done(call("attrPermission/delete", { ids: permissions.map(({ id }: { id: number }) => id) }));
});

type Entry = { attributeId: number | "*"; mode: "HIDDEN" | "RO" | "RW" };
const ofRole = (role: string, ...entries: Entry[]) => call("attrPermission/save", { subjectType: "ROLE", role, entries });
const ofAccount = (userId: number, ...entries: Entry[]) => call("attrPermission/save", { subjectType: "ACCOUNT", userId, entries });
const modeOf = async (id: number, user: CtxUser) => (await done(call("planAttr/checkAttrPermission", { attributeIds: [id] }, user)))[id];

describe("permissions", () => {
  test("only the PM reads and changes them [ATT-24]", async () => {
    const admin = await makeMember(db.owner, project.id, "PROJECT_ADMIN");
    for (const user of [tl, td, admin, await makeMember(db.owner, project.id, "PCM")]) {
      expect((await call("attrPermission/list", {}, user)).status).toBe(403);
      expect((await call("attrPermission/save", { subjectType: "ROLE", role: "TL", entries: [] }, user)).status).toBe(403);
      expect((await call("attrPermission/addGrant/find", {}, user)).status).toBe(403);
    }
    expect((await call("attrPermission/list")).status).toBe(200);
  });

  test("are given per business role and per account, and the account's goes before the role's [ATT-25]", async () => {
    const { id } = await makeAttribute(db.owner, project.id);
    await done(ofRole("TL", { attributeId: id, mode: "HIDDEN" }));
    expect([await modeOf(id, tl), await modeOf(id, td)]).toEqual(["HIDDEN", "RW"]);
    const saved = await done(ofAccount(tl.id, { attributeId: "*", mode: "RO" }));
    expect(await modeOf(id, tl)).toBe("RO");
    await done(
      call("attrPermission/save", {
        ...saved,
        subjectType: "ACCOUNT",
        userId: tl.id,
        entries: [
          { attributeId: "*", mode: "RO" },
          { attributeId: id, mode: "RW" },
        ],
      }),
    );
    expect(await modeOf(id, tl)).toBe("RW");
    expect(await refusal(call("attrPermission/save", { ...saved, subjectType: "ACCOUNT", userId: tl.id, entries: [] }))).toEqual(["STALE"]);
  });

  test("there is one of each: a second account or role is refused with what to do [ATT-26]", async () => {
    await done(ofRole("TL"));
    expect(await ofRole("TL")).toMatchObject({
      status: 422,
      code: "ROLE_EXISTS",
      msg: "The role already exists, modify the existing role",
    });
    await done(ofAccount(tl.id));
    expect(await ofAccount(tl.id)).toMatchObject({ status: 422, code: "ACCOUNT_EXISTS", msg: "The account already exists" });
    const other = await makeMember(db.owner, (await makeProject(db.owner)).id, "TL");
    expect((await ofAccount(other.id)).code).toBe("NOT_MEMBER");
    expect((await ofRole("TD", { attributeId: 999_999_999, mode: "RO" })).status).toBe(404);
    expect(await refusal(call("attrPermission/save", { subjectType: "ROLE", role: "BOSS", entries: [] }))).toEqual(["role VALUE_UNKNOWN"]);
  });
});

describe("who may add attributes", () => {
  test("is refused when others have changed it since it was read", async () => {
    const save = (grants: object[], base: object[]) => call("attrPermission/addGrant/save", { grants, base });
    const lead = { subjectType: "ROLE", role: "TL" };
    const person = { subjectType: "ACCOUNT", userId: td.id };
    await done(save([lead], []));
    expect(await save([person], [])).toMatchObject({ status: 409, code: "STALE" });
    expect(await refusal(call("attrPermission/addGrant/save", { grants: [person] }))).toEqual(["base VALUE_MISSING"]);
    expect((await done(call("attrPermission/addGrant/find"))).grants).toMatchObject([lead]);
    await done(save([lead, person], [lead]));
    expect((await save([], [person])).code).toBe("STALE");
    // Their order says nothing.
    await done(save([], [person, lead]));
  });
});

describe("a hidden attribute", () => {
  let secret: { id: number; key: string; enumIds: number[] };
  let open: { id: number; key: string };
  let du: number;
  beforeAll(async () => {
    secret = await makeAttribute(db.owner, project.id, { name: "Contract price", type: "ENUM", enums: ["High", "Low"] });
    open = await makeAttribute(db.owner, project.id, { name: "Tower type" });
    du = (await makeDus(db.owner, project.id, [{ code: "PRICED", ext: { [open.key]: "Monopole" } }]))[0] as number;
    await done(
      call("rolloutPlan/save", {
        edits: [
          { duId: du, field: secret.key, value: String(secret.enumIds[0]), base: null },
          { duId: du, field: open.key, value: "Lattice", base: "Monopole" },
        ],
      }),
    );
  });
  beforeEach(async () => {
    await done(ofRole("TL", { attributeId: secret.id, mode: "HIDDEN" }));
  });
  const asked = (field: string) => [{ field, type: "notEmpty", values: [] }];

  test("is in no column, tile, definition, list of parts, plan log, history or field of conditions", async () => {
    const keys = async (user: CtxUser) =>
      (await done(call("rolloutPlan/head", {}, user))).attributes.map(({ key }: { key: string }) => key);
    expect(await keys(pm)).toEqual(expect.arrayContaining([secret.key, open.key]));
    expect(await keys(tl)).not.toContain(secret.key);
    const tile = async (user: CtxUser) => {
      const { queryId } = await done(call("wbs/filter", {}, user));
      const parts = { plan: false, fields: [], attrs: [secret.key, open.key], notes: [] };
      return (await done(call("rolloutPlan/tile", { queryId, from: 0, count: 10, parts }, user))).attrs.map(
        ({ key }: { key: string }) => key,
      );
    };
    expect(await tile(pm)).toEqual([secret.key, open.key]);
    expect(await tile(tl)).toEqual([open.key]);
    expect((await done(call("planAttr/getAttributeInfo", {}, tl))).attributes.map(({ id }: { id: number }) => id)).not.toContain(secret.id);
    expect((await call("planAttrEnum/enumList/page", { attributeId: secret.id }, tl)).status).toBe(404);
    expect((await call("planAttr/findValueLimit", { attributeIds: [secret.id] }, tl)).status).toBe(404);
    expect((await done(call("planLog/cell", { duId: du, field: secret.key }))).length).toBe(1);
    expect(await done(call("planLog/cell", { duId: du, field: secret.key }, tl))).toEqual([]);
    const log = async (user: CtxUser) => {
      const { records, total } = await done(
        call(`planLog/list/1/20/default/${JSON.stringify([{ field: "du", type: "eq", values: ["PRICED"] }])}`, {}, user),
      );
      return [total, ...records.map(({ field }: { field: string }) => field)];
    };
    expect(await log(pm)).toEqual(
      [2, secret.key, open.key].sort((a, b) => Number(b === 2) - Number(a === 2) || String(a).localeCompare(String(b))),
    );
    expect(await log(tl)).toEqual([1, open.key]);
    expect((await done(call("planLog/fields", {}, tl))).map(({ key }: { key: string }) => key)).not.toContain(secret.key);
    expect(
      (await done(call("template/basic/find/attribute", { objectType: "project" }, tl))).map(({ id }: { id: number }) => id),
    ).not.toContain(secret.id);
    expect(JSON.stringify(await done(call("duFlowRule/list", {}, tl)))).not.toContain("Contract price");
  });

  test("answers a filter, a sort and a list of values as an unknown field", async () => {
    for (const input of [{ filters: asked(secret.key) }, { sort: [{ field: secret.key, dir: "asc" }] }]) {
      expect((await call("wbs/filter", input)).status).toBe(200);
      expect(await call("wbs/filter", input, tl)).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    }
    expect((await call("rolloutPlan/facet", { column: secret.key, filters: [] })).status).toBe(200);
    expect((await call("rolloutPlan/facet", { column: secret.key, filters: [] }, tl)).status).toBe(400);
    const ofLog = [{ field: "field", type: "eq", values: [secret.key] }];
    expect((await call(`planLog/list/1/20/default/${JSON.stringify(ofLog)}`, {}, tl)).status).toBe(400);
  });

  test("answers a write with 403, one that is only read with the cell refused", async () => {
    const write = (user: CtxUser) =>
      call("rolloutPlan/save", { edits: [{ duId: du, field: secret.key, value: null, base: String(secret.enumIds[0]) }] }, user);
    expect(await write(tl)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect((await call("rolloutPlan/batch/setAttribute", { duIds: [du], attributeId: secret.id, value: null }, tl)).status).toBe(403);
    await done(ofAccount(tl.id, { attributeId: secret.id, mode: "RO" }));
    expect((await done(write(tl))).rejected).toMatchObject([{ code: "NO_PERMISSION", msg: "Permission denied: Contract price" }]);
    expect((await call("rolloutPlan/batch/setAttribute", { duIds: [du], attributeId: secret.id, value: null }, tl)).status).toBe(403);
    const [row] = await db.owner`select ext -> ${secret.key} as value from du where id = ${du}`;
    expect(row).toEqual({ value: String(secret.enumIds[0]) });
  });
});

describe("templates", () => {
  test("name attributes and choices, which stay in use; what is hidden is kept, not shown and not taken", async () => {
    const kind = await makeAttribute(db.owner, project.id, { name: "Kept kind", type: "ENUM", enums: ["One"] });
    const open = await makeAttribute(db.owner, project.id, { name: "Open" });
    const template = (more: object = {}) => ({
      kind: "filter",
      gridKey: "plan",
      name: "Kind one",
      isPublic: true,
      body: {
        filters: [
          { key: kind.key, type: "in", values: [String(kind.enumIds[0])], titles: ["One"] },
          { key: open.key, type: "notEmpty", values: [] },
        ],
      },
      ...more,
    });
    const { id } = await done(call("template/basic/save", template()));
    expect(await refusal(call("planAttr/delete", { ids: [kind.id] }))).toEqual(["ids.0 IN_USE"]);
    expect((await call("planAttrEnum/delete", { ids: kind.enumIds })).code).toBe("ENUM_REFERENCED");
    await done(call("attrPermission/save", { subjectType: "ROLE", role: "PCM", entries: [{ attributeId: kind.id, mode: "HIDDEN" }] }));
    const pcm = await makeMember(db.owner, project.id, "PCM");
    const shown = await done(call("template/basic/find", { id }, pcm));
    expect(shown.body.filters.map(({ key }: { key: string }) => key)).toEqual([open.key]);
    expect(await refusal(call("template/basic/save", template({ name: "Spied" }), pcm))).toEqual(["body VALUE_UNKNOWN"]);
    const { rowVersion, body } = shown;
    expect((await call("template/basic/save", template({ id, rowVersion, name: "Renamed", body }), pcm)).status).toBe(200);
    const kept = await done(call("template/basic/find", { id }));
    expect(kept.body.filters.map(({ key }: { key: string }) => key)).toEqual([open.key, kind.key]);
    await done(call("template/basic/delete", { ids: [id], confirmed: true }));
    expect((await call("planAttr/delete", { ids: [kind.id] })).status).toBe(200);
  });
});

describe("a rule with a hidden attribute", () => {
  test("keeps its condition when somebody changes it who does not see it, and runs with it", async () => {
    const price = await makeAttribute(db.owner, project.id, { name: "Secret price" });
    const flow = await makeFlow(db.owner, project.id, pm.id, []);
    const condition = { object: { k: "ATTR", key: price.key }, operator: "eq", values: ["9000"] };
    const { id } = await done(call("duFlowRule/save", { name: "By price", flowId: flow, conditions: [condition] }));
    const pcm = await makeMember(db.owner, project.id, "PCM");
    await done(ofRole("PCM", { attributeId: price.id, mode: "HIDDEN" }));
    const { rules, objects } = await done(call("duFlowRule/list", {}, pcm));
    const shown = rules.find((rule: { id: number }) => rule.id === id);
    expect(shown.conditions).toMatchObject([{ object: { key: price.key }, values: [] }]);
    expect(JSON.stringify({ rules, objects })).not.toMatch(/Secret price|9000/);
    expect(objects.find(({ key }: { key: string }) => key === price.key)).toMatchObject({ title: "Hidden attribute" });
    const { open, close, logic, operator, object } = shown.conditions[0];
    const typed = { open, close, logic, operator, object, values: [] };
    const spied = await call("duFlowRule/save", { name: "Spied", flowId: flow, conditions: [{ ...typed, values: ["9000"] }] }, pcm);
    expect(spied.problems).toMatchObject([{ path: "conditions.0.object", code: "VALUE_UNKNOWN" }]);
    await done(call("duFlowRule/save", { id, rowVersion: shown.rowVersion, name: "Renamed", flowId: flow, conditions: [typed] }, pcm));
    const [row] = await db.owner<{ name: string; conditions: unknown[] }[]>`select name, conditions from du_flow_rule where id = ${id}`;
    expect(row).toMatchObject({ name: "Renamed", conditions: [{ values: ["9000"] }] });
  });
});
