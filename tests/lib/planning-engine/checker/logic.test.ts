import { describe, expect, test } from "vitest";
import { checkClaims, checkPlan, type Verdict } from "#lib/planning-engine/checker/logic.ts";
import { rules } from "#lib/planning-engine/checker-facts/limits.ts";
import { boundsOf } from "#lib/planning-engine/checker-levels/logic.ts";
import { reusableHundredths } from "#lib/planning-engine/checker-material/logic.ts";
import { projectFault } from "#lib/planning-engine/checker-project/logic.ts";
import type { Certificate, Problem } from "#lib/planning-engine/model/logic.ts";
import { allAssignments, bestPlan, judge, planOf } from "#tests/support/exhaustive-plan.ts";
import { mutants, randomPublication } from "#tests/support/plan-mutants.ts";
import { chance, type LotGiven, makeProblem, type ProblemGiven } from "#tests/support/planning-problem.ts";

const told = (verdict: Verdict) => (verdict.signed ? [] : verdict.violations);
const broken = (verdict: Verdict) => (verdict.signed ? [] : [...verdict.counts.keys()]);

/** Small claims, each true, and the problem they are made of. */
const week: ProblemGiven = {
  horizon: 10,
  flows: [
    {
      name: "F",
      activities: [
        { name: "A", days: 3, team: "T", coResource: 0 },
        { name: "B", days: 3, team: "U", coResource: 0 },
      ],
      relations: [["A", "B", "FS", 0]],
      material: "B",
      anchor: "B",
    },
  ],
  pools: [
    { skill: "T", resource: "X", teams: 1 },
    { skill: "U", resource: "X", teams: 1 },
  ],
  dus: [{ flow: "F" }],
};
const claims: { name: string; given: ProblemGiven; claim: Certificate }[] = [
  {
    name: "a circle of relations",
    given: {
      ...week,
      flows: [
        {
          ...week.flows[0]!,
          relations: [
            ["A", "B", "FS", 0],
            ["B", "A", "SS", -1],
          ],
        },
      ],
    },
    claim: { code: "LOOP", flow: 0, positions: [0, 1], needed: 2, available: 0, relax: 2 },
  },
  {
    name: "a job nobody can do",
    given: { ...week, pools: [week.pools[0]!, { skill: "U", teams: 0 }] },
    claim: { code: "NO_TEAM", du: 0, position: 1, needed: 1, available: 0, relax: 1 },
  },
  {
    name: "a group without a common resource",
    given: { ...week, pools: [week.pools[0]!, { skill: "U", resource: "Y", teams: 1 }] },
    claim: { code: "NO_COMMON_RESOURCE", du: 0, positions: [0, 1], needed: 1, available: 0, relax: 1 },
  },
  {
    name: "a group without a common team",
    given: {
      ...week,
      flows: [
        {
          ...week.flows[0]!,
          activities: [
            { name: "A", days: 3, team: "T", resource: "X", coTeam: 0 },
            { name: "B", days: 3, team: "T", resource: "Y", coTeam: 0 },
          ],
        },
      ],
      pools: [
        { skill: "T", resource: "X", teams: 1 },
        { skill: "T", resource: "Y", teams: 1 },
      ],
    },
    claim: { code: "NO_COMMON_TEAM", du: 0, positions: [0, 1], needed: 1, available: 0, relax: 1 },
  },
  {
    name: "a path beyond the horizon",
    given: { ...week, horizon: 5 },
    claim: { code: "HORIZON", du: 0, position: 1, needed: 6, available: 5, relax: 1 },
  },
  {
    name: "a path beyond a due date",
    given: { ...week, direction: "reverse", dus: [{ flow: "F", due: 3, release: 1 }] },
    claim: { code: "WINDOW_TOO_TIGHT", du: 0, position: 1, needed: 6, available: 3, relax: 3 },
  },
  {
    name: "too much work in a window",
    given: { ...week, horizon: 8, dus: Array.from({ length: 3 }, () => ({ flow: "F" })) },
    claim: { code: "TEAM_OVERLOAD", pools: [0], from: 0, to: 5, needed: 9, available: 5, relax: 1 },
  },
  {
    name: "less material than is asked for",
    given: {
      ...week,
      strict: true,
      dus: [
        { flow: "F", demand: [[0, 2]] },
        { flow: "F", demand: [[0, 2]] },
      ],
      lots: [
        { item: 0, units: 2 },
        { item: 1, units: 1, day: 4, source: "inbound" },
        { item: 0, units: 9, day: 8, source: "inbound" },
      ],
      substitutes: [{ item: 0, covers: 1, parts: [[1, 1]] }],
    },
    claim: { code: "MATERIAL_GAP", du: 0, item: 0, region: -1, day: 7, needed: 400, available: 300, relax: 100 },
  },
  {
    name: "a gate for more DUs than a cluster has",
    given: { ...week, dus: [{ flow: "F", cluster: 0 }], clusters: { needed: [2], limit: 1 } },
    claim: { code: "CLUSTER_UNREACHABLE", cluster: 0, needed: 2, available: 1, relax: 1 },
  },
  {
    name: "windows that do not fit one after the other",
    given: {
      ...week,
      dus: Array.from({ length: 8 }, (_, index) => ({ flow: "F", cluster: index % 2 })),
      clusters: { needed: [4, 4], limit: 1 },
    },
    claim: { code: "CLUSTER_UNREACHABLE", cluster: -1, needed: 24, available: 10, relax: 14 },
  },
];

