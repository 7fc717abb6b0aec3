import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { findLayout } from "#lib/templates/queries.ts";
import { callAs } from "../../support/call.ts";
import { useDatabase } from "../../support/database.ts";
import { grantRole, makeMember, makeProject, makeRegion } from "../../support/factories.ts";
import { meanwhile } from "../../support/meanwhile.ts";
import { inProject } from "../../support/plan-ctx.ts";
import { makeAttribute } from "../../support/plan-factories.ts";
import { makeHolder, makeOwned } from "../../support/role-holders.ts";
import { done } from "../activity-flows/make-flow.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let pcm: CtxUser;
let tl: CtxUser;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  pcm = await makeMember(db.owner, project.id, "PCM");
  tl = await makeMember(db.owner, project.id, "TL");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = tl): Promise<any> => callAs(user, address, input, { project: project.number });
const bodies = {
  search: { field: "code", values: ["A"], flowIds: [] },
  filter: { filters: [{ key: "code", type: "like", values: ["A"] }], sort: [] },
  grid: { columns: [{ key: "code", locked: true, width: 180 }] },
  reverse: { headerRow: 1, columns: [{ title: "Site", key: "du" }] },
  plan: { flowId: 1, columns: [], owners: [] },
};
type Kind = keyof typeof bodies;
const save = (kind: Kind, name: string, more: object = {}, user = tl) =>
  call("template/basic/save", { kind, name, objectType: "project", gridKey: "plan", isPublic: false, body: bodies[kind], ...more }, user);
const names = async (kind: Kind, user = tl, more: object = {}) => {
  const data = await done(call("template/basic/getTemplateNames", { kind, ...more }, user));
  const of = (list: { name: string; isDefault: boolean }[]) => list.map(({ name, isDefault }) => `${name}${isDefault ? "*" : ""}`);
  return { personal: of(data.personal), public: of(data.public) };
};

