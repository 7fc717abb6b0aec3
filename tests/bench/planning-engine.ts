import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openExactStep } from "#jobs/planning-engine-exact.ts";
import { exactFolder } from "#lib/planning-engine/exact/queries.ts";
import { projectModel } from "#lib/planning-engine/exact-project/logic.ts";
import { searchProject } from "#lib/planning-engine/genetic/logic.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import type { Run } from "#lib/planning-engine/searches/logic.ts";
import { evaluationsOf, levelsOf, newRun, planOf, runAll, runFirst, runPortfolio } from "#lib/planning-engine/solver/logic.ts";
import { scheduleFaults } from "#tests/support/project-check.ts";
import { type Instance, psplibFolder, readInstances } from "#tests/support/psplib.ts";
import { rollOut } from "#tests/support/roll-out.ts";
import { latestFinishReference } from "#tests/support/roll-out-reference.ts";
import { median, once } from "./measure.ts";
import { tenSeconds } from "./ten-seconds.ts";

type Set = "j30" | "j60" | "j120";
type Anchors = { goal: number; reach: number; prototype: number; published: string };

/** Per cent above the optimum (j30) or the longest path, by schedules: goals, the prototype and the best published figure with its source. */
const anchors: Record<Set, Record<number, Anchors>> = {
  j30: {
    1000: { goal: 0.15, reach: 0.12, prototype: 0.18, published: "0.12 DBGA 2007" },
    5000: { goal: 0.06, reach: 0.04, prototype: 0.094, published: "0.04 DBGA 2007" },
    50000: { goal: 0.02, reach: 0.015, prototype: 0.024, published: "0.01 scatter search 2006" },
  },
  j60: {
    1000: { goal: 11.5, reach: 11.3, prototype: 11.74, published: "11.31 DBGA 2007" },
    5000: { goal: 11, reach: 10.95, prototype: 11.21, published: "10.95 DBGA 2007" },
    50000: { goal: 10.72, reach: 10.6, prototype: 10.89, published: "10.68 DBGA 2007; CP-SAT, 8 cores, 900 s 10.59" },
  },
  j120: {
    1000: { goal: 33.8, reach: 33.5, prototype: 34.38, published: "33.55 DBGA 2007" },
    5000: { goal: 32.3, reach: 32.1, prototype: 32.76, published: "32.18 DBGA 2007" },
    50000: { goal: 30.8, reach: 30.6, prototype: 31.36, published: "30.69 DBGA 2007; CP-SAT, 8 cores, 900 s 31.44; OptalCP 30.00" },
  },
};
/** Goals of the 10 s column: mean and proven optima of the whole set. */
const tenSecondGoals: Record<Set, { goal: number; reach: number }> = {
  j30: { goal: 0.01, reach: 0 },
  j60: { goal: 10.58, reach: 10.55 },
  j120: { goal: 30.45, reach: 30.2 },
};
const sets = ["j30", "j60", "j120"] as const;

/** The three roll-outs with their reference, as their definition gives them; evaluations are more than the seconds allow. */
const rollOuts = [
  {
    size: [1_000, 20, 250],
    seconds: 5,
    evaluations: 30_000,
    first: 0.1,
    portfolio: { seconds: 0.5, goal: 28, prototype: 29.8 },
    goal: 55,
    prototype: 54.4,
    is: { relations: 25_095, teams: 254, units: 4_725, weighted: 87_366, late: 717, end: 307, starts: 2_695_326 },
  },
  {
    size: [10_000, 20, 500],
    seconds: 20,
    evaluations: 12_000,
    first: 0.5,
    portfolio: { seconds: 3, goal: 33, prototype: 33.3 },
    goal: 56,
    prototype: 56,
    is: { relations: 251_760, teams: 1_161, units: 46_765, weighted: 1_612_630, late: 7_019, end: 562, starts: 51_200_465 },
  },
  {
    size: [10_000, 60, 500],
    seconds: 60,
    evaluations: 12_000,
    first: 1,
    portfolio: { seconds: 5, goal: 44, prototype: 44.1 },
    goal: 66,
    prototype: 66.8,
    is: { relations: 766_813, teams: 3_591, units: 46_765, weighted: 1_566_416, late: 7_711, end: 666, starts: 180_305_851 },
  },
] as const;

