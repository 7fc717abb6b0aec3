import { beforeAll, describe, expect, it, vi } from "vitest";
import { transaction } from "#db/client.ts";
import { makeRandom } from "#db/seed/random.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { setCell, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type ReadPlanOptions, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { type MadeActivity, type MadeDu, makeActivities, makeDus, makeFlow } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: { id: number; activities: MadeActivity[] };
const slots = 12;
const first = dayNumber("2026-10-14");

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  const activities = await makeActivities(
    db.owner,
    project.id,
    Array.from({ length: slots }, (_, at) => (at === 3 ? "Integration:ic" : `Activity ${at + 1}`)),
  );
  flow = { id: await makeFlow(db.owner, project.id, pm.id, activities), activities };
});

/** Plans in all stages: activities done, closed, NA, not planned, and rows that end early. */
function makePlans(random: () => number, count: number): MadeDu[] {
  const pick = (most: number) => Math.floor(random() * most);
  return Array.from({ length: count }, () => {
    const done = pick(slots);
    const planned = 1 + pick(slots);
    const plan: MadeDu["plan"] = {};
    for (let slot = 1; slot <= slots; slot++) {
      const state = random() < 0.1 ? withState(1, "na", 1) : slot <= done && random() < 0.2 ? withState(1, "closed", 1) : 1;
      const start = first + pick(30);
      plan[slot] = {
        state: withState(state, "workOrder", 1),
        ...(slot <= planned && { plan_start: start, plan_end: start + pick(5) }),
        ...(slot <= done && { actual_end: first - pick(9) }),
      };
    }
    return { plan };
  });
}

type Move = { row: number; slot: number; start: number; end: number };

const write = (duIds: number[], moves: readonly Move[], options: ReadPlanOptions) =>
  inProject(pm, project.number, async (ctx) => {
    const block = await readPlanRows(ctx, duIds, {
      lock: true,
      fields: ["planStart", "planEnd", "actualStart", "actualEnd", "state"],
      ...options,
    });
    for (const { row, slot, start, end } of moves) {
      setCell(block, row, slot, "planStart", start);
      setCell(block, row, slot, "planEnd", end);
    }
    return writePlanRows(ctx, block, { source: "grid" });
  });

/** Rows as they are stored, without what differs from DU to DU; zeros at the end of an array say nothing. */
async function stored(duIds: number[]) {
  const rows = await db.owner<Record<string, unknown>[]>`
    select p.*, l.cells, l.old, l.new from du_plan p left join plan_log l on l.du_id = p.du_id where p.du_id = any(${duIds}) order by p.du_id`;
  const trimmed = (values: number[]) => values.slice(0, values.findLastIndex((value) => value !== 0) + 1);
  return rows.map(({ du_id: _id, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? trimmed(value) : (value ?? [])])),
  );
}