describe("template/basic/save", () => {
  it("stores a template with all its fields and logs it; a change needs the revision that was read [TPL-17] [TPL-03]", async () => {
    const fields = { remark: "For the morning", networkType: "5G", organisation: "North office" };
    const { id, rowVersion } = await done(save("grid", " Daily ", fields));
    expect(rowVersion).toBe(1);
    const found = await done(call("template/basic/find", { id }));
    expect(found).toMatchObject({ ...fields, name: "Daily", isPublic: false, lockedColumns: 1, objectType: "project", body: bodies.grid });
    expect(await done(save("grid", "Weekly", { id, rowVersion: 1 }))).toEqual({ id, rowVersion: 2 });
    const stale = await save("grid", "Monthly", { id, rowVersion: 1 });
    expect(stale).toMatchObject({ status: 409, code: "STALE", data: { name: "Weekly", rowVersion: 2 } });
    const lines = await db.owner<{ detail: { before: { name: string } | null; after: { name: string } } }[]>`
      select detail from audit_log where project_id = ${project.id} and object = ${`template ${id}`} order by id`;
    expect(lines.map(({ detail }) => [detail.before?.name, detail.after.name])).toEqual([
      [undefined, "Daily"],
      ["Daily", "Weekly"],
    ]);
  });

  it.each<[Kind, string]>([
    ["search", "[TPL-03]"],
    ["filter", "[TPL-03]"],
    ["grid", "[TPL-03]"],
    ["reverse", "[TPL-03] [TPL-04]"],
  ])("keeps every field of a public %s template %s", async (kind) => {
    const fields = { remark: "For the morning", networkType: "5G", organisation: "North office", isPublic: true };
    const { id } = await done(save(kind, "Common", { ...fields, ...(kind !== "grid" && { lockedColumns: 3 }) }, pm));
    const columns = { columns: [{ key: "code", locked: true }, { key: "name", locked: true }, { key: "status" }] };
    const found = await done(call("template/basic/find", { id }));
    expect(found).toMatchObject({ ...fields, kind, name: "Common", lockedColumns: kind === "grid" ? 1 : 3, body: bodies[kind] });
    const changed = { remark: "For the evening", networkType: "4G", organisation: "South office", isPublic: true };
    const next = kind === "grid" ? { body: columns } : { lockedColumns: 2 };
    await done(save(kind, "Common", { ...changed, ...next, id, rowVersion: 1 }, pm));
    expect(await done(call("template/basic/find", { id }))).toMatchObject({ ...changed, lockedColumns: 2 });
  });

  it("keeps search templates of sites, links, OSP and the project apart [TPL-02]", async () => {
    const types = ["site", "link", "osp", "project"];
    for (const objectType of types) await done(save("search", `Of ${objectType}`, { objectType }));
    for (const objectType of types) {
      const { personal } = await done(call("template/basic/getTemplateNames", { kind: "search", objectType }));
      expect(personal).toMatchObject([{ name: `Of ${objectType}`, objectType }]);
      expect(await done(call("template/basic/find", { id: personal[0].id }))).toMatchObject({ kind: "search", objectType });
    }
  });

  it.each<Kind>(["filter", "grid", "reverse"])("makes a %s template the project's where no type is named [TPL-02]", async (kind) => {
    for (const [name, objectType] of [
      ["Of no type", undefined],
      ["Of OSP", "osp"],
    ]) {
      const { id } = await done(save(kind, name!, { objectType }, pm));
      expect(await done(call("template/basic/find", { id }, pm))).toMatchObject({ kind, objectType: objectType ?? "project" });
    }
    expect(await save(kind, "Of the moon", { objectType: "moon" }, pm)).toMatchObject({ status: 400, problems: [{ path: "objectType" }] });
  });

  it.each<[Kind, string]>([
    ["search", "[TPL-05]"],
    ["filter", "[TPL-07]"],
    ["grid", "[TPL-07]"],
    ["reverse", "[TPL-11]"],
    ["plan", "[TPL-05]"],
  ])("refuses a used name of a %s template in its scope, whatever its case [TPL-13] %s", async (kind) => {
    const first = await done(save(kind, "North", {}, pm));
    expect(await save(kind, " NORTH ", {}, pm)).toMatchObject({
      status: 422,
      code: "TEMPLATE_NAME_EXISTS",
      msg: "Template name already exists",
      problems: [{ path: "name", msg: "Template name already exists" }],
    });
    await done(save(kind, "north", { id: first.id, rowVersion: 1 }, pm));
    // Another scope, or another kind, has names of its own.
    await done(save(kind === "grid" ? "filter" : "grid", "North", {}, pm));
    if (kind !== "plan") {
      await done(save(kind, "North", { isPublic: true }, pm));
      expect(await save(kind, "north", { isPublic: true }, pcm)).toMatchObject({ code: "TEMPLATE_NAME_EXISTS" });
      await done(save(kind, "north", {}, pcm));
    } else expect(await save(kind, "north", {}, pcm)).toMatchObject({ code: "TEMPLATE_NAME_EXISTS" });
  });

  it.each<[Kind, number, string]>([
    ["search", 10, "[TPL-06] [TPL-14]"],
    ["plan", 10, "[TPL-06] [TPL-14]"],
    ["filter", 20, "[TPL-09]"],
    ["grid", 20, ""],
  ])("takes %s templates up to %i in a scope and refuses the next %s", async (kind, max) => {
    for (let at = 1; at <= max; at++) await done(save(kind, `T${at}`, {}, pm));
    expect(await save(kind, "One more", {}, pm)).toMatchObject({
      status: 422,
      code: "TEMPLATE_LIMIT",
      msg: expect.stringContaining(`may not exceed ${max}`),
      problems: [{ params: { max } }],
    });
    const [row] = await db.owner`select count(*)::int as count from template where project_id = ${project.id} and kind = ${kind}`;
    expect(row!.count).toBe(max);
    // What is there can still be changed; another grid or object has its own count, and so has another scope.
    const [one] = await db.owner<{ id: number }[]>`select id from template where project_id = ${project.id} and name = 'T1'`;
    await done(save(kind, "Renamed", { id: one!.id, rowVersion: 1 }, pm));
    await done(save(kind, "Elsewhere", kind === "search" || kind === "plan" ? { objectType: "site" } : { gridKey: "other" }, pm));
    if (kind !== "plan") await done(save(kind, "Public", { isPublic: true }, pm));
    if (kind !== "plan") await done(save(kind, "Somebody else", {}, tl));
  });

  it.each<[Kind, number, string]>([
    ["search", 10, "[TPL-06] [TPL-14]"],
    ["filter", 20, "[TPL-09]"],
    ["grid", 20, ""],
  ])("takes public %s templates up to %i, whoever makes them, and refuses the next %s", async (kind, max) => {
    for (let at = 1; at <= max; at++) await done(save(kind, `T${at}`, { isPublic: true }, at % 2 ? pm : pcm));
    const refused = { status: 422, code: "TEMPLATE_LIMIT", problems: [{ params: { max } }] };
    expect(await save(kind, "One more", { isPublic: true }, pm)).toMatchObject(refused);
    const own = await done(save(kind, "Own", {}, pm));
    expect(await save(kind, "Own", { id: own.id, rowVersion: 1, isPublic: true }, pm)).toMatchObject(refused);
    expect((await names(kind)).public).toHaveLength(max);
  });

  it("counts locked columns somebody does not see among those a layout may have [TPL-10]", async () => {
    const { id: secret, key } = await makeAttribute(db.owner, project.id);
    const locked = (count: number) => Array.from({ length: count }, (_, at) => ({ key: `${at + 1}:planEnd`, locked: true }));
    const { id } = await done(save("grid", "Wide", { isPublic: true, body: { columns: [...locked(7), { key, locked: true }] } }, pm));
    await done(call("attrPermission/save", { subjectType: "ROLE", role: "PCM", entries: [{ attributeId: secret, mode: "HIDDEN" }] }, pm));
    const change = (count: number) => save("grid", "Renamed", { id, rowVersion: 1, isPublic: true, body: { columns: locked(count) } }, pcm);
    expect(await change(8)).toMatchObject({
      status: 422,
      code: "LOCKED_COLUMNS",
      problems: [{ path: "body.columns", params: { max: 8 } }],
    });
    await done(change(7));
    const found = await done(call("template/basic/find", { id }, pm));
    expect(found).toMatchObject({ lockedColumns: 8, body: { columns: [...locked(7), { key, locked: true }] } });
  });

  it("two at once do not pass the limit together", async () => {
    for (let at = 1; at <= 9; at++) await done(save("search", `T${at}`));
    const answers = await Promise.all(["A", "B", "C"].map((name) => save("search", name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it("reverse templates have no such limit", async () => {
    for (let at = 1; at <= 25; at++) await done(save("reverse", `R${at}`, {}, pm));
    expect((await names("reverse", pm)).personal).toHaveLength(25);
  });

  it("only who holds the right makes a template public, or changes one [TPL-15]", async () => {
    expect(await save("grid", "For all", { isPublic: true })).toMatchObject({
      status: 403,
      code: "NO_PUBLIC_RIGHT",
      msg: "You have no right to set a public template",
    });
    const own = await done(save("grid", "Own"));
    expect(await save("grid", "Own", { id: own.id, rowVersion: 1, isPublic: true })).toMatchObject({ code: "NO_PUBLIC_RIGHT" });
    const { id } = await done(save("grid", "For all", { isPublic: true }, pcm));
    expect(await save("grid", "Mine now", { id, rowVersion: 1 })).toMatchObject({ code: "NO_PUBLIC_RIGHT" });
    expect(await call("template/basic/delete", { ids: [id] })).toMatchObject({ code: "NO_PUBLIC_RIGHT" });
    await done(save("grid", "For all new", { id, rowVersion: 1, isPublic: true }, pm));
  });

  it("project and reverse templates need their own rights", async () => {
    expect(await save("plan", "P")).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await save("reverse", "R")).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    await done(save("plan", "P", {}, pcm));
    expect((await names("plan")).public).toEqual(["P"]);
  });

  it("somebody else's own template is neither seen nor changed; another project's neither", async () => {
    const { id } = await done(save("grid", "Private"));
    expect(await call("template/basic/find", { id }, pcm)).toMatchObject({ status: 404 });
    expect(await save("grid", "Mine", { id, rowVersion: 1 }, pcm)).toMatchObject({ status: 404 });
    expect(await call("template/basic/delete", { ids: [id] }, pcm)).toMatchObject({ status: 404 });
    expect(await names("grid", pcm)).toEqual({ personal: [], public: [] });
    const other = await makeProject(db.owner);
    const stranger = await makeMember(db.owner, other.id, "PM");
    const elsewhere = (address: string, input: object) => callAs(stranger, address, input, { project: other.number });
    expect(await elsewhere("template/basic/find", { id })).toMatchObject({ status: 404 });
    expect(await elsewhere("template/basic/delete", { ids: [id] })).toMatchObject({ status: 404 });
  });

  it("survives hostile texts as they are", async () => {
    const evil = "'; drop table template; -- <script>alert(1)</script> {{7*7}} $x \u202e";
    const { id } = await done(save("filter", "Evil", { remark: evil, body: { filters: [{ key: evil, type: "like", values: [evil] }] } }));
    expect(await done(call("template/basic/find", { id }))).toMatchObject({
      remark: evil,
      body: { filters: [{ key: evil, values: [evil] }] },
    });
    const zero = await save("filter", "Zero", { body: { filters: [{ key: "code", type: "like", values: ["\u0000"] }] } });
    expect(zero).toMatchObject({ status: 400, problems: [{ code: "VALUE_FORMAT", path: "body.filters.0.values.0" }] });
    const half = await save("filter", "Half", { remark: "\ud800", body: { filters: [{ key: "code", type: "like", values: ["\ud800"] }] } });
    expect(half).toMatchObject({ status: 400, problems: [{ path: "remark" }, { path: "body.filters.0.values.0" }] });
  });
});

describe("names", () => {
  it("are listed, own and public ones, with the default marked, under every address of the call [TPL-18] [TPL-02]", async () => {
    const { id } = await done(save("grid", "b own"));
    await done(save("grid", "A own"));
    await done(save("grid", "Common", { isPublic: true }, pm));
    await done(save("grid", "Of the PM", {}, pm));
    await done(save("grid", "Other grid", { gridKey: "other" }));
    await done(call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId: id }));
    expect(await names("grid", tl, { gridKey: "plan" })).toEqual({ personal: ["A own", "b own*"], public: ["Common"] });
    expect(await names("grid", pcm, { gridKey: "plan" })).toEqual({ personal: [], public: ["Common"] });
    for (const address of ["template/getTemplateNames", "getTemplateNames"])
      expect((await done(call(address, { kind: "grid" }))).personal).toHaveLength(3);
  });

  it("are checked before they are saved [TPL-19] [TPL-29]", async () => {
    const { id } = await done(save("search", "Taken"));
    await done(save("search", "Public", { isPublic: true }, pm));
    const valid = (name: string, more: object = {}) =>
      done(call("template/basic/validateTemplateName", { kind: "search", name, isPublic: false, ...more }));
    expect(await valid("Free")).toEqual({ valid: true });
    expect(await valid(" taken ")).toEqual({ valid: false, reason: "TEMPLATE_NAME_EXISTS" });
    expect(await valid("Taken", { id })).toEqual({ valid: true });
    expect(await valid("Public")).toEqual({ valid: true });
    expect(await valid("Public", { isPublic: true })).toEqual({ valid: false, reason: "TEMPLATE_NAME_EXISTS" });
    expect(await valid("x".repeat(30))).toEqual({ valid: true });
    expect(await valid("x".repeat(31))).toEqual({ valid: false, reason: "NAME_TOO_LONG" });
    expect(await valid("")).toEqual({ valid: false, reason: "NAME_REQUIRED" });
    expect(await valid("a/b")).toEqual({ valid: false, reason: "NAME_INVALID" });
    for (const address of ["template/validateTemplateName", "validateTemplateName"])
      expect(await done(call(address, { kind: "search", name: "Taken", isPublic: false }))).toMatchObject({ valid: false });
    const check = (name: string, more: object = {}) =>
      done(call("personalized/checkTemplateName", { gridKey: "plan", kind: "search", name, ...more }));
    expect(await check("TAKEN")).toEqual({ exists: true, valid: false });
    expect(await check("Taken", { id })).toEqual({ exists: false, valid: true });
    expect(await check("a:b")).toEqual({ exists: false, valid: false });
  });
});

describe("defaults", () => {
  const find = async (user = tl) => (await done(call("personalized/defaultMapping/find", { gridKey: "plan" }, user))).records;
  const choose = (templateId: number | null, user = tl, more: object = {}) =>
    call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId, ...more }, user);

  it("are chosen, changed and taken back by each person for himself [TPL-28]", async () => {
    const [a, b] = [await done(save("grid", "A")), await done(save("grid", "B", { isPublic: true }, pm))];
    await done(choose(a.id));
    expect(await find()).toMatchObject([{ gridKey: "plan", kind: "grid", templateId: a.id, name: "A" }]);
    await done(choose(b.id));
    expect(await find()).toMatchObject([{ templateId: b.id }]);
    expect(await find(pm)).toEqual([]);
    expect(await choose(a.id, pm)).toMatchObject({ status: 404 });
    await done(choose(null));
    expect(await find()).toEqual([]);
  });

  it("of the project are public templates, set with the right to public ones", async () => {
    const [own, shared] = [await done(save("grid", "A", {}, pm)), await done(save("grid", "B", { isPublic: true }, pm))];
    expect(await choose(shared.id, tl, { forProject: true })).toMatchObject({ code: "NO_PUBLIC_RIGHT" });
    expect(await choose(own.id, pm, { forProject: true })).toMatchObject({ status: 404 });
    await done(choose(shared.id, pm, { forProject: true }));
    const flagged = async () =>
      (await db.owner`select name from template where project_id = ${project.id} and is_project_default`).map(({ name }) => name);
    expect(await flagged()).toEqual(["B"]);
    await done(choose(null, pm, { forProject: true }));
    expect(await flagged()).toEqual([]);
  });

  it("of one person are the last of two he chooses at once", async () => {
    const [a, b] = [await done(save("grid", "A")), await done(save("grid", "B"))];
    await done(
      meanwhile(
        db,
        (sql) => sql`
          insert into template_default (user_id, project_id, grid_key, kind, template_id) values (${tl.id}, ${project.id}, 'plan', 'grid', ${a.id})`,
        () => choose(b.id),
      ),
    );
    expect(await find()).toMatchObject([{ templateId: b.id }]);
  });

  it("of the project lock no template before who saves one", async () => {
    const { id } = await done(save("grid", "Common", { isPublic: true }, pm));
    const answer = await meanwhile(
      db,
      (sql) => sql`select 1 from project where id = ${project.id} for no key update`,
      () => choose(id, pm, { forProject: true }),
      (sql) => sql`select 1 from template where id = ${id} for update nowait`,
    );
    expect(answer).toMatchObject({ status: 200 });
  });

  it("of others are named before a template is deleted; who had it falls back", async () => {
    const { id } = await done(save("grid", "Common", { isPublic: true }, pm));
    await done(choose(id));
    expect(await call("template/basic/delete", { ids: [id] }, pm)).toMatchObject({
      code: "IN_USE",
      msg: expect.stringContaining("Common (1)"),
    });
    expect(await done(call("template/delete", { ids: [id], confirmed: true }, pm))).toEqual({ deleted: 1, defaults: 1 });
    expect(await find()).toEqual([]);
  });

  it("end for others when a public template becomes somebody's own", async () => {
    const { id } = await done(save("grid", "Common", { isPublic: true }, pm));
    await done(choose(id));
    await done(choose(id, pm));
    await done(save("grid", "Common", { id, rowVersion: 1, isPublic: false }, pm));
    expect(await find()).toEqual([]);
    expect(await find(pm)).toHaveLength(1);
  });
});

