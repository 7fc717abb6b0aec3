import { beforeAll, describe, expect, it } from "vitest";
import { getSql, transaction } from "#db/client.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { logDuChanges } from "#lib/rollout-plan/plan-log/commands.ts";
import { applyStatePatches, changePlanRows, insertPlanRows, patchPlanState, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { manyRows } from "#lib/rollout-plan/plan-rows/limits.ts";
import { getCell, setCell, stateValue, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import {
  type MadeActivity,
  makeActivities,
  makeDuOwner,
  makeDus,
  makeFlow,
  makeOwnerSet,
  setSwitch,
} from "../../../support/plan-factories.ts";

const day = dayNumber;
const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let activities: MadeActivity[];
let flow: { id: number; activities: MadeActivity[] };

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  activities = await makeActivities(db.owner, project.id, ["Survey", "Design", "RFI", "MOS:mos", "Install", "Integration:ic", "PAC"]);
  flow = { id: await makeFlow(db.owner, project.id, pm.id, activities), activities };
});

const log = (batchId: number | null) =>
  db.owner<{ du_id: number; flow_id: number; cells: number[]; old: number[]; new: number[]; attrs: unknown }[]>`
    select du_id, flow_id, cells, old, new, attrs from plan_log where batch_id = ${batchId} order by du_id`;

