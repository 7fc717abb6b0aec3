import type { PendingQuery, Row } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Sql } from "#db/client.ts";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { errorText } from "#lib/core/texts.ts";
import { applyTries } from "#lib/planning-engine/outputs/limits.ts";
import { outputTables } from "#lib/planning-engine/publication/logic.ts";
import { clearOutputs } from "#lib/planning-engine/runs/commands.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { bitMask } from "#lib/rollout-plan/plan-rows/logic.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type EngineVersion, engineCalls } from "#tests/support/engine-version.ts";
import { makeMember } from "#tests/support/factories.ts";
import { makeDuOwner, setSwitch } from "#tests/support/plan-factories.ts";
import { later, usePlanProject } from "#tests/support/plan-project.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
const project = usePlanProject(db);
const { call, ok, work, plan, makeVersion } = engineCalls(db, project);
const { workbook } = importsOf(db, () => ({ project, user: project.pm }));
let version: EngineVersion;
let runId: number;
const page = { filters: [], page: 1, size: 20 };
const byRun = () => encodeURIComponent(JSON.stringify([{ field: "runId", type: "eq", values: [runId] }]));

beforeAll(async () => {
  // The third DU waits for antennas that come on Monday the 16th.
  version = await makeVersion("O", { inbound: "2026-11-16" });
  const { runId: made, status } = await plan(version.versionId);
  expect(status.status, status.message).toBe("success");
  runId = made;
});