describe("personal/savePosition", () => {
  const columns = [
    { key: "code", width: 220, locked: true },
    { key: "name", hidden: true },
  ];
  const widths = (templateId: number | undefined, user = tl) =>
    call("personal/savePosition", { gridKey: "plan", ...(templateId && { templateId }), columns }, user);

  it("keeps one's own places and widths [TPL-27]", async () => {
    const placed = [
      { key: "name", width: 90, order: 1 },
      { key: "code", width: 300, order: 0 },
    ];
    await done(widths(undefined));
    await done(call("personal/savePosition", { gridKey: "plan", columns: placed }));
    const rows = await db.owner`select user_id, columns from column_position where project_id = ${project.id}`;
    expect(rows).toEqual([{ user_id: tl.id, columns: placed }]);
  });

  it("of a common template are kept by PM or PCM only, of a shared one by who shared it only [TPL-16]", async () => {
    const keepers: readonly Role[] = ["PM", "PCM"];
    const columnsOf = async (id: number) => (await done(call("template/basic/find", { id }))).body.columns;
    const common = await done(save("grid", "Common", { isPublic: true }, pm));
    const shared = await done(save("grid", "Shared", { isPublic: true }, pm));
    await db.owner`update template set shared_by = ${tl.id} where id = ${shared.id}`;
    const owned = await makeOwned(db.owner, project.id);
    const refused = { status: 403, code: "NO_PERMISSION" };
    for (const role of roles) {
      const user = await makeHolder(db.owner, project.id, role, owned);
      expect(await widths(shared.id, user), role).toMatchObject(refused);
      if (!keepers.includes(role)) expect(await widths(common.id, user), role).toMatchObject(refused);
    }
    // Who owns what somebody else shared keeps its widths no more than anybody.
    expect(await widths(shared.id, pm)).toMatchObject(refused);
    expect([await columnsOf(common.id), await columnsOf(shared.id)]).toEqual([bodies.grid.columns, bodies.grid.columns]);
    for (const user of [pcm, pm]) await done(widths(common.id, user));
    await done(widths(shared.id));
    expect([await columnsOf(common.id), await columnsOf(shared.id)]).toEqual([columns, columns]);
    const own = await done(save("grid", "Own"));
    await done(widths(own.id));
    expect(await widths(own.id, pm)).toMatchObject(refused);
    await db.owner`update template set shared_by = ${pcm.id} where id = ${own.id}`;
    expect(await widths(own.id)).toMatchObject(refused);
  });

  it("stay as they are when somebody else saves the template, with everything else as he has it [TPL-16]", async () => {
    const other = await makeProject(db.owner);
    const sharer = await makeMember(db.owner, other.id, "TL");
    await grantRole(db.owner, project.id, sharer.id, "TL");
    const input = { kind: "grid", name: "Shared", gridKey: "plan", isPublic: false, body: { columns: [{ key: "code", width: 120 }] } };
    const source = await done(callAs(sharer, "template/basic/save", input, { project: other.number }));
    const sent = { templateIds: [source.id], projectNumbers: [project.number] };
    const [{ id }] = (await done(callAs(sharer, "personal/shareOtherProject", sent, { project: other.number }))).done;
    const wanted = [{ key: "name", width: 400, locked: true }, { key: "code", width: 500 }, { key: "status" }];
    const columnsOf = async () => (await done(call("template/basic/find", { id }, sharer))).body.columns;
    const change = (rowVersion: number, user: CtxUser, more: object = {}) =>
      save("grid", "Shared", { id, rowVersion, body: { columns: wanted }, ...more }, user);
    // The PM keeps templates of everybody, but not their widths.
    await done(change(1, pm, { name: "Renamed" }));
    expect(await columnsOf()).toEqual([{ key: "name", locked: true }, { key: "code", width: 120 }, { key: "status" }]);
    expect(await done(call("template/basic/find", { id }, sharer))).toMatchObject({ name: "Renamed", lockedColumns: 1 });
    // Nor does who owns it now; widths kept for all stay too, also of columns the new layout does not name.
    await done(call("template/basic/transferCreator", { ids: [id], toAccount: tl.account }, pm));
    await db.owner`update template set is_public = true where id = ${id}`;
    await done(widths(id, sharer));
    await done(change(3, pm, { isPublic: true, body: { columns: [{ key: "name", width: 400 }] } }));
    expect(await columnsOf()).toEqual([{ key: "name" }, { key: "code", width: 220 }]);
    await db.owner`update template set is_public = false where id = ${id}`;
    await done(change(4, tl));
    expect((await done(call("template/basic/find", { id }))).body.columns).toEqual([
      { key: "name", locked: true },
      { key: "code", width: 220 },
      { key: "status" },
    ]);
    // Who shared it has the widths he saves.
    await done(call("template/basic/transferCreator", { ids: [id], toAccount: sharer.account }));
    await done(change(6, sharer));
    expect(await columnsOf()).toEqual(wanted);
  });
});

