import type { Certificate } from "../model/logic.ts";
import { preCheck } from "../pre-checks/logic.ts";
import { quantityUnit } from "../snapshot/limits.ts";
import type { Fault, Snapshot } from "../snapshot/logic.ts";
import { problemOf } from "../snapshot-problem/logic.ts";
import { findingsMax, findingsOfDu, type InputBlock } from "./limits.ts";

export type FindingCode = Fault["code"] | Certificate["code"];
/** Something a check found: an error stops a run, a warning does not. What proves that no plan can exist is a warning: the run says so with its proof. */
export type Finding = {
  level: "error" | "warning";
  block: InputBlock;
  code: FindingCode;
  duId: number | null;
  params: Record<string, string | number>;
};

const blockOf: Record<Certificate["code"], InputBlock> = {
  LOOP: "activity",
  NO_TEAM: "skill_resource",
  NO_COMMON_RESOURCE: "skill_resource",
  NO_COMMON_TEAM: "skill_resource",
  WINDOW_TOO_TIGHT: "du",
  HORIZON: "setting",
  TEAM_OVERLOAD: "skill_resource",
  MATERIAL_GAP: "inventory",
  MATERIAL_LATE: "inventory",
  CLUSTER_UNREACHABLE: "setting",
};

/** Everything a run would say of this input before it begins: the faults that were read, and what the engine itself can prove. */
export function judge(snapshot: Snapshot | null, faults: readonly Fault[]): Finding[] {
  const found = faults.map(
    ({ level, block, code, duId, params }): Finding => ({ level, block, code, duId: duId ?? null, params: params ?? {} }),
  );
  if (!snapshot || found.some(({ level }) => level === "error")) return found;
  const { problem, flowOfForm } = problemOf(snapshot);
  const short = new Set<number>();
  for (const certificate of preCheck(problem)) {
    // Jobs without any team are named by themselves, and an item by its first region.
    if ("pools" in certificate && certificate.pools.length === 0) continue;
    if ("item" in certificate) {
      if (short.has(certificate.item)) continue;
      short.add(certificate.item);
    }
    found.push(describe(snapshot, flowOfForm, certificate));
  }
  return found;
}

function describe(snapshot: Snapshot, flowOfForm: Int32Array, certificate: Certificate): Finding {
  const { code, needed, available, relax } = certificate;
  const du = "du" in certificate ? certificate.du : -1;
  const flow = code === "LOOP" ? flowOfForm[certificate.flow]! : du >= 0 ? snapshot.dus.flow[du]! : -1;
  const positions = "positions" in certificate ? certificate.positions : "position" in certificate ? [certificate.position] : [];
  const params: Finding["params"] = { needed, available, relax };
  if (positions.length > 0) params.activity = positions.map((position) => snapshot.flows[flow]!.activities[position]!.name).join(", ");
  if (flow >= 0) params.workflow = snapshot.flows[flow]!.name;
  if ("item" in certificate) {
    params.item = snapshot.items[certificate.item]!;
    params.region = certificate.region < 0 ? "" : snapshot.regions[certificate.region]!.name;
    for (const figure of ["needed", "available", "relax"] as const) params[figure] = Number(params[figure]) / quantityUnit;
  }
  if ("pools" in certificate)
    params.pools = certificate.pools
      .map((pool) => {
        const { skill, resource } = snapshot.pools[pool]!;
        return `${snapshot.skills[skill]} ${snapshot.resources[resource]}`;
      })
      .join(", ");
  if ("cluster" in certificate) params.cluster = snapshot.clusters[certificate.cluster] ?? "";
  // Relations that go round in a circle are no plan's matter: the input is wrong.
  return { level: code === "LOOP" ? "error" : "warning", block: blockOf[code], code, duId: du < 0 ? null : snapshot.dus.id[du]!, params };
}

/** As many findings as a person reads, errors and warnings each for themselves, with how often each code was found. */
export function shorten(findings: readonly Finding[]): { findings: Finding[]; counts: Partial<Record<FindingCode, number>> } {
  const counts: Partial<Record<FindingCode, number>> = {};
  const ofDu = new Map<number, number>();
  const kept = findings.filter(({ code, duId }) => {
    counts[code] = (counts[code] ?? 0) + 1;
    if (duId === null) return true;
    const own = (ofDu.get(duId) ?? 0) + 1;
    ofDu.set(duId, own);
    return own <= findingsOfDu;
  });
  return { findings: kept.slice(0, findingsMax), counts };
}
