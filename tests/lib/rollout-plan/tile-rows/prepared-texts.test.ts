import { describe, expect, it } from "vitest";
import { schedules } from "#jobs/schedule.ts";
import { runSlot } from "#lib/core/schedule.ts";
import { decodeTileRow } from "#lib/rollout-plan/plan-rows/logic.ts";
import { prepareTexts } from "#lib/rollout-plan/tile-rows/commands.ts";
import { preparedAtOnce } from "#lib/rollout-plan/tile-rows/limits.ts";
import { readAhead, readAttributes, readRowTexts, readSlice, rememberIds } from "#lib/rollout-plan/tile-rows/queries.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeAttribute, makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, save, survey } = planCalls(db, project);

let made = 0;
/** DUs that no tile has shown yet. */
const makeUnread = (count: number, ext: Record<string, unknown> = {}) => {
  const prefix = `READ-${++made}-`;
  const dus = Array.from({ length: count }, (_, at) => ({
    code: `${prefix}${String(at).padStart(4, "0")}`,
    ext,
    plan: { 1: { plan_start: "2026-10-14", plan_end: "2026-10-16", plan_owner: project.ownSet } },
  }));
  return { prefix, ids: makeDus(db.owner, project.id, dus, project.flow) };
};

async function open(prefix: string): Promise<string> {
  return (await call(project.pm, "wbs/filter", { search: { field: "code", text: prefix } })).data.queryId;
}

async function tile(queryId: string) {
  const { data } = await call(project.pm, "rolloutPlan/tile", { queryId, from: 0, count: 200, parts: { plan: true } });
  return (data.rows as string[]).map(decodeTileRow);
}

const textsOf = (ids: readonly number[]) => db.owner<{ du_id: number; version: number; text: string; sets: number[] }[]>`
  select du_id, version, text, sets from du_plan_text where du_id = any(${ids as number[]}) order by du_id`;

describe("prepared row texts", () => {
  it("are what the arrays of the row give, with its owner sets", async () => {
    const { prefix, ids } = makeUnread(2);
    const [first] = await ids;
    expect(await prepareTexts(db.app, project.id)).toBeGreaterThanOrEqual(2);
    const prepared = await textsOf(await ids);
    // A changed version is read by its arrays.
    await db.owner`update du_plan set row_version = row_version + 1 where du_id = ${first!}`;
    const [fromArrays, fromText] = await tile(await open(prefix));
    expect(fromText).toEqual(decodeTileRow(prepared[1]!.text));
    expect({ ...fromArrays, rowVersion: 1 }).toEqual({ ...decodeTileRow(prepared[0]!.text), rowVersion: 1 });
    expect(fromArrays!.rowVersion).toBe(prepared[0]!.version + 1);
    expect(prepared[0]!.sets).toEqual([project.ownSet]);
  });

  it("stand for a row of their version alone: of another version of row or flow they are passed over", async () => {
    const { prefix, ids } = makeUnread(3);
    const [held, ofOldRow, ofOldFlow] = (await ids) as [number, number, number];
    await prepareTexts(db.app, project.id);
    const [strange] = await textsOf([held]);
    const text = strange!.text;
    await db.owner`update du_plan_text set text = ${text}, version = version - 1 where du_id = ${ofOldRow}`;
    await db.owner`update du_plan_text set text = ${text}, flow_version = flow_version - 1 where du_id = ${ofOldFlow}`;
    await db.owner`update du_plan set plan_end[1] = plan_end[1] + 7 where du_id = ${held}`;
    const rows = await tile(await open(prefix));
    const days = decodeTileRow(text).dates;
    // The plan moved behind the back of its version, which no change of the product does: what is shown tells that the text was used.
    expect(rows.map((row) => [row.duId, row.dates[1]])).toEqual([
      [held, days[1]],
      [ofOldRow, days[1]],
      [ofOldFlow, days[1]],
    ]);
  });

  it("are prepared anew where plan or flow moved on, and only there; those of deleted DUs go", async () => {
    const { ids } = makeUnread(2);
    const [changed, gone] = (await ids) as [number, number];
    await prepareTexts(db.app, project.id);
    expect(await prepareTexts(db.app, project.id)).toBe(0);
    await save(project.pm, [{ duId: changed, activityId: survey(), field: "planEnd", value: "2026-10-20", base: "2026-10-16" }]);
    await db.owner`update du set deleted_at = now() where id = ${gone}`;
    expect(await prepareTexts(db.app, project.id)).toBe(1);
    expect((await textsOf([changed, gone])).map((row) => row.du_id)).toEqual([changed]);
    await db.owner`update activity_flow set version = version + 1 where id = ${project.flow.id}`;
    const [{ count } = { count: 0 }] = await db.owner<{ count: number }[]>`
      select count(*)::int from du where project_id = ${project.id} and deleted_at is null`;
    expect(await prepareTexts(db.app, project.id)).toBe(count);
  });

  it("are prepared by the worker every ten minutes, more than one statement takes", async () => {
    const count = preparedAtOnce + 1;
    const { ids } = makeUnread(count);
    const wanted = await ids;
    const schedule = schedules.find(({ name }) => name === "plan.prepareTexts")!;
    expect(schedule.due).toEqual({ everyMinutes: 10 });
    await runSlot(db.app, schedule, { name: schedule.name, projectId: project.id, slot: clock.toISOString() }, clock);
    expect(await textsOf(wanted)).toHaveLength(count);
  });
});

