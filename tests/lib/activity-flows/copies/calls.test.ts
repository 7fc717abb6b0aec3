import { beforeEach, describe, expect, test } from "vitest";
import { copyTargetsMax } from "#lib/activity-flows/copies/limits.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";
import { makeHolder, makeOwned } from "../../../support/role-holders.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeDus, makeFlow } from "../make-flow.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let source: number;
let targets: number[];
let codes: string[];
const { run } = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  [source, ...targets] = (await makeDus(db.owner, project.id, 4)) as [number, ...number[]];
  const rows = await db.owner<{ code: string }[]>`select code from du where id = any(${targets}::bigint[]) order by id`;
  codes = rows.map(({ code }) => code);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
const setExt = (duId: number, ext: object) => db.owner`update du set ext = ${db.owner.json(ext as never)} where id = ${duId}`;
const extOf = async (duId: number) => (await db.owner<{ ext: Record<string, unknown> }[]>`select ext from du where id = ${duId}`)[0]!.ext;
const itemsOf = async (jobId: number) =>
  (await done(call(`copyAttribute/items/${jobId}`))).items.map(
    (item: { targetCode: string; progress: string; association: string; code: number | null; detail: string | null }) =>
      [item.targetCode, item.progress, item.association, item.code, item.detail].filter((part) => part !== null).join(" "),
  );

/** A copy to its end: what became of each target. */
async function copied(
  input: object,
): Promise<{ jobId: number; items: string[]; task: { status: string; done_count: number; failed_count: number } }> {
  const { jobId, taskId } = await done(call("copyAttribute/start", { sourceDuId: source, targetDuCodes: codes, ...input }));
  const task = await run(taskId);
  await expectSameWhenTakenUp(db, taskId, run);
  return { jobId, items: await itemsOf(jobId), task };
}
const sourceFlow = async () => {
  const flow = await makeFlow(pm, project.number, "Followed", "A* B", "A>B");
  await done(call("duFlow/bind", { duIds: [source], flowId: flow.id }));
  return flow;
};

