import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { applyDusMax, previewRowsMax } from "#lib/templates/applications/limits.ts";
import { activityNameChars } from "#lib/templates/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeAttribute, makeDuOwner, makeDus, makeFlow, makeOwnerSet, setSwitch } from "../../../support/plan-factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeScheduledFlow, type ScheduledFlow } from "../../scheduling/make-scheduled.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: ScheduledFlow;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  await db.owner`delete from rate_limit`;
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  flow = await makeScheduledFlow(db.owner, project.id, pm.id, "M* MOS:mos 1\nP PAC 1 | M FS 0");
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const saveTemplate = async (kind: "reverse" | "plan", body: object) =>
  (
    await done(
      call("template/basic/save", { kind, name: `T${Math.random()}`.slice(0, 20), isPublic: kind === "plan", objectType: "site", body }),
    )
  ).id as number;
const upload = async (rows: Cell[][], name = "their plan.xlsx") => {
  const [titles = [], ...rest] = rows;
  const stream = writeWorkbook({ name: "x", columns: titles.map((title) => ({ title: String(title) })), rows: rest });
  return imports.upload(name, Buffer.concat(await stream.toArray()));
};
const codesOf = (rows: Awaited<ReturnType<typeof imports.rows>>) =>
  rows.map(({ outcome, problems }) => [outcome, ...problems.map(({ code }) => code)].join(" "));