describe("the layout a plan opens with", () => {
  const opening = (user: CtxUser, asked?: number) =>
    inProject(user, project.number, async (ctx) => (await findLayout(ctx, asked === undefined ? undefined : String(asked)))?.name ?? null);

  it("has the places and widths one kept by themselves, until a view that holds them too is kept [TPL-27]", async () => {
    const placed = [
      { key: "name", width: 90, order: 1 },
      { key: "code", width: 300, order: 0 },
    ];
    const layout = (user = tl) => inProject(user, project.number, (ctx) => findLayout(ctx, undefined));
    await done(call("wbs/saveHomePage", { state: { view: "grid", folded: ["activity:1"] } }));
    await done(call("personal/savePosition", { gridKey: "plan", columns: placed }));
    await done(call("personal/savePosition", { gridKey: "other", columns: [{ key: "code", width: 50 }] }));
    const common = (await done(save("grid", "Common", { isPublic: true }, pm))).id;
    await done(call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId: common, forProject: true }, pm));
    expect(await layout()).toEqual({ name: null, body: { columns: placed, folded: ["activity:1"] } });
    expect((await layout(pcm))?.name).toBe("Common");
    expect(await opening(tl, common)).toBe("Common");
    await done(call("wbs/saveHomePage", { state: { view: "grid" } }));
    expect(await layout()).toBeNull();
  });

  it("is that of the address, else the own default, else the project's for who has no view of his own, else the product's", async () => {
    expect(await opening(tl)).toBeNull();
    const common = (await done(save("grid", "Common", { isPublic: true }, pm))).id;
    const own = (await done(save("grid", "Own"))).id;
    const named = (await done(save("grid", "Named", { isPublic: true }, pm))).id;
    const hidden = (await done(save("grid", "Of the PM", {}, pm))).id;
    const elsewhere = (await done(save("grid", "Elsewhere", { gridKey: "other", isPublic: true }, pm))).id;
    await done(call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId: common, forProject: true }, pm));
    expect(await opening(tl)).toBe("Common");
    await done(call("wbs/saveHomePage", { state: { view: "grid" } }));
    expect(await opening(tl)).toBeNull();
    await done(call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId: own }));
    expect(await opening(tl)).toBe("Own");
    expect(await opening(tl, named)).toBe("Named");
    expect([await opening(tl, hidden), await opening(tl, elsewhere), await opening(pm, hidden)]).toEqual(["Own", "Own", "Of the PM"]);
  });
});

