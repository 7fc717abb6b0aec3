import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember } from "../../../support/factories.ts";
import { makeAttribute, makeDus } from "../../../support/plan-factories.ts";
import { later, planCalls, usePlanProject } from "../../../support/plan-project.ts";

const day = dayNumber;
const db = useDatabase();
const project = usePlanProject(db);
const { call, save, plan, survey, install } = planCalls(db, project);

describe("rolloutPlan/undo", () => {
  const undo = (user: CtxUser, batchId: number, now = later(1)) => call(user, "rolloutPlan/undo", { batchId }, now);

  it("puts back dates, the order they moved, owners, notes, attributes and DU fields", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    const accepted = withState(1, "workOrder", 3);
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [
        {
          name: "Old",
          rfcNumber: "R1",
          ext: { [attribute.key]: "old" },
          plan: { 1: { state: accepted, plan_owner: project.ownSet, plan_end: "2026-10-12" } },
        },
      ],
      project.flow,
    );
    const saved = await save(project.pm, [
      { duId: duId!, activityId: survey(), field: "actualEnd", value: "2026-10-13" },
      { duId: duId!, activityId: survey(), field: "planEnd", value: "2026-10-15", base: "2026-10-12" },
      { duId: duId!, activityId: install(), field: "planOwner", value: [project.viewer.id] },
      { duId: duId!, activityId: install(), field: "delayReason", value: "rain" },
      { duId: duId!, field: attribute.key, value: "new", base: "old" },
      { duId: duId!, field: "rfcNumber", value: null, base: "R1" },
    ]);
    expect(saved.data).toMatchObject({ saved: 6, rejected: [], conflicts: [] });
    expect((await plan(duId!)).state[0]).toBe(withState(1, "workOrder", 6));
    const answer = await undo(project.pm, saved.data.batchId);
    expect(answer.data).toMatchObject({ saved: 6, rejected: [], conflicts: [] });
    const row = await plan(duId!);
    expect([row.actual_end, row.plan_end, row.plan_owner, row.state[0], row.state[4]]).toEqual([
      null,
      [day("2026-10-12")],
      [project.ownSet],
      accepted,
      1,
    ]);
    expect((await db.owner`select name, rfc_number, ext from du where id = ${duId!}`)[0]).toEqual({
      name: "Old",
      rfc_number: "R1",
      ext: { [attribute.key]: "old" },
    });
    expect(await db.owner`select 1 from du_activity_note where du_id = ${duId!}`).toEqual([]);
    expect((await db.owner`select source, undo_of from plan_batch where id = ${answer.data.batchId}`)[0]).toEqual({
      source: "undo",
      undo_of: saved.data.batchId,
    });
  });

  it("leaves what changed since, and refuses when nothing is left", async () => {
    const ids = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const saved = await save(
      project.pm,
      ids.map((duId) => ({ duId, activityId: survey(), field: "planEnd", value: "2026-10-20" })),
    );
    await save(project.pm, [{ duId: ids[0]!, activityId: survey(), field: "planEnd", value: "2026-10-21", base: "2026-10-20" }]);
    const answer = await undo(project.pm, saved.data.batchId);
    expect(answer.data).toMatchObject({
      saved: 1,
      rejected: [{ duId: ids[0], activityId: survey(), field: "planEnd", code: "CHANGED_SINCE" }],
    });
    expect([(await plan(ids[0]!)).plan_end, (await plan(ids[1]!)).plan_end]).toEqual([[day("2026-10-21")], null]);
    expect(await undo(project.pm, saved.data.batchId)).toMatchObject({ status: 409, code: "CHANGED_SINCE" });
  });

  it("leaves a remark below a score given since that needs one, and says so [RPL-27]", async () => {
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    const at = { duId: duId!, activityId: survey() };
    const remark = await save(project.pm, [
      { ...at, field: "scoreRemark", value: "Late" },
      { ...at, field: "planEnd", value: "2026-10-20" },
    ]);
    const score = await save(project.pm, [{ ...at, field: "score", value: 2 }]);
    expect((await undo(project.pm, remark.data.batchId)).data).toMatchObject({
      saved: 1,
      rejected: [{ ...at, field: "scoreRemark", code: "SCORE_REMARK" }],
    });
    const note = () => db.owner`select score, score_remark as remark from du_activity_note where du_id = ${duId!}`;
    expect(await note()).toEqual([{ score: 2, remark: "Late" }]);
    // Once the score is taken back the remark may go too.
    await undo(project.pm, score.data.batchId);
    expect((await undo(project.pm, remark.data.batchId)).data).toMatchObject({ saved: 1 });
    expect(await note()).toEqual([]);
  });

  it("is open for ten minutes after the batch, to its author, and never for a release", async () => {
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    const saved = await save(project.pm, [{ duId: duId!, activityId: survey(), field: "planEnd", value: "2026-10-20" }]);
    const { batchId } = saved.data;
    expect(await undo(await makeMember(db.owner, project.id, "PM"), batchId)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await undo(project.pm, batchId, new Date(later(10).getTime() + 1))).toMatchObject({ status: 409, code: "UNDO_TOO_LATE" });
    expect(await undo(project.stranger, batchId)).toMatchObject({ status: 403 });
    expect(await undo(project.pm, 987_654)).toMatchObject({ status: 404 });
    expect((await undo(project.pm, batchId, later(10))).status).toBe(200);
    const [release] = await db.owner<{ id: number }[]>`
      insert into plan_batch (project_id, seq, at, actor_id, source, du_count, cell_count) values (${project.id}, 900000, ${clock}, ${project.pm.id}, 'release', 0, 0) returning id`;
    expect(await undo(project.pm, release!.id)).toMatchObject({ status: 422, code: "WRONG_STATUS" });
  });

  it("takes the chunks of one task together", async () => {
    const ids = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const batches: number[] = [];
    for (const duId of ids)
      batches.push((await save(project.pm, [{ duId, activityId: survey(), field: "planEnd", value: "2026-10-20" }])).data.batchId);
    await db.owner`alter table plan_batch disable trigger all`;
    await db.owner`update plan_batch set origin = ${db.owner.json({ kind: "task", id: "t1" })} where id = any(${batches})`;
    await db.owner`alter table plan_batch enable trigger all`;
    expect((await undo(project.pm, batches[1]!)).data.saved).toBe(2);
    expect((await plan(ids[0]!)).plan_end).toBeNull();
  });
});
