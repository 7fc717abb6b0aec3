import { beforeAll, describe, expect, test } from "vitest";
import { isoDay } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { planSources } from "#lib/rollout-plan/plan-log/limits.ts";
import { askedRules } from "#lib/rollout-plan/plan-rows/rules.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeOwnerSet } from "../../../support/plan-factories.ts";
import { done, makeDraft, makeDus } from "../make-flow.ts";

const db = useDatabase();
let project: string;
let projectId: number;
let pm: CtxUser;
let viewer: CtxUser;
let flow: Awaited<ReturnType<typeof makeDraft>>;
let steps: [number, number, number];
let slot: number;
let ownSet: number;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(db.owner));
  pm = await makeMember(db.owner, projectId, "PM");
  viewer = await makeMember(db.owner, projectId, "COMMON_VIEW");
  const made = await done(
    call("subFlow/save", { subFlow: { name: "Tower" }, steps: [{ name: "Base" }, { name: "Steel" }, { name: "Paint" }] }),
  );
  steps = made.stepIds;
  flow = await makeDraft(pm, project, "Towers", "Build* Other", "Build>Other");
  const { rowVersion } = await done(call("subFlow/bind", { nodeId: flow.ids.get("Build")!, subFlowId: made.id }));
  await done(call("flow/release", { id: flow.id, rowVersion }));
  slot = (await db.owner`select slot from activity_library where id = ${activity()}`)[0]!.slot;
  ownSet = await makeOwnerSet(db.owner, projectId, [pm.id]);
});

const call = (address: string, input: object, user = pm) => callAs(user, address, input, { project });
const activity = () => flow.activityIds.get("Build")!;
/** Sets bits of the activity with steps. */
const setBits = (duId: number, bits: number) =>
  db.owner`update du_plan set state[${slot}::int] = state[${slot}::int] | ${bits}::int where du_id = ${duId}`;
async function makeDu(): Promise<number> {
  const [du] = (await makeDus(db.owner, projectId, 1)) as [number];
  await done(call("duFlow/bind", { duIds: [du], flowId: flow.id }));
  await db.owner`update du_plan set plan_owner = array_fill(${ownSet}::int, array[cardinality(state)]) where du_id = ${du}`;
  return du;
}
/** Ticks steps by their place: `1:2026-10-01`; an empty day opens a step. */
const tick = async (duId: number, text: string, more: object = {}, user = pm) => {
  const stored = (await find(duId)).data?.steps as { id: number; doneOn: string | null }[] | undefined;
  return call(
    "duSubStep/save",
    {
      duId,
      activityId: activity(),
      steps: text.split(" ").map((word) => {
        const [place, day] = word.split(":");
        const stepId = steps[Number(place) - 1]!;
        return { stepId, doneOn: day || null, base: stored?.find(({ id }) => id === stepId)?.doneOn ?? null };
      }),
      ...more,
    },
    user,
  );
};
const dates = async (duId: number) => {
  const [row] =
    await db.owner`select actual_start[${slot}::int] as start, actual_end[${slot}::int] as end from du_plan where du_id = ${duId}`;
  return [row!.start, row!.end].map((day) => isoDay(day ?? 0));
};
const find = (duId: number, user = pm) => call("duSubStep/find", { duId, activityId: activity() }, user);

