import { type Balance, checkBalance } from "../checker-balance/logic.ts";
import { checkBindings } from "../checker-bindings/logic.ts";
import { isProved } from "../checker-claims/logic.ts";
import { checkClusters, clusterDays } from "../checker-clusters/logic.ts";
import { checkComplete, checkDates, checkRelations } from "../checker-dates/logic.ts";
import { NONE, type Rule } from "../checker-facts/limits.ts";
import { anchorOf, daysOf, downTo, type Facts, Findings, flowOf, isFact, readFacts, type Violation } from "../checker-facts/logic.ts";
import { checkLevels, checkMoves, lateDays, type Move } from "../checker-levels/logic.ts";
import { checkDemand, checkGapRows, checkPegging, reusableHundredths } from "../checker-material/logic.ts";
import { checkFrozenPools, checkGroups, checkTeams, teamWork } from "../checker-teams/logic.ts";
import type { Bounds, Certificate, Plan, Problem } from "../model/logic.ts";

/** What is kept of a DU beside its jobs, as it is stored: nothing of it may say more than the days do. */
export type DuRows = { firstStart: Int32Array; lastEnd: Int32Array; anchorEnd: Int32Array; lateDays: Int32Array; hasGap: Uint8Array };

/** The figures people gave from which the problem was made, so that what was worked out for it can be worked out again. */
export type Source = {
  /** Hash of the stored input as the run wrote it down, and as it is now. */
  hash: { recorded: string; found: string };
  /** Of each reuse lot: what is dismantled (hundredths) and the rates (ten-thousandths). */
  reuse: { lot: number; dismantled: number; damage: number; reuse: number; buffer: number }[];
  /** Share of the DUs of a cluster that opens its gate, in ten-thousandths. */
  clusteringRate: number | null;
};

/** Everything a run is about to publish beside the plan. */
export type Publication = {
  problem: Problem;
  plan: Plan;
  bounds: Bounds | null;
  dus: DuRows | null;
  balance: Balance | null;
  moves: Move[] | null;
  source: Source | null;
};

/** What the checker says: only a signed plan may be published, and there is nothing to publish in the other case. */
export type Verdict = { signed: true; publish: Publication } | { signed: false; counts: Map<Rule, number>; violations: Violation[] };

/** Checks a plan against C1 to C20, except C18, which is `checkClaims`. */
export function checkPlan(publication: Publication): Verdict {
  const findings = new Findings();
  const { problem, plan, bounds, dus, balance, moves, source } = publication;
  if (source) checkSource(problem, source, findings);
  if (checkComplete(problem, plan, findings)) {
    const facts = readFacts(problem, plan);
    const work = teamWork(facts);
    const clusters = clusterDays(facts);
    checkDates(facts, findings);
    checkRelations(facts, findings);
    checkTeams(facts, work, findings);
    checkGroups(facts, findings);
    checkFrozenPools(facts, findings);
    const supply = checkPegging(facts, findings);
    checkDemand(facts, supply, findings);
    checkClusters(facts, clusters, findings);
    checkGapRows(facts, supply, findings);
    checkDue(facts, findings);
    if (dus) checkDuRows(facts, dus, findings);
    if (balance) checkBalance(facts, supply, balance, findings);
    checkLevels(facts, bounds, findings);
    checkBindings(facts, work, supply, clusters, findings);
    if (moves) checkMoves(facts, moves, findings);
  }
  if (findings.counts.size === 0) return { signed: true, publish: publication };
  return { signed: false, counts: findings.counts, violations: findings.described };
}

/** C18: whether each certificate proves by itself that there is no plan; those that do not are given back. A claim without any is no claim. */
export function checkClaims(problem: Problem, certificates: readonly Certificate[]): { signed: boolean; unproved: Certificate[] } {
  const unproved = certificates.filter((certificate) => !isProved(problem, certificate));
  return { signed: certificates.length > 0 && unproved.length === 0, unproved };
}

/** C17, and the figures that were worked out before the run: reuse lots (C10), gates (C12). */
function checkSource(problem: Problem, { hash, reuse, clusteringRate }: Source, findings: Findings): void {
  if (hash.recorded !== hash.found) findings.add("C17", "hash", -1, -1, 0, 0);
  const told = new Map(reuse.map((row) => [row.lot, row]));
  problem.lots.donor.forEach((donor, lot) => {
    if (donor < 0) return;
    const row = told.get(lot);
    const expected = row ? reusableHundredths(row.dismantled, row) : 0;
    if (problem.lots.quantity[lot] !== expected) findings.add("C10", "reusable", donor, -1, problem.lots.quantity[lot]!, expected);
  });
  if (!problem.clusters || clusteringRate === null) return;
  const sizes = new Int32Array(problem.clusters.needed.length);
  for (const cluster of problem.dus.cluster) if (cluster >= 0) sizes[cluster]!++;
  sizes.forEach((size, cluster) => {
    const expected = Math.ceil((size * clusteringRate) / 10_000);
    if (problem.clusters!.needed[cluster] !== expected)
      findings.add("C12", "gate-size", -1, cluster, problem.clusters!.needed[cluster]!, expected);
  });
}

/** C14, dates that are hard: planned backward, no DU ends after its due date unless its anchor keeps dates of its own. With strict gaps, none are there. */
function checkDue(facts: Facts, findings: Findings): void {
  const { problem, plan, kept } = facts;
  const { dus } = problem;
  if (problem.strictGaps)
    plan.gaps.du.forEach((du, row) => {
      if (plan.gaps.short[row]! > 0) findings.add("C14", "gap-although-strict", du, -1, plan.gaps.short[row]!, 0);
    });
  if (problem.direction !== "reverse") return;
  for (let du = 0; du < dus.id.length; du++) {
    const { anchor } = flowOf(problem, du);
    if (dus.due[du] === NONE) continue;
    const start = dus.firstJob[du]!;
    const end = daysOf(problem, du)[downTo(daysOf(problem, du), dus.due[du]!)] ?? -1;
    for (let job = start; job < dus.firstJob[du + 1]!; job++)
      if ((anchor === -1 || job === start + anchor) && kept[job]! < 0 && !isFact(facts, job) && plan.end[job]! - 1 > end)
        findings.add("C14", "after-due", du, job - start, plan.end[job]! - 1, end);
  }
}

/** C14: what is stored of every DU beside its jobs. */
function checkDuRows(facts: Facts, rows: DuRows, findings: Findings): void {
  const { problem, plan } = facts;
  const { dus } = problem;
  const late = lateDays(facts);
  const gap = new Uint8Array(dus.id.length);
  plan.gaps.du.forEach((du, row) => {
    if (plan.gaps.short[row]! > 0) gap[du] = 1;
  });
  for (let du = 0; du < dus.id.length; du++) {
    let first = NONE;
    let last = Number.NEGATIVE_INFINITY;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      if (plan.start[job] === NONE) continue;
      first = Math.min(first, plan.start[job]!);
      last = Math.max(last, plan.end[job]! - 1);
    }
    const { end } = anchorOf(facts, du);
    const expected = {
      firstStart: first,
      lastEnd: first === NONE ? NONE : last,
      anchorEnd: end === NONE ? NONE : end - 1,
      lateDays: late[du]!,
      hasGap: gap[du]!,
    };
    for (const [field, value] of Object.entries(expected) as [keyof DuRows, number][])
      if (rows[field][du] !== value) findings.add("C14", field, du, -1, rows[field][du] ?? NONE, value);
  }
}