describe("rows read ahead", () => {
  const part = { plan: true, released: false, attributes: true };

  it("are used where they are as new as the slice", async () => {
    const attribute = await makeAttribute(db.owner, project.id, { type: "TEXT" });
    const { prefix, ids } = makeUnread(25, { [attribute.key]: "read" });
    const wanted = await ids;
    const queryId = await open(prefix);
    await inProject(project.pm, project.number, async (ctx) => {
      const ahead = readAhead(ctx, { queryId, from: 0, count: 25 }, part);
      expect([ahead.rows?.ids.size, ahead.attributes?.ids.size]).toEqual([25, 25]);
      const { rows } = await readSlice(ctx, queryId, 0, 25);
      const texts = await readRowTexts(ctx, rows, false, ahead.rows);
      expect(texts.map(({ text }) => decodeTileRow(text).duId)).toEqual(wanted);
      expect(await readAttributes(ctx, rows, ahead.attributes)).toEqual(wanted.map(() => ({ [attribute.key]: "read" })));
      expect(readAhead(ctx, { queryId, from: 0, count: 25 }, part)).toEqual({ rows: null, attributes: null });
    });
  });

  it("are read once more where they are older than the slice, and give nothing that is not in the slice", async () => {
    const attribute = await makeAttribute(db.owner, project.id, { type: "TEXT" });
    const { prefix, ids } = makeUnread(3, { [attribute.key]: "before" });
    const [first, second, third] = (await ids) as [number, number, number];
    const queryId = await open(prefix);
    await inProject(project.pm, project.number, async (ctx) => {
      const ahead = readAhead(ctx, { queryId, from: 0, count: 3 }, part);
      await Promise.all([...ahead.rows!.parts, ...ahead.attributes!.parts]);
      await db.owner`update du_plan set plan_end[1] = plan_end[1] + 1, row_version = row_version + 1 where du_id = ${first}`;
      await db.owner`update du set ext = ext || ${db.owner.json({ [attribute.key]: "after" })}, row_version = row_version + 1 where id = ${second}`;
      await db.owner`update du set deleted_at = now() where id = ${third}`;
      const { rows } = await readSlice(ctx, queryId, 0, 3);
      const texts = await readRowTexts(ctx, rows, false, ahead.rows);
      const shown = texts.map(({ text }) => decodeTileRow(text));
      expect(shown.map((row) => row.duId)).toEqual([first, second]);
      expect(shown[0]!.dates[1]! - shown[1]!.dates[1]!).toBe(1);
      expect(await readAttributes(ctx, rows, ahead.attributes)).toEqual([{ [attribute.key]: "before" }, { [attribute.key]: "after" }]);
    });
  });

  it("are of the caller's own project, whatever a result names", async () => {
    const { ids } = makeUnread(1);
    rememberIds("00000000-0000-4000-8000-000000000000", await ids);
    const strangers = await db.owner<{ number: string }[]>`
      select p.number from project p join project_member m on m.project_id = p.id where m.user_id = ${project.stranger.id}`;
    await inProject(project.stranger, strangers[0]!.number, async (ctx) => {
      const ahead = readAhead(ctx, { queryId: "00000000-0000-4000-8000-000000000000", from: 0, count: 1 }, part);
      expect(await Promise.all([...ahead.rows!.parts, ...ahead.attributes!.parts])).toEqual([[], []]);
    });
  });
});
