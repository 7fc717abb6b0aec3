import { clusterDays, openCounts } from "#lib/planning-engine/checker-clusters/logic.ts";
import { readFacts } from "#lib/planning-engine/checker-facts/logic.ts";
import { coTeamOverlaps } from "#lib/planning-engine/co-groups/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Certificate, Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import type { Names } from "#lib/planning-engine/publication/logic.ts";
import { diagnosisPerDu, diagnosisPerRun } from "#lib/planning-engine/runs/limits.ts";

/** A row of a diagnosis as it is kept: names instead of numbers, the text comes in the language of the reader. */
export type KeptDiagnosis = {
  code: string;
  duId: number | null;
  activity: string | null;
  /** What the text names beside DU and activity. */
  names: Record<string, string | number>;
  needed: number | null;
  available: number | null;
  relax: number | null;
};
export type KeptDiagnoses = { rows: KeptDiagnosis[]; counts: Record<string, number> };

/** The first rows of each DU and of the run; all are counted. */
export function limitDiagnoses(all: readonly KeptDiagnosis[]): KeptDiagnoses {
  const counts: Record<string, number> = {};
  const ofDu = new Map<number, number>();
  const rows: KeptDiagnosis[] = [];
  for (const row of all) {
    counts[row.code] = (counts[row.code] ?? 0) + 1;
    const before = row.duId === null ? 0 : (ofDu.get(row.duId) ?? 0);
    if (rows.length >= diagnosisPerRun || before >= diagnosisPerDu) continue;
    if (row.duId !== null) ofDu.set(row.duId, before + 1);
    rows.push(row);
  }
  return { rows, counts };
}

/** A certificate in the names of the plan: quantities in units, days as offsets from the plan start. */
export function describeCertificate(certificate: Certificate, problem: Problem, names: Names): KeptDiagnosis {
  const { needed, available, relax, code } = certificate;
  const row: KeptDiagnosis = { code, duId: null, activity: null, names: {}, needed, available, relax };
  const activityOf = (du: number, position: number) => problem.flows[problem.dus.flow[du]!]!.activities[position] ?? null;
  if ("du" in certificate) row.duId = problem.dus.id[certificate.du]!;
  if ("position" in certificate) row.activity = activityOf(certificate.du, certificate.position);
  if ("positions" in certificate) {
    const { activities, name } = problem.flows["flow" in certificate ? certificate.flow : problem.dus.flow[certificate.du]!]!;
    row.activity = certificate.positions.map((position) => activities[position]).join(" → ");
    row.names = { workflow: name };
  }
  if (certificate.code === "TEAM_OVERLOAD") {
    const { pools, from, to } = certificate;
    row.names = {
      pools: pools
        .map((pool) => [names.pools[pool]!.skill, names.pools[pool]!.resource, names.pools[pool]!.region ?? ""].filter(Boolean).join(" / "))
        .join(", "),
      from,
      to,
    };
  }
  if (certificate.code === "MATERIAL_GAP" || certificate.code === "MATERIAL_LATE") {
    const { item, region, day } = certificate;
    row.names = {
      item: names.items[item]!,
      region: region < 0 ? "" : (names.regions[region] ?? ""),
      ...(day !== NO_DAY && { day }),
    };
    row.needed = needed / 100;
    row.available = available / 100;
    row.relax = relax / 100;
  }
  if (certificate.code === "CLUSTER_UNREACHABLE") row.names = { cluster: names.clusters[certificate.cluster] ?? "" };
  return row;
}

/**
 * What is worth a look in a plan that holds: jobs that could not be kept frozen, kept dates that miss what leads to them (in days), kept jobs no team was
 * free for, jobs of a co-team group whose kept dates overlap, and days on which more clusters are cut over than may be, which is given.
 * @param broken jobs that were to be frozen and are not
 */
export function planWarnings(problem: Problem, plan: Plan, broken: readonly number[]): KeptDiagnosis[] {
  const { dus, flows, kept } = problem;
  const duOf = (job: number) => {
    let low = 0;
    let high = dus.id.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (dus.firstJob[middle]! <= job) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const nameOf = (du: number, position: number) => flows[dus.flow[du]!]!.activities[position] ?? "";
  const row = (code: string, job: number, names: KeptDiagnosis["names"] = {}): KeptDiagnosis => {
    const du = duOf(job);
    const activity = nameOf(du, job - dus.firstJob[du]!);
    return { code, duId: dus.id[du]!, activity, names, needed: null, available: null, relax: null };
  };
  return [
    ...broken.map((job) => row("FROZEN_BROKEN", job)),
    ...Array.from(plan.conflicts.job, (job, at) => row("FIXED_CONFLICT", job, { days: plan.conflicts.days[at]! })),
    ...Array.from(kept.job)
      .filter((job) => plan.pool[job]! >= 0 && plan.team[job] === 0)
      .map((job) => row("FIXED_OVERLOAD", job)),
    ...coTeamOverlaps(problem).map(({ du, positions: [one, other] }) => ({
      ...row("COTEAM_OVERLAP", dus.firstJob[du]! + one),
      activity: `${nameOf(du, one)} / ${nameOf(du, other)}`,
    })),
    ...windowsGiven(problem, plan),
  ];
}

/** Days from the plan start on with more cutover windows than the limit: a plan that holds has these only where kept dates leave no choice. */
function windowsGiven(problem: Problem, plan: Plan): KeptDiagnosis[] {
  const limit = problem.clusters?.limit ?? -1;
  if (limit < 0) return [];
  const open = openCounts(clusterDays(readFacts(problem, plan)).windows);
  const over = [...open].filter(([day, count]) => day >= 0 && count > limit);
  if (over.length === 0) return [];
  const most = over.reduce((top, [, count]) => Math.max(top, count), 0);
  return [
    {
      code: "WINDOWS_GIVEN",
      duId: null,
      activity: null,
      names: { days: over.length, windows: most, limit },
      needed: null,
      available: null,
      relax: null,
    },
  ];
}