const parts: Record<string, () => Promise<void> | void> = {
  quick: () => benchProjects([1_000, 5_000], 10),
  full: () => {
    benchProjects([1_000, 5_000, 50_000], 1);
    benchSeeds();
  },
  long: benchLong,
  exact: () => benchTenSeconds(20),
  ...Object.fromEntries(sets.map((set) => [`exact-${set}`, () => benchTenSeconds(20, [set])])),
  "exact-all": () => benchTenSeconds(1),
  ...Object.fromEntries(sets.map((set) => [`exact-all-${set}`, () => benchTenSeconds(1, [set])])),
  roll: () => benchRollOuts(),
  product: () => benchProduct(),
  ...Object.fromEntries(
    rollOuts.flatMap(({ size }) => [
      [`roll-${sizeName(size)}`, () => benchRollOuts(sizeName(size))],
      [`product-${sizeName(size)}`, () => benchProduct(sizeName(size))],
    ]),
  ),
};

/**
 * Quality and speed of the planning engine beside the anchors of its field.
 * @param asked parts: quick, full, long (50,000 schedules of 120 jobs), exact, exact-all, roll, product (runs through the installation); exact-j30,
 *   exact-all-j30, roll-10000x20 and the like for one set or size. Long and the exact ones go on where they were stopped. None = quick and roll.
 */
export async function benchPlanningEngine(asked: string[]): Promise<void> {
  const unknown = asked.filter((name) => !(name in parts));
  if (unknown.length > 0) throw new Error(`There is no part "${unknown.join('", "')}". Choose from: ${Object.keys(parts).join(", ")}`);
  for (const name of asked.length > 0 ? asked : ["quick", "roll"]) await parts[name]!();
}

/** DUs and activities of a roll-out, as `10000x60`. */
function sizeName([dus, activities]: readonly [number, number, number]): string {
  return `${dus}x${activities}`;
}

/** What opens an installation is loaded for this part alone: the memory of the others is that of the engine. */
async function benchProduct(asked?: string): Promise<void> {
  const { benchEngineRuns } = await import("./planning-engine-product.ts");
  await benchEngineRuns(asked);
}

type Outcome = { instance: Instance; makespan: number; proven: boolean; schedules: number };
type Proved = Outcome & { proof: string | null };

/** Searches one instance, checked. */
function solve(instance: Instance, limit: number, seed: number, stop?: () => boolean): Outcome {
  const { start, makespan, bound, schedules } = searchProject(instance.project, limit, seed, stop);
  check(instance, start, makespan, bound);
  return { instance, makespan, proven: makespan === bound, schedules };
}

/** A fault, a makespan below the proven bound or below the best anyone knows ends the bench. */
function check({ project, name, lower, upper }: Instance, start: Int32Array, makespan: number, bound: number): void {
  const faults = scheduleFaults(project, start, makespan);
  if (faults.length > 0) throw new Error(`${name}: ${faults[0]}`);
  if (makespan < lower || bound > upper)
    throw new Error(`${name}: makespan ${makespan} and bound ${bound} against known ${lower} to ${upper}`);
  if (makespan < upper) throw new Error(`ALARM: ${name}: ${makespan} is below the best known ${upper}`);
}

/** Mean deviation in per cent: of j30 from the optimum, of the others from the longest path. */
function deviation(outcomes: Outcome[]): number {
  const sum = outcomes.reduce(
    (all, { instance, makespan }) => all + makespan / (instance.set === "j30" ? instance.upper : instance.path) - 1,
    0,
  );
  return (100 * sum) / outcomes.length;
}

/** The same of the best anyone knows. */
function knownBest(outcomes: Outcome[]): number {
  return deviation(outcomes.map((outcome) => ({ ...outcome, makespan: outcome.instance.upper })));
}

