import { checkPlan } from "#lib/planning-engine/checker/logic.ts";
import type { Violation } from "#lib/planning-engine/checker-facts/logic.ts";
import { materialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { newRun, planOf, runAll } from "#lib/planning-engine/solver/logic.ts";
import { chance, type DuGiven, type LotGiven, makeProblem, type ProblemGiven, randomRollOut } from "#tests/support/planning-problem.ts";

/** The best plan after so many evaluations; null when none was found. */
export function planned(problem: Problem, evaluationLimit = 100): Plan {
  const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit, islands: 1 });
  runAll(run, () => false);
  return planOf(run)!;
}

/** What the checker finds wrong with a plan and its movements of material. */
export function materialFaults(problem: Problem, plan: Plan): Violation[] {
  const verdict = checkPlan({ problem, plan, bounds: null, dus: null, balance: materialPlan(problem, plan), moves: null, source: null });
  return verdict.signed ? [] : verdict.violations;
}

/** A random roll-out in which only the named features have to do with material, and nothing but material and dates is asked for. */
export function materialRollOut(seed: number, features: ("substitution" | "reuse" | "direct moving")[]): Problem {
  const given = randomRollOut(seed);
  delete given.clusters;
  for (const flow of given.flows)
    for (const activity of flow.activities) {
      delete activity.coTeam;
      delete activity.coResource;
    }
  for (const du of given.dus) {
    if (!features.includes("direct moving")) delete du.directFrom;
    // Fixed jobs that miss what leads to them count as late days, which is no matter of material.
    du.kept = du.kept?.filter(({ state }) => state !== "fixed");
  }
  if (!features.includes("reuse")) given.lots = given.lots?.filter(({ source }) => source !== "reuse");
  if (!features.includes("substitution")) given.substitutes = [];
  given.objective = ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion"];
  if (features.includes("substitution")) given.objective.push("substituted");
  return makeProblem(given);
}

/** The rows of a pegging that can be read, in units. */
export function pegged(problem: Problem, { allocations }: Plan) {
  return Array.from(allocations.du, (du, row) => ({
    du,
    item: allocations.designItem[row]!,
    lot: allocations.lot[row]!,
    units: allocations.quantity[row]! / 100,
    day: allocations.available[row]!,
    ...(allocations.group[row]! >= 0
      ? { covers: allocations.covers[row]! / 100, group: problem.substitutes.name[allocations.group[row]!] }
      : {}),
    ...(allocations.direct[row] ? { direct: true } : {}),
  }));
}

/**
 * Sites that exchange material: new ones, ones that are taken down, and swaps that take down before or after they install, so that donors wait for donors.
 * Items replace one another by groups with parts in common; some sites move material directly, from sites others claim too. With clusters, anchors take
 * material or give it.
 */
export function randomExchange(seed: number, sites = 9, clustered = false): Problem {
  const draw = chance(seed);
  const dus: DuGiven[] = Array.from({ length: sites }, (_, index) => {
    const flow = (["NEW", "SWAP", "RENEW", "DISM"] as const)[draw(4)]!;
    const du: DuGiven = { flow, region: draw(2), release: draw(5), due: 8 + draw(25), rankClass: draw(3), site: index % 4 };
    if (flow !== "DISM") du.demand = ([0, 1, 2] as const).filter(() => draw(2) === 0).map((item): [number, number] => [item, 1 + draw(4)]);
    if (draw(3) === 0) du.directFrom = draw(4);
    if (clustered && draw(3) > 0) du.cluster = draw(2);
    const roll = draw(9);
    const activity = flow === "DISM" ? "Dismantle" : "Install";
    if (roll === 0) du.kept = [{ activity, state: "suspended", start: 7 * (1 + draw(3)), end: 7 * 3 + 3 }];
    if (roll === 1) du.kept = [{ activity, state: "completed", start: -7, end: -4 }];
    return du;
  });
  const units = () => 1 + draw(4);
  const donors = dus.flatMap(({ flow }, donor) => (flow === "NEW" ? [] : [donor]));
  const lots: LotGiven[] = [
    ...Array.from({ length: 7 }, () => ({ item: draw(5), units: units(), region: draw(3) - 1, priority: 1 + draw(3) })),
    ...Array.from({ length: 4 }, () => ({ item: draw(5), units: units(), region: draw(3) - 1, day: draw(30), source: "inbound" as const })),
    ...donors.flatMap((donor) =>
      [0, 1, 3].filter(() => draw(2) === 0).map((item) => ({ item, units: units(), source: "reuse" as const, donor, turnaround: draw(4) })),
    ),
  ];
  return makeProblem({
    horizon: 80 + draw(60),
    freeDays: [[5, 6], [6]],
    flows: [
      {
        name: "NEW",
        activities: [
          { name: "Survey", days: 1 },
          { name: "Install", days: 2, team: "INST" },
        ],
        relations: [["Survey", "Install", "FS", 0]],
        material: "Install",
        anchor: "Install",
      },
      {
        name: "SWAP",
        activities: [
          { name: "Install", days: 2, team: "INST" },
          { name: "Dismantle", days: 1, team: "INST", disassembly: true },
        ],
        relations: [["Install", "Dismantle", "FS", 1]],
        material: "Install",
        anchor: clustered ? "Dismantle" : undefined,
      },
      {
        name: "RENEW",
        activities: [
          { name: "Dismantle", days: 1, team: "INST", disassembly: true },
          { name: "Clear", days: 1, disassembly: true },
          { name: "Install", days: 1, team: "INST" },
        ],
        relations: [
          ["Dismantle", "Clear", "FS", 0],
          ["Dismantle", "Install", "FS", 0],
        ],
        material: "Install",
        anchor: clustered && seed % 2 === 0 ? "Dismantle" : "Install",
      },
      { name: "DISM", activities: [{ name: "Dismantle", days: 2, team: "INST", disassembly: true }], relations: [] },
    ],
    pools: [
      { skill: "INST", region: 0, teams: 1 },
      { skill: "INST", region: 1, teams: 1 },
      { skill: "INST", teams: 1 },
    ],
    dus,
    lots,
    items: 5,
    substitutes: [
      {
        item: 0,
        covers: 2,
        parts: [
          [3, 1],
          [4, 2],
        ],
      },
      { item: 0, covers: 1, parts: [[1, 1]] },
      { item: 1, covers: 3, parts: [[3, 2]] },
      {
        item: 2,
        covers: 1,
        parts: [
          [4, 1],
          [0, 1],
        ],
      },
    ].slice(draw(3)) as NonNullable<ProblemGiven["substitutes"]>,
    clusters: clustered
      ? { needed: [0, 1].map((cluster) => Math.ceil(dus.filter((du) => du.cluster === cluster).length / 2)), limit: 1 + draw(2) }
      : undefined,
    objective: ["gapDus", "lateDus", "lateDays", "classCompletion", "makespan", "completion", "substituted"],
  });
}
