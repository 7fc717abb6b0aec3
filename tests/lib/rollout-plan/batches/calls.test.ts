import { describe, expect, it } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import { dayNumber } from "#lib/core/clock.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, setLimit } from "../../../support/factories.ts";
import { makeAttribute, makeDuOwner, makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const day = dayNumber;
const db = useDatabase();
const project = usePlanProject(db);
const { call, plan, survey, install } = planCalls(db, project);

describe("rolloutPlan/close and reopen", () => {
  it("closes completed project.activities and reopens them with a reason", async () => {
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: { plan_owner: project.ownSet, actual_end: "2026-10-12" } } }],
      project.flow,
    );
    const input = { duIds: [duId], activityIds: [survey()] };
    expect((await call(project.pm, "rolloutPlan/close", input)).data).toMatchObject({ changed: 1, rejected: [] });
    expect((await plan(duId!)).state[0]).toBe(withState(withState(1, "closed", 1), "note", 1));
    expect(await db.owner`select closed_by from du_activity_note where du_id = ${duId!}`).toEqual([{ closed_by: project.pm.id }]);
    expect((await call(project.pm, "rolloutPlan/close", input)).data.rejected).toMatchObject([{ code: "WRONG_STATUS" }]);
    expect(await call(project.pm, "rolloutPlan/reopen", input)).toMatchObject({ status: 422, code: "REASON_REQUIRED" });
    expect((await call(project.pm, "rolloutPlan/reopen", { ...input, reason: "wrong" })).data).toMatchObject({ changed: 1 });
    expect((await plan(duId!)).state[0]).toBe(1);
  });
  it.each([
    ["NOT_COMPLETED", "close", { state: 1 }],
    ["IN_APPROVAL", "close", { state: withState(1, "approval", 2), actual_end: "2026-10-12" }],
    ["REVENUE_TRIGGERED", "reopen", { state: withState(withState(1, "revenue", 1), "closed", 1), actual_end: "2026-10-12" }],
  ])("%s refuses to %s", async (code, verb, slot) => {
    const [duId] = await makeDus(db.owner, project.id, [{ plan: { 1: slot } }], project.flow);
    const answer = await call(project.pm, `rolloutPlan/${verb}`, {
      duIds: [duId],
      activityIds: [survey()],
      ...(verb === "reopen" ? { reason: "x" } : {}),
    });
    expect(answer.data).toMatchObject({ changed: 0, rejected: [{ code }] });
  });
  it("is for those who may edit every row", async () => {
    const owner = await makeMember(db.owner, project.id, "COMMON_VIEW");
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    await makeDuOwner(db.owner, duId!, owner.id, "SITE_OWNER");
    expect(await call(owner, "rolloutPlan/close", { duIds: [duId], activityIds: [survey()] })).toMatchObject({
      status: 403,
      code: "NO_PERMISSION",
    });
  });
});

