import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { checkClaims, checkPlan } from "#lib/planning-engine/checker/logic.ts";
import { rules } from "#lib/planning-engine/checker-facts/limits.ts";
import type { Violation } from "#lib/planning-engine/checker-facts/logic.ts";
import { boundsOf } from "#lib/planning-engine/checker-levels/logic.ts";
import { describeCertificate, type KeptDiagnoses, limitDiagnoses, planWarnings } from "#lib/planning-engine/diagnosis/logic.ts";
import { materialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { causesOf, inNumbersOf, movesOf } from "#lib/planning-engine/moves/logic.ts";
import { centralRegion, gapReasonNames } from "#lib/planning-engine/outputs/limits.ts";
import { preCheck } from "#lib/planning-engine/pre-checks/logic.ts";
import { causedMoves, duFigures, namesOf, type OutputTexts, outputTexts } from "#lib/planning-engine/publication/logic.ts";
import { freezeBase } from "#lib/planning-engine/re-planning/logic.ts";
import type { Snapshot } from "#lib/planning-engine/snapshot/logic.ts";
import { problemOf } from "#lib/planning-engine/snapshot-problem/logic.ts";
import { type ComponentEffort, type Progress, solveInThreads } from "./planning-engine-threads.ts";

/** What the calculation of a run is given. */
export type RunOrder = {
  runId: number;
  projectId: number;
  snapshot: Uint8Array;
  sha256: string;
  seed: number;
  evaluationLimit: number;
  timeBudgetS: number;
  islands: number;
  /** What the plan was calculated from that a re-planning starts from; null without one. */
  baseSnapshot: Uint8Array | null;
  /** Where the solver of the exact step is installed; null where it is not. */
  exactFolder: string | null;
};

/** The best plan so far by the names of its levels. */
export type LevelValues = { level: string; rankClass: number | null; value: number }[];

/** How far it is: percent of the whole run. */
export type RunTelling = {
  kind: "telling";
  phase: "prepare" | "construct" | "improve" | "check" | "write";
  percent: number;
  evaluations: number;
  levels: LevelValues | null;
};

/** What the checker said, rule by rule; the violations described are the first ones. */
export type CheckReport = { signed: boolean; rules: { rule: string; violations: number }[]; violations: Violation[] };

/** What came of it. Only `plan` is published. */
export type RunEnd =
  | {
      kind: "plan";
      texts: OutputTexts;
      planStart: string;
      levels: LevelValues;
      bounds: number[];
      /** So many levels, from the first on, are proved by the exact step. */
      provedLevels: number;
      warnings: KeptDiagnoses;
      lateDays: number;
      lateDus: number;
      gapDus: number;
      makespan: number;
      report: CheckReport;
      components: ComponentEffort[];
      stoppedEarly: boolean;
    }
  | {
      kind: "none";
      code: "NO_FEASIBLE" | "NO_PLAN_FOUND" | "CHECK_FAILED";
      diagnosis: KeptDiagnoses;
      report: CheckReport | null;
    }
  /** Stopped before there was a plan. */
  | { kind: "stopped" };

type Frozen = Omit<ReturnType<typeof thaw>, "problem"> & { problem: Problem };

/** The frozen input as the problem of the engine, with its names and the figures it was worked out from. */
function thaw(snapshot: Snapshot) {
  const { problem, reuse, present } = problemOf(snapshot);
  return {
    problem: Object.assign(problem, { present }),
    reuse,
    names: namesOf(snapshot),
    clusteringRate: problem.clusters ? snapshot.settings.clusteringRate : null,
  };
}

/** A thread of its own that does nothing but this run, so that the worker stays free to watch over it. */
async function calculate(order: RunOrder, tell: (telling: RunTelling) => void, stop: AbortController): Promise<RunEnd> {
  tell({ kind: "telling", phase: "prepare", percent: 0, evaluations: 0, levels: null });
  const text = gunzipSync(order.snapshot);
  const found = createHash("sha256").update(text).digest("hex");
  const snapshot = JSON.parse(text.toString("utf8")) as Snapshot;
  const thawed = thaw(snapshot);
  const { problem, broken } = freezeBase(thawed.problem, snapshot.base?.frozenDays ?? 0);
  const frozen: Frozen = { ...thawed, problem };
  const { names } = frozen;
  const fail = (code: (RunEnd & { kind: "none" })["code"], diagnosis: KeptDiagnoses, report: CheckReport | null = null): RunEnd => ({
    kind: "none",
    code,
    diagnosis,
    report,
  });
  const certificates = preCheck(problem);
  if (certificates.length > 0) {
    const diagnosis = limitDiagnoses(certificates.map((certificate) => describeCertificate(certificate, problem, names)));
    return fail(checkClaims(problem, certificates).signed ? "NO_FEASIBLE" : "NO_PLAN_FOUND", diagnosis);
  }
  tell({ kind: "telling", phase: "construct", percent: 5, evaluations: 0, levels: null });
  const began = performance.now();
  const limit = setTimeout(() => stop.abort(), order.timeBudgetS * 1000);
  const jobs = problem.dus.firstJob.at(-1) ?? 0;
  const threads = jobs < smallJobs ? 1 : Math.min(threadsMost, availableParallelism());
  const { seed, evaluationLimit, islands, exactFolder: folder } = order;
  const exact = snapshot.settings.useExact && folder ? { folder, seconds: order.timeBudgetS } : null;
  const improving = ({ evaluations, levels }: Progress) => {
    const elapsed = (performance.now() - began) / 1000 / order.timeBudgetS;
    const share = Math.min(1, Math.max(evaluations / evaluationLimit, elapsed));
    tell({
      kind: "telling",
      phase: levels ? "improve" : "construct",
      percent: levels ? 15 + 75 * share : 5 + 10 * share,
      evaluations,
      levels: levels && named(frozen, levels),
    });
  };
  const solved = await solveInThreads(problem, { seed, evaluationLimit, islands }, threads, stop.signal, improving, exact);
  clearTimeout(limit);
  const { plan, evaluations, components, stoppedEarly } = solved;
  if (!plan && stoppedEarly) return { kind: "stopped" };
  if (!plan) return fail("NO_PLAN_FOUND", limitDiagnoses([]));
  const levels = named(frozen, plan.levels);
  tell({ kind: "telling", phase: "check", percent: 90, evaluations, levels });
  return publish(order, frozen, plan, {
    found,
    levels,
    components,
    provedLevels: solved.exact ? Math.min(...solved.exact.map(({ proved }) => proved)) : 0,
    broken,
    stoppedEarly,
    fail,
    tell: (percent) => tell({ kind: "telling", phase: "write", percent, evaluations, levels }),
  });
}

function publish(
  order: RunOrder,
  frozen: Frozen,
  plan: Plan,
  given: {
    found: string;
    levels: LevelValues;
    components: ComponentEffort[];
    provedLevels: number;
    broken: readonly number[];
    stoppedEarly: boolean;
    fail: (code: "CHECK_FAILED", diagnosis: KeptDiagnoses, report: CheckReport) => RunEnd;
    tell: (percent: number) => void;
  },
): RunEnd {
  const { problem, names, reuse, clusteringRate } = frozen;
  const figures = duFigures(problem, plan);
  const movements = materialPlan(problem, plan);
  const bounds = boundsOf(problem);
  const moves = problem.base ? movesOf(problem, plan) : null;
  const verdict = checkPlan({
    problem,
    plan,
    bounds: { levels: bounds },
    dus: figures,
    balance: movements,
    moves,
    source: { hash: { recorded: order.sha256, found: given.found }, reuse, clusteringRate },
  });
  const counts = verdict.signed ? new Map<string, number>() : (verdict.counts as Map<string, number>);
  const report: CheckReport = {
    signed: verdict.signed,
    rules: rules.map((rule) => ({ rule, violations: counts.get(rule) ?? 0 })),
    violations: verdict.signed ? [] : verdict.violations.slice(0, violationsKept),
  };
  if (!verdict.signed) return given.fail("CHECK_FAILED", limitDiagnoses([]), report);
  given.tell(95);
  return {
    kind: "plan",
    texts: outputTexts(order, problem, plan, names, {
      figures,
      movements,
      words: { central: centralRegion, reasons: gapReasonNames },
      moves: moves ? causedMoves(moves, causesOf(problem, plan, moves, before(order, names) ?? problem)) : [],
    }),
    planStart: names.planStart,
    levels: given.levels,
    bounds,
    provedLevels: given.provedLevels,
    warnings: limitDiagnoses(planWarnings(problem, plan, given.broken)),
    lateDays: figures.lateDays.reduce((sum, days) => sum + days, 0),
    lateDus: figures.lateDays.reduce((sum, days) => sum + (days > 0 ? 1 : 0), 0),
    gapDus: figures.hasGap.reduce((sum, gap) => sum + gap, 0),
    makespan: figures.lastEnd.reduce((most, end) => (end >= beyond ? most : Math.max(most, end + 1)), 0),
    report,
    components: given.components,
    stoppedEarly: given.stoppedEarly,
  };
}

/** The problem the base of a re-planning was planned from, in the numbers of this one. */
function before({ baseSnapshot }: RunOrder, names: Frozen["names"]) {
  if (!baseSnapshot) return null;
  const base = thaw(JSON.parse(gunzipSync(baseSnapshot).toString("utf8")) as Snapshot);
  return inNumbersOf(names, base.names, base.problem);
}

/** Levels by their names. */
function named({ problem }: Frozen, values: readonly number[]): LevelValues {
  const classes = 1 + problem.dus.rankClass.reduce((most, own) => Math.max(most, own), 0);
  return problem.objective
    .flatMap((level): { level: string; rankClass: number | null }[] =>
      level === "classCompletion"
        ? Array.from({ length: classes }, (_, rankClass) => ({ level, rankClass }))
        : [{ level, rankClass: null }],
    )
    .map((level, at) => ({ ...level, value: values[at] ?? 0 }));
}

/** Below these jobs one thread is as fast as several. */
const smallJobs = 5_000;
const threadsMost = 4;
const violationsKept = 100;
/** Days from here on are none. */
const beyond = 1_000_000_000;

const port = parentPort;
if (!port) throw new Error("a run is calculated in a thread");
const stop = new AbortController();
port.on("message", () => stop.abort());
const end = await calculate(workerData as RunOrder, (telling) => port.postMessage(telling), stop);
port.postMessage(end);
port.close();
