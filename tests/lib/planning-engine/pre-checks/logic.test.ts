import { describe, expect, test } from "vitest";
import { checkClaims } from "#lib/planning-engine/checker/logic.ts";
import type { Certificate, Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { levelsOf, newRun, runFirst } from "#lib/planning-engine/solver/logic.ts";
import { backward, planBackward } from "#tests/support/backward.ts";
import { randomExchange } from "#tests/support/material-plans.ts";
import { makeProblem, type ProblemGiven, randomRollOut } from "#tests/support/planning-problem.ts";
import { rollOut } from "#tests/support/roll-out.ts";

/** One DU less and less room: its flow alone, without neighbours. */
function single(): Problem {
  return rollOut(1, 6, 40, 1).problem;
}

function longestPath(problem: Problem): number {
  const { flows } = normalise(problem).ready!;
  const flow = problem.dus.flow[0]!;
  let most = 0;
  for (let entry = flows.at[flow]!; entry < flows.at[flow + 1]!; entry++)
    most = Math.max(most, flows.head[entry]! + Math.max(1, flows.durations[entry]!));
  return most;
}

describe("what speaks against any plan", () => {
  test("nothing does where there is a plan", () => {
    expect(preCheck(rollOut(200, 12, 60, 1).problem)).toEqual([]);
  });

  test("a longest path as long as the horizon fits, one day more does not", () => {
    const problem = single();
    const needed = longestPath(problem);
    problem.horizonDays = problem.dus.release[0]! + needed;
    expect(preCheck(problem)).toEqual([]);
    problem.horizonDays--;
    expect(preCheck(problem)).toMatchObject([{ code: "HORIZON", du: 0, needed, available: needed - 1, relax: 1 }]);
  });

  test("a job that does not fit overloads nobody: its DU has the certificate", () => {
    const problem = single();
    problem.horizonDays = problem.dus.release[0]! + longestPath(problem) - 1;
    expect(preCheck(problem).map(({ code }) => code)).toEqual(["HORIZON"]);
    expect(checkClaims(problem, preCheck(problem)).signed).toBe(true);
  });

  test("free days count against the path", () => {
    const problem = single();
    const needed = longestPath(problem);
    problem.calendars = [{ days: problem.calendars[0]!.days.filter((day) => day % 2 === 0) }];
    problem.dus.release[0] = 0;
    problem.horizonDays = 2 * needed;
    expect(preCheck(problem)).toEqual([]);
    problem.horizonDays -= 2;
    expect(preCheck(problem)).toMatchObject([{ code: "HORIZON", needed, available: needed - 1 }]);
  });

  test("a class whose pools have no team", () => {
    const problem = single();
    const flow = problem.flows[problem.dus.flow[0]!]!;
    const pool = problem.teams.eligible[problem.teams.eligibleAt[flow.teamClass[3]! * 10 + problem.dus.region[0]!]!]!;
    problem.teams.count[pool] = 0;
    const positions = [...flow.teamClass.keys()].filter((position) => flow.teamClass[position] === flow.teamClass[3]);
    const missing = preCheck(problem).filter(({ code }) => code === "NO_TEAM");
    expect(missing).toMatchObject(positions.map((position) => ({ du: 0, position, needed: 1, available: 0 })));
  });

  test("teams that have less days than the work takes; and what is said to be impossible finds no plan", () => {
    const { problem } = rollOut(400, 12, 60, 1);
    problem.teams.count.fill(1);
    problem.horizonDays = 150;
    const found = preCheck(problem);
    expect(found.length).toBeGreaterThan(0);
    expect(checkClaims(problem, found)).toEqual({ signed: true, unproved: [] });
    for (const certificate of found) {
      if (certificate.code !== "TEAM_OVERLOAD") throw new Error(certificate.code);
      expect(certificate.available).toBe(certificate.to - certificate.from);
      expect(certificate.needed).toBeGreaterThan(certificate.available);
      // By the plain definition: the work of this pool alone is more than that, whatever the window.
      let work = 0;
      for (let du = 0; du < 400; du++) {
        const flow = problem.flows[problem.dus.flow[du]!]!;
        for (let position = 0; position < 12; position++)
          if (
            flow.teamClass[position]! >= 0 &&
            problem.teams.eligible[flow.teamClass[position]! * 10 + problem.dus.region[du]!] === certificate.pools[0]
          )
            work += flow.durations[position]!;
      }
      expect(work).toBeGreaterThanOrEqual(certificate.needed);
      // With the extra teams it asks for, the window is wide enough.
      expect((1 + certificate.relax) * certificate.available).toBeGreaterThanOrEqual(certificate.needed);
    }
    const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 1, islands: 1 });
    runFirst(run, () => false);
    expect(levelsOf(run)).toBeNull();
  });

  test("planned backward, material that comes behind the latest start; a day earlier it does not [ENG-21]", () => {
    const given = (day: number, more: Partial<ProblemGiven> = {}) =>
      makeProblem({
        direction: "reverse",
        flows: [
          {
            name: "F",
            activities: [
              { name: "Install", days: 2 },
              { name: "Cutover", days: 1 },
            ],
            relations: [["Install", "Cutover", "FS", 0]],
            material: "Install",
            anchor: "Cutover",
          },
        ],
        pools: [],
        dus: [
          { flow: "F", due: 10, demand: [[0, 2]] },
          { flow: "F", due: 30, demand: [[0, 1]] },
        ],
        lots: [
          { item: 0, units: 1 },
          { item: 0, units: 2, day, source: "inbound" },
        ],
        strict: true,
        objective: ["gapDus", "earliestStart", "duStarts"],
        ...more,
      });
    // Due on day 10 it has to be installed on days 8 and 9.
    expect(preCheck(given(8))).toEqual([]);
    const late = preCheck(given(9));
    const row = { code: "MATERIAL_LATE", du: 0, item: 0, day: 8, needed: 200, available: 100, relax: 100 };
    expect(late).toEqual([
      { ...row, region: -1 },
      { ...row, region: 0 },
    ]);
    expect(checkClaims(given(9), late)).toEqual({ signed: true, unproved: [] });
    expect(checkClaims(given(8), late).signed).toBe(false);
    expect(checkClaims(given(9), [{ ...late[0]!, available: 0 } as Certificate]).signed).toBe(false);
    // Where gaps are allowed nothing is impossible, what is dismantled may be there in time, and what replaces it helps.
    expect(preCheck(given(9, { strict: false }))).toEqual([]);
    expect(
      preCheck(
        given(9, {
          substitutes: [{ item: 0, covers: 1, parts: [[1, 1]] }],
          lots: [
            { item: 0, units: 1 },
            { item: 1, units: 1 },
            { item: 0, units: 2, day: 9, source: "inbound" },
          ],
        }),
      ),
    ).toEqual([]);
    expect(preCheck(given(9, { direction: "forward", objective: ["gapDus", "lateDus"] }))).toEqual([]);
  });

  test("what is claimed of late material is proved again, and no plan without gaps is there", () => {
    let claimed = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const problem = backward(seed % 2 === 0 ? randomExchange(seed) : makeProblem(randomRollOut(seed)), seed % 8);
      problem.strictGaps = true;
      // Enough in the end.
      const { day, quantity } = problem.lots;
      problem.lots.quantity = quantity.map((units, lot) => (day[lot]! > 0 && day[lot]! < problem.horizonDays ? 20 * units : units));
      const late = preCheck(problem).filter(({ code }) => code === "MATERIAL_LATE");
      if (late.length === 0) continue;
      claimed++;
      expect(checkClaims(problem, late), `seed ${seed}`).toEqual({ signed: true, unproved: [] });
      const plan = planBackward(problem, 30);
      if (plan) expect(plan.levels[0], `seed ${seed}`).toBeGreaterThan(0);
    }
    expect(claimed).toBeGreaterThan(5);
  });

  test("material that never comes, in the region and over all; only where gaps are not allowed", () => {
    const { problem } = rollOut(60, 12, 60, 1);
    const item = problem.demand.item[0]!;
    const region = problem.dus.region[0]!;
    const need = (of: number) => {
      let sum = 0;
      for (let du = 0; du < 60; du++)
        if (of < 0 || problem.dus.region[du] === of)
          for (let at = problem.demand.at[du]!; at < problem.demand.at[du + 1]!; at++)
            if (problem.demand.item[at] === item) sum += problem.demand.quantity[at]!;
      return sum;
    };
    let left = need(region);
    for (let lot = 0; lot < problem.lots.item.length; lot++)
      if (problem.lots.item[lot] === item && problem.lots.region[lot] === region) {
        problem.lots.quantity[lot] = Math.min(left, problem.lots.quantity[lot]!);
        left -= problem.lots.quantity[lot]!;
      }
    problem.strictGaps = true;
    expect(preCheck(problem)).toEqual([]);
    const last = problem.lots.item.findLastIndex(
      (own, lot) => own === item && problem.lots.region[lot] === region && problem.lots.quantity[lot]! > 0,
    );
    problem.lots.quantity[last]! -= 100;
    const short = { code: "MATERIAL_GAP", item, region, needed: need(region), available: need(region) - 100, relax: 100 };
    expect(preCheck(problem)).toContainEqual(expect.objectContaining(short));
    expect(checkClaims(problem, preCheck(problem)).signed).toBe(true);
    problem.strictGaps = false;
    expect(preCheck(problem)).toEqual([]);
    problem.strictGaps = true;
    problem.lots.quantity.fill(0);
    expect(preCheck(problem)).toContainEqual(
      expect.objectContaining({ code: "MATERIAL_GAP", item, region: -1, needed: need(-1), available: 0 }),
    );
  });
});