describe("duSubStep/save [FLW-02]", () => {
  test("starts the activity with its first step, ends it with the last, and opens it again", async () => {
    const du = await makeDu();
    expect(await done(tick(du, "1:2026-10-03"))).toMatchObject({ actualStart: "2026-10-03", actualEnd: null, progress: 33 });
    expect(await done(tick(du, "2:2026-10-01"))).toMatchObject({ actualStart: "2026-10-01", actualEnd: null, progress: 66 });
    expect(await dates(du)).toEqual(["2026-10-01", null]);
    expect(await done(tick(du, "3:2026-10-02"))).toMatchObject({ actualStart: "2026-10-01", actualEnd: "2026-10-03", progress: 100 });
    expect(await dates(du)).toEqual(["2026-10-01", "2026-10-03"]);
    const opened = await done(tick(du, "1:", { reason: "measured anew" }));
    expect(opened).toMatchObject({ actualStart: "2026-10-01", actualEnd: null, progress: 66 });
    expect(await dates(du)).toEqual(["2026-10-01", null]);
    expect(await done(tick(du, "2: 3:"))).toMatchObject({ actualStart: null, actualEnd: null, progress: 0 });
  });

  test("a step between moves no date, writes no batch and is kept with who did it", async () => {
    const du = await makeDu();
    const first = await done(tick(du, "1:2026-10-01"));
    expect(first.batchId).toEqual(expect.any(Number));
    expect(await done(tick(du, "2:2026-10-05"))).toMatchObject({ batchId: null, progress: 66 });
    expect(await done(find(du))).toMatchObject({
      activity: "Build",
      subFlow: "Tower",
      steps: [
        { name: "Base", doneOn: "2026-10-01", doneByName: pm.name },
        { name: "Steel", doneOn: "2026-10-05", doneByName: pm.name },
        { name: "Paint", doneOn: null, doneByName: null },
      ],
    });
    expect(await tick(du, "2:2026-10-05")).toMatchObject({ code: "NOTHING_MODIFIED" });
  });

  test("a step that others have ticked off or opened since it was read is refused, and the others of the save with it", async () => {
    const du = await makeDu();
    const days = async () => (await done(find(du))).steps.map(({ doneOn }: { doneOn: string | null }) => doneOn);
    const save = (...given: [place: number, doneOn: string | null, base: string | null][]) =>
      call("duSubStep/save", {
        duId: du,
        activityId: activity(),
        steps: given.map(([place, doneOn, base]) => ({ stepId: steps[place - 1]!, doneOn, base })),
      });
    await done(tick(du, "1:2026-10-01"));
    expect(await save([2, "2026-10-02", null], [1, "2026-10-05", null])).toMatchObject({
      status: 409,
      code: "STALE",
      problems: [{ path: "steps.1.doneOn", code: "STALE" }],
    });
    expect(await save([1, null, "2026-10-03"])).toMatchObject({ code: "STALE" });
    expect(await days()).toEqual(["2026-10-01", null, null]);
    // Two who say the same are not in each other's way.
    await done(save([1, "2026-10-01", null], [2, "2026-10-02", null]));
    expect(await days()).toEqual(["2026-10-01", "2026-10-02", null]);
  });

  test("a set end changes with a reason only, and never once the activity is closed", async () => {
    const du = await makeDu();
    await done(tick(du, "1:2026-10-01 2:2026-10-02 3:2026-10-03"));
    expect(await tick(du, "3:2026-10-04")).toMatchObject({ status: 422, code: "REASON_REQUIRED" });
    expect(await tick(du, "3:")).toMatchObject({ status: 422, code: "REASON_REQUIRED" });
    await done(tick(du, "3:2026-10-04", { reason: "typed wrong" }));
    await setBits(du, 1 << 6);
    expect(await tick(du, "3:", { reason: "again" })).toMatchObject({ status: 422, code: "TASK_CLOSED" });
    expect(await dates(du)).toEqual(["2026-10-01", "2026-10-04"]);
  });

  test.each([
    ["closed", 1 << 6, "TASK_CLOSED"],
    ["locked by a tool", 1 << 5, "TOOL_LOCKED"],
    ["suspended", 5 << 10, "SUSPENDED"],
    ["not applicable", 1 << 1, "NA_OR_INV"],
  ])("no step of an activity that is %s changes, though its dates would stay", async (_title, bits, code) => {
    const du = await makeDu();
    await done(tick(du, "1:2026-10-01"));
    await setBits(du, bits);
    expect(await tick(du, "2:2026-10-05")).toMatchObject({ status: 422, code });
    expect((await done(find(du))).steps[1].doneOn).toBeNull();
  });

  test("asks for an owner, and takes no day after today", async () => {
    const du = await makeDu();
    expect(await tick(du, "1:2026-10-14")).toMatchObject({ status: 200 });
    expect(await tick(du, "2:2026-10-15")).toMatchObject({ status: 422, code: "ACTUAL_AFTER_TODAY" });
    for (const day of ["1999-12-31", "2000-01-01"])
      expect(await tick(du, `2:${day}`)).toMatchObject({ status: 422, code: "DATE_OUT_OF_RANGE" });
    await db.owner`update du_plan set plan_owner = null where du_id = ${du}`;
    expect(await tick(du, "1:2026-10-13")).toMatchObject({ status: 422, code: "OWNER_REQUIRED" });
  });

  test("needs the right for actual dates; who may only look sees the steps", async () => {
    const du = await makeDu();
    expect(await tick(du, "1:2026-10-01", {}, viewer)).toMatchObject({ status: 403 });
    expect(await find(du, viewer)).toMatchObject({ status: 200 });
  });

  test("finds no steps where there are none", async () => {
    const du = await makeDu();
    const other = flow.activityIds.get("Other")!;
    expect(await call("duSubStep/find", { duId: du, activityId: other })).toMatchObject({ status: 404 });
    expect(await call("duSubStep/find", { duId: du, activityId: 999_999 })).toMatchObject({ code: "NO_ACTIVITY" });
    expect(await call("duSubStep/find", { duId: 999_999, activityId: other })).toMatchObject({ code: "DU_NOT_FOUND" });
    const input = { duId: du, activityId: activity(), steps: [{ stepId: 999_999, doneOn: "2026-10-01", base: null }] };
    expect(await call("duSubStep/save", input)).toMatchObject({ status: 404 });
  });

  test("steps go with the flow of a DU", async () => {
    const du = await makeDu();
    await done(tick(du, "1:2026-10-01"));
    await done(tick(du, "1:"));
    await done(tick(du, "2:2026-10-02"));
    await db.owner`update du_plan set actual_start = null where du_id = ${du}`;
    await done(call("duFlow/unbind", { duIds: [du] }));
    expect(await db.owner`select 1 from du_sub_step where du_id = ${du}`).toHaveLength(0);
  });

  test("a step that is done on a DU cannot leave its sub-flow", async () => {
    const du = await makeDu();
    await done(tick(du, "2:2026-10-02"));
    const row = (await done(call("subFlow/list", {}))).subFlows[0];
    const rest = row.steps.filter(({ name }: { name: string }) => name !== "Steel");
    const answer = await call("subFlow/save", { subFlow: { id: row.id, name: row.name, rowVersion: row.rowVersion }, steps: rest });
    expect(answer).toMatchObject({ status: 422, code: "IN_USE" });
    expect(answer.msg).toMatch(/Steel \(\d+ DU\)/);
  });
});