function instancesOf(set: Set): Instance[] | null {
  const folder = psplibFolder();
  if (!folder) console.log("skipped: the public scheduling instances are not in SAMPLE_DATA");
  return folder ? readInstances(folder, set) : null;
}

function benchProjects(counts: number[], every: number): void {
  for (const set of sets) {
    const instances = instancesOf(set)?.filter((_, at) => at % every === Math.floor(at / every) % every);
    if (!instances) return;
    for (const count of counts) {
      const began = performance.now();
      const outcomes = instances.map((instance) => solve(instance, count, 1));
      const each = (performance.now() - began) / instances.length;
      const unseen = outcomes.filter(({ instance }) => instance.replicate > 2);
      const { goal, reach, prototype, published } = anchors[set][count]!;
      const above = outcomes.reduce((sum, { instance, makespan }) => sum + makespan / instance.upper - 1, 0) / outcomes.length;
      console.log(
        `${set.padEnd(5)} ${String(count).padStart(6)} schedules, ${outcomes.length} instances: ${deviation(outcomes).toFixed(3)} %   goal ≤ ${goal} (${reach})   replicates 3–10 ${deviation(unseen).toFixed(3)}   above best known ${(100 * above).toFixed(2)} %   best known ${knownBest(outcomes).toFixed(3)}   prototype ${prototype}   published ${published}   ${each.toFixed(1)} ms each`,
      );
    }
  }
}

/** Sources that decide what a search, and what ten seconds find. */
const searchSources = ["genetic/limits", "genetic/logic", "project-sgs/logic", "bounds/logic", "random/logic"].map(
  (name) => `lib/planning-engine/${name}.ts`,
);
const tenSecondSources = [
  ...searchSources,
  ...["destructive-bounds/limits", "destructive-bounds/logic", "exact-project/logic", "exact-model/limits", "exact-model/logic"].map(
    (name) => `lib/planning-engine/${name}.ts`,
  ),
  "jobs/planning-engine-exact-thread.ts",
  "tests/bench/ten-seconds.ts",
];

/**
 * Outcomes of a long part, kept in the data folder under the state of its sources: calls that are stopped add up to the whole set, and figures of different
 * states never do. `BENCH_SECONDS` ends a call before its next instance, and `BENCH_SHARE=1/2` does only the first of two shares of the set, for as many calls
 * beside each other as there are cores; who wants to measure anew removes the file.
 */