describe("writePlanRows", () => {
  it("writes the row, its derived columns, the packed log row, the batch and the change number together", async () => {
    const owner = await makeOwnerSet(db.owner, project.id, [pm.id]);
    const other = await makeOwnerSet(db.owner, project.id, [pm.id, (await makeMember(db.owner, project.id, "TL")).id]);
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 7: { plan_start: "2026-10-12", plan_end: "2026-10-14", plan_owner: owner } } }],
      flow,
    );
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, [duId!], { lock: true });
      setCell(block, 0, 7, "planEnd", day("2026-10-19"));
      setCell(block, 0, 7, "planOwner", other);
      return writePlanRows(ctx, block, { source: "grid", reason: "rain", origin: { kind: "test", id: 1 } });
    });
    expect(result).toMatchObject({ written: [duId], cells: 2, rejected: [], moved: [] });
    expect(
      await db.owner`select at, actor_id, project_id, request_id, event, address, detail from audit_log where object = ${`plan batch ${result.batchId}`}`,
    ).toEqual([
      {
        at: clock,
        actor_id: pm.id,
        project_id: project.id,
        request_id: "test",
        event: "write",
        address: "test",
        detail: { before: null, after: { batchId: result.batchId } },
      },
    ]);
    expect(await log(result.batchId)).toEqual([
      { du_id: duId, flow_id: flow.id, cells: [114, 122], old: [9783, owner], new: [9788, other], attrs: null },
    ]);
    const [row] =
      await db.owner`select plan_end, plan_owner, last_plan_end, next_plan_end, applicable_count, row_version from du_plan where du_id = ${duId!}`;
    expect(row).toEqual({
      plan_end: [0, 0, 0, 0, 0, 0, 9788],
      plan_owner: [0, 0, 0, 0, 0, 0, other],
      last_plan_end: 9788,
      next_plan_end: 9788,
      applicable_count: 7,
      row_version: 2,
    });
    const [batch] =
      await db.owner`select seq, actor_id, source, reason, origin, du_count, cell_count from plan_batch where id = ${result.batchId}`;
    expect(batch).toEqual({
      seq: result.seq,
      actor_id: pm.id,
      source: "grid",
      reason: "rain",
      origin: { kind: "test", id: 1 },
      du_count: 1,
      cell_count: 2,
    });
    const [seq] = await db.owner`select seq from plan_seq where project_id = ${project.id}`;
    expect(seq).toEqual({ seq: result.seq });
  });

  it("writes the good DUs whole and nothing of a DU with one refused cell", async () => {
    const ids = await makeDus(db.owner, project.id, [{}, {}], flow);
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids, { lock: true });
      setCell(block, 0, 1, "planEnd", day("2026-10-20"));
      setCell(block, 1, 1, "planEnd", day("2026-10-20"));
      setCell(block, 1, 2, "planEnd", day("2029-10-15"));
      return writePlanRows(ctx, block, { source: "grid" });
    });
    expect(result.written).toEqual([ids[0]]);
    expect(result.rejected.map(({ duId, slot, code, withDu }) => [duId, slot, code, withDu])).toEqual([
      [ids[1], 2, "PLAN_TOO_FAR", false],
      [ids[1], 1, "PLAN_TOO_FAR", true],
    ]);
    const rows = await db.owner`select plan_end from du_plan where du_id = any(${ids}) order by du_id`;
    expect(rows.map((row) => row.plan_end)).toEqual([[9789], [0, 0, 0, 0, 0, 0, 0]]);
  });

  it("writes nothing and makes no batch when nothing changed", async () => {
    const ids = await makeDus(db.owner, project.id, [{}], flow);
    const result = await inProject(pm, project.number, async (ctx) =>
      writePlanRows(ctx, await readPlanRows(ctx, ids, { lock: true }), { source: "grid" }),
    );
    expect(result).toEqual({ batchId: null, seq: null, written: [], cells: 0, rejected: [], moved: [], questions: [] });
  });

  it("leaves out rows that moved since a read without locks", async () => {
    const ids = await makeDus(db.owner, project.id, [{}, {}], flow);
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids);
      await db.owner`update du_plan set row_version = row_version + 1 where du_id = ${ids[0]!}`;
      for (const row of [0, 1]) setCell(block, row, 1, "planEnd", 9790);
      return writePlanRows(ctx, block, { source: "schedule" });
    });
    expect([result.written, result.moved]).toEqual([[ids[1]], [ids[0]]]);
  });

  it("turns a released plan into a changed one for plan dates, owners and relations, not for actual dates", async () => {
    const owner = await makeOwnerSet(db.owner, project.id, [pm.id, pm.id + 100_000]);
    const ids = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_owner: owner } } }, {}, {}, {}], flow);
    await db.owner`update du_plan set release_state = 1 where du_id = any(${ids})`;
    await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids, { lock: true });
      setCell(block, 0, 1, "actualEnd", 9780);
      setCell(block, 1, 1, "planEnd", 9790);
      setCell(block, 2, 1, "planOwner", owner);
      return writePlanRows(ctx, block, { source: "grid", relationsChanged: new Set([ids[3]!]) });
    });
    const rows = await db.owner`select release_state from du_plan where du_id = any(${ids}) order by du_id`;
    expect(rows.map((row) => row.release_state)).toEqual([1, 2, 2, 2]);
  });

  it("moves the order with the dates: scheduled by scheduling, completed by an actual end, back when a plan date goes", async () => {
    const owner = await makeOwnerSet(db.owner, project.id, [pm.id, pm.id + 200_000]);
    const ids = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_owner: owner } } }], flow);
    const order = async () => {
      const [row] = await db.owner<{ state: number[] }[]>`select state from du_plan where du_id = ${ids[0]!}`;
      return [1, 2].map((slot) => stateValue(row!.state[slot - 1]!, "workOrder"));
    };
    const write = (source: "grid" | "schedule", cells: [slot: number, field: "planStart" | "planEnd" | "actualEnd", value: number][]) =>
      inProject(pm, project.number, async (ctx) => {
        const block = await readPlanRows(ctx, ids, { lock: true });
        for (const [slot, field, value] of cells) setCell(block, 0, slot, field, value);
        return writePlanRows(ctx, block, { source, reason: "test" });
      });
    await write("schedule", [
      [1, "planStart", 9790],
      [1, "planEnd", 9791],
      [2, "planStart", 9792],
      [2, "planEnd", 9793],
    ]);
    expect(await order()).toEqual([1, 1]);
    const { batchId } = await write("grid", [
      [1, "actualEnd", 9780],
      [2, "planStart", 0],
    ]);
    expect(await order()).toEqual([6, 0]);
    expect((await log(batchId))[0]!.cells).toEqual([20, 25, 33, 41]);
    await write("grid", [[1, "actualEnd", 0]]);
    expect((await order())[0]).toBe(1);
  });

  it("asks the data control flag: under it only the DU's owners edit [PRM-23]", async () => {
    const controlled = await makeProject(db.owner);
    const planner = await makeMember(db.owner, controlled.id, "PM");
    const colleague = await makeMember(db.owner, controlled.id, "PM");
    const library = await makeActivities(db.owner, controlled.id, ["A"]);
    const its = { id: await makeFlow(db.owner, controlled.id, planner.id, library), activities: library };
    const ids = await makeDus(db.owner, controlled.id, [{}, {}], its);
    await makeDuOwner(db.owner, ids[0]!, colleague.id);
    await setSwitch(db.owner, controlled.id, "dataControl", "Y");
    const result = await inProject(planner, controlled.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids, { lock: true });
      for (const row of [0, 1]) setCell(block, row, 1, "planEnd", 9790);
      return writePlanRows(ctx, block, { source: "grid" });
    });
    expect(result.rejected.map(({ duId, code }) => [duId, code])).toEqual([[ids[0], "NO_PERMISSION"]]);
    expect(result.written).toEqual([ids[1]]);
  });

  it("writes attributes, DU columns and notes with the plan in one batch", async () => {
    await db.owner`
      insert into attribute (id, project_id, key, name, type, level) overriding system value values
        (1, ${project.id}, 'a1', 'One', 'TEXT', 'DU'), (2, ${project.id}, 'a2', 'Two', 'NUMBER', 'DU'), (3, ${project.id}, 'a3', 'Three', 'NUMBER', 'ACTIVITY')`;
    const ids = await makeDus(db.owner, project.id, [{ ext: { a1: "old", a2: 5 } }], flow);
    const duId = ids[0]!;
    const note = { delayReason: "rain", score: 2, scoreRemark: "muddy", closedAt: null, closedBy: null };
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids, { lock: true });
      return writePlanRows(ctx, block, {
        source: "grid",
        patches: [
          {
            duId,
            duVersion: 1,
            ext: { a1: ["old", "new"], a2: [5, null], "a3@2": [null, 7] },
            fields: { name: ["x", "New name"], rfi_priority: [null, 3] },
            notes: [{ slot: 2, note, changes: { delayReason: [null, "rain"], score: [null, 2] } }],
          },
        ],
      });
    });
    const [du] = await db.owner`select name, rfi_priority, ext, row_version from du where id = ${duId}`;
    expect(du).toEqual({ name: "New name", rfi_priority: 3, ext: { a1: "new", "a3@2": 7 }, row_version: 2 });
    expect((await log(result.batchId))[0]).toMatchObject({
      cells: [41],
      attrs: {
        a1: ["old", "new"],
        a2: [5, null],
        "a3@2": [null, 7],
        "du.name": ["x", "New name"],
        "du.rfi_priority": [null, 3],
        "note.delayReason@2": [null, "rain"],
        "note.score@2": [null, 2],
      },
    });
    expect(await db.owner`select slot, delay_reason, score, score_remark from du_activity_note where du_id = ${duId}`).toEqual([
      { slot: 2, delay_reason: "rain", score: 2, score_remark: "muddy" },
    ]);
    const [plan] = await db.owner<{ state: number[] }[]>`select state from du_plan where du_id = ${duId}`;
    expect(stateValue(plan!.state[1]!, "note")).toBe(1);
    await inProject(pm, project.number, async (ctx) =>
      writePlanRows(ctx, await readPlanRows(ctx, ids, { lock: true }), {
        source: "grid",
        patches: [{ duId, duVersion: 2, notes: [{ slot: 2, note: null, changes: { delayReason: ["rain", null] } }] }],
      }),
    );
    expect(await db.owner`select 1 from du_activity_note where du_id = ${duId}`).toEqual([]);
  });

  it("logs the version instead of the copied cells for a release", async () => {
    const ids = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_end: 9790 } } }], flow);
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids, { lock: true });
      setCell(block, 0, 1, "releasedEnd", 9790);
      setCell(block, 0, 1, "baselineEnd", 9790);
      setCell(block, 0, 1, "planEnd", 9791);
      block.releaseStates[0] = 1;
      return writePlanRows(ctx, block, { source: "release", logAttrs: { released: 44 } });
    });
    expect((await log(result.batchId))[0]).toMatchObject({ cells: [18], attrs: { released: 44 } });
    const [row] = await db.owner`select release_state, released_end from du_plan where du_id = ${ids[0]!}`;
    expect(row).toEqual({ release_state: 1, released_end: [9790] });
  });
});

