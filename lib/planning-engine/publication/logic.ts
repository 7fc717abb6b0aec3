import { dayNumber, isoDay, weekday } from "#lib/core/clock.ts";
import type { MaterialPlan } from "#lib/planning-engine/material-plan/logic.ts";
import { bindings as bindingWords, NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { type Cause, changes, type Move } from "#lib/planning-engine/moves/logic.ts";
import type { Snapshot } from "#lib/planning-engine/snapshot/logic.ts";

/** What the numbers of a problem stand for; its flows are variants of these, found by name. */
export type Names = {
  /** Day 0, ISO. */
  planStart: string;
  flows: { name: string; activities: string[]; slots: number[] }[];
  pools: { skill: string; resource: string; region: string | null }[];
  regions: (string | null)[];
  items: string[];
  warehouses: { id: number; name: string }[];
  clusters: string[];
};

/** The names of a frozen input. */
export function namesOf({ planStart, flows, pools, skills, resources, regions, items, warehouses, clusters }: Snapshot): Names {
  const region = (place: number) => (place < 0 ? null : regions[place]?.name || null);
  return {
    planStart: isoDay(planStart) as string,
    flows: flows.map(({ name, activities }) => ({
      name,
      activities: activities.map((activity) => activity.name),
      slots: activities.map(({ slot }) => slot),
    })),
    pools: pools.map((pool) => ({ skill: skills[pool.skill]!, resource: resources[pool.resource]!, region: region(pool.region) })),
    regions: regions.map(({ name }) => name || null),
    items,
    warehouses,
    clusters,
  };
}

/** What is kept of a DU beside its jobs. */
export type DuFigures = { firstStart: Int32Array; lastEnd: Int32Array; anchorEnd: Int32Array; lateDays: Int32Array; hasGap: Uint8Array };

/** First and last day, end of the anchor, late days and gap of every DU. */
export function duFigures({ dus, flows }: Problem, plan: Plan): DuFigures {
  const count = dus.id.length;
  const figures: DuFigures = {
    firstStart: new Int32Array(count).fill(NO_DAY),
    lastEnd: new Int32Array(count).fill(NO_DAY),
    anchorEnd: new Int32Array(count).fill(NO_DAY),
    lateDays: new Int32Array(count),
    hasGap: new Uint8Array(count),
  };
  for (let du = 0; du < count; du++) {
    let first = NO_DAY;
    let last = -NO_DAY;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      if (plan.start[job] === NO_DAY) continue;
      first = Math.min(first, plan.start[job]!);
      last = Math.max(last, plan.end[job]! - 1);
    }
    figures.firstStart[du] = first;
    if (last !== -NO_DAY) figures.lastEnd[du] = last;
    const { anchor } = flows[dus.flow[du]!]!;
    const end = anchor < 0 ? figures.lastEnd[du]! + 1 : plan.end[dus.firstJob[du]! + anchor]!;
    if (end >= NO_DAY) continue;
    figures.anchorEnd[du] = end - 1;
    if (dus.due[du] !== NO_DAY) figures.lateDays[du] = Math.max(0, end - 1 - dus.due[du]!);
  }
  const owner = ownerOf(dus);
  plan.conflicts.job.forEach((job, row) => {
    figures.lateDays[owner(job)]! += plan.conflicts.days[row]!;
  });
  plan.gaps.du.forEach((du, row) => {
    if (plan.gaps.short[row]! > 0) figures.hasGap[du] = 1;
  });
  return figures;
}

/** The DU a job belongs to. */
function ownerOf({ firstJob }: Problem["dus"]): (job: number) => number {
  return (job) => {
    let low = 0;
    let high = firstJob.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (firstJob[middle]! <= job) low = middle;
      else high = middle;
    }
    return low;
  };
}

/** A job a re-planning moved, with the place of its cause in `moveCauses` and the DU the cause lies in, by its id where it is no longer there. */
export type CausedMove = { job: number; cause: number; du: number; removed?: number };

/** Causes of moves by their number, from 1. */
export const moveCauses = [...changes, "betterPlan", "removedDu"] as const;

/** Moves with their causes as they are stored. */
export function causedMoves(moves: readonly Move[], causes: readonly Cause[]): CausedMove[] {
  return moves.map(({ job }, at) => {
    const { change, ...where } = causes[at]!;
    return { job, cause: moveCauses.indexOf(change) + 1, ...where };
  });
}