describe("rows read in part", () => {
  it.each([1, 2, 3])("are written as whole rows would be, with their derived columns and log (%i)", async (seed) => {
    const random = makeRandom(seed);
    const plans = makePlans(random, 60);
    const from = 1 + Math.floor(random() * 6);
    const to = from + 2 + Math.floor(random() * 4);
    const moves = plans.flatMap((_, row) =>
      Array.from({ length: to - from + 1 }, (_unused, at) => from + at)
        .filter(() => random() < 0.6)
        .map((slot): Move => {
          const start = random() < 0.2 ? 0 : first + Math.floor(random() * 40) - 5;
          return { row, slot, start, end: start === 0 ? 0 : start + 2 };
        }),
    );
    const [inPart, whole] = [await makeDus(db.owner, project.id, plans, flow), await makeDus(db.owner, project.id, plans, flow)];
    await db.owner`
      update du_plan set ic_actual_end = case when state[4] & 7 = 1 then coalesce(actual_end[4], 0) else 0 end where project_id = ${project.id}`;
    const activityIds = flow.activities.filter(({ slot }) => slot === from || slot === to).map(({ id }) => id);
    const results = [await write(inPart, moves, { activityIds }), await write(whole, moves, {})];
    expect(results[0]!.written.length).toBeGreaterThan(20);
    expect(results[0]!.written.map((id) => inPart.indexOf(id))).toEqual(results[1]!.written.map((id) => whole.indexOf(id)));
    expect(await stored(inPart)).toEqual(await stored(whole));
  });

  it("reach to the activities that warnings compare theirs with", async () => {
    const [a, b] = [flow.activities[1]!, flow.activities[9]!];
    await db.owner`
      insert into warning_config (project_id, flow_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no, status, created_by,
        created_at, updated_by, updated_at)
      values (${project.id}, ${flow.id}, ${a.id}, 'planEnd', ${b.id}, 'planEnd', 'GT', 30, 'MANDATORY', 'too late', 1, 'ENABLED', ${pm.id}, now(), ${pm.id}, now())`;
    const day = (days: number) => isoDay(first + days) as string;
    const duIds = await makeDus(db.owner, project.id, [{ plan: { 2: { plan_end: day(0) }, 10: { plan_end: day(20) } } }], flow);
    const moved = (days: number) => write(duIds, [{ row: 0, slot: 10, start: 0, end: first + days }], { activityIds: [b.id] });
    expect((await moved(31)).rejected.map(({ code }) => code)).toEqual(["WARNING_MANDATORY"]);
    expect((await moved(30)).written).toEqual(duIds);
    await db.owner`delete from warning_config where project_id = ${project.id}`;
  });

  it("take plan dates of the slots that were read, and nothing else", async () => {
    const duIds = await makeDus(db.owner, project.id, [{}], flow);
    const activityIds = [flow.activities[4]!.id];
    const tries = (change: (block: Awaited<ReturnType<typeof readPlanRows>>) => void) =>
      inProject(pm, project.number, async (ctx) => {
        const block = await readPlanRows(ctx, duIds, { lock: true, activityIds });
        change(block);
        return writePlanRows(ctx, block, { source: "flow" });
      });
    await expect(tries((block) => setCell(block, 0, 6, "planEnd", first))).rejects.toThrow("slot 6 outside");
    await expect(tries((block) => setCell(block, 0, 5, "actualEnd", first))).rejects.toThrow("only plan dates");
  });

  it("name the slots of the activities they are read for, and of no others", async () => {
    const duIds = await makeDus(db.owner, project.id, [{}], flow);
    const [a, b] = [flow.activities[2]!, flow.activities[6]!];
    const read = (activityIds: number[]) =>
      inProject(pm, project.number, async (ctx) => (await readPlanRows(ctx, duIds, { lock: true, activityIds })).part);
    const part = await read([b.id, a.id, 987_654]);
    expect([part?.first, part?.last, [...(part?.slots ?? [])].sort(([left], [right]) => left - right)]).toEqual([
      3,
      7,
      [
        [a.id, 3],
        [b.id, 7],
      ],
    ]);
    expect([...((await read([987_654]))?.slots ?? [])]).toEqual([]);
  });

  // Every writer locks the DU first; who would lock the plan row alone is waited for as well.
  it.each(["du", "du_plan"] as const)("are read as another writer leaves them, once its lock of %s is free", async (table) => {
    const duIds = await makeDus(db.owner, project.id, [{ plan: { 5: { plan_end: first } } }, { plan: { 5: { plan_end: first } } }], flow);
    const [before] = await db.owner<{ version: number }[]>`select row_version as version from du_plan where du_id = ${duIds[0] as number}`;
    let reading: Promise<unknown> | undefined;
    const read = () =>
      inProject(pm, project.number, async (ctx) => {
        const block = await readPlanRows(ctx, [...duIds].reverse(), {
          lock: true,
          fields: ["planStart", "planEnd", "actualStart", "actualEnd", "state"],
          activityIds: [flow.activities[4]!.id],
        });
        const row = block.duIds.indexOf(duIds[0] as number);
        const seen = [block.planEnd[row * block.width + 5], block.versions[row], block.flowIds[row]];
        setCell(block, row, 5, "planEnd", first + 9);
        return { seen, written: (await writePlanRows(ctx, block, { source: "grid" })).written };
      });
    await transaction(db.owner, async (other) => {
      await other`select 1 from ${other(table)} where ${other(table === "du" ? "id" : "du_id")} = ${duIds[0] as number} for no key update`;
      reading = read();
      reading.catch(() => {});
      await vi.waitFor(async () => {
        const waiting = db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock'`;
        expect(await waiting).toHaveLength(1);
      });
      await other`update du_plan set plan_end[5] = ${first + 3}::int, row_version = row_version + 1 where du_id = ${duIds[0] as number}`;
      if (table === "du") await other`update du_flow set unbound_at = now() where du_id = ${duIds[0] as number}`;
    });
    const { seen, written } = (await reading) as Awaited<ReturnType<typeof read>>;
    expect(seen).toEqual([first + 3, (before?.version ?? 0) + 1, table === "du" ? 0 : flow.id]);
    expect(written).toEqual([duIds[0]]);
  });
});