describe("template/reverse/apply", () => {
  const columns = () => [
    { title: "Site", key: "du" },
    { title: "MOS (P)", key: `${flow.of("M").id}:planEnd` },
    { title: "On air", key: `${flow.of("P").id}:actualEnd` },
  ];
  const apply = (fileId: string, templateId: number, more: object = {}, user = pm) =>
    call("template/reverse/apply", { fileId, templateId, ...more }, user);
  const dus = () =>
    makeDus(
      db.owner,
      project.id,
      ["S-1", "S-2"].map((code) => ({
        code,
        plan: { 1: { plan_start: "2026-10-12", plan_end: "2026-10-12" }, 2: { plan_end: "2026-10-20" } },
      })),
      flow,
    );

  test("shows what the columns give, with the first rows and what nobody reads, and writes nothing", async () => {
    await dus();
    const template = await saveTemplate("reverse", { columns: columns() });
    const rows = Array.from({ length: previewRowsMax + 1 }, (_, at): Cell[] => [`S-${at + 1}`, "2026-10-14", "-", "whatever"]);
    const fileId = await upload([["site ", "MOS (P)", "On air", "Comment of theirs"], ...rows]);
    const preview = await done(apply(fileId, template, { preview: true }));
    expect(preview.columns.map(({ title, key }: { title: string; key: string }) => [title, key])).toEqual([
      ["site", "code"],
      ["MOS (P)", `${flow.of("M").id}:planEnd`],
      ["On air", `${flow.of("P").id}:actualEnd`],
      ["Comment of theirs", null],
    ]);
    expect(preview.columns[1].field).toContain("MOS");
    expect(preview.unmapped).toEqual(["Comment of theirs"]);
    expect(preview.rows).toHaveLength(previewRowsMax);
    expect(preview.rows[0]).toEqual(["S-1", "2026-10-14", "-", "whatever"]);
    expect(await db.owner`select 1 from task`).toHaveLength(0);
  });

  test("is then an import like others: a row with one date and a dash changes one cell, by the rules of the plan, and can be undone", async () => {
    const [du] = await dus();
    const template = await saveTemplate("reverse", { columns: columns() });
    const fileId = await upload([
      ["Site", "MOS (P)", "On air"],
      ["S-1", "2026-10-14", "-"],
      ["S-2", "2026-10-01", null],
      ["S-9", "2026-10-14", null],
      ["S-1", "2026-10-15", null],
    ]);
    const { taskId } = await done(apply(fileId, template));
    const task = await imports.run(taskId);
    expect(task).toMatchObject({ status: "succeeded", kind: "imports.preview" });
    const checked = await imports.rows(taskId);
    expect(codesOf(checked)).toEqual(["changed", "rejected PLAN_ORDER", "rejected DU_NOT_FOUND", "rejected REPEATED_IN_FILE"]);
    expect(checked[0]!.cells[`${flow.of("M").id}:planEnd`]).toMatchObject({ old: "2026-10-12", next: "2026-10-14" });
    const applied = await imports.apply(taskId);
    expect(applied.result).toMatchObject({ written: 1, rejected: 3 });
    const planEnd = async () => (await db.owner`select plan_end, actual_end from du_plan where du_id = ${du!}`)[0];
    expect(await planEnd()).toEqual({ plan_end: [9783, 9789], actual_end: [0, 0] });
    await done(call("rolloutPlan/undo", { batchId: applied.result.undo }));
    expect(await planEnd()).toMatchObject({ plan_end: [9781, 9789] });
  });

  test("finds the titles in the row the template names", async () => {
    await dus();
    const template = await saveTemplate("reverse", { headerRow: 3, columns: columns() });
    const fileId = await imports.upload("theirs.csv", "Plan of the partner,2026\nas of today,x\nSite,MOS (P),On air\nS-1,2026-10-14,\n");
    const preview = await done(apply(fileId, template, { preview: true }));
    expect(preview.rows).toEqual([["S-1", "2026-10-14", ""]]);
    const { taskId } = await done(apply(fileId, template));
    await imports.run(taskId);
    expect(codesOf(await imports.rows(taskId))).toEqual(["changed"]);
  });

  test("takes attributes too", async () => {
    const [du] = await dus();
    const attribute = await makeAttribute(db.owner, project.id, { name: "Colour", type: "TEXT" } as never);
    const id = typeof attribute === "number" ? attribute : (attribute as { id: number }).id;
    const template = await saveTemplate("reverse", {
      columns: [
        { title: "Site", key: "du" },
        { title: "Colour", key: `a${id}` },
      ],
    });
    const { taskId } = await done(
      apply(
        await upload([
          ["Site", "Colour"],
          ["S-1", "blue"],
        ]),
        template,
      ),
    );
    await imports.run(taskId);
    await imports.apply(taskId);
    expect((await db.owner`select ext from du where id = ${du!}`)[0]!.ext).toEqual({ [`a${id}`]: "blue" });
  });

  test("names the columns it misses in the file or the project", async () => {
    const template = await saveTemplate("reverse", {
      columns: [...columns(), { title: "Gone", key: "[Old activity]:planEnd" }],
    });
    const answer = await apply(
      await upload([
        ["Site", "On air", "Gone"],
        ["S-1", null, null],
      ]),
      template,
    );
    expect(answer).toMatchObject({ status: 422, code: "COLUMN_UNMAPPED", data: { columns: ["MOS (P)", "Gone"] } });
    expect(answer.msg).toContain("MOS (P), Gone");
  });

  test(`takes activity names of ${activityNameChars} characters and refuses longer ones [TPL-12]`, async () => {
    await dus();
    const name = (length: number) => "x".repeat(length);
    const body = (title: string) => ({
      columns: [
        { title: "Site", key: "du" },
        { title, key: `${flow.of("M").id}:planEnd` },
      ],
    });
    const save = (title: string) =>
      call("template/basic/save", { kind: "reverse", name: `R${Math.random()}`, isPublic: false, body: body(title) });
    expect((await save(name(activityNameChars + 1))).problems).toMatchObject([{ path: "body.columns.1.title", code: "NAME_TOO_LONG" }]);
    const template = (await done(save(name(activityNameChars)))).id;
    const file = (...titles: string[]) =>
      upload([
        ["Site", ...titles],
        ["S-1", "2026-10-14"],
      ]);
    const { taskId } = await done(apply(await file(name(activityNameChars)), template));
    await imports.run(taskId);
    expect(codesOf(await imports.rows(taskId))).toEqual(["changed"]);
    const refused = await apply(await file(name(activityNameChars), name(activityNameChars + 1)), template, { preview: true });
    expect(refused).toMatchObject({ status: 422, code: "NAME_TOO_LONG" });
    expect(refused.msg).toContain(String(activityNameChars));
  });

  test("takes reverse templates the caller sees, for who may import", async () => {
    const template = await saveTemplate("reverse", { columns: columns() });
    const fileId = await upload([
      ["Site", "MOS (P)", "On air"],
      ["S-1", null, null],
    ]);
    const plan = await saveTemplate("plan", { flowId: flow.id });
    expect(await apply(fileId, plan)).toMatchObject({ status: 404 });
    expect(await apply(fileId, 999_999)).toMatchObject({ status: 404 });
    expect(await apply(fileId, template, {}, await makeMember(db.owner, project.id, "TD"))).toMatchObject({ status: 403 });
  });
});

