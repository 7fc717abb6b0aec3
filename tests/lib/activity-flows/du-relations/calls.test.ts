import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeDus } from "../make-flow.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let dus: [number, number, number, number];
const imports = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  dus = (await makeDus(db.owner, project.id, 4)) as typeof dus;
  for (const [at, id] of dus.entries()) await db.owner`update du set code = ${"ABCD"[at]!} where id = ${id}`;
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
const at = (code: string) => dus["ABCD".indexOf(code)]!;
/** "A>B parent" as a relation. */
const save = (text: string, more: object = {}) => {
  const [, code = "", related = "", kind = ""] = /^(\w)>(\w) (\w+)$/.exec(text) ?? [];
  return call("duRelation/save", { duId: at(code), relatedDuId: at(related), kind, ...more });
};
const list = async (filters: object[] = [], user = pm) =>
  (await done(call(`duRelation/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, user))).records as {
    id: number;
    code: string;
    relatedCode: string;
    kind: string;
    note: string | null;
    rowVersion: number;
  }[];
const texts = async (filters: object[] = []) =>
  (await list(filters)).map((row) => `${row.code}>${row.relatedCode} ${row.kind}${row.note ? ` ${row.note}` : ""}`);

describe("duRelation/save", () => {
  test("makes a relation, changes it and logs both; a stale change is refused [FLW-10]", async () => {
    const { id } = await done(save("A>B power", { note: " one feed " }));
    expect(await texts()).toEqual(["A>B power one feed"]);
    await done(save("A>C migration", { id, rowVersion: 1 }));
    expect(await texts()).toEqual(["A>C migration"]);
    expect(await save("A>C other", { id, rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
    const audits = await db.owner<
      { detail: { before: unknown; after: unknown } }[]
    >`select detail from audit_log where object = ${`du_relation ${id}`} order by id`;
    expect(audits.map(({ detail }) => detail)).toEqual([
      { before: null, after: { duId: at("A"), relatedDuId: at("B"), kind: "power", note: "one feed" } },
      {
        before: { duId: at("A"), relatedDuId: at("B"), kind: "power", note: "one feed" },
        after: { duId: at("A"), relatedDuId: at("C"), kind: "migration", note: null },
      },
    ]);
  });

  const refusals: [string, string[], string, string, string][] = [
    ["itself", [], "A>A other", "RELATION_TO_SELF", "A"],
    ["the same twice", ["A>B power"], "A>B power", "RELATION_REPEAT", "A, B"],
    ["a second parent", ["A>B parent"], "A>C parent", "SECOND_PARENT", "B"],
    ["a parent below itself", ["A>B parent"], "B>A parent", "CYCLE", "B → A → B"],
    ["a parent two levels below itself", ["A>B parent", "B>C parent"], "C>A parent", "CYCLE", "C → A → B → C"],
    ["a swap pair of a DU that has one, at its first place", ["A>B swap_pair"], "A>C swap_pair", "NOT_ONE_TO_ONE", "A"],
    ["a swap pair of a DU that has one, at the other place", ["A>B swap_pair"], "C>A swap_pair", "NOT_ONE_TO_ONE", "A"],
  ];
  test.each(refusals)("refuses %s", async (_title, before, wanted, code, text) => {
    for (const one of before) await done(save(one));
    const answer = await save(wanted);
    expect(answer).toMatchObject({ status: 422, code });
    expect(answer.msg).toContain(text);
    expect(await texts()).toHaveLength(before.length);
  });

  test.each([
    ["another kind between the same DUs", ["A>B power"], "A>B transmission"],
    ["the other way round", ["A>B power"], "B>A power"],
    ["a second child", ["A>B parent"], "C>B parent"],
    ["a grandparent", ["A>B parent"], "B>C parent"],
    ["a second swap pair of other DUs", ["A>B swap_pair"], "C>D swap_pair"],
  ])("takes %s", async (_title, before, wanted) => {
    for (const one of before) await done(save(one));
    await done(save(wanted));
    expect(await texts()).toHaveLength(before.length + 1);
  });

  test("changing a relation asks the rules of the others only", async () => {
    const { id } = await done(save("A>B parent"));
    await done(save("A>C parent", { id, rowVersion: 1 }));
    await done(save("C>B parent"));
    expect(
      await save("C>A parent", { id: (await list([{ field: "duId", type: "eq", values: [at("B")] }]))[0]!.id, rowVersion: 1 }),
    ).toMatchObject({ code: "CYCLE" });
  });

  test("of two parents at the same moment one is refused", async () => {
    const answers = await Promise.all([save("A>B parent"), save("A>C parent")]);
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["SECOND_PARENT", "ok"]);
  });

  test("a note has 500 characters at most, a kind is one of six, DUs must be there", async () => {
    await done(save("A>B other", { note: "n".repeat(500) }));
    expect(await save("A>C other", { note: "n".repeat(501) })).toMatchObject({
      status: 400,
      problems: [{ path: "note", code: "VALUE_TOO_LONG" }],
    });
    expect(await save("A>C sibling")).toMatchObject({ status: 400, problems: [{ path: "kind" }] });
    expect(await call("duRelation/save", { duId: at("A"), relatedDuId: 999_999, kind: "other" })).toMatchObject({
      status: 422,
      code: "DU_NOT_FOUND",
    });
    await db.owner`update du set deleted_at = now() where id = ${at("C")}`;
    expect(await save("A>C other")).toMatchObject({ code: "DU_NOT_FOUND" });
  });

  test("a parent that was deleted makes room for another", async () => {
    await done(save("A>B parent"));
    await db.owner`update du set deleted_at = now() where id = ${at("B")}`;
    expect(await texts()).toEqual([]);
    await done(save("A>C parent"));
    expect(await texts()).toEqual(["A>C parent"]);
  });
});

test("duRelation/list finds by either DU and by kind", async () => {
  for (const one of ["A>B power", "C>A parent", "C>D other"]) await done(save(one));
  expect(await texts([{ field: "search", type: "like", values: ["a"] }])).toEqual(["A>B power", "C>A parent"]);
  expect(await texts([{ field: "duId", type: "eq", values: [at("D")] }])).toEqual(["C>D other"]);
  expect(await texts([{ field: "kind", type: "in", values: ["parent", "other"] }])).toEqual(["C>A parent", "C>D other"]);
});

test("duRelation/delete removes all or none, at most 200", async () => {
  const { id } = await done(save("A>B power"));
  expect(await call("duRelation/delete", { ids: [id, 999_999] })).toMatchObject({ status: 404 });
  expect(await texts()).toHaveLength(1);
  expect(await call("duRelation/delete", { ids: Array.from({ length: 201 }, (_, no) => no + 1) })).toMatchObject({
    status: 400,
    problems: [{ code: "TOO_MANY" }],
  });
  expect(await call("duRelation/delete", { ids: Array.from({ length: 200 }, (_, no) => no + 900_000) })).toMatchObject({ status: 404 });
  expect(await done(call("duRelation/delete", { ids: [id] }))).toEqual({ deleted: 1 });
  expect(await texts()).toEqual([]);
});

describe("duRelation/import", () => {
  const csv = (...rows: string[]) => imports.upload("r.csv", Buffer.from(["DU,Related DU,Kind,Note", ...rows].join("\n")));
  const check = async (fileId: string) => {
    const answer = await call("duRelation/import", { fileId });
    expect(answer).toMatchObject({ status: 200 });
    return imports.run(answer.data.taskId);
  };

  test("adds relations and changes notes; imported again it changes nothing", async () => {
    await done(save("A>B power", { note: "old" }));
    const fileId = await csv("A,B,Power,new", "C,B,父节点,", "B,D,上级,", "C,D,Other,");
    const task = await check(fileId);
    expect(
      (await imports.rows(task.id)).map(({ no, outcome, problems }) => `${no} ${outcome} ${problems.map(({ code }) => code)}`),
    ).toEqual(["2 changed ", "3 rejected VALUE_UNKNOWN", "4 new ", "5 new "]);
    expect(await imports.apply(task.id)).toMatchObject({ status: "partial", done_count: 3, failed_count: 1 });
    expect(await texts()).toEqual(["A>B power new", "B>D parent", "C>D other"]);
    expect((await check(await csv("A,B,power,new", "B,D,parent,", "C,D,other,"))).result.counts).toMatchObject({
      unchanged: 3,
      new: 0,
      changed: 0,
      rejected: 0,
    });
  });

  test.each(locales)("reads columns and kinds in the words of every language, here %s", async (locale) => {
    const { data } = await imports.call("import/template", { kind: "duRelations" }, { locale });
    const cells = await imports.workbook(await imports.upload("t.xlsx", Buffer.from(data.base64, "base64")));
    const words = { zh: "供电", en: "Power", ja: "電源" };
    const fileId = await imports.upload("r.csv", Buffer.from([(cells[1] as string[]).join(","), `A,B,${words[locale]},`].join("\n")));
    expect((await check(fileId)).result.counts).toMatchObject({ new: 1 });
  });

  test("asks the same rules within the file and against what is there", async () => {
    await done(save("A>B parent"));
    const task = await check(
      await csv(
        "A,C,Parent,",
        "B,C,Parent,",
        "C,A,Parent,",
        "D,D,Other,",
        "D,X,Other,",
        ",B,Other,",
        "A,C,Power,x",
        "A,C,Power,y",
        "A,D,Swap pair,",
        "B,D,Swap pair,",
        `B,C,Other,${"n".repeat(501)}`,
        "B,D,,",
      ),
    );
    expect(
      (await imports.rows(task.id)).map(({ no, outcome, problems }) =>
        `${no} ${outcome} ${problems.map(({ path, code }) => `${path}:${code}`).join(" ")}`.trim(),
      ),
    ).toEqual([
      "2 rejected relatedCode:SECOND_PARENT",
      "3 new",
      "4 rejected relatedCode:CYCLE",
      "5 rejected relatedCode:RELATION_TO_SELF",
      "6 rejected relatedCode:DU_NOT_FOUND",
      "7 rejected code:VALUE_MISSING",
      "8 new",
      "9 rejected code:REPEATED_IN_FILE",
      "10 new",
      "11 rejected relatedCode:NOT_ONE_TO_ONE",
      "12 rejected note:VALUE_TOO_LONG",
      "13 rejected kind:VALUE_MISSING",
    ]);
    await imports.apply(task.id);
    expect(await texts()).toEqual(["A>B parent", "A>C power x", "A>D swap_pair", "B>C parent"]);
  });

  test("what came between check and application is asked again", async () => {
    const task = await check(await csv("A,B,Parent,", "C,D,Power,"));
    await done(save("A>D parent"));
    expect(await imports.apply(task.id)).toMatchObject({ status: "partial", done_count: 1, failed_count: 1 });
    expect(await texts()).toEqual(["A>D parent", "C>D power"]);
  });
});

describe("who may", () => {
  test("viewers see relations and change none; nothing of another project is reached", async () => {
    const { id } = await done(save("A>B power"));
    const viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    expect(await list([], viewer)).toHaveLength(1);
    for (const [address, input] of [
      ["duRelation/save", { duId: 1, relatedDuId: 2, kind: "other" }],
      ["duRelation/delete", { ids: [id] }],
      ["duRelation/import", { fileId: crypto.randomUUID() }],
    ] as const)
      expect(await call(address, input, viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    const other = await makeProject(db.owner);
    const theirs = await makeMember(db.owner, other.id, "PM");
    const [own] = await makeDus(db.owner, other.id, 1);
    const from = (address: string, input: object = {}) => callAs(theirs, address, input, { project: other.number });
    expect(await from("duRelation/delete", { ids: [id] })).toMatchObject({ status: 404 });
    expect(await from("duRelation/save", { duId: own, relatedDuId: at("A"), kind: "other" })).toMatchObject({ code: "DU_NOT_FOUND" });
    expect(await from("duRelation/save", { id, duId: own, relatedDuId: own, kind: "other", rowVersion: 1 })).toMatchObject({ status: 404 });
    expect((await from("duRelation/list/1/20/default/[]")).data).toMatchObject({ total: 0 });
  });

  test("a site owner sees a relation only when both DUs are his", async () => {
    const owner = await makeMember(db.owner, project.id, "SITE_OWNER");
    await done(save("A>B power"));
    const own = (code: string) =>
      db.owner`insert into du_owner (du_id, owner_kind, user_id) values (${at(code)}, 'SITE_OWNER', ${owner.id})`;
    await own("A");
    expect(await list([], owner)).toHaveLength(0);
    await own("B");
    expect(await list([], owner)).toHaveLength(1);
  });
});
