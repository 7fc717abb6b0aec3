import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { cellNumber, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { toolLocksMax } from "#lib/rollout-plan/tool-locks/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeActivities, makeDus } from "../../../support/plan-factories.ts";
import { bits, orderCalls, useOrderProject } from "../../work-orders/make-orders.ts";

const db = useDatabase();
const project = useOrderProject(db);
const { call, data, dus, dispatch, bit, save, survey } = orderCalls(db, project);
let admin: CtxUser;

beforeAll(async () => {
  admin = await makeMember(db.owner, project.id, "PROJECT_ADMIN");
});

const codesOf = async (duIds: readonly number[]): Promise<string[]> =>
  (await db.owner<{ code: string }[]>`select code from du where id = any(${[...duIds]}::bigint[]) order by id`).map(({ code }) => code);
const lock = (items: object[]) => data(admin, "rolloutPlan/toolLock", { items });
const logOf = (duId: number) => db.owner`
  select b.source, b.actor_id as actor, l.cells, l.old, l.new from plan_log l join plan_batch b on b.id = l.batch_id where l.du_id = ${duId} order by b.seq`;

describe("rolloutPlan/toolLock", () => {
  it("keeps actual dates from everybody until the lock is lifted, and leaves plan dates free [RPL-22]", async () => {
    const [duId] = await dus(1);
    const [duCode] = await codesOf([duId!]);
    const item = { duCode, activityCode: "A1" };
    expect(await lock([{ ...item, locked: true }])).toEqual({ done: 1, unchanged: 0, rejected: [], batchId: expect.any(Number) });
    for (const field of ["actualStart", "actualEnd"])
      expect((await save(project.worker, duId!, field, "2026-10-13")).data).toMatchObject({
        saved: 0,
        rejected: [{ field, code: "TOOL_LOCKED", msg: "The actual dates are locked by an integration" }],
      });
    expect((await save(project.pm, duId!, "planEnd", "2026-10-19", "2026-10-16")).data).toMatchObject({ saved: 1, rejected: [] });
    expect(await lock([{ ...item, locked: false }])).toMatchObject({ done: 1 });
    expect((await save(project.worker, duId!, "actualStart", "2026-10-13")).data).toMatchObject({ saved: 1, rejected: [] });
  });

  it("keeps an activity with an integrated sign or verify date from being redone [WOR-20]", async () => {
    const duIds = await dus(1);
    const ids = await dispatch(duIds);
    for (const step of ["accept", "start", "complete"]) await data(project.worker, `workOrder/${step}`, { ids });
    const [duCode] = await codesOf(duIds);
    const redo = () => data(project.pm, "workOrder/redo", { duIds, activityIds: [survey().id], reason: "measured wrong" });
    await lock([{ duCode, activityCode: "A1", signVerify: true }]);
    expect(await redo()).toMatchObject({ done: 0, rejected: [{ duId: duIds[0], code: "SIGN_VERIFY_INTEGRATED" }] });
    await lock([{ duCode, activityCode: "A1", signVerify: false }]);
    expect(await redo()).toMatchObject({ done: 1, rejected: [] });
  });

  it("changes the bits it is told, of several activities at once, and logs them as cells", async () => {
    const duIds = await dus(2, { state: bits({ frozen: 1 }) });
    const [first, second] = await codesOf(duIds);
    const { batchId } = await lock([
      { duCode: first, activityCode: "A1", locked: true, signVerify: true },
      { duCode: first, activityCode: "A2", locked: true },
      { duCode: second, activityCode: "A1", signVerify: true },
    ]);
    const stateOf = (duId: number, slot: number) => Promise.all([bit(duId, "toolLocked", slot), bit(duId, "signVerify", slot)]);
    expect(await Promise.all([stateOf(duIds[0]!, 1), stateOf(duIds[0]!, 2), stateOf(duIds[1]!, 1)])).toEqual([
      [1, 1],
      [1, 0],
      [0, 1],
    ]);
    const before = bits({ frozen: 1 });
    expect(await logOf(duIds[1]!)).toEqual([
      { source: "api", actor: admin.id, cells: [cellNumber(1, "state")], old: [before], new: [withState(before, "signVerify", 1)] },
    ]);
    expect(await db.owner`select du_count, cell_count from plan_batch where id = ${batchId}`).toEqual([{ du_count: 2, cell_count: 3 }]);
    // What is left out stays, and the rest of the state with it.
    await lock([{ duCode: first, activityCode: "A1", locked: false }]);
    expect(await stateOf(duIds[0]!, 1)).toEqual([0, 1]);
    expect(await bit(duIds[0]!, "frozen")).toBe(1);
    const [audited] =
      await db.owner`select detail from audit_log where project_id = ${project.id} and object = 'plan tool lock' order by id desc limit 1`;
    expect(audited!.detail.after).toMatchObject({ items: [{ duCode: first, activityCode: "A1", locked: false }], done: 1, rejected: 0 });
  });

  it("counts what is so already, and writes no batch for it", async () => {
    const duIds = await dus(1);
    const [duCode] = await codesOf(duIds);
    expect(await lock([{ duCode, activityCode: "A1", locked: false }])).toEqual({ done: 0, unchanged: 1, rejected: [], batchId: null });
    expect(await logOf(duIds[0]!)).toEqual([]);
  });

  it("leaves items whose DU or activity is not found, and applies the others", async () => {
    const elsewhere = await makeProject(db.owner);
    const foreign = await makeDus(db.owner, elsewhere.id, [{ code: "ELSEWHERE", plan: { 1: { state: 1 } } }]);
    await makeActivities(db.owner, elsewhere.id, ["Survey"]);
    const [kept, gone] = await dus(2, {});
    const [unbound] = await makeDus(db.owner, project.id, [{ code: "UNBOUND" }]);
    await db.owner`update du set deleted_at = now() where id = ${gone!}`;
    const [duCode, goneCode] = await codesOf([kept!, gone!]);
    const answer = await lock([
      { duCode: "NOWHERE", activityCode: "A1", locked: true },
      { duCode: "ELSEWHERE", activityCode: "A1", locked: true },
      { duCode: goneCode, activityCode: "A1", locked: true },
      { duCode, activityCode: "A99", locked: true },
      { duCode: "UNBOUND", activityCode: "A1", locked: true },
      { duCode, activityCode: "A1", locked: true },
    ]);
    expect(answer).toEqual({
      done: 1,
      unchanged: 0,
      batchId: expect.any(Number),
      rejected: [
        { duCode: "NOWHERE", activityCode: "A1", code: "DU_NOT_FOUND", msg: "There is no DU NOWHERE" },
        { duCode: "ELSEWHERE", activityCode: "A1", code: "DU_NOT_FOUND", msg: "There is no DU ELSEWHERE" },
        { duCode: goneCode, activityCode: "A1", code: "DU_NOT_FOUND", msg: `There is no DU ${goneCode}` },
        { duCode, activityCode: "A99", code: "NO_ACTIVITY", msg: expect.any(String) },
        { duCode: "UNBOUND", activityCode: "A1", code: "NO_ACTIVITY", msg: expect.any(String) },
      ],
    });
    expect(await bit(kept!, "toolLocked")).toBe(1);
    expect(await Promise.all([...foreign, unbound!, gone!].map(logOf))).toEqual([[], [], []]);
  });

  it(`takes ${toolLocksMax} items and refuses one more, and items that say nothing`, async () => {
    const items = (count: number) => Array.from({ length: count }, (_, at) => ({ duCode: `X-${at}`, activityCode: "A1", locked: true }));
    expect(toolLocksMax).toBe(200);
    expect(await call(admin, "rolloutPlan/toolLock", { items: items(toolLocksMax) })).toMatchObject({
      status: 200,
      data: { done: 0, rejected: { length: toolLocksMax } },
    });
    expect(await call(admin, "rolloutPlan/toolLock", { items: items(toolLocksMax + 1) })).toMatchObject({
      status: 400,
      problems: [{ path: "items", code: "TOO_MANY", params: { max: toolLocksMax } }],
    });
    expect(await call(admin, "rolloutPlan/toolLock", { items: [{ duCode: "X", activityCode: "A1" }] })).toMatchObject({
      status: 400,
      problems: [{ path: "items.0.locked", code: "VALUE_MISSING" }],
    });
    expect(await call(admin, "rolloutPlan/toolLock", { items: [] })).toMatchObject({ status: 400 });
  });

  it("is for those who configure integrations", async () => {
    const [duId] = await dus(1);
    const [duCode] = await codesOf([duId!]);
    const input = { items: [{ duCode, activityCode: "A1", locked: true }] };
    for (const person of [project.pm, project.worker, project.viewer])
      expect(await call(person, "rolloutPlan/toolLock", input)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await bit(duId!, "toolLocked")).toBe(0);
    const system = await makeMember(db.owner, project.id, "SYS_ADMIN");
    expect(await call(system, "rolloutPlan/toolLock", input)).toMatchObject({ status: 200, data: { done: 1 } });
  });
});