describe("changePlanRows", () => {
  it("computes rows that moved meanwhile again and keeps the other change", async () => {
    const ids = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_end: 9790 } } }, { plan: { 1: { plan_end: 9795 } } }], flow);
    let runs = 0;
    const result = await inProject(pm, project.number, (ctx) =>
      changePlanRows(
        ctx,
        ids,
        async (block) => {
          for (let row = 0; row < block.duIds.length; row++) setCell(block, row, 2, "planEnd", getCell(block, row, 1, "planEnd") + 5);
          if (++runs === 1) await db.owner`update du_plan set plan_end = '{9800}', row_version = row_version + 1 where du_id = ${ids[0]!}`;
        },
        { source: "rule" },
      ),
    );
    expect(result.written).toEqual(ids);
    const rows = await db.owner`select plan_end from du_plan where du_id = any(${ids}) order by du_id`;
    expect(rows.map((row) => row.plan_end)).toEqual([
      [9800, 9805],
      [9795, 9800],
    ]);
  });
});

describe("patchPlanState", () => {
  it("sets and clears bits of the area's own, logged like a cell", async () => {
    const ids = await makeDus(db.owner, project.id, [{}], flow);
    const result = await inProject(pm, project.number, (ctx) =>
      patchPlanState(ctx, [{ duId: ids[0]!, slot: 3, set: { frozen: 1, fixed: 1 } }], { owner: "scheduling", source: "grid" }),
    );
    expect(await log(result.batchId)).toMatchObject([{ cells: [57], old: [1], new: [withState(withState(1, "frozen", 1), "fixed", 1)] }]);
    await inProject(pm, project.number, (ctx) =>
      patchPlanState(ctx, [{ duId: ids[0]!, slot: 3, clear: ["frozen"] }], { owner: "scheduling", source: "grid" }),
    );
    const [row] = await db.owner<{ state: number[] }[]>`select state from du_plan where du_id = ${ids[0]!}`;
    expect(row!.state[2]).toBe(withState(1, "fixed", 1));
  });
  it("refuses a bit of another area", async () => {
    const ids = await makeDus(db.owner, project.id, [{}], flow);
    await expect(
      inProject(pm, project.number, async (ctx) =>
        applyStatePatches(await readPlanRows(ctx, ids), [{ duId: ids[0]!, slot: 1, set: { frozen: 1 } }], "work-orders"),
      ),
    ).rejects.toThrow("the state bit frozen belongs to scheduling");
  });
});