describe("rolloutPlan/batch/setDate", () => {
  const setDate = (input: Record<string, unknown>) => call(project.pm, "rolloutPlan/batch/setDate", { activityIds: [survey()], ...input });
  it("shifts by working days: Wednesday and Friday by 5 and by -3", async () => {
    const ids = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: { plan_end: "2026-10-14" } } }, { plan: { 1: { plan_end: "2026-10-16" } } }, {}],
      project.flow,
    );
    const forward = await setDate({ duIds: ids, field: "planEnd", mode: "shift", value: 5, preview: true });
    expect(forward.data).toMatchObject({
      changed: 2,
      batchId: null,
      sample: [
        { old: "2026-10-14", new: "2026-10-21" },
        { old: "2026-10-16", new: "2026-10-23" },
      ],
    });
    expect((await plan(ids[0]!)).plan_end[0]).toBe(day("2026-10-14"));
    expect((await setDate({ duIds: ids, field: "planEnd", mode: "shift", value: -3 })).data.changed).toBe(2);
    expect([(await plan(ids[0]!)).plan_end[0], (await plan(ids[1]!)).plan_end[0]]).toEqual([day("2026-10-09"), day("2026-10-13")]);
  });
  it("[RPL-09] sets, copies from another activity with working days added, and clears the dates of the selected DUs", async () => {
    const ids = await makeDus(db.owner, project.id, [{ plan: { 5: { baseline_end: "2026-10-16" } } }], project.flow);
    await setDate({ duIds: ids, field: "planStart", mode: "set", value: "2026-10-15" });
    await setDate({ duIds: ids, field: "planEnd", mode: "copy", value: { field: "baselineEnd", activityId: install(), days: 1 } });
    const row = await plan(ids[0]!);
    expect([row.plan_start[0], row.plan_end[0]]).toEqual([day("2026-10-15"), day("2026-10-19")]);
    await setDate({ duIds: ids, field: "planStart", mode: "clear" });
    expect((await plan(ids[0]!)).plan_start).toBeNull();
    expect(await setDate({ duIds: ids, field: "planStart", mode: "clear" })).toMatchObject({ code: "NOTHING_MODIFIED" });
  });
  it("counts the other cells of a DU with a refused cell under its code", async () => {
    const frozen = { state: withState(1, "frozen", 1), plan_end: "2026-10-14" };
    const ids = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: frozen, 5: { plan_end: "2026-10-14" } } }, { plan: { 1: { plan_end: "2026-10-14" } } }],
      project.flow,
    );
    const answer = await setDate({ duIds: ids, activityIds: [survey(), install()], field: "planEnd", mode: "shift", value: 1 });
    expect(answer.data.changed).toBe(1);
    expect(answer.data.rejected.map((cell: { activityId: number; code: string }) => [cell.activityId, cell.code])).toEqual([
      [survey(), "FROZEN"],
      [install(), "FROZEN"],
    ]);
  });
  it("[RPL-26] refuses plan dates of DUs with different RFC numbers, none being a number of its own", async () => {
    const ids = await makeDus(db.owner, project.id, [{ rfcNumber: "R1" }, { rfcNumber: "R1" }, {}], project.flow);
    for (const [field, value] of [
      ["planStart", "2026-10-20"],
      ["planEnd", "2026-10-20"],
      ["planEnd", "INV"],
    ]) {
      const input = { field, mode: "set", value, reason: "not in scope" };
      expect(await setDate({ ...input, duIds: ids }), `${field} ${value}`).toMatchObject({ status: 422, code: "RFC_DIFFERS" });
      expect((await setDate({ ...input, duIds: ids.slice(0, 2) })).data.changed, `${field} ${value}`).toBe(2);
    }
  });
  it.each([
    ["NA", 1],
    ["INV", 2],
  ])("hands %s of the plan end over as a request, which the background carries out; a preview asks for nothing [RPL-21]", async (kind, state) => {
    const frozen = { plan_end: "2026-10-14", state: withState(1, "frozen", 1) };
    const [free, held] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: { plan_end: "2026-10-14" } } }, { plan: { 1: frozen } }],
      project.flow,
    );
    const input = { duIds: [free, held], field: "planEnd", mode: "set", value: kind };
    const requests = () => db.owner`select kind, reason, status from na_request where du_id in (${free!}, ${held!})`;
    const preview = await setDate({ ...input, preview: true });
    expect(preview.data).toMatchObject({
      changed: 1,
      sample: [{ duId: free, activityId: survey(), field: "planEnd", new: kind }],
      batchId: null,
    });
    expect(preview.data.rejected).toMatchObject([{ duId: held, activityId: survey(), code: "FROZEN" }]);
    expect(await requests()).toEqual([]);
    expect(await setDate(input)).toMatchObject({ status: 422, code: "REASON_REQUIRED" });
    const { data } = await setDate({ ...input, reason: "not in scope" });
    expect(data).toMatchObject({ changed: 1, rejected: [{ duId: held, code: "FROZEN" }], taskId: expect.any(String) });
    expect([...(await requests())]).toEqual([{ kind, reason: "not in scope", status: "processing" }]);
    await runTask(db.app, taskKinds, data.taskId, new AbortController().signal);
    expect(((await plan(free!)).state[0]! >> 1) & 3).toBe(state);
    expect((await plan(held!)).state[0]).toBe(frozen.state);
  });
  it.each(
    ["NA", "INV"].flatMap((value) => ["planStart", "actualStart", "actualEnd"].map((field) => [value, field])),
  )("[RPL-21] refuses %s for %s", async (value, field) =>
    expect(await setDate({ duIds: [1], field, mode: "set", value })).toMatchObject({ status: 422, code: "NA_PLAN_END_ONLY" }));
  it.each([
    ["201 DUs [OPS-19]", { duIds: Array.from({ length: 201 }, (_, i) => i + 1), field: "planEnd", mode: "clear" }, 422, "TOO_MANY_DU"],
    ["a DU of another project", { duIds: [987_654], field: "planEnd", mode: "clear" }, 422, "DU_NOT_FOUND"],
    ["1,096 working days", { duIds: [1], field: "planEnd", mode: "shift", value: 1096 }, 400, "INVALID_INPUT"],
    ["a day that is none", { duIds: [1], field: "planEnd", mode: "set", value: "2026-02-30" }, 400, "INVALID_INPUT"],
  ])("refuses %s", async (_title, input, status, code) => expect(await setDate(input)).toMatchObject({ status, code }));
  it("takes as many DUs as the project's own limit says, and no more [OPS-19]", async () => {
    await setLimit(db.owner, project.id, "select.du", 20);
    const ids = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 21 }, () => ({})),
      project.flow,
    );
    const set = (duIds: number[]) => setDate({ duIds, field: "planEnd", mode: "set", value: "2026-11-02" });
    expect(await set(ids)).toMatchObject({ status: 422, code: "TOO_MANY_DU", msg: expect.stringContaining("20") });
    expect((await set(ids.slice(1))).data.changed).toBe(20);
    await setLimit(db.owner, project.id, "select.du", null);
  });
  it("needs the right", async () =>
    expect(await call(project.viewer, "rolloutPlan/batch/setDate", {})).toMatchObject({ status: 403, code: "NO_PERMISSION" }));
});