describe("template/plan/apply", () => {
  const apply = (templateId: number, duIds: number[], more: object = {}, user = pm) =>
    call("template/plan/apply", { templateId, duIds, ...more }, user);
  const ownersOf = async (duId: number) => (await db.owner`select state, plan_owner from du_plan where du_id = ${duId}`)[0]!;

  test("binds DUs without flow, fills empty owners, gives the columns; the preview says the same and writes nothing", async () => {
    const mine = await makeOwnerSet(db.owner, project.id, [pm.id]);
    const [free] = await makeDus(db.owner, project.id, [{ code: "F" }]);
    const [bound] = await makeDus(db.owner, project.id, [{ code: "B", plan: { 1: { plan_owner: mine } } }], flow);
    const lead = await makeMember(db.owner, project.id, "TL");
    const columns = [{ key: "code", width: 120 }];
    const template = await saveTemplate("plan", { flowId: flow.id, columns, owners: [lead.id] });
    const expected = { bound: 1, filled: 3, rejected: [], columns };
    expect(await done(apply(template, [free!, bound!], { preview: true }))).toEqual({ ...expected, batchId: null });
    expect((await ownersOf(free!)).state).toEqual([]);
    expect(await done(apply(template, [free!, bound!]))).toEqual({ ...expected, batchId: expect.any(Number) });
    const [set] = await db.owner`select id from owner_set where user_ids = ${[lead.id]}`;
    expect(await ownersOf(free!)).toMatchObject({ plan_owner: [set!.id, set!.id] });
    expect(await ownersOf(bound!)).toMatchObject({ plan_owner: [mine, set!.id] });
    expect(await db.owner`select 1 from du_flow where du_id = ${free!} and flow_id = ${flow.id}`).toHaveLength(1);
    expect(await apply(template, [free!, bound!])).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
  });

  test("leaves DUs of another flow and DUs the caller may not edit", async () => {
    const other = await makeFlow(db.owner, project.id, pm.id, flow.activities);
    const [foreign] = await makeDus(db.owner, project.id, [{ code: "O" }], { id: other, activities: flow.activities });
    const [theirs, free] = await makeDus(db.owner, project.id, [{ code: "T" }, { code: "F" }]);
    await setSwitch(db.owner, project.id, "dataControl", "Y");
    const owner = await makeMember(db.owner, project.id, "SITE_OWNER");
    await makeDuOwner(db.owner, theirs!, owner.id);
    const pcm = await makeMember(db.owner, project.id, "PCM");
    const template = await saveTemplate("plan", { flowId: flow.id });
    const answer = await done(apply(template, [foreign!, theirs!, free!], {}, pcm));
    expect(answer).toMatchObject({ bound: 1, filled: 0 });
    expect(answer.rejected.map(({ duId, code }: { duId: number; code: string }) => [duId, code])).toEqual([
      [foreign, "ALREADY_BOUND"],
      [theirs, "NO_PERMISSION"],
    ]);
    expect(await apply(template, [free!], {}, owner)).toMatchObject({ status: 403 });
  });

  test("needs a released flow, and takes a bounded number of DUs", async () => {
    const [free] = await makeDus(db.owner, project.id, [{}]);
    const template = await saveTemplate("plan", { flowId: flow.id });
    await db.owner`update activity_flow set status = 'draft' where id = ${flow.id}`;
    expect(await apply(template, [free!])).toMatchObject({ status: 422, code: "FLOW_NOT_RELEASED" });
    await db.owner`update activity_flow set status = 'released' where id = ${flow.id}`;
    const problem = async (duIds: number[]) => (await apply(template, duIds)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    expect(await problem([])).toBe("duIds NO_SELECTION");
    expect(await problem(Array.from({ length: applyDusMax + 1 }, (_, at) => at + 1))).toBe("duIds TOO_MANY_DU");
    const many = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: applyDusMax }, () => ({})),
    );
    expect(await done(apply(template, many))).toMatchObject({ bound: applyDusMax });
    expect(await apply(await saveTemplate("reverse", { columns: [{ title: "a", key: "du" }] }), [free!])).toMatchObject({ status: 404 });
  });
});