describe("engine/output/find", () => {
  it("gives the plan of the last run of a version, DU by DU, with totals of what is asked for [ENG-43]", async () => {
    const { versionId, dus } = version;
    const all = await ok("engine/output/find/outputPlan", { versionId, ...page });
    expect(all.run).toMatchObject({ id: runId, status: "success", planStartDate: "2026-11-02" });
    expect(all.totals).toMatchObject({ gapDus: 0, lateDus: 2, firstStart: "2026-11-02", lastEnd: "2026-11-18" });
    expect(all.choices).toEqual({ regions: ["North", "South"], clusters: [], workflows: ["NEW"] });
    expect(all.records.map(({ duCode, lastEnd, lateDays }: Record<string, unknown>) => [duCode, lastEnd, lateDays])).toEqual([
      ["O-1", "2026-11-05", 0],
      ["O-2", "2026-11-10", 4],
      ["O-3", "2026-11-18", 12],
    ]);
    const late = { ...page, filters: [{ field: "late", type: "eq", values: [true] }], sort: [{ field: "lateDays", dir: "desc" }] };
    const found = await ok("engine/output/find/outputPlan", { runId, ...late });
    expect(found.records.map(({ duId }: { duId: number }) => duId)).toEqual([dus[2], dus[1]]);
    expect(found.totals.lateDays).toBe(16);
    const south = { ...page, filters: [{ field: "region", type: "in", values: ["South"] }] };
    expect((await ok("engine/output/find/outputPlan", { runId, ...south })).total).toBe(1);
    expect((await call(project.viewer, "engine/output/find/outputPlan", { runId, ...page })).status).toBe(403);
    expect((await call(project.stranger, "engine/output/find/outputPlan", { runId, ...page })).status).toBe(403);
    const { id } = await ok("engine/version/save", { versionName: "No output" });
    expect(await call(project.pm, "engine/output/find/outputPlan", { versionId: id, ...page })).toMatchObject({
      code: "NO_OUTPUT",
      status: 404,
    });
  });

  it("searches the DUs for one entry in codes and names, or for several codes, at most 500 [OPS-30]", async () => {
    const filters = (text: string) => [searchCondition(text)!];
    const byAddress = (text: string) =>
      `nc/activity/planning/find/list/1/20/default/${encodeURIComponent(JSON.stringify([{ field: "runId", type: "eq", values: [runId] }, ...filters(text)]))}`;
    const entries = (count: number) => Array.from({ length: count }, (_, at) => `entry-${at}`).join(", ");
    for (const [text, codes] of [
      ["o-", ["O-1", "O-2", "O-3"]],
      ["name of o-2", ["O-2"]],
      ["O-3, O-1\nO-", ["O-1", "O-3"]],
      [entries(searchEntriesMax), []],
    ] as const) {
      const codesOf = ({ records }: { records: { duCode: string }[] }) => records.map(({ duCode }) => duCode);
      const said = text.slice(0, 20);
      expect(codesOf(await ok("engine/output/find/outputPlan", { runId, ...page, filters: filters(text) })), said).toEqual(codes);
      expect(codesOf(await ok("engine/output/find/compare", { runId, ...page, filters: filters(text) })), said).toEqual(codes);
      expect(codesOf(await ok(byAddress(text))), said).toEqual(codes);
    }
    expect(await call(project.pm, byAddress(entries(searchEntriesMax + 1)))).toMatchObject({ status: 422, code: "SEARCH_TOO_MANY" });
  });

  it("says of every activity why its date is what it is, and which supply it takes [ENG-44]", async () => {
    const of = (at: number) => ok("engine/output/find/outputPlan/details", { runId, duId: version.dus[at] });
    const [first, second, third] = [await of(0), await of(1), await of(2)];
    expect(first.activities).toMatchObject([
      {
        activityName: "Survey",
        start: "2026-11-02",
        end: "2026-11-02",
        team: 1,
        skillType: "SUR",
        resourceName: "Alpha",
        binding: { code: "release" },
      },
      { activityName: "Install", start: "2026-11-03", end: "2026-11-05", slot: 5, binding: { code: "predecessor", ref: "Survey" } },
    ]);
    expect(second.activities[1].binding).toMatchObject({
      code: "team",
      ref: "O-1",
      refDuId: version.dus[0],
      text: expect.stringMatching(/O-1/),
    });
    expect(third.activities[1]).toMatchObject({ start: "2026-11-16", binding: { code: "material" } });
    expect(third.pegging).toEqual([
      expect.objectContaining({
        itemCode: "ANT",
        qty: 2,
        source: "inbound",
        availableDate: "2026-11-16",
        needDate: "2026-11-16",
        warehouse: "Main O",
      }),
    ]);
    expect(third.gaps).toMatchObject([{ reason: "late", shortQty: 0, coverDate: "2026-11-16" }]);
    expect((await call(project.pm, "engine/output/find/outputPlan/details", { runId, duId: 999_999 })).code).toBe("NOT_FOUND");
  });

  it("lists what is short and what waits, with the sums of each item [ENG-05] [ENG-45]", async () => {
    const waiting = await ok("engine/output/find/outputPlan/materialgap", { runId, ...page });
    expect(waiting).toMatchObject({ total: 1, totals: [{ itemCode: "ANT", dus: 1, requiredQty: 2, shortQty: 0 }] });
    expect(waiting.records).toMatchObject([{ duCode: "O-3", reason: "late", coverDate: "2026-11-16" }]);
    const short = { ...page, filters: [{ field: "reason", type: "in", values: ["none_left", "no_supply", "wrong_region"] }] };
    expect((await ok("engine/output/find/outputPlan/materialgap", { runId, ...short })).records).toEqual([]);
    const other = await makeVersion("G");
    const { runId: gap } = await plan(other.versionId);
    const missing = await ok("engine/output/find/outputPlan/materialgap", { runId: gap, ...short });
    expect(missing.records).toMatchObject([
      {
        duCode: expect.stringMatching(/^G-/),
        itemCode: "ANT",
        requiredQty: 2,
        coveredQty: 0,
        shortQty: 2,
        coverDate: null,
        reason: "none_left",
      },
    ]);
    const mrp = await ok(
      `nc/material/planning/find/list/1/20/default/${encodeURIComponent(
        JSON.stringify([
          { field: "runId", type: "eq", values: [gap] },
          { field: "net", type: "eq", values: [true] },
        ]),
      )}`,
    );
    expect(mrp.records.reduce((sum: number, { netReq }: { netReq: number }) => sum + netReq, 0)).toBe(2);
  });

  it("builds the header of the activity grid and its rows [ENG-40] [ENG-41]", async () => {
    const columns = await ok("nc/activity/planning/buildHeader", { runId });
    expect(columns[0]).toEqual({ key: "duCode", title: "DU code", group: null, kind: "text" });
    expect(columns.slice(-6)).toEqual([
      { key: "start0", title: "Start", group: "Survey", kind: "date" },
      { key: "end0", title: "End", group: "Survey", kind: "date" },
      { key: "team0", title: "Team", group: "Survey", kind: "text" },
      { key: "start1", title: "Start", group: "Install", kind: "date" },
      { key: "end1", title: "End", group: "Install", kind: "date" },
      { key: "team1", title: "Team", group: "Install", kind: "text" },
    ]);
    const { records, total } = await ok(`nc/activity/planning/find/list/1/20/default/${byRun()}`);
    expect(total).toBe(3);
    expect(records[1]).toMatchObject({
      duId: version.dus[1],
      duCode: "O-2",
      start1: "2026-11-06",
      end1: "2026-11-10",
      team1: "INST · Alpha #1",
      hasGap: false,
    });
    for (const { key } of columns) expect(records[0]).toHaveProperty(key);
    const body = { page: 1, size: 20, filters: [{ field: "runId", type: "eq", values: [runId] }] };
    expect((await ok("nc/activity/planning/find/list", body)).records).toEqual(records);
  });

  it("sums the movements of material by day, by week from Sunday and by month [ENG-04] [ENG-42]", async () => {
    const by = async (bucket: string) =>
      (
        await ok("nc/material/planning/find/list", {
          page: 1,
          size: 20,
          filters: [
            { field: "runId", type: "eq", values: [runId] },
            { field: "bucket", type: "eq", values: [bucket] },
          ],
        })
      ).records.filter(({ region }: { region: string }) => region === "CENTRAL");
    expect(
      (await by("day")).map(({ from, opening, inbound, issued, closing }: Record<string, unknown>) => [
        from,
        opening,
        inbound,
        issued,
        closing,
      ]),
    ).toEqual([
      ["2026-11-03", 4, 0, 2, 2],
      ["2026-11-06", 2, 0, 2, 0],
      ["2026-11-16", 0, 2, 2, 0],
    ]);
    expect(
      (await by("week")).map(({ from, opening, inbound, issued, closing }: Record<string, unknown>) => [
        from,
        opening,
        inbound,
        issued,
        closing,
      ]),
    ).toEqual([
      ["2026-11-01", 4, 0, 4, 0],
      ["2026-11-15", 0, 2, 2, 0],
    ]);
    expect(await by("month")).toMatchObject([{ from: "2026-11-01", opening: 4, inbound: 2, issued: 6, closing: 0, netReq: 0 }]);
    const grid = await ok("engine/output/find/materialGrid", { runId, bucket: "week", ...page });
    expect(grid.columns).toEqual(["2026-11-01", "2026-11-08", "2026-11-15"]);
    expect(grid.records).toMatchObject([{ itemCode: "ANT", netReq: 0, firstNeed: null }]);
    const wrong = {
      page: 1,
      size: 20,
      filters: [
        { field: "bucket", type: "eq", values: ["year"] },
        { field: "runId", type: "eq", values: [runId] },
      ],
    };
    expect((await call(project.pm, "nc/material/planning/find/list", wrong)).code).toBe("INVALID_INPUT");
  });

  it("gives windows of bars by region and by team, points of the map, and the load of the teams [ENG-03]", async () => {
    const byRegion = await ok("engine/output/find/gantt", { runId, group: "region", from: 1, count: 1 });
    expect(byRegion).toMatchObject({
      groups: [
        { name: "North", rows: 2 },
        { name: "South", rows: 1 },
      ],
      total: 3,
    });
    expect(byRegion.rows).toMatchObject([{ label: "O-3", group: "North", bars: [{ position: 0 }, { position: 1, binding: "material" }] }]);
    const byTeam = await ok("engine/output/find/gantt", { runId, group: "team", from: 0, count: 1 });
    expect(byTeam.total).toBe(2);
    expect(byTeam.rows[0].bars.map(({ duCode }: { duCode: string }) => duCode)).toEqual(["O-1", "O-2", "O-3"]);
    const map = await ok("engine/output/find/map", { runId });
    expect(map).toMatchObject({
      months: ["2026-11"],
      codes: ["O-1", "O-2", "O-3"],
      longitudes: [121, 121.1, 121.2],
      monthOf: [0, 0, 0],
      unplaced: 0,
    });
    const teams = await ok("engine/output/find/teams", { runId });
    expect(teams.weeks[0]).toBe("2026-11-01");
    const install = teams.pools.find(({ skillType }: { skillType: string }) => skillType === "INST");
    // Tuesday to Friday, Monday and Tuesday, then Monday to Wednesday.
    expect([install.heldDays, install.openDays]).toEqual([
      [4, 2, 3],
      [5, 5, 3],
    ]);
  });

  it("says how good the plan is: levels with bounds, the report of the checker, what late DUs wait for", async () => {
    const facts = await ok("engine/output/find/facts", { runId });
    expect(facts.levels.map(({ level }: { level: string }) => level)).toEqual([
      "gapDus",
      "lateDus",
      "lateDays",
      "classCompletion",
      "classCompletion",
      "classCompletion",
      "makespan",
      "completion",
    ]);
    expect(facts.levels[0]).toMatchObject({ value: 0, bound: 0, proved: "checker", gap: null });
    for (const { value, bound } of facts.levels) expect(bound).toBeLessThanOrEqual(value);
    expect(facts.check).toMatchObject({ signed: true });
    expect(facts.evaluations.components).toEqual([{ dus: 3, jobs: 6, done: facts.evaluations.total }]);
    expect(facts.bottlenecks).toEqual([
      { kind: "item", name: "ANT", lateDus: 1, lateDays: 12 },
      { kind: "pool", name: "INST / Alpha", lateDus: 1, lateDays: 4 },
    ]);
    expect((await call(project.pm, "engine/output/find/moves", { runId, ...page })).code).toBe("NO_BASE");
  });

  it("lists what a re-planning moved, by how much and why", async () => {
    const [, second, third] = version.dus;
    // Stored as a run with a base stores it: an installation pulled forward for its own priority, one that waits for the antennas of another DU.
    await db.owner`update engine_run set base_plan = true where id = ${runId}`;
    await db.owner`
      update engine_out_du set base_starts = array[starts[1], starts[2] + 3], base_pools = pools, causes = '{0,8}', cause_dus = array[0, du_id]
      where run_id = ${runId} and du_id = ${second!}`;
    await db.owner`
      update engine_out_du set base_starts = array[starts[1], starts[2] - 5], base_pools = array[0, 1], causes = '{0,7}', cause_dus = array[0, ${second!}::bigint]
      where run_id = ${runId} and du_id = ${third!}`;
    const moves = await ok("engine/output/find/moves", { runId, ...page, sort: [{ field: "days", dir: "desc" }] });
    expect(moves).toMatchObject({ total: 2, totals: { dus: 2, activities: 2, earlier: 1, later: 1, days: 8 } });
    expect(moves.records).toMatchObject([
      {
        duCode: "O-3",
        activityName: "Install",
        oldStart: "2026-11-11",
        newStart: "2026-11-16",
        days: 5,
        cause: { code: "lot", duCode: "O-2", text: expect.stringMatching(/O-2/) },
      },
      {
        duCode: "O-2",
        oldStart: "2026-11-09",
        newStart: "2026-11-06",
        days: -3,
        binding: { code: "team" },
        cause: { code: "rank", duId: null },
      },
    ]);
    const filters = [{ field: "cause", type: "in", values: ["rank"] }];
    expect((await ok("engine/output/find/moves", { runId, ...page, filters })).total).toBe(1);
    const search = async (text: string) =>
      (await ok("engine/output/find/moves", { runId, ...page, filters: [searchCondition(text)] })).records.map(
        ({ duCode }: { duCode: string }) => duCode,
      );
    expect(await search("o-")).toEqual(["O-2", "O-3"]);
    expect(await search("O-1, O-3\nO-")).toEqual(["O-3"]);
    await db.owner`update engine_run set base_plan = false where id = ${runId}`;
  });

  it("exports the activity grid as a workbook", async () => {
    const { taskId } = await ok("engine/output/export", { runId });
    const task = await work(taskId);
    expect(task.status, JSON.stringify(task)).toBe("succeeded");
    const rows = await workbook(task.result_file_id);
    expect(rows[0]?.slice(-3)).toEqual(["Install Start", "Install End", "Install Team"]);
    expect(rows).toHaveLength(4);
  });

  it("exports what has to be bought as a workbook, in the background; nothing to buy and more than 2,000 rows are refused [OPS-08] [OPS-10]", async () => {
    const address = "engine/output/net/export";
    const short = await makeVersion("N");
    const { runId: made } = await plan(short.versionId);
    const { taskId } = await ok(address, { runId: made });
    const listed = await ok("task/list/export/1/20/default/%5B%5D");
    expect(listed.records).toContainEqual(expect.objectContaining({ id: taskId, title: "Net requirements" }));
    const task = await work(taskId);
    expect(task.status, JSON.stringify(task)).toBe("succeeded");
    const [head, ...rows] = await workbook(task.result_file_id);
    expect(head).toEqual(["Item", "Region", "Month from", "Needed by", "Gross requirement", "Net requirement", "Currency"]);
    expect(rows.map((row) => [row[0], row[2], row[5], row[6]])).toEqual([["ANT", { d: "2026-11-01" }, 2, "USD"]]);
    expect((await call(project.pm, address, { runId: made, search: "nothing" })).code).toBe("NO_DATA");
    // Nothing is short where the missing antennas come later.
    expect((await call(project.pm, address, { runId })).code).toBe("NO_DATA");
    expect((await call(project.viewer, address, { runId: made })).status).toBe(403);
    await db.owner`
      insert into engine_out_mrp (run_id, project_id, item_code, region, day, opening, gross_req, inbound, reuse_in, issued, closing, net_req)
      select ${made}, ${project.id}, 'X' || n, 'CENTRAL', '2026-11-03', 0, 1, 0, 0, 0, 0, 1 from generate_series(1, 2000) n`;
    expect(await call(project.pm, address, { runId: made })).toMatchObject({ code: "EXPORT_LIMIT", msg: expect.stringContaining("2,000") });
    await db.owner`delete from engine_out_mrp where run_id = ${made} and item_code = 'X1'`;
    expect((await call(project.pm, address, { runId: made, bucket: "day" })).status).toBe(200);
  });
});