describe("the values of attributes", () => {
  test("are left out where a dependency rule does not let them be filled in yet", async () => {
    const [first, second] = [await makeAttribute(db.owner, project.id), await makeAttribute(db.owner, project.id, { name: "Waits" })];
    await setExt(source, { [first.key]: "a", [second.key]: "b" });
    await setExt(targets[0]!, { [first.key]: "there" });
    await done(
      call("rollPlanDependency/save", {
        prerequisites: [{ attributeId: first.id, event: "MAINTAIN" }],
        targets: [{ attributeId: second.id, event: "MAINTAIN" }],
      }),
    );
    const { items } = await copied({ attributeIds: [second.id] });
    expect(await Promise.all(targets.map(extOf))).toEqual([{ [first.key]: "there", [second.key]: "b" }, {}, {}]);
    expect(items[1]).toContain("Waits");
    await copied({ attributeIds: [first.id, second.id] });
    expect(await extOf(targets[1]!)).toEqual({ [first.key]: "a", [second.key]: "b" });
  });

  test("are copied into empty fields, or into all when they may be overwritten, and logged", async () => {
    const [text, number, other] = [
      await makeAttribute(db.owner, project.id),
      await makeAttribute(db.owner, project.id, { type: "NUMBER" }),
      await makeAttribute(db.owner, project.id),
    ];
    await setExt(source, { [text.key]: "from source", [number.key]: 7, [other.key]: "not asked for" });
    await setExt(targets[0]!, { [text.key]: "kept" });
    const first = await copied({ attributeIds: [text.id, number.id] });
    expect(first.task).toMatchObject({ status: "succeeded", done_count: 3, failed_count: 0 });
    expect(first.items).toEqual(codes.map((code) => `${code} completed unassociated`));
    expect(await extOf(targets[0]!)).toEqual({ [text.key]: "kept", [number.key]: 7 });
    expect(await extOf(targets[1]!)).toEqual({ [text.key]: "from source", [number.key]: 7 });
    await copied({ attributeIds: [text.id], overwrite: true });
    expect(await extOf(targets[0]!)).toEqual({ [text.key]: "from source", [number.key]: 7 });
    expect(await extOf(source)).toHaveProperty(other.key);
    const batches = await db.owner`select source, origin, du_count from plan_batch where project_id = ${project.id} order by id`;
    expect(batches).toMatchObject([
      { source: "flow", origin: { kind: "copy", id: first.jobId }, du_count: 3 },
      { source: "flow", du_count: 1 },
    ]);
  });

  test("of an activity go where the activity is in the flow and not kept by another system; what is only shown is not copied", async () => {
    const flow = await sourceFlow();
    const perActivity = await makeAttribute(db.owner, project.id, { level: "ACTIVITY" });
    const shown = await makeAttribute(db.owner, project.id, { type: "READ_ONLY" });
    await done(call("duFlow/bind", { duIds: targets.slice(0, 2), flowId: flow.id }));
    await db.owner`update du_plan set state[1] = state[1] | (1 << 5) where du_id = ${targets[1]!}`;
    await setExt(source, { [`${perActivity.key}@1`]: "one", [`${perActivity.key}@2`]: "two", [shown.key]: "shown" });
    expect(await call("copyAttribute/start", { sourceDuId: source, targetDuCodes: codes, attributeIds: [shown.id] })).toMatchObject({
      status: 400,
    });
    await copied({ attributeIds: [perActivity.id] });
    expect(await extOf(targets[0]!)).toEqual({ [`${perActivity.key}@1`]: "one", [`${perActivity.key}@2`]: "two" });
    expect(await extOf(targets[1]!)).toEqual({ [`${perActivity.key}@2`]: "two" });
    expect(await extOf(targets[2]!)).toEqual({});
  });

  test("of an enumeration that no longer offers the value are skipped with 1005, the rest is copied [FLW-20]", async () => {
    const choice = await makeAttribute(db.owner, project.id, { name: "Scenario", type: "ENUM", enums: ["Rooftop", "Tower"] });
    const text = await makeAttribute(db.owner, project.id);
    await setExt(source, { [choice.key]: choice.enumIds[0], [text.key]: "x" });
    expect((await copied({ attributeIds: [choice.id, text.id] })).items).toEqual(codes.map((code) => `${code} completed unassociated`));
    expect(await extOf(targets[0]!)).toEqual({ [choice.key]: choice.enumIds[0], [text.key]: "x" });
    await setExt(targets[0]!, {});
    await db.owner`update attribute_enum set active = false where id = ${choice.enumIds[0]!}`;
    const { items, task } = await copied({ attributeIds: [choice.id, text.id] });
    expect(items).toEqual([
      `${codes[0]} completed unassociated 1005 Scenario`,
      ...codes.slice(1).map((code) => `${code} completed unassociated`),
    ]);
    expect(task).toMatchObject({ status: "succeeded", done_count: 3 });
    expect(await extOf(targets[0]!)).toEqual({ [text.key]: "x" });
  });

  test("a target that does not exist fails with 1001, the others are copied to [FLW-16]", async () => {
    const text = await makeAttribute(db.owner, project.id);
    await setExt(source, { [text.key]: "x" });
    const elsewhere = await makeProject(db.owner);
    const [stranger] = await makeDus(db.owner, elsewhere.id, 1);
    const [theirs] = await db.owner<{ code: string }[]>`select code from du where id = ${stranger!}`;
    await db.owner`update du set deleted_at = now() where id = ${targets[2]!}`;
    const { items, task } = await copied({ targetDuCodes: [codes[0]!, "NOWHERE", theirs!.code, codes[2]!], attributeIds: [text.id] });
    expect(items.sort()).toEqual(
      [
        `${codes[0]} completed unassociated`,
        ...["NOWHERE", theirs!.code, codes[2]!].map((code) => `${code} failed unassociated 1001`),
      ].sort(),
    );
    expect(task).toMatchObject({ status: "partial", done_count: 1, failed_count: 3 });
    expect(await extOf(stranger!)).toEqual({});
  });
});