/** Days on which the teams of each pool are held, and on which they could be, by week from the Sunday on or before the plan start. */
export function teamLoad(problem: Problem, plan: Plan, planStart: string): { held: Int32Array[]; open: Int32Array[] } {
  const { dus, teams, calendars } = problem;
  // Days since that Sunday of day 0.
  const shift = weekday(dayNumber(planStart));
  let last = 0;
  for (let job = 0; job < plan.end.length; job++)
    if (plan.pool[job]! >= 0 && plan.end[job] !== NO_DAY) last = Math.max(last, plan.end[job]!);
  const weeks = Math.ceil((last + shift) / 7);
  const bounded = calendars.map(({ days }) => {
    const worked = new Int32Array(last + 1);
    for (const day of days) if (day >= 0 && day < last) worked[day + 1] = 1;
    for (let day = 1; day <= last; day++) worked[day]! += worked[day - 1]!;
    return worked;
  });
  const held = Array.from(teams.count, () => new Int32Array(weeks));
  const used = Array.from(teams.count, () => new Set<number>());
  for (let du = 0; du < dus.id.length; du++) {
    const worked = bounded[dus.calendar[du]!]!;
    for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++) {
      const pool = plan.pool[job]!;
      if (pool < 0 || plan.start[job] === NO_DAY) continue;
      used[pool]!.add(dus.calendar[du]!);
      const end = Math.max(0, plan.end[job]!);
      for (let day = Math.max(0, plan.start[job]!); day < end; ) {
        const week = Math.floor((day + shift) / 7);
        const next = Math.min(end, (week + 1) * 7 - shift);
        held[pool]![week]! += worked[next]! - worked[day]!;
        day = next;
      }
    }
  }
  const open = used.map((own, pool) => {
    const days = new Int32Array(weeks);
    for (let day = 0; day < last; day++)
      if ([...own].some((calendar) => bounded[calendar]![day + 1]! > bounded[calendar]![day]!))
        days[Math.floor((day + shift) / 7)]! += teams.count[pool]!;
    return days;
  });
  return { held, open };
}

/** Tables a plan is stored in, with their columns; `run_id` and `project_id` come first in each. */
export const outputTables = {
  engine_run_flow: "run_id, project_id, workflow_name, activity_names, slots",
  engine_run_pool: "run_id, project_id, idx, skill_type, resource_name, region, team_count, held_days, open_days",
  engine_out_du:
    "run_id, project_id, du_id, workflow_name, region, rank, starts, ends, pools, teams, bindings, binding_refs, fixed, base_starts, base_pools, causes, cause_dus, first_start, last_end, anchor_end, due_date, late_days, has_gap, cluster, cluster_gate",
  engine_out_alloc:
    "run_id, project_id, du_id, design_item_code, item_code, qty, covers_qty, source, warehouse_id, warehouse_name, donor_du_id, available_date, need_date, substitute_group",
  engine_out_mrp: "run_id, project_id, item_code, region, day, opening, gross_req, inbound, reuse_in, issued, closing, net_req",
  engine_out_gap: "run_id, project_id, du_id, item_code, required_qty, covered_qty, short_qty, need_date, cover_date, reason",
} as const;
export type OutputTable = keyof typeof outputTables;
export type OutputTexts = Record<OutputTable, string[]>;

/** Characters of one piece of text. */
const pieceChars = 1 << 20;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const text = (value: string | null) => (value === null ? "\\N" : value.replace(/[\\\t\n\r]/g, (char) => escapes[char] as string));
const texts = (values: readonly string[]) => text(`{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`);
const units = (hundredths: number) => (hundredths / 100).toFixed(2);

/** A published plan as rows in the database's own text form, table by table, so that they are stored as they are. */
export function outputTexts(
  ids: { runId: number; projectId: number },
  problem: Problem,
  plan: Plan,
  names: Names,
  given: {
    figures: DuFigures;
    movements: MaterialPlan;
    words: { central: string; reasons: readonly string[] };
    moves: readonly CausedMove[];
  },
): OutputTexts {
  const head = `${ids.runId}\t${ids.projectId}\t`;
  const zero = dayNumber(names.planStart);
  const day = (offset: number) => (offset === NO_DAY ? "\\N" : (isoDay(zero + offset) as string));
  const pieces = (rows: Iterable<string>) => {
    const all: string[] = [];
    let piece = "";
    for (const row of rows) {
      piece += `${head}${row}\n`;
      if (piece.length < pieceChars) continue;
      all.push(piece);
      piece = "";
    }
    if (piece !== "") all.push(piece);
    return all;
  };
  const { teams, lots } = problem;
  const load = teamLoad(problem, plan, names.planStart);
  const { allocations, gaps } = plan;
  const { movements, words } = given;
  const id = (du: number) => problem.dus.id[du]!;
  return {
    engine_run_flow: pieces(names.flows.map(({ name, activities, slots }) => `${text(name)}\t${texts(activities)}\t{${slots.join(",")}}`)),
    engine_run_pool: pieces(
      names.pools.map(({ skill, resource, region }, pool) =>
        [
          pool + 1,
          text(skill),
          text(resource),
          text(region),
          teams.count[pool],
          `{${load.held[pool]!.join(",")}}`,
          `{${load.open[pool]!.join(",")}}`,
        ].join("\t"),
      ),
    ),
    engine_out_du: pieces(duRows(problem, plan, names, given)),
    engine_out_alloc: pieces(
      (function* () {
        for (let row = 0; row < allocations.du.length; row++) {
          const lot = allocations.lot[row]!;
          const warehouse = lots.warehouse[lot]! < 0 ? undefined : names.warehouses[lots.warehouse[lot]!];
          const group = allocations.group[row]!;
          yield [
            id(allocations.du[row]!),
            text(names.items[allocations.designItem[row]!]!),
            text(names.items[lots.item[lot]!]!),
            units(allocations.quantity[row]!),
            units(allocations.covers[row]!),
            allocations.direct[row] ? "direct" : ["stock", "inbound", "reuse"][lots.source[lot]!],
            warehouse?.id ?? "\\N",
            text(warehouse?.name ?? null),
            lots.donor[lot]! < 0 ? "\\N" : id(lots.donor[lot]!),
            day(allocations.available[row]!),
            day(allocations.need[row]!),
            text(group < 0 ? null : (problem.substitutes.name[group] ?? null)),
          ].join("\t");
        }
      })(),
    ),
    engine_out_mrp: pieces(
      (function* () {
        for (let row = 0; row < movements.item.length; row++)
          yield [
            text(names.items[movements.item[row]!]!),
            text(movements.region[row]! < 0 ? words.central : (names.regions[movements.region[row]!] ?? "")),
            day(movements.day[row]!),
            ...(["opening", "required", "inbound", "reused", "issued", "closing", "missing"] as const).map((what) =>
              units(movements[what][row]!),
            ),
          ].join("\t");
      })(),
    ),
    engine_out_gap: pieces(
      (function* () {
        for (let row = 0; row < gaps.du.length; row++)
          yield [
            id(gaps.du[row]!),
            text(names.items[gaps.item[row]!]!),
            units(gaps.required[row]!),
            units(gaps.covered[row]!),
            units(gaps.short[row]!),
            day(gaps.needDay[row]!),
            day(gaps.coverDay[row]!),
            words.reasons[gaps.reason[row]!],
          ].join("\t");
      })(),
    ),
  };
}