describe("engine/output/apply", () => {
  it("writes the dates of a run into the plan, lists all it leaves out, and marks the version; it can be undone", async () => {
    const { dus, versionId } = version;
    const plans = () =>
      db.owner<{ start: number; end: number }[]>`
        select plan_start[5] as start, plan_end[5] as "end" from du_plan where du_id = any(${dus}::bigint[]) order by du_id`;
    const compared = await ok("engine/output/find/compare", { runId, ...page });
    expect(compared.totals).toMatchObject({ dus: 3, changedDus: 3, changedDates: 6, unplanned: 6 });
    // Started since the run, frozen since the run.
    await db.owner`update du_plan set actual_start[1] = 9790 where du_id = ${dus[0]!}`;
    await db.owner`update du_plan set state[5] = state[5] | 16 where du_id = ${dus[1]!}`;
    const { taskId } = await ok("engine/output/apply", { runId });
    const task = await work(taskId);
    expect(task.status, JSON.stringify(task)).toBe("succeeded");
    expect(task.result).toMatchObject({ written: 3, cells: 8, counts: { STARTED: 1, FROZEN: 1 } });
    expect(task.result.rejected).toMatchObject([
      { duCode: "O-1", activity: "Survey", code: "STARTED", text: expect.stringMatching(/started/) },
      { duCode: "O-2", activity: "Install", code: "FROZEN" },
    ]);
    await expectSameWhenTakenUp(db, taskId, work);
    expect(await plans()).toEqual([
      { start: 9803, end: 9805 },
      { start: null, end: null },
      { start: 9816, end: 9818 },
    ]);
    expect(await db.owner`select in_use from engine_plan_version where id = ${versionId}`).toEqual([{ in_use: true }]);
    expect(await db.owner`select source from plan_batch where id = ${task.result.batchId}`).toEqual([{ source: "engine" }]);
    const after = await ok("engine/output/find/compare", { runId, ...page, filters: [{ field: "changed", type: "eq", values: [true] }] });
    expect(after).toMatchObject({ total: 2, totals: { changedDus: 2, changedDates: 2 } });
    await ok("rolloutPlan/undo", { batchId: task.result.batchId });
    expect((await plans()).every(({ start }) => !start)).toBe(true);
  });

  describe("beside what others do", () => {
    const at = {
      completed: 0,
      closed: 1,
      approving: 2,
      fixed: 3,
      notApplicable: 4,
      mosFrozen: 5,
      released: 6,
      contended: 7,
      free: 8,
      tooFar: 9,
    };
    let dus: number[];
    let run: number;
    const plans = async () =>
      db.owner<{ survey: number | null; mos: number | null }[]>`
        select nullif(plan_start[1], 0) as survey, nullif(plan_start[4], 0) as mos from du_plan where du_id = any(${dus}::bigint[]) order by du_id`;

    beforeAll(async () => {
      // The antennas of the last DU come in three years, later than a plan date of today may lie; the installation is the arrival of the material.
      const made = await makeVersion("L", { count: 10, inbound: "2029-10-22" });
      await db.owner`update engine_activity set slot = 4 where version_id = ${made.versionId} and activity_name = 'Install'`;
      dus = made.dus;
      const { runId: planned, status } = await plan(made.versionId);
      expect(status.status, status.message).toBe("success");
      run = planned;
      const states: [number, number][] = [
        [at.closed, bitMask("closed")],
        [at.approving, 2 << stateBits.approval.at],
        [at.fixed, bitMask("fixed")],
        [at.notApplicable, 1 << stateBits.na.at],
        [at.mosFrozen, bitMask("mosFrozen")],
      ];
      await db.owner`
        update du_plan p set state[4] = p.state[4] | n.bits
        from unnest(${states.map(([du]) => dus[du]!)}::bigint[], ${states.map(([, bits]) => bits)}::int[]) as n(du, bits) where p.du_id = n.du`;
      await db.owner`update du_plan set actual_start[1] = 9790, actual_end[1] = 9790 where du_id = ${dus[at.completed]!}`;
      await db.owner`update du_plan set release_state = 1 where du_id = ${dus[at.released]!}`;
      await setSwitch(db.owner, project.id, "planChangeControl", "Y");
    });
    afterAll(() => setSwitch(db.owner, project.id, "planChangeControl", "N"));

    /**
     * Applies the plan to one DU while somebody else changes it so often, each time between the moment the apply reads it and the moment it locks it.
     * @returns the ended task, or null when the apply was quicker than the change that stood in line before it: the database keeps no strict order
     */
    async function applyAgainstChanges(duId: number, times: number) {
      const others = connect(db.ownerUrl, 2);
      const hands = [await others.reserve(), await others.reserve()] as const;
      const pids = await Promise.all(hands.map(async (hand) => (await hand<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid));
      let ended = false;
      /** Until what is asked for is true of a server process, or the apply has ended. */
      const until = async (holds: PendingQuery<Row[]>): Promise<void> => {
        for (let found = false; !found && !ended; )
          [{ found }] = await db.app<[{ found: boolean }]>`
            select exists (select from pg_locks where not granted and ${holds}) as found`;
      };
      const change = async (hand: number) => {
        await hands[hand]!`begin`;
        await hands[hand]!`update du_plan set row_version = row_version + 1 where du_id = ${duId}`;
      };
      try {
        await change(0);
        const { taskId } = await ok("engine/output/apply", { runId: run, duIds: [duId] });
        const working = work(taskId).finally(() => {
          ended = true;
        });
        let made = 0;
        for (; made < times && !ended; made++) {
          const hand = made % 2;
          await until(db.app`${pids[hand]!} = any(pg_blocking_pids(pid))`);
          const next = made + 1 < times ? change(1 - hand) : null;
          // The next change stands in line behind the apply, so that it comes before its next look at the row.
          if (next) await until(db.app`pid = ${pids[1 - hand]!}`);
          if (ended) await hands[hand]!`rollback`;
          else await hands[hand]!`commit`;
          await next;
        }
        const task = await working;
        return made === times ? task : null;
      } finally {
        for (const hand of hands) {
          await hand`rollback`;
          hand.release();
        }
        await others.end();
      }
    }

    /** The same with a DU that is not planned yet, until no apply was quicker than a change. */
    async function applyBeside(duId: number, times: number) {
      const [before] = await db.owner`select plan_start, plan_end from du_plan where du_id = ${duId}`;
      for (let turn = 0; turn < 20; turn++) {
        const task = await applyAgainstChanges(duId, times);
        if (task) return task;
        await db.owner`update du_plan set plan_start = ${before!.plan_start}, plan_end = ${before!.plan_end} where du_id = ${duId}`;
      }
      throw new Error("the apply was always quicker than the changes");
    }

    it("lists every DU and every activity it leaves out with its reason, and writes nothing of a DU by half", async () => {
      const { taskId } = await ok("engine/output/apply", { runId: run, duIds: dus.filter((_, du) => du !== at.contended) });
      const task = await work(taskId);
      expect(task.status, JSON.stringify(task)).toBe("succeeded");
      const rejected = task.result.rejected as { duId: number; activity: string | null; code: string; text: string }[];
      expect(rejected.map(({ duId, activity, code }) => [dus.indexOf(duId), activity, code]).sort()).toEqual([
        [at.completed, "Survey", "ACTIVITY_COMPLETED"],
        [at.closed, "Install", "TASK_CLOSED"],
        [at.approving, "Install", "IN_APPROVAL"],
        [at.fixed, "Install", "FIXED"],
        [at.notApplicable, "Install", "NO_ACTIVITY"],
        [at.mosFrozen, null, "MOS_FROZEN"],
        [at.released, null, "RELEASED"],
        [at.tooFar, null, "PLAN_TOO_FAR"],
      ]);
      for (const { code, text } of rejected) expect(text, code).not.toContain(code);
      expect(task.result).toMatchObject({ written: 6, cells: 2 + 5 * 2 + 2 });
      const stored = await plans();
      const whole = [at.mosFrozen, at.released, at.tooFar];
      expect(whole.map((du) => stored[du])).toEqual(whole.map(() => ({ survey: null, mos: null })));
      for (const du of [at.closed, at.approving, at.fixed, at.notApplicable])
        expect(stored[du], `${du}`).toEqual({ survey: expect.any(Number), mos: null });
      expect(stored[at.completed]).toEqual({ survey: null, mos: expect.any(Number) });
      expect(stored[at.free]).toEqual({ survey: expect.any(Number), mos: expect.any(Number) });
      // One version at a time: the one applied before is no longer in use.
      expect(await db.owner`select version_name as name from engine_plan_version where project_id = ${project.id} and in_use`).toEqual([
        { name: "L" },
      ]);
    });

    it("leaves out a DU that somebody changed before each of its three tries, and writes it with the third after two changes", async () => {
      const contended = dus[at.contended]!;
      const none = await applyBeside(contended, applyTries);
      expect(none.result).toMatchObject({ written: 0, cells: 0, counts: { CHANGED_MEANWHILE: 1 } });
      expect(none.result.rejected).toMatchObject([{ duId: contended, activity: null, code: "CHANGED_MEANWHILE" }]);
      expect(none.result.rejected[0].text).not.toContain("CHANGED_MEANWHILE");
      expect((await plans())[at.contended]).toEqual({ survey: null, mos: null });
      const third = await applyBeside(contended, applyTries - 1);
      expect(third.result).toMatchObject({ written: 1, cells: 4, counts: {} });
      expect((await plans())[at.contended]).toEqual({ survey: expect.any(Number), mos: expect.any(Number) });
    });
  });

  it("leaves out every DU the person may not edit, and says which right is missing", async () => {
    const { versionId, dus } = await makeVersion("P");
    const { runId: planned } = await plan(versionId);
    const [first, second, third] = dus as [number, number, number];
    // They may apply; the second may edit the DUs of which he is the site owner.
    await db.owner`insert into role_permission (project_id, role, code, scope) values (${project.id}, 'TL', 'engine.apply', 'Y')`;
    const leader = await makeMember(db.owner, project.id, "TL");
    const owner = await makeMember(db.owner, project.id, "TL", "SITE_OWNER");
    await makeDuOwner(db.owner, second, owner.id, "SITE_OWNER");
    const pcm = await makeMember(db.owner, project.id, "PCM");
    await makeDuOwner(db.owner, third, (await makeMember(db.owner, project.id, "TD")).id);
    /** Applies the plan as a person: the DUs that were planned by it, and what was left out. */
    const applyAs = async (user: CtxUser) => {
      await db.owner`update du_plan set plan_start = '{}', plan_end = '{}', row_version = row_version + 1 where du_id = any(${dus}::bigint[])`;
      const { taskId } = await ok("engine/output/apply", { runId: planned }, user);
      const { status, result } = await work(taskId);
      expect(status, JSON.stringify(result)).toBe("succeeded");
      const rows = await db.owner<{ duId: number }[]>`
        select du_id as "duId" from du_plan where du_id = any(${dus}::bigint[]) and plan_end <> '{}' order by du_id`;
      return { planned: rows.map(({ duId }) => duId), ...result };
    };
    const refused = (duId: number) => ({
      duId,
      activity: null,
      code: "NO_PERMISSION",
      text: "Permission denied: Save plan dates, owners and plan attributes",
    });
    expect(await applyAs(leader)).toMatchObject({ planned: [], written: 0, batchId: null, rejected: dus.map(refused) });
    expect(await applyAs(owner)).toMatchObject({ planned: [second], written: 1, rejected: [refused(first), refused(third)] });
    expect(await applyAs(pcm)).toMatchObject({ planned: dus, written: 3, rejected: [] });
    // Under data control a DU is its owner's alone.
    await setSwitch(db.owner, project.id, "dataControl", "Y");
    expect(await applyAs(pcm)).toMatchObject({
      planned: [first, second],
      written: 2,
      rejected: [refused(third)],
      counts: { NO_PERMISSION: 1 },
    });
    await setSwitch(db.owner, project.id, "dataControl", "N");
    expect(errorText("zh", "NO_PERMISSION", { right: "rollout.edit" })).toBe("没有权限：保存计划日期、责任人和计划属性");
    expect(errorText("ja", "NO_PERMISSION", { right: "rollout.edit" })).toBe("権限がありません：計画日・責任者・計画属性の保存");
  });

  it("asks before it applies a plan whose inputs have changed, and refuses who may not apply", async () => {
    await ok("engine/setting/save", { versionId: version.versionId, planStartDate: "2026-11-09", rowVersion: 1 }, project.pm, later(5));
    expect((await call(project.pm, "engine/output/apply", { runId })).code).toBe("INPUTS_CHANGED");
    const { taskId } = await ok("engine/output/apply", { runId, duIds: [version.dus[2]], confirm: true });
    expect((await work(taskId)).result).toMatchObject({ written: 1, counts: {} });
    expect((await call(project.viewer, "engine/output/apply", { runId })).status).toBe(403);
    expect((await call(project.pm, "engine/output/apply", { runId: 999_999 })).code).toBe("NOT_FOUND");
  });

  it("keeps the outputs of the last five successful runs and of the one in use; the rows of older runs stay", async () => {
    const { versionId } = version;
    await db.owner`
      with made as (
        insert into engine_run (project_id, version_id, status, phase, percent, snapshot, snapshot_sha256, code_version, seed, evaluation_limit, time_budget_s,
          islands, plan_start_date, former_status, has_output, requested_by_id, created_at)
        select project_id, version_id, status, phase, percent, snapshot, snapshot_sha256, code_version, seed, evaluation_limit, time_budget_s, islands,
          plan_start_date, former_status, true, requested_by_id, created_at
        from engine_run, generate_series(1, 6) where id = ${runId} returning id, project_id)
      insert into engine_run_flow (run_id, project_id, workflow_name, activity_names, slots) select id, project_id, 'NEW', '{Survey}', '{1}' from made`;
    const kept = async () =>
      (
        await db.owner<
          { id: number }[]
        >`select id from engine_run where version_id = ${versionId} and has_output and snapshot is not null order by id`
      ).map(({ id }) => id);
    const all = await kept();
    expect(all).toHaveLength(7);
    await db.app.begin((sql) => clearOutputs({ sql: sql as unknown as Sql }, project.id));
    expect(await kept()).toEqual([runId, ...all.slice(-5)]);
    expect(await db.owner`select 1 from engine_run_flow where run_id = ${all[1]!}`).toHaveLength(0);
    expect((await call(project.pm, "engine/output/find/outputPlan", { runId: all[1], ...page })).code).toBe("NO_OUTPUT");
  });

  it("goes with its version, whole", async () => {
    const { versionId } = await makeVersion("D");
    const { runId: gone } = await plan(versionId);
    const rows = () =>
      Promise.all(
        Object.keys(outputTables).map(async (table) => (await db.owner`select 1 from ${db.owner(table)} where run_id = ${gone}`).length),
      );
    expect(await rows()).not.toContain(0);
    await ok("engine/version/delete", { ids: [versionId] });
    expect(await rows()).toEqual(Object.keys(outputTables).map(() => 0));
  });
});