describe("the flow of the source", () => {
  test("is bound with the values: unassociated becomes associated, with the copy as source of the binding [FLW-14]", async () => {
    const flow = await sourceFlow();
    const text = await makeAttribute(db.owner, project.id, { level: "ACTIVITY" });
    await setExt(source, { [`${text.key}@2`]: "on B" });
    const { jobId, taskId } = await done(
      call("copyAttribute/start", { sourceDuId: source, targetDuCodes: codes, attributeIds: [text.id], alsoBind: true }),
    );
    expect(await itemsOf(jobId)).toEqual(codes.map((code) => `${code} unprocessed unassociated`));
    await run(taskId);
    expect(await itemsOf(jobId)).toEqual(codes.map((code) => `${code} completed associated`));
    const bindings = await db.owner`select flow_id, source from du_flow where du_id = any(${targets}::bigint[]) and unbound_at is null`;
    expect(bindings).toEqual(targets.map(() => ({ flow_id: flow.id, source: "copy" })));
    // Values of an activity follow into the flow that was just bound.
    expect(await extOf(targets[0]!)).toEqual({ [`${text.key}@2`]: "on B" });
    // Once more: they follow it already.
    expect((await copied({ alsoBind: true })).items).toEqual(codes.map((code) => `${code} completed associated`));
  });

  test.each([
    ["has none", async () => {}],
    [
      "is disabled",
      async () => {
        const flow = await sourceFlow();
        await done(call("flow/disable", { id: flow.id, rowVersion: flow.rowVersion }));
      },
    ],
  ])("that %s fails with 1002, and nothing is copied [FLW-17]", async (_title, prepare) => {
    await prepare();
    const text = await makeAttribute(db.owner, project.id);
    await setExt(source, { [text.key]: "x" });
    const { items, task } = await copied({ attributeIds: [text.id], alsoBind: true });
    expect(items).toEqual(codes.map((code) => `${code} failed unassociated 1002`));
    expect(task).toMatchObject({ status: "failed", done_count: 0, failed_count: 3 });
    expect(await extOf(targets[0]!)).toEqual({});
    // Without the binding the values are copied.
    expect((await copied({ attributeIds: [text.id] })).items).toEqual(codes.map((code) => `${code} completed unassociated`));
  });

  test("is not bound to a DU bound by hand, which fails with 1003 and gets no values [FLW-18]; one bound otherwise to another flow fails with 1004 [FLW-19]", async () => {
    await sourceFlow();
    const other = await makeFlow(pm, project.number, "Other", "C*");
    await done(call("duFlow/bind", { duIds: targets.slice(0, 2), flowId: other.id }));
    await db.owner`update du_flow set source = 'rule' where du_id = ${targets[1]!}`;
    const text = await makeAttribute(db.owner, project.id);
    await setExt(source, { [text.key]: "x" });
    const { items } = await copied({ attributeIds: [text.id], alsoBind: true });
    expect(items).toEqual([
      `${codes[0]} failed unassociated 1003`,
      `${codes[1]} failed unassociated 1004`,
      `${codes[2]} completed associated`,
    ]);
    expect([await extOf(targets[0]!), await extOf(targets[1]!), await extOf(targets[2]!)]).toEqual([{}, {}, { [text.key]: "x" }]);
    const kept = await db.owner`select flow_id from du_flow where du_id = any(${targets.slice(0, 2)}::bigint[]) and unbound_at is null`;
    expect(kept).toEqual([{ flow_id: other.id }, { flow_id: other.id }]);
  });
});