function keptOutcomes(name: string, sources: string[], instances: Instance[]) {
  const hash = createHash("sha256");
  for (const source of sources) hash.update(readFileSync(new URL(`../../${source}`, import.meta.url)));
  const folder = resolve(process.env.DATA_DIR ?? ".data");
  const file = join(folder, `bench-${name}-${hash.digest("hex").slice(0, 12)}.tsv`);
  mkdirSync(folder, { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  const end = performance.now() + 1000 * Number(process.env.BENCH_SECONDS ?? Number.POSITIVE_INFINITY);
  const outcomes = lines.flatMap((line): Proved[] => {
    const [own, makespan, proven, proof] = line.split("\t");
    const instance = instances.find(({ name }) => name === own);
    return instance ? [{ instance, makespan: Number(makespan), proven: proven === "1", schedules: 0, proof: proof || null }] : [];
  });
  const known = new Set(outcomes.map(({ instance }) => instance.name));
  // Replicate by replicate: what is there after a part of the time has all parameters alike.
  const order = instances.toSorted((left, right) => left.replicate - right.replicate || left.parameter - right.parameter);
  const [share, shares] = (process.env.BENCH_SHARE ?? "1/1").split("/").map(Number) as [number, number];
  return {
    outcomes,
    // By place and replicate: calls that begin at different times share alike, and each has some of every parameter.
    left: order.filter((instance, at) => (at + instance.replicate) % shares === share - 1 && !known.has(instance.name)),
    isOver: () => performance.now() > end,
    keep(outcome: Proved) {
      outcomes.push(outcome);
      appendFileSync(file, `${outcome.instance.name}\t${outcome.makespan}\t${outcome.proven ? 1 : 0}\t${outcome.proof ?? ""}\n`);
    },
  };
}

/** The longest column: 50,000 schedules of 120 jobs take an hour, so what was done is kept. */
function benchLong(): void {
  const instances = instancesOf("j120");
  if (!instances) return;
  const { outcomes, left, isOver, keep } = keptOutcomes("j120-50000", searchSources, instances);
  for (const instance of left) {
    if (isOver()) break;
    keep({ ...solve(instance, 50_000, 1), proof: null });
  }
  const { goal, reach, published } = anchors.j120[50_000]!;
  const means = (of: Outcome[]) => `${deviation(of).toFixed(3)} (${of.length})`;
  const ofReplicate = (replicate: number) => outcomes.filter(({ instance }) => instance.replicate === replicate);
  const replicates = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((replicate) => ofReplicate(replicate).length > 0);
  console.log(
    `j120  50000 schedules, ${outcomes.length} instances: ${deviation(outcomes).toFixed(3)} %   goal ≤ ${goal} (${reach})   replicates 3–10 ${means(outcomes.filter(({ instance }) => instance.replicate > 2))}   best known ${knownBest(outcomes).toFixed(3)}   published ${published}   by replicate ${replicates.map((replicate) => means(ofReplicate(replicate))).join(", ")}`,
  );
}

/** Spread of the seeds 1 to 3 at 5,000 schedules. */
function benchSeeds(): void {
  for (const set of sets) {
    const instances = instancesOf(set);
    if (!instances) return;
    const means = [1, 2, 3].map((seed) => deviation(instances.map((instance) => solve(instance, 5_000, seed))).toFixed(3));
    console.log(`${set.padEnd(5)}   5000 schedules, seeds 1, 2, 3: ${means.join(", ")} %`);
  }
}

/**
 * Ten seconds an instance, one in twenty (all with the parts `exact-all`), with the exact step where it is installed. Longer than that is a fault of the bench,
 * so the longest is told too.
 */
async function benchTenSeconds(every: number, of: readonly Set[] = sets): Promise<void> {
  const folder = exactFolder(resolve(process.env.DATA_DIR ?? ".data"));
  console.log(folder ? "with the exact step" : "without the exact step: it is not installed (npm run get-exact)");
  console.log("skipped: the instances of RG300 and RCPSP/max are not in SAMPLE_DATA");
  const step = folder ? openExactStep(folder, 1) : null;
  try {
    for (const set of of) {
      const instances = instancesOf(set)?.filter((_, at) => at % every === 5 % every);
      if (!instances) return;
      await step?.solve(projectModel(instances[0]!.project, instances[0]!.upper)!, 10);
      const { outcomes, left, isOver, keep } = keptOutcomes(`${set}-seconds`, tenSecondSources, instances);
      let longest = 0;
      for (const instance of left) {
        if (isOver()) break;
        const began = performance.now();
        const { start, makespan, bound, proof } = await tenSeconds(instance.project, 1, step);
        longest = Math.max(longest, performance.now() - began);
        check(instance, start, makespan, bound);
        keep({ instance, makespan, proven: makespan === bound, schedules: 0, proof });
      }
      const { goal, reach } = tenSecondGoals[set];
      const proven = (by: string) => outcomes.filter((outcome) => outcome.proven && outcome.proof === by).length;
      const unseen = outcomes.filter(({ instance }) => instance.replicate > 2);
      console.log(
        `${set.padEnd(5)} 10 s, ${outcomes.length} instances: ${deviation(outcomes).toFixed(3)} %   goal ≤ ${goal} (${reach})   replicates 3–10 ${deviation(unseen).toFixed(3)}   best known ${knownBest(outcomes).toFixed(3)}   proven ${outcomes.filter((outcome) => outcome.proven).length} of ${outcomes.length}: ${proven("search")} by the search's bound, ${proven("refuted")} by refuted makespans, ${proven("exact")} by the exact step${set === "j30" ? "   goal ≥ 470 of 480 (475)" : ""}   longest ${(longest / 1000).toFixed(1)} s`,
      );
      for (const { instance, makespan, proven } of outcomes)
        if (set === "j30" && !proven) console.log(`  not proven: ${instance.name} ${makespan}, best known ${instance.upper}`);
    }
  } finally {
    await step?.end();
  }
}

async function benchRollOuts(asked?: string): Promise<void> {
  for (const { size, seconds, evaluations, first, portfolio, goal, prototype, is } of rollOuts) {
    if (asked !== undefined && sizeName(size) !== asked) continue;
    const [dus, activities, window] = size;
    const { problem, relations, teams, units } = rollOut(dus, activities, window, 1);
    const { pass, ...reference } = latestFinishReference(problem);
    for (const [figure, value] of Object.entries({ relations, teams, units, ...reference }))
      if (value !== is[figure as keyof typeof is])
        throw new Error(`ROLL(${size}): ${figure} ${value}, by definition ${is[figure as keyof typeof is]}`);
    const jobs = dus * activities;
    const passes: number[] = [];
    for (let run = -2; run < 5; run++) {
      const took = await once(async () => pass());
      if (run >= 0) passes.push(took);
    }
    const budget = { seed: 1, evaluationLimit: evaluations, islands: 1 };
    const fresh = () => newRun(normalise(problem).ready!, budget);
    const firsts: number[] = [];
    for (let run = 0; run < 5; run++)
      firsts.push(
        await once(async () => {
          const begun = fresh();
          runFirst(begun, () => false);
          planOf(begun);
        }),
      );
    const below = (run: Run) => 100 - (100 * levelsOf(run)![0]!) / is.weighted;
    const run = fresh();
    const began = performance.now();
    const cpu = process.cpuUsage().user;
    runFirst(run, () => false);
    runPortfolio(run, () => false);
    const rules = { ms: performance.now() - began, below: below(run) };
    const complete = runAll(run, () => performance.now() - began > seconds * 1000);
    const took = (performance.now() - began) / 1000;
    const worked = (process.cpuUsage().user - cpu) / 1e6;
    const rate = jobs / median(passes) / 1000;
    console.log(
      `ROLL(${size}): reference ${reference.weighted}, one pass ${median(passes).toFixed(1)} ms = ${rate.toFixed(1)} M activities/s   goal ≥ 3`,
    );
    console.log(`  first plan ${(median(firsts) / 1000).toFixed(3)} s   goal ≤ ${first} s`);
    console.log(
      `  24 rules ${rules.below.toFixed(1)} % below the reference in ${(rules.ms / 1000).toFixed(2)} s   goal ≥ ${portfolio.goal} % in ${portfolio.seconds} s   prototype ${portfolio.prototype} %`,
    );
    console.log(
      `  ${below(run).toFixed(1)} % in ${took.toFixed(1)} s (${worked.toFixed(1)} s of them on a processor), ${evaluationsOf(run)} evaluations${complete ? " (all there are)" : ""}   goal ≥ ${goal} % in ${seconds} s   prototype ${prototype} %`,
    );
    console.log(`  resident memory ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB   goal ≤ 400`);
    if (activities === 20 && dus === 10_000) console.log(`  ${await replanned(problem, budget)}`);
  }
}

/** One receipt comes 20 days later: the component it belongs to is planned again from the plan there was, all DUs held. */
async function replanned(problem: Problem, budget: { seed: number; evaluationLimit: number; islands: number }): Promise<string> {
  const day = problem.lots.day.slice();
  day[0]! += 20;
  const first = newRun(normalise(problem).ready!, budget);
  runFirst(first, () => false);
  const { start, pool } = planOf(first)!;
  const changed: Problem = {
    ...problem,
    lots: { ...problem.lots, day },
    base: { start, pool, stabilityWeight: 100 },
    objective: ["gapDus", "stability", "lateDus"],
  };
  const times: number[] = [];
  for (let run = 0; run < 5; run++)
    times.push(
      await once(async () => {
        const ready = normalise(changed).ready!;
        runFirst(
          newRun(ready, budget, (search) => search === 0),
          () => false,
        );
      }),
    );
  return `one of ten components anew from its plan after a late receipt: first plan in ${(median(times) / 1000).toFixed(3)} s   goal ≤ 0.2 s`;
}