describe("the index of references", () => {
  const refsOf = async (id: number) =>
    (
      await db.owner<{ ref: string }[]>`
        select target_kind || ' ' || target_id || ' ' || usage as ref from config_ref
        where project_id = ${project.id} and holder_kind = 'TEMPLATE' and holder_id = ${id}`
    )
      .map(({ ref }) => ref)
      .sort();

  it("names what a filter, a foreign plan and a plan rest on, as saved last, and nothing once they are deleted", async () => {
    const region = await makeRegion(db.owner, project.id);
    const size = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["Small", "Large"] });
    const filters = [
      { key: "region", type: "in", values: [region] },
      { key: "7:planEnd", type: "empty", values: [] },
      { key: size.key, type: "in", values: [String(size.enumIds[1]), "a text", "999999999"] },
      { key: "flow", type: "in", values: ["5"] },
    ];
    const sort = [
      { key: "9:actualEnd", dir: "asc" },
      { key: "code", dir: "desc" },
    ];
    const filter = await done(save("filter", "Rests", { body: { filters, sort } }));
    const choice = [`ATTRIBUTE ${size.id} FILTER`, `ENUM_VALUE ${size.enumIds[1]} FILTER`];
    expect(await refsOf(filter.id)).toEqual(
      ["ACTIVITY 7 FILTER", "ACTIVITY 9 FILTER", "FLOW 5 FILTER", `REGION ${region} FILTER`, ...choice].sort(),
    );
    await done(save("filter", "Rests", { id: filter.id, rowVersion: 1, body: { filters: filters.slice(2, 3), sort: [] } }));
    expect(await refsOf(filter.id)).toEqual(choice);

    const columns = [
      { title: "Site", key: "du" },
      { title: "Done", key: "7:actualEnd" },
      { title: "Size", key: `*:${size.key}` },
    ];
    const reverse = await done(save("reverse", "Foreign", { body: { headerRow: 1, columns } }, pm));
    expect(await refsOf(reverse.id)).toEqual(["ACTIVITY 7 TARGET", `ATTRIBUTE ${size.id} TARGET`]);
    const plan = await done(save("plan", "Planned", {}, pm));
    expect(await refsOf(plan.id)).toEqual(["FLOW 1 TARGET"]);
    // A layout goes on without a column that is gone.
    const grid = await done(save("grid", "Layout", { body: { columns: [{ key: "7:planEnd" }, { key: size.key }] } }));
    expect(await refsOf(grid.id)).toEqual([]);

    await done(call("template/basic/delete", { ids: [filter.id] }));
    await done(call("template/basic/delete", { ids: [reverse.id] }, pm));
    expect([await refsOf(filter.id), await refsOf(reverse.id)]).toEqual([[], []]);
  });
});