describe("workOrder/redo", () => {
  const state = async (duId: number) => (await db.owner`select state[${slot}::int] as state from du_plan where du_id = ${duId}`)[0]!.state;
  const kept = (duId: number) => db.owner`select step_id from du_sub_step where du_id = ${duId}`;

  test("clears the steps with the dates that came from them, and redoes what else is chosen in the DU [WOR-08] [WOR-17]", async () => {
    const [first, second, untouched] = [await makeDu(), await makeDu(), await makeDu()];
    for (const du of [first, second, untouched]) await done(tick(du, "1:2026-10-01 2:2026-10-02 3:2026-10-03"));
    const other = flow.activityIds.get("Other")!;
    const edit = { duId: first, activityId: other, field: "actualEnd", value: "2026-10-05", base: null };
    expect(await done(call("rolloutPlan/save", { edits: [edit] }))).toMatchObject({ saved: 1 });
    // What is not completed has nothing to redo and is refused by itself.
    const input = { duIds: [first, second], activityIds: [activity(), other], reason: "rebuilt" };
    expect(await done(call("workOrder/redo", input))).toMatchObject({
      done: 3,
      rejected: [{ duId: second, activityId: other, code: "INITIAL_STATUS" }],
    });
    for (const du of [first, second]) {
      expect(await dates(du)).toEqual([null, null]);
      expect((await done(find(du))).steps.map(({ doneOn }: { doneOn: string | null }) => doneOn)).toEqual([null, null, null]);
      expect(await kept(du)).toHaveLength(0);
    }
    expect(await dates(untouched)).toEqual(["2026-10-01", "2026-10-03"]);
    expect(await kept(untouched)).toHaveLength(3);
    // It can be done once more, step by step.
    expect(await done(tick(first, "1:2026-10-06"))).toMatchObject({ actualStart: "2026-10-06", actualEnd: null, progress: 33 });
  });

  test("keeps the steps of what it is refused for", async () => {
    const du = await makeDu();
    await done(tick(du, "1:2026-10-01 2:2026-10-02 3:2026-10-03"));
    await setBits(du, 1 << 16);
    expect(await done(call("workOrder/redo", { duIds: [du], activityIds: [activity()], reason: "rebuilt" }))).toMatchObject({
      done: 0,
      rejected: [{ code: "SIGN_VERIFY_INTEGRATED" }],
    });
    expect(await kept(du)).toHaveLength(3);
  });

  test("is not undone: the dates would stand without their steps", async () => {
    const du = await makeDu();
    await done(tick(du, "1:2026-10-01 2:2026-10-02 3:2026-10-03"));
    const { batchId } = await done(call("workOrder/redo", { duIds: [du], activityIds: [activity()], reason: "rebuilt" }));
    const redone = await state(du);
    expect(await done(call("rolloutPlan/undo", { batchId }))).toMatchObject({
      saved: 0,
      rejected: expect.arrayContaining([expect.objectContaining({ field: "actualEnd", code: "SUB_STEPS_ONLY" })]),
    });
    expect([await dates(du), await state(du)]).toEqual([[null, null], redone]);
  });
});

