import { describe, expect, it } from "vitest";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { makeSnapshot, type SnapshotRows } from "#lib/planning-engine/snapshot/logic.ts";
import { problemOf } from "#lib/planning-engine/snapshot-problem/logic.ts";
import { levelsOf, newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { duRow, exampleRows, planRows, planStartDay, slots } from "#tests/support/snapshot-rows.ts";

const prepared = (more: Partial<SnapshotRows> = {}) => problemOf(makeSnapshot(exampleRows(more)).snapshot);
const settings = (more: Partial<SnapshotRows["settings"]>) => ({ settings: { ...exampleRows().settings, ...more } });

describe("the problem of a snapshot", () => {
  it("plans the worked example: 10 days, because one team has 10 days of work, and the checker signs it", () => {
    // All four units in stock, as long as nobody plans what is used again.
    const stock = [{ warehouse: 7, item: "ANT", inventory: 4, plan: null, inbound: 0 }];
    const { problem } = prepared({ stock, reuse: [], links: [] });
    const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 5000, islands: 1 });
    runAll(run, () => false);
    expect(problem.objective).toEqual(["gapDus", "lateDus", "lateDays", "makespan", "completion"]);
    expect([...levelsOf(run)!].slice(0, 5)).toEqual([0, 0, 0, 10, 21]);
    expect(planFaults(problem, planOf(run)!)).toEqual([]);
  });

  it("neutralises what the type of a DU or the plan leaves out: no time, no team, no material", () => {
    const both = exampleRows().activities.map((row) => ({ ...row, workflow: "NEW" }));
    const dus = [duRow(1), duRow(2, { type: "install" }), duRow(3, { type: "dismantle" }), duRow(4)];
    const plan = planRows({ 4: { [slots.Survey]: { state: 1 | (1 << stateBits.na.at) } } });
    const { problem } = prepared({ activities: both, dus, materials: [], plan });
    expect([...problem.dus.flow]).toEqual([0, 1, 2, 3]);
    const rows = problem.flows.map(({ durations, disassembly, material, teamClass, coTeam }) => [
      [...durations],
      [...disassembly],
      material,
      [...teamClass].map((own) => own >= 0),
      [...coTeam],
    ]);
    expect(rows).toEqual([
      [[2, 1, 3, 1], [1, 0, 0, 0], 2, [true, true, true, true], [-1, -1, 0, 0]],
      [[0, 1, 3, 1], [0, 0, 0, 0], 2, [false, true, true, true], [-1, -1, 0, 0]],
      [[2, 1, 0, 1], [1, 0, 0, 0], -1, [true, true, false, true], [-1, -1, -1, -1]],
      [[2, 0, 3, 1], [1, 0, 0, 0], 2, [true, false, true, true], [-1, -1, 0, 0]],
    ]);
  });

  it("gives each class of jobs the pools of its region, then those of any, and only those of a named resource", () => {
    const activities = exampleRows().activities.map((row) => ({ ...row, resource: row.name === "Install" ? "Q" : null }));
    const pools = [
      { skill: "INST", resource: "R", region: null, teams: 1 },
      { skill: "INST", resource: "R", region: "N", teams: 2 },
      { skill: "INST", resource: "Q", region: "S", teams: 3 },
    ];
    const { problem } = prepared({ activities, pools, dus: [duRow(1, { region: "N" }), duRow(2, { region: "S" })], materials: [] });
    const { teams, flows } = problem;
    const of = (position: number, region: number) => {
      const list = flows[0]!.teamClass[position]! * teams.regions + region;
      return [...teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!)].map((pool) => teams.count[pool]);
    };
    expect([of(0, 0), of(1, 0), of(1, 1), of(2, 0), of(2, 1)]).toEqual([[], [], [3], [2, 1], [3, 1]]);
  });

  it("makes lots of what is dismantled, unless the stock has it since its last synchronisation", () => {
    const { problem, reuse } = prepared();
    expect(problem.lots).toMatchObject({
      quantity: Float64Array.of(200, 200),
      donor: Int32Array.of(-1, 2),
      day: Int32Array.of(0, NO_DAY),
      source: Uint8Array.of(0, 2),
      turnaround: Int32Array.of(0, 1),
    });
    expect(reuse).toEqual([{ lot: 1, dismantled: 400, damage: 1000, reuse: 8000, buffer: 0 }]);
    const done = exampleRows().dus.map((du) => (du.id === 3 ? { ...du, decomEnd: planStartDay - 4 } : du));
    const lots = (lastSync: number) => prepared({ dus: done, lastSync }).problem.lots.item.length;
    expect([lots(0), lots(planStartDay - 5), lots(planStartDay - 4), lots(planStartDay - 3)]).toEqual([2, 2, 1, 1]);
    const installed = exampleRows().dus.map((du) => (du.id === 3 ? { ...du, type: "install" as const } : du));
    expect(prepared({ dus: installed }).problem.lots.item.length).toBe(1);
  });

  it("counts kept dates in working days, and drops demand of what is not applicable", () => {
    const plan = planRows({
      1: { [slots.Install]: { planStart: "2026-03-05", planEnd: "2026-03-09", state: 1 | (1 << stateBits.fixed.at) } },
      2: { [slots.Install]: { state: 1 | (2 << stateBits.na.at) } },
    });
    const { problem } = prepared({ plan });
    const { kept, demand, calendars } = problem;
    expect([...kept.job, kept.start[0], kept.end[0]]).toEqual([1, 3, 8]);
    expect([calendars[0]!.days[kept.first[0]!], calendars[0]!.days[kept.last[0]!]]).toEqual([3, 7]);
    expect([...demand.at]).toEqual([0, 1, 1, 1]);
  });

  it("opens the gate of a cluster for the share of its DUs, rounded up", () => {
    const dus = [1, 2, 3, 4, 5].map((id) => duRow(id, { cluster: "C" }));
    const { problem } = prepared({
      dus: [...dus, duRow(6, { cluster: "D" }), duRow(7)],
      materials: [],
      ...settings({ enableCluster: true, clusteringRate: 8000, anchor: "Cutover", maxClusterCutover: 1 }),
    });
    expect(problem.clusters).toEqual({ needed: Int32Array.of(4, 1), limit: 1 });
    expect([...problem.dus.cluster]).toEqual([0, 0, 0, 0, 0, 1, -1]);
    expect(problem.flows[0]!.anchor).toBe(2);
    expect(problem.objective).toContain("classCompletion");
    expect(prepared().problem.clusters).toBeNull();
  });

  it("asks for other levels backward and when a plan is to stay", () => {
    const dus = [duRow(1, { planEnd: planStartDay + 29 })];
    const reverse = ["gapDus", "earliestStart", "duStarts"];
    expect(prepared({ dus, ...settings({ direction: "reverse" }) }).problem.objective).toEqual(reverse);
    const substitutes = [{ designItem: "ANT", covers: 1, designPriority: 1, group: "G", item: "OTHER", quantity: 1, priority: 1 }];
    expect(prepared({ dus, substitutes, ...settings({ direction: "reverse" }) }).problem.objective).toEqual([...reverse, "substituted"]);
    const base = { runId: null, stabilityWeight: 100, frozenDays: 0, rows: "plan" as const };
    const { problem } = prepared({ base, plan: planRows({ 1: { [slots.Survey]: { planStart: "2026-03-04" } } }) });
    expect(problem.objective.slice(0, 3)).toEqual(["gapDus", "stability", "lateDus"]);
    expect([...problem.base!.start].map((day) => (day === NO_DAY ? null : day))).toEqual([2, null, null, null, null, null, null]);
  });
});