function* duRows(
  problem: Problem,
  plan: Plan,
  names: Names,
  { figures, moves }: { figures: DuFigures; moves: readonly CausedMove[] },
): Generator<string> {
  const { dus, flows, base } = problem;
  const zero = dayNumber(names.planStart);
  const date = (offset: number) => (offset === NO_DAY ? "\\N" : (isoDay(zero + offset) as string));
  const kept = new Uint8Array(plan.start.length);
  for (const job of problem.kept.job) kept[job] = 1;
  const team = bindingWords.indexOf("team");
  const moveOf = new Map(moves.map((move) => [move.job, move]));
  for (let du = 0; du < dus.id.length; du++) {
    const from = dus.firstJob[du]!;
    const to = dus.firstJob[du + 1]!;
    const row = {
      starts: "",
      ends: "",
      pools: "",
      teams: "",
      bindings: "",
      refs: "",
      fixed: "",
      baseStarts: "",
      basePools: "",
      causes: "",
      causeDus: "",
    };
    for (let job = from, comma = ""; job < to; job++, comma = ",") {
      const none = plan.start[job] === NO_DAY;
      row.starts += comma + (none ? 0 : zero + plan.start[job]!);
      row.ends += comma + (none ? 0 : zero + plan.end[job]! - 1);
      row.pools += comma + (plan.pool[job]! + 1);
      row.teams += comma + plan.team[job]!;
      row.bindings += comma + plan.binding[job]!;
      const ref = plan.bindingRef[job]!;
      row.refs += comma + (ref < 0 ? 0 : plan.binding[job] === team ? dus.id[ref]! : ref);
      row.fixed += kept[job];
      if (!base) continue;
      row.baseStarts += comma + (base.start[job] === NO_DAY ? 0 : zero + base.start[job]!);
      row.basePools += comma + (base.pool[job]! + 1);
      const move = moveOf.get(job);
      row.causes += comma + (move?.cause ?? 0);
      row.causeDus += comma + (move ? (move.removed ?? dus.id[move.du]!) : 0);
    }
    const cluster = dus.cluster[du]!;
    yield [
      dus.id[du],
      text(flows[dus.flow[du]!]!.name),
      text(names.regions[dus.region[du]!] ?? null),
      dus.rank[du],
      `{${row.starts}}`,
      `{${row.ends}}`,
      `{${row.pools}}`,
      `{${row.teams}}`,
      `{${row.bindings}}`,
      `{${row.refs}}`,
      row.fixed,
      base ? `{${row.baseStarts}}` : "\\N",
      base ? `{${row.basePools}}` : "\\N",
      base ? `{${row.causes}}` : "\\N",
      base ? `{${row.causeDus}}` : "\\N",
      date(figures.firstStart[du]!),
      date(figures.lastEnd[du]!),
      date(figures.anchorEnd[du]!),
      date(dus.due[du]!),
      figures.lateDays[du],
      figures.hasGap[du] ? "t" : "f",
      text(cluster < 0 ? null : (names.clusters[cluster] ?? null)),
      cluster < 0 ? "\\N" : date(plan.gates[cluster] ?? NO_DAY),
    ].join("\t");
  }
}