/** A tiny problem without material and clusters, small enough to look at everything. */
function tinyProblem(seed: number, horizon: number): Problem {
  const draw = chance(seed);
  const kind = (["FS", "SS", "FF", "SF"] as const)[draw(4)]!;
  return makeProblem({
    horizon,
    freeDays: [[draw(5)], [1 + draw(3)]],
    flows: [
      {
        name: "F",
        activities: [
          { name: "A", days: 1 + draw(2), team: "T", ...(draw(2) ? { coTeam: 0 } : { coResource: 0 }) },
          { name: "B", days: draw(3), team: "T", ...(draw(2) ? { coTeam: 0 } : { coResource: 0 }) },
        ],
        relations: [["A", "B", kind, draw(3) - 1]],
        ...(draw(2) ? { anchor: "B" } : {}),
      },
    ],
    pools: [
      { skill: "T", resource: "X", teams: 1 },
      { skill: "T", resource: "Y", region: 0, teams: draw(2) },
    ],
    dus: [
      { flow: "F", region: draw(2), due: draw(horizon) },
      { flow: "F", region: draw(2), release: draw(2), due: draw(horizon) },
    ],
    objective: ["lateDus", "lateDays", "makespan", "completion"],
  });
}

describe("the checker", () => {
  test("signs plans of random roll-outs with everything on", () => {
    for (let seed = 1; seed <= 120; seed++) expect(told(checkPlan(randomPublication(seed))), `seed ${seed}`).toEqual([]);
  });

  test("finds every mutant, by the constraint it breaks", () => {
    const made = new Map<string, number>();
    for (let seed = 1; seed <= 45; seed++) {
      const whole = randomPublication(seed);
      for (const { rule, name, change } of mutants) {
        const given = structuredClone(whole);
        if (!change(given, chance(seed * 31 + name.length))) continue;
        expect(broken(checkPlan(given)), `${rule} ${name}, seed ${seed}`).toContain(rule);
        made.set(name, (made.get(name) ?? 0) + 1);
      }
    }
    for (const rule of rules.filter((one) => one !== "C18")) {
      const own = mutants.filter((mutant) => mutant.rule === rule);
      expect(
        own.reduce((sum, { name }) => sum + (made.get(name) ?? 0), 0),
        rule,
      ).toBeGreaterThanOrEqual(20);
      for (const { name } of own) expect(made.get(name) ?? 0, name).toBeGreaterThan(0);
    }
  });

  test("publishes nothing when anything is wrong", () => {
    const given = randomPublication(1);
    given.plan.levels[0]! -= 1;
    expect(checkPlan(given)).toEqual({
      signed: false,
      counts: new Map([["C16", 1]]),
      violations: [{ rule: "C16", fault: "level", du: -1, position: 0, found: expect.any(Number), expected: expect.any(Number) }],
    });
  });

  test("agrees with a look at every assignment of tiny problems, allowed or not", () => {
    let allowed = 0;
    let refused = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const problem = tinyProblem(seed, 5);
      for (const assignment of allAssignments(problem)) {
        const judged = judge(problem, assignment);
        const plan = planOf(problem, assignment);
        const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: null, moves: null, source: null });
        // Most of these plans could begin earlier, so only the tightness of what they say they wait for is left aside.
        const found = broken(verdict).filter((rule) => rule !== "C19");
        if (found.length > 0 === judged.allowed)
          expect(found, `seed ${seed} ${JSON.stringify(assignment)}`).toEqual(judged.allowed ? [] : ["some"]);
        if (judged.allowed) allowed++;
        else refused++;
      }
    }
    expect(Math.min(allowed, refused)).toBeGreaterThan(100);
  });

  test("has no bound above the best plan there is, and proves nothing impossible that is possible", () => {
    let impossible = 0;
    let proved = 0;
    for (let seed = 1; seed <= 45; seed++) {
      const problem = tinyProblem(seed, 3 + (seed % 3));
      const best = bestPlan(problem);
      const any: Certificate[] = [0, 1].flatMap((du) => [0, 1].flatMap((position) => claimsAbout(problem, du, position)));
      const found = any.filter((claim) => checkClaims(problem, [claim]).signed);
      if (best) {
        boundsOf(problem).forEach((bound, level) => {
          expect(bound, `seed ${seed} level ${level}`).toBeLessThanOrEqual(best.levels[level]!);
        });
        expect(found, `seed ${seed}`).toEqual([]);
      } else {
        impossible++;
        if (found.length > 0) proved++;
      }
    }
    expect(impossible).toBeGreaterThan(10);
    expect(proved).toBeGreaterThan(impossible / 2);
  });

  test("as many DUs go without as the missing units make at least, region by region", () => {
    const given = (units: number, region: number, lots: LotGiven[] = []) =>
      makeProblem({
        ...week,
        freeDays: [[], []],
        dus: [3, 2, 2].map((asked, at) => ({ flow: "F", region: at === 2 ? 1 : 0, demand: [[0, asked]] as [number, number][] })),
        lots: [{ item: 0, units, region }, ...lots],
        objective: ["gapDus"],
      });
    const bound = (problem: Problem) => boundsOf(problem)[0];
    // Three of seven: four are missing, which three and two make. Four of seven: the one that asks for three can go without them.
    expect([7, 6, 4, 3, 2].map((units) => bound(given(units, -1)))).toEqual([0, 1, 1, 2, 2]);
    // What lies in one region helps nobody in the other.
    expect([5, 4, 1].map((units) => bound(given(units, 0)))).toEqual([1, 2, 3]);
    expect(bound(given(5, 0, [{ item: 0, units: 2, region: 1 }]))).toBe(0);
  });

  test.each(claims)("accepts the proof of $name", ({ given, claim }) => {
    expect(checkClaims(makeProblem(given), [claim])).toEqual({ signed: true, unproved: [] });
  });

  test.each(claims)("refuses a false proof of $name", ({ given, claim }) => {
    const problem = makeProblem(given);
    const wrong: Certificate[] = [
      { ...claim, needed: claim.needed + 1 } as Certificate,
      { ...claim, available: claim.available - 1 } as Certificate,
      { ...claim, needed: claim.available } as Certificate,
      ...("du" in claim ? [{ ...claim, du: 99 }] : []),
      ...("position" in claim ? [{ ...claim, position: 99 }] : []),
      ...("positions" in claim
        ? [
            { ...claim, positions: [] },
            { ...claim, positions: [1, 1] },
          ]
        : []),
      ...("pools" in claim
        ? [
            { ...claim, pools: [1] },
            { ...claim, to: claim.to + 1 },
            { ...claim, pools: [0, 0] },
          ]
        : []),
      ...("item" in claim
        ? [
            { ...claim, item: 1 },
            { ...claim, day: 9 },
            { ...claim, region: 0, needed: 500 },
          ]
        : []),
      ...("cluster" in claim ? [{ ...claim, cluster: 7 }] : []),
    ].filter((one) => !("du" in one && "item" in one && one.du === 99) && !("pools" in one && `${one.pools}` === "0,0"));
    for (const one of wrong) expect(checkClaims(problem, [one]), JSON.stringify(one)).toEqual({ signed: false, unproved: [one] });
    expect(checkClaims(problem, [])).toEqual({ signed: false, unproved: [] });
  });

  test("yields whole units of what is dismantled, with one floor", () => {
    const rates = { damage: 1000, reuse: 8000, buffer: 0 };
    expect(reusableHundredths(400, rates)).toBe(200);
    expect(reusableHundredths(400, { ...rates, damage: 5000 })).toBe(100);
    expect(reusableHundredths(1250, { damage: 0, reuse: 10_000, buffer: 2000 })).toBe(1000);
    expect(reusableHundredths(9_007_199_254_740_900, { damage: 0, reuse: 10_000, buffer: 0 })).toBe(9_007_199_254_740_900);
  });

  test("refuses a schedule of a project that breaks a distance, a capacity, its makespan or its size", () => {
    const project = {
      durations: Int32Array.of(0, 2, 2, 0),
      capacities: Int32Array.of(1),
      demands: Int32Array.of(0, 1, 1, 0),
      outAt: Int32Array.of(0, 2, 3, 4, 4),
      outTo: Int32Array.of(1, 2, 3, 3),
      outLag: Int32Array.of(0, 0, 2, 2),
    };
    const fault = (start: number[], makespan: number) => projectFault(project, { start: Int32Array.from(start), makespan });
    expect(fault([0, 0, 2, 4], 4)).toBeNull();
    expect(fault([0, 0, 1, 4], 4)).toEqual({ fault: "capacity", resource: 0, day: 1, found: 2, expected: 1 });
    expect(fault([0, 0, 2, 3], 4)).toEqual({ fault: "lag", job: 2, to: 3, found: 1, expected: 2 });
    expect(fault([0, 0, 2, 4], 3)).toEqual({ fault: "makespan", found: 3, expected: 4 });
    expect(fault([0, 0, 2], 4)).toEqual({ fault: "jobs", found: 3, expected: 4 });
    expect(fault([0, -1, 2, 4], 4)).toEqual({ fault: "start", job: 1, found: -1 });
  });
});

/** Claims one could make about a job of a tiny problem, with the figures that would make them true. */
function claimsAbout(problem: Problem, du: number, position: number): Certificate[] {
  const figures = Array.from({ length: 9 }, (_, needed) =>
    Array.from({ length: needed }, (__, available) => ({ needed, available, relax: 1 })),
  ).flat();
  return figures.flatMap((figure): Certificate[] => [
    { code: "HORIZON", du, position, ...figure },
    { code: "TEAM_OVERLOAD", pools: [0, 1], from: 0, to: problem.horizonDays, ...figure },
    { code: "TEAM_OVERLOAD", pools: [0], from: position, to: problem.horizonDays - du, ...figure },
    ...(figure.needed === 1 && figure.available === 0
      ? [{ code: "NO_TEAM" as const, du, position, needed: 1 as const, available: 0 as const, relax: 1 as const }]
      : []),
  ]);
}