describe("actual dates from elsewhere are refused [SUB_STEPS_ONLY]", () => {
  test.each(planSources.filter((source) => source !== "flow"))("%s asks the rule", (source) => {
    for (const byPerson of [true, false])
      for (const event of [undefined, "start", "complete", "remoteUpdate", "redo"] as const) {
        // Redo of a work order clears the steps together with the dates.
        if (source === "work_order" && event === "redo") continue;
        const rules = askedRules({ source, event, byPerson, hasReason: true, frozenChange: true, redoAfterRevenue: true });
        for (const field of ["actualStart", "actualEnd"] as const)
          expect(
            rules[field].map(({ code }) => code),
            `${source} ${event} ${field}`,
          ).toContain("SUB_STEPS_ONLY");
      }
  });

  test("by the grid, by a batch and by undo", async () => {
    const du = await makeDu();
    const edit = { duId: du, activityId: activity(), field: "actualStart", value: "2026-10-01", base: null };
    const saved = await done(call("rolloutPlan/save", { edits: [edit] }));
    expect(saved).toMatchObject({ saved: 0, rejected: [{ code: "SUB_STEPS_ONLY" }] });
    const batch = await call("rolloutPlan/batch/setDate", {
      duIds: [du],
      activityIds: [activity()],
      field: "actualEnd",
      mode: "set",
      value: "2026-10-01",
      preview: true,
    });
    expect(batch.data).toMatchObject({ rejected: [{ code: "SUB_STEPS_ONLY" }] });
    const { batchId } = await done(tick(du, "1:2026-10-01"));
    const undone = await call("rolloutPlan/undo", { batchId });
    expect(JSON.stringify(undone)).toContain("SUB_STEPS_ONLY");
    expect(await dates(du)).toEqual(["2026-10-01", null]);
  });
});