describe("rolloutPlan/batch/setOwner", () => {
  const setOwner = (input: Record<string, unknown>, user = project.pm) =>
    call(user, "rolloutPlan/batch/setOwner", { activityIds: [survey()], kinds: ["plan"], mode: "set", ...input });
  const owners = async (duId: number, field: "plan_owner" | "actual_owner" | "attr_owner" = "plan_owner") => {
    const [found] = await db.owner`select user_ids from owner_set where id = ${(await plan(duId))[field]?.[0] ?? 0}`;
    return found?.user_ids ?? [];
  };

  it("[RPL-09] sets, adds and takes out owners of the selected DUs, each cell keeping the order of its people", async () => {
    const { pm, viewer } = project;
    const [own, none] = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_owner: project.ownSet } } }, {}], project.flow);
    const duIds = [own, none];
    const preview = await setOwner({ duIds, mode: "add", value: [viewer.id], preview: true });
    expect(preview.data).toMatchObject({
      changed: 2,
      batchId: null,
      sample: [
        { duId: own, activityId: survey(), field: "planOwner", old: pm.name, new: `${pm.name}, ${viewer.name}` },
        { duId: none, old: null, new: viewer.name },
      ],
    });
    expect(await owners(own!)).toEqual([pm.id]);
    expect((await setOwner({ duIds, mode: "add", value: [viewer.id] })).data).toMatchObject({ changed: 2, batchId: expect.any(Number) });
    expect([await owners(own!), await owners(none!)]).toEqual([[pm.id, viewer.id], [viewer.id]]);
    expect((await setOwner({ duIds, mode: "remove", value: [pm.id] })).data.changed).toBe(1);
    expect(await owners(own!)).toEqual([viewer.id]);
    expect((await setOwner({ duIds, kinds: ["actual", "attribute"], value: [pm.id] })).data.changed).toBe(4);
    expect([await owners(own!, "actual_owner"), await owners(none!, "attr_owner")]).toEqual([[pm.id], [pm.id]]);
    expect((await setOwner({ duIds, value: [] })).data.changed).toBe(2);
    expect(await owners(own!)).toEqual([]);
    expect(await setOwner({ duIds, value: [] })).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
  });
  it("fills only empty cells when asked, and can be undone as a whole", async () => {
    const [own, none] = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_owner: project.ownSet } } }, {}], project.flow);
    const { data } = await setOwner({ duIds: [own, none], value: [project.viewer.id], onlyEmpty: true });
    expect(data.changed).toBe(1);
    expect([await owners(own!), await owners(none!)]).toEqual([[project.pm.id], [project.viewer.id]]);
    expect((await call(project.pm, "rolloutPlan/undo", { batchId: data.batchId })).data.saved).toBe(1);
    expect(await owners(none!)).toEqual([]);
  });
  it("takes a cell to 20 people and refuses the 21st with every other owner of that DU", async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => makeMember(db.owner, project.id, "COMMON_VIEW")));
    const ids = people.map((person) => person.id);
    const nearly = await makeOwnerSet(db.owner, project.id, ids.slice(0, 19));
    const full = await makeOwnerSet(db.owner, project.id, ids);
    const [free, taken] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: { plan_owner: nearly } } }, { plan: { 1: { plan_owner: full } } }],
      project.flow,
    );
    const answer = await setOwner({ duIds: [free, taken], activityIds: [survey(), install()], mode: "add", value: [project.pm.id] });
    expect(answer.data.changed).toBe(2);
    expect(await owners(free!)).toHaveLength(20);
    expect(answer.data.rejected.map((cell: Record<string, unknown>) => [cell.duId, cell.activityId, cell.code])).toEqual([
      [taken, survey(), "TOO_MANY"],
      [taken, install(), "TOO_MANY"],
    ]);
    expect(await owners(taken!)).toHaveLength(20);
  });
  it.each([
    ["201 DUs [OPS-19]", () => ({ duIds: Array.from({ length: 201 }, (_, i) => i + 1), value: [] }), 422, "TOO_MANY_DU"],
    ["somebody from outside the project", () => ({ duIds: [1], value: [project.stranger.id] }), 422, "NOT_MEMBER"],
    ["21 people", () => ({ duIds: [1], value: Array.from({ length: 21 }, (_, i) => i + 1) }), 400, "INVALID_INPUT"],
    ["nobody to add", () => ({ duIds: [1], mode: "add", value: [] }), 400, "INVALID_INPUT"],
    ["a DU of another project", () => ({ duIds: [987_654], value: [] }), 422, "DU_NOT_FOUND"],
    ["no DU", () => ({ duIds: [], value: [] }), 400, "INVALID_INPUT"],
  ])("refuses %s", async (_title, input, status, code) => expect(await setOwner(input())).toMatchObject({ status, code }));
  it("takes 200 DUs [OPS-19]", async () => {
    const ids = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 200 }, () => ({})),
      project.flow,
    );
    expect((await setOwner({ duIds: ids, value: [project.pm.id] })).data.changed).toBe(200);
  });
  it("needs the right", async () =>
    expect(await setOwner({ duIds: [1], value: [] }, project.viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" }));
});

describe("rolloutPlan/batch/setAttribute", () => {
  const setAttribute = (input: Record<string, unknown>, user = project.pm) => call(user, "rolloutPlan/batch/setAttribute", input);
  const ext = async (duId: number) => (await db.owner`select ext from du where id = ${duId}`)[0]!.ext;

  it("[RPL-09] sets an attribute of the selected DUs, only where empty when asked, and clears it", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    const key = `a${attribute.id}`;
    const [one, two] = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    expect((await setAttribute({ duIds: [one], attributeId: attribute.id, value: " north " })).data.changed).toBe(1);
    const preview = await setAttribute({ duIds: [one, two], attributeId: attribute.id, value: "south", preview: true });
    expect(preview.data).toMatchObject({
      changed: 2,
      batchId: null,
      sample: [
        { duId: one, field: key, old: "north", new: "south" },
        { duId: two, old: null, new: "south" },
      ],
    });
    const { data } = await setAttribute({ duIds: [one, two], attributeId: attribute.id, value: "south", onlyEmpty: true });
    expect(data.changed).toBe(1);
    expect([await ext(one!), await ext(two!)]).toEqual([{ [key]: "north" }, { [key]: "south" }]);
    expect((await call(project.pm, "rolloutPlan/undo", { batchId: data.batchId })).data.saved).toBe(1);
    expect(await ext(two!)).toEqual({});
    expect((await setAttribute({ duIds: [one, two], attributeId: attribute.id, value: "" })).data.changed).toBe(1);
    expect(await ext(one!)).toEqual({});
    expect(await setAttribute({ duIds: [one], attributeId: attribute.id, value: null })).toMatchObject({ code: "NOTHING_MODIFIED" });
  });
  it("sets an attribute of activities in those the DUs have", async () => {
    const attribute = await makeAttribute(db.owner, project.id, { type: "NUMBER", level: "ACTIVITY" });
    const [bound, free] = [(await makeDus(db.owner, project.id, [{}], project.flow))[0]!, (await makeDus(db.owner, project.id, [{}]))[0]!];
    const input = { duIds: [bound, free], activityIds: [survey(), install()], attributeId: attribute.id, value: 2.5 };
    expect((await setAttribute(input)).data.changed).toBe(2);
    expect(await ext(bound)).toEqual({ [`a${attribute.id}@1`]: 2.5, [`a${attribute.id}@5`]: 2.5 });
    expect(await ext(free)).toEqual({});
    const { activityIds: _none, ...without } = input;
    expect(await setAttribute(without)).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });
  it.each([
    [99_999_999.99, 200],
    [100_000_000, 400],
    [1.25, 200],
    [1.255, 400],
    ["many", 400],
  ])("takes a number attribute of %s with status %i", async (value, status) => {
    const attribute = await makeAttribute(db.owner, project.id, { type: "NUMBER" });
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    expect((await setAttribute({ duIds: [duId], attributeId: attribute.id, value })).status).toBe(status);
  });
  it("refuses 201 DUs, an unknown attribute, and whoever may not", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    const many = Array.from({ length: 201 }, (_, i) => i + 1);
    expect(await setAttribute({ duIds: many, attributeId: attribute.id, value: "x" })).toMatchObject({ code: "TOO_MANY_DU" });
    expect(await setAttribute({ duIds: [1], attributeId: 987_654, value: "x" })).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(await setAttribute({ duIds: [1], attributeId: attribute.id, value: "x" }, project.viewer)).toMatchObject({
      status: 403,
      code: "NO_PERMISSION",
    });
  });
  it("takes 200 DUs [OPS-19]", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    const ids = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 200 }, () => ({})),
      project.flow,
    );
    expect((await setAttribute({ duIds: ids, attributeId: attribute.id, value: "x" })).data.changed).toBe(200);
  });
});