describe("what stands beside", () => {
  it("reads no DU of another project and none that is deleted", async () => {
    const other = await makeProject(db.owner);
    const [foreign] = await makeDus(db.owner, other.id, [{}]);
    const ids = await makeDus(db.owner, project.id, [{}, {}], flow);
    await db.owner`update du set deleted_at = now() where id = ${ids[1]!}`;
    const block = await inProject(pm, project.number, (ctx) => readPlanRows(ctx, [foreign!, ids[1]!, ids[0]!, ids[0]!]));
    expect(block.duIds).toEqual([ids[0]]);
  });
  it("makes one owner set per ordered list of people, even when two writers ask at once", async () => {
    const people = [pm.id, (await makeMember(db.owner, project.id, "TL")).id];
    const ask = () => inProject(pm, project.number, (ctx) => resolveOwnerSets(ctx, [people, [...people].reverse(), people, []]));
    const [one, two] = await Promise.all([ask(), ask()]);
    expect(one).toEqual(two);
    expect(one.size).toBe(2);
    expect(await db.owner`select user_ids from owner_set where id = ${one.get(people.join(","))!}`).toEqual([{ user_ids: people }]);
  });
  it("makes plan rows of new DUs and logs their fields in the project's change numbers", async () => {
    const [site] = await db.owner`insert into customer_site (project_id, code, name) values (${project.id}, 'S-new', 'x') returning id`;
    const [du] = await db.owner<
      { id: number }[]
    >`insert into du (project_id, code, name, site_id) values (${project.id}, 'NEW', 'x', ${site!.id}) returning id`;
    const made = await inProject(pm, project.number, async (ctx) => {
      await insertPlanRows(ctx, [du!.id]);
      return logDuChanges(ctx, [{ duId: du!.id, attrs: { "du.code": [null, "NEW"] } }], { source: "import" });
    });
    expect(await log(made!.batchId)).toEqual([
      { du_id: du!.id, flow_id: null, cells: [], old: [], new: [], attrs: { "du.code": [null, "NEW"] } },
    ]);
    expect(await db.owner`select state, applicable_count from du_plan where du_id = ${du!.id}`).toEqual([
      { state: [], applicable_count: 0 },
    ]);
  });
  it("inserts the row of a DU made in the same transaction with its values, beside a row that is there, in one batch", async () => {
    const [present] = await makeDus(db.owner, project.id, [{}], flow);
    const [site] = await db.owner`insert into customer_site (project_id, code, name) values (${project.id}, 'S-made', 'x') returning id`;
    const [du] = await db.owner<
      { id: number }[]
    >`insert into du (project_id, code, name, site_id) values (${project.id}, 'MADE', 'x', ${site!.id}) returning id`;
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, [present!], { lock: true, made: [du!.id] });
      expect(block.duIds).toEqual([present, du!.id]);
      setCell(block, 0, 1, "planEnd", 9790);
      setCell(block, 1, 2, "state", 1);
      setCell(block, 1, 2, "planEnd", 9791);
      const begins = { "du.code": [null, "MADE"] as [unknown, unknown] };
      return writePlanRows(ctx, block, { source: "import", patches: [{ duId: du!.id, duVersion: 1, begins }] });
    });
    expect(result).toMatchObject({ written: [present, du!.id], rejected: [] });
    expect((await log(result.batchId)).map(({ du_id, cells, attrs }) => [du_id, cells, attrs])).toEqual([
      [present, [18], null],
      [du!.id, [34, 41], { "du.code": [null, "MADE"] }],
    ]);
    const rows =
      await db.owner`select plan_end, applicable_count, row_version from du_plan where du_id in (${present!}, ${du!.id}) order by du_id`;
    expect(rows).toEqual([
      { plan_end: [9790], applicable_count: 7, row_version: 2 },
      { plan_end: [0, 9791], applicable_count: 1, row_version: 1 },
    ]);
  });
  it.each([manyRows - 1, manyRows])("writes %i rows as each is, whether they say the same in turn, differ, or are empty", async (count) => {
    const people = [await makeMember(db.owner, project.id, "TL"), await makeMember(db.owner, project.id, "TL")];
    const owners = await Promise.all(people.map(({ id }) => makeOwnerSet(db.owner, project.id, [id])));
    const duIds = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: count }, () => ({ plan: { 2: { plan_start: "2026-10-12", plan_end: "2026-10-14" } } })),
      flow,
    );
    const ownerOf = (row: number) => (row < 10 ? 0 : (owners[Math.floor(row / 300) % 2] as number));
    await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, duIds, { lock: true });
      for (let row = 0; row < count; row++) {
        setCell(block, row, 2, "planStart", row % 500 === 7 ? 0 : 9_700);
        setCell(block, row, 2, "planEnd", 9_790 + row);
        setCell(block, row, 3, "planOwner", ownerOf(row));
      }
      await writePlanRows(ctx, block, { source: "import" });
    });
    const rows = await db.owner<{ plan_start: number[] | null; plan_end: number[]; plan_owner: number[] | null; state: number[] }[]>`
      select plan_start, plan_end, plan_owner, state from du_plan where du_id = any(${duIds}) order by du_id`;
    expect(rows.map(({ plan_start, plan_end, plan_owner }) => ({ plan_start, plan_end, plan_owner }))).toEqual(
      duIds.map((_, row) => ({
        plan_start: row % 500 === 7 ? null : [0, 9_700],
        plan_end: [0, 9_790 + row],
        plan_owner: ownerOf(row) === 0 ? null : [0, 0, ownerOf(row)],
      })),
    );
    expect(new Set(rows.map(({ state }) => state.length))).toEqual(new Set([7]));
  });
  it("announces the change to open screens when it commits", async () => {
    const heard: string[] = [];
    const { unlisten } = await db.app.listen("plan_changes", (payload) => heard.push(payload));
    const ids = await makeDus(db.owner, project.id, [{}], flow);
    const result = await inProject(pm, project.number, async (ctx) => {
      const block = await readPlanRows(ctx, ids, { lock: true });
      setCell(block, 0, 1, "planEnd", 9790);
      return writePlanRows(ctx, block, { source: "grid" });
    });
    await expect
      .poll(() => heard.map((text) => JSON.parse(text)))
      .toContainEqual(expect.objectContaining({ projectId: project.id, seq: result.seq, duIds: ids }));
    await unlisten();
  });
  it("gives every batch the next number in the order of commits, with twenty writers at once", async () => {
    const ids = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 20 }, () => ({})),
      flow,
    );
    const results = await Promise.all(
      ids.map((id) =>
        inProject(pm, project.number, async (ctx) => {
          const block = await readPlanRows(ctx, [id], { lock: true });
          setCell(block, 0, 1, "planEnd", 9790);
          return writePlanRows(ctx, block, { source: "grid" });
        }),
      ),
    );
    const seqs = results.map((result) => result.seq as number).sort((a, b) => a - b);
    expect(seqs.at(-1)! - seqs[0]!).toBe(19);
    expect(new Set(seqs).size).toBe(20);
  });
  it("never locks two writers against each other, whatever the order they name their DUs in", async () => {
    const ids = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: 30 }, () => ({})),
      flow,
    );
    const write = (order: number[], value: number) =>
      inProject(pm, project.number, async (ctx) => {
        const block = await readPlanRows(ctx, order, { lock: true });
        for (let row = 0; row < block.duIds.length; row++) setCell(block, row, 1, "planEnd", value);
        return writePlanRows(ctx, block, { source: "grid" });
      });
    const results = await Promise.all(Array.from({ length: 6 }, (_, i) => write(i % 2 ? [...ids].reverse() : ids, 9790 + i)));
    expect(results.map((result) => result.written.length)).toEqual(Array(6).fill(30));
    const rows = await db.owner<{ plan_end: number[] }[]>`select distinct plan_end from du_plan where du_id = any(${ids})`;
    expect(rows).toHaveLength(1);
  });
  it("lets nobody change the log, the application's own login included", async () => {
    await expect(transaction(getSql(), (sql) => sql`update plan_log set flow_id = null`)).rejects.toThrow(/permission denied|append only/);
    await expect(db.owner`delete from plan_batch`).rejects.toThrow(/append only/);
  });
});