describe("progress", () => {
  test("of a target goes from unprocessed over processing to completed or failed; failed ones are tried again, others not [FLW-13]", async () => {
    const text = await makeAttribute(db.owner, project.id);
    await setExt(source, { [text.key]: "x" });
    const many = await makeDus(db.owner, project.id, 60);
    const rows = await db.owner<{ code: string }[]>`select code from du where id = any(${many}::bigint[])`;
    const given = [...rows.map(({ code }) => code), "LATER"];
    const { jobId, taskId } = await done(
      call("copyAttribute/start", { sourceDuId: source, targetDuCodes: given, attributeIds: [text.id] }),
    );
    const counts = async () => {
      const { records } = await done(call("copyAttribute/list/1/20/default/[]"));
      const { unprocessed, processing, completed, failed } = records[0];
      return [unprocessed, processing, completed, failed];
    };
    expect(await counts()).toEqual([61, 0, 0, 0]);
    // A row that somebody else holds keeps the first part waiting: it is seen as processing.
    const holder = await db.owner.reserve();
    await holder`begin`;
    await holder`select 1 from du_plan where du_id = ${many[0]!} for update`;
    const running = run(taskId);
    await expect.poll(counts, { timeout: 10_000 }).toEqual([11, 50, 0, 0]);
    await holder`rollback`;
    holder.release();
    await running;
    expect(await counts()).toEqual([0, 0, 60, 1]);
    expect(await call("copyAttribute/retry", { jobId, targetDuCodes: [given[0]!] })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    const [late] = await makeDus(db.owner, project.id, 1);
    await db.owner`update du set code = 'LATER' where id = ${late!}`;
    const again = await done(call("copyAttribute/retry", { jobId, targetDuCodes: ["LATER"] }));
    expect(await counts()).toEqual([1, 0, 60, 0]);
    await run(again.taskId);
    expect(await counts()).toEqual([0, 0, 61, 0]);
    expect(await extOf(late!)).toEqual({ [text.key]: "x" });
  });

  test("a worker that died in the middle of a part leaves it waiting for the next one", async () => {
    const text = await makeAttribute(db.owner, project.id);
    await setExt(source, { [text.key]: "x" });
    const { jobId, taskId } = await done(
      call("copyAttribute/start", { sourceDuId: source, targetDuCodes: codes, attributeIds: [text.id] }),
    );
    await db.owner`update copy_job_item set progress = 'processing' where job_id = ${jobId}`;
    await run(taskId);
    expect(await itemsOf(jobId)).toEqual(codes.map((code) => `${code} completed unassociated`));
  });
});

describe("who may", () => {
  test("PM, PD and DOC PD start copies and try them again, nobody else [FLW-15]", async () => {
    const text = await makeAttribute(db.owner, project.id);
    const input = { sourceDuId: source, targetDuCodes: codes.slice(0, 1), attributeIds: [text.id] };
    const authorised: readonly Role[] = ["PM", "PD", "DOC_PD"];
    for (const role of authorised) {
      const { taskId, jobId } = await done(call("copyAttribute/start", input, await makeMember(db.owner, project.id, role)));
      expect(await run(taskId)).toMatchObject({ status: "succeeded" });
      expect(
        await call("copyAttribute/retry", { jobId, targetDuCodes: codes.slice(0, 1) }, await makeMember(db.owner, project.id, role)),
      ).toMatchObject({ code: "WRONG_STATUS" });
    }
    const owned = await makeOwned(db.owner, project.id);
    for (const role of roles.filter((one) => !authorised.includes(one))) {
      const member = await makeHolder(db.owner, project.id, role, owned);
      expect(await call("copyAttribute/start", input, member), role).toMatchObject({ status: 403, code: "NO_PERMISSION" });
      expect(await call("copyAttribute/retry", { jobId: 1, targetDuCodes: ["A"] }, member), role).toMatchObject({
        status: 403,
        code: "NO_PERMISSION",
      });
    }
  });

  test("nothing of another project is reached", async () => {
    const text = await makeAttribute(db.owner, project.id);
    const { jobId } = await copied({ attributeIds: [text.id] });
    const other = await makeProject(db.owner);
    const theirs = await makeMember(db.owner, other.id, "PM");
    const [du] = await makeDus(db.owner, other.id, 1);
    const attribute = await makeAttribute(db.owner, other.id);
    const from = (address: string, input: object = {}) => callAs(theirs, address, input, { project: other.number });
    expect(await from(`copyAttribute/items/${jobId}`)).toMatchObject({ status: 404 });
    expect(await from("copyAttribute/retry", { jobId, targetDuCodes: codes })).toMatchObject({ status: 404 });
    expect((await from("copyAttribute/list/1/20/default/[]")).data).toMatchObject({ total: 0 });
    expect(await from("copyAttribute/start", { sourceDuId: source, targetDuCodes: ["A"], attributeIds: [attribute.id] })).toMatchObject({
      status: 422,
      code: "DU_NOT_FOUND",
    });
    expect(await from("copyAttribute/start", { sourceDuId: du, targetDuCodes: ["A"], attributeIds: [text.id] })).toMatchObject({
      status: 400,
      problems: [{ code: "VALUE_UNKNOWN" }],
    });
  });
});

describe("bounds", () => {
  test(`${copyTargetsMax} targets are taken, one more, none, and a copy of nothing are refused`, async () => {
    const text = await makeAttribute(db.owner, project.id);
    const start = (count: number, more: object = { attributeIds: [text.id] }) =>
      call("copyAttribute/start", { sourceDuId: source, targetDuCodes: Array.from({ length: count }, (_, no) => `T${no}`), ...more });
    expect(await start(copyTargetsMax)).toMatchObject({ status: 200 });
    const over = await start(copyTargetsMax + 1);
    expect(over).toMatchObject({ status: 400, problems: [{ path: "targetDuCodes", code: "TOO_MANY_DU" }] });
    expect(over.problems[0].msg ?? over.msg).toContain(String(copyTargetsMax));
    expect(await start(0)).toMatchObject({ status: 400, problems: [{ code: "NO_SELECTION" }] });
    expect(await start(1, {})).toMatchObject({ status: 400, problems: [{ path: "attributeIds", code: "VALUE_MISSING" }] });
    expect(await start(1, { alsoBind: true })).toMatchObject({ status: 200 });
    expect(await start(1, { targetDuCodes: ["c".repeat(60)], alsoBind: true })).toMatchObject({ status: 200 });
    expect(await start(1, { targetDuCodes: ["c".repeat(61)], alsoBind: true })).toMatchObject({
      status: 400,
      problems: [{ code: "VALUE_TOO_LONG" }],
    });
  });
});
