import { unreachableClusters } from "#lib/planning-engine/clusters/logic.ts";
import { withoutCommon } from "#lib/planning-engine/co-groups/logic.ts";
import { REUSE } from "#lib/planning-engine/lots/limits.ts";
import { lotsByItem, servesDirectly } from "#lib/planning-engine/lots/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Certificate, Problem } from "#lib/planning-engine/model/logic.ts";
import { firstWorkAt, lengthOf, normalise, type Ready } from "#lib/planning-engine/normalise/logic.ts";

/**
 * Why no plan can exist, each with the numbers that prove it; empty when nothing speaks against one. In time linear in jobs and relations.
 * Jobs that keep their dates never make a problem infeasible: DUs with some are left out where their dates would matter.
 */
export function preCheck(problem: Problem): Certificate[] {
  const { ready, loops } = normalise(problem);
  if (!ready) return loops;
  return [
    ...missingTeams(ready),
    ...withoutCommon(problem),
    ...pathsBeyondHorizon(ready),
    ...(problem.direction === "reverse" ? pathsBeyondDue(ready) : []),
    ...overloads(ready),
    ...unreachableClusters(ready),
    ...(problem.strictGaps ? missingMaterial(ready) : []),
  ];
}

function missingMaterial(ready: Ready): Certificate[] {
  const never = shortages(ready);
  return ready.problem.direction === "reverse" ? [...never, ...lateSupplies(ready, never)] : never;
}

const isFree = ({ keptOf }: Ready, job: number) => (keptOf?.[job] ?? -1) < 0;

function missingTeams(ready: Ready): Certificate[] {
  const { problem, flows } = ready;
  const { dus, teams } = problem;
  const found: Certificate[] = [];
  for (let du = 0; du < dus.id.length; du++)
    for (let job = dus.firstJob[du]!, entry = flows.at[dus.flow[du]!]!; job < dus.firstJob[du + 1]!; job++, entry++) {
      const own = flows.teamClass[entry]!;
      if (own < 0 || !isFree(ready, job)) continue;
      const list = own * teams.regions + dus.region[du]!;
      let count = 0;
      for (let at = teams.eligibleAt[list]!; at < teams.eligibleAt[list + 1]!; at++) count += teams.count[teams.eligible[at]!]!;
      if (count === 0) found.push({ code: "NO_TEAM", du, position: flows.position[entry]!, needed: 1, available: 0, relax: 1 });
    }
  return found;
}

function hasKept({ problem, keptOf }: Ready, du: number): boolean {
  if (keptOf === null) return false;
  for (let job = problem.dus.firstJob[du]!; job < problem.dus.firstJob[du + 1]!; job++) if (keptOf[job]! >= 0) return true;
  return false;
}

function pathsBeyondHorizon(ready: Ready): Certificate[] {
  const { problem, flows, releaseWork, endWork } = ready;
  const { dus } = problem;
  const found: Certificate[] = [];
  for (let du = 0; du < dus.id.length; du++) {
    const available = endWork[du]! - releaseWork[du]!;
    let needed = 0;
    let position = -1;
    for (let entry = flows.at[dus.flow[du]!]!; entry < flows.at[dus.flow[du]! + 1]!; entry++) {
      const own = flows.head[entry]! + lengthOf(flows.durations[entry]!);
      if (own <= needed) continue;
      needed = own;
      position = flows.position[entry]!;
    }
    if (needed > available && !hasKept(ready, du))
      found.push({ code: "HORIZON", du, position, needed, available, relax: needed - available });
  }
  return found;
}

/** Longest paths to the anchor, or to any job where that is behind them all, beyond a due date, which planning backward may not pass. */
function pathsBeyondDue(ready: Ready): Certificate[] {
  const { problem, flows, releaseWork, calendars } = ready;
  const { dus, horizonDays } = problem;
  const found: Certificate[] = [];
  for (let du = 0; du < dus.id.length; du++) {
    if (dus.due[du] === NO_DAY || hasKept(ready, du)) continue;
    const last = firstWorkAt(calendars[dus.calendar[du]!]!, Math.min(horizonDays - 1, dus.due[du]!) + 1);
    const available = Math.max(0, last - releaseWork[du]!);
    const anchor = flows.anchor[dus.flow[du]!]!;
    const base = flows.at[dus.flow[du]!]!;
    let needed = 0;
    let position = -1;
    for (let entry = base; entry < flows.at[dus.flow[du]! + 1]!; entry++) {
      const own = flows.head[entry]! + lengthOf(flows.durations[entry]!);
      if ((anchor >= 0 && entry - base !== anchor) || own <= needed) continue;
      needed = own;
      position = flows.position[entry]!;
    }
    if (needed > available) found.push({ code: "WINDOW_TOO_TIGHT", du, position, needed, available, relax: needed - available });
  }
  return found;
}

/**
 * Last working-day starts of the entries of a DU's flow by the paths behind them: inside the horizon and, planned backward, the anchor by its due date. Jobs
 * that keep their dates ask for nothing.
 */
function latestStarts(ready: Ready, du: number, into: Int32Array): void {
  const { problem, flows, endWork, calendars } = ready;
  const { dus } = problem;
  const base = flows.at[dus.flow[du]!]!;
  const to = flows.at[dus.flow[du]! + 1]!;
  const anchor = flows.anchor[dus.flow[du]!]!;
  let due = endWork[du]!;
  if (problem.direction === "reverse" && dus.due[du] !== NO_DAY)
    due = Math.min(due, firstWorkAt(calendars[dus.calendar[du]!]!, dus.due[du]! + 1));
  for (let entry = base; entry < to; entry++)
    into[entry - base] = (anchor < 0 || entry - base === anchor ? due : endWork[du]!) - lengthOf(flows.durations[entry]!);
  for (let entry = to - 1; entry >= base; entry--)
    for (let arc = flows.inAt[entry]!; arc < flows.inAt[entry + 1]! && isFree(ready, dus.firstJob[du]! + entry - base); arc++)
      into[flows.inFrom[arc]!] = Math.min(into[flows.inFrom[arc]!]!, into[entry - base]! - flows.inLag[arc]!);
}

/**
 * Per set of pools: the work of the jobs that can use no other pool and cannot begin before a day, against the days of its teams from there to the horizon;
 * and likewise of those that have to be done by a day. The narrowest window of each set is told.
 */
function overloads(ready: Ready): Certificate[] {
  const { problem, flows, calendars, releaseWork } = ready;
  const { dus, teams, horizonDays } = problem;
  const sets = new Map<string, { pools: number[]; from: Float64Array; to: Float64Array; calendars: Set<number> }>();
  const setOf = new Map<number, ReturnType<typeof sets.get>>();
  const starts = new Int32Array(ready.jobs);
  for (let du = 0; du < dus.id.length; du++) {
    if (hasKept(ready, du)) continue;
    const { days } = calendars[dus.calendar[du]!]!;
    const base = dus.firstJob[du]!;
    latestStarts(ready, du, starts);
    const first = flows.at[dus.flow[du]!]!;
    for (let job = base; job < dus.firstJob[du + 1]!; job++) {
      const entry = first + job - base;
      const own = flows.teamClass[entry]!;
      if (own < 0) continue;
      const list = own * teams.regions + dus.region[du]!;
      let set = setOf.get(list);
      if (!set) {
        const pools = [...teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!)].sort(
          (left, right) => left - right,
        );
        set = sets.get(pools.join());
        if (!set) {
          set = { pools, from: new Float64Array(horizonDays + 1), to: new Float64Array(horizonDays + 1), calendars: new Set() };
          sets.set(pools.join(), set);
        }
        setOf.set(list, set);
      }
      set.calendars.add(dus.calendar[du]!);
      const earliest = releaseWork[du]! + flows.head[entry]!;
      const latest = starts[job - base]! + flows.durations[entry]! - 1;
      // A DU that does not fit at all has a certificate of its own.
      if (latest < earliest + flows.durations[entry]! - 1 || latest >= days.length) continue;
      set.from[days[earliest]!]! += flows.durations[entry]!;
      set.to[days[latest]! + 1]! += flows.durations[entry]!;
    }
  }
  const found: Certificate[] = [];
  for (const { pools, from, to, calendars: used } of sets.values()) {
    const teamsOfSet = pools.reduce((sum, pool) => sum + teams.count[pool]!, 0);
    const works = new Uint8Array(horizonDays);
    for (const calendar of used) for (const day of calendars[calendar]!.days) if (day >= 0 && day < horizonDays) works[day] = 1;
    let worst: Certificate | null = null;
    const test = (start: number, end: number, needed: number, available: number) => {
      const relax = Math.ceil((needed - available) / Math.max(1, available / Math.max(1, teamsOfSet)));
      if (needed > available && (!worst || needed - available > worst.needed - worst.available))
        worst = { code: "TEAM_OVERLOAD", pools, from: start, to: end, needed, available, relax };
    };
    let needed = 0;
    let available = 0;
    for (let day = horizonDays - 1; day >= 0; day--) {
      needed += from[day]!;
      available += works[day]! * teamsOfSet;
      if (from[day]! > 0) test(day, horizonDays, needed, available);
    }
    needed = available = 0;
    for (let day = 1; day <= horizonDays; day++) {
      needed += to[day]!;
      available += works[day - 1]! * teamsOfSet;
      if (to[day]! > 0) test(0, day, needed, available);
    }
    if (worst) found.push(worst);
  }
  return found;
}

/**
 * Items of which more is needed than there ever is, with all that could replace it as if nobody else took that: in a region with what serves it or moves
 * there directly, and over all.
 */
function shortages(ready: Ready): Certificate[] {
  const { problem } = ready;
  const { dus, demand, lots, teams, items } = problem;
  const places = teams.regions + 1;
  const byRank = Array.from(dus.id.keys())
    .filter((du) => consumes(ready, du))
    .sort((left, right) => dus.rank[left]! - dus.rank[right]!);
  const movers = byRank.filter((du) => dus.directFrom[du]! >= 0);
  const units = new Float64Array(items * places);
  for (let lot = 0; lot < lots.item.length; lot++) {
    const row = lots.item[lot]! * places;
    const regions = new Set(movers.filter((du) => servesDirectly(problem, du, lot)).map((du) => dus.region[du]!));
    units[row + teams.regions]! += lots.quantity[lot]!;
    for (let region = 0; region < teams.regions; region++)
      if (lots.region[lot]! < 0 || lots.region[lot] === region || regions.has(region)) units[row + region]! += lots.quantity[lot]!;
  }
  const supplied = Float64Array.from(units, (_, row) =>
    coverable(problem, Math.floor(row / places), (item) => units[item * places + (row % places)]!),
  );
  const needed = new Float64Array(supplied.length);
  const hit = new Int32Array(supplied.length).fill(-1);
  for (const du of byRank)
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++)
      for (const place of [dus.region[du]!, teams.regions]) {
        const row = demand.item[at]! * places + place;
        needed[row]! += demand.quantity[at]!;
        if (needed[row]! > supplied[row]! && hit[row]! < 0) hit[row] = du;
      }
  const found: Certificate[] = [];
  for (let row = 0; row < hit.length; row++) {
    if (hit[row]! < 0) continue;
    const [item, place] = [Math.floor(row / places), row % places];
    found.push({
      code: "MATERIAL_GAP",
      du: hit[row]!,
      item,
      region: place === teams.regions ? -1 : place,
      day: NO_DAY,
      needed: needed[row]!,
      available: supplied[row]!,
      relax: needed[row]! - supplied[row]!,
    });
  }
  return found;
}

/** Whether a DU still has to take its material: completed and started jobs have taken theirs. */
function consumes({ problem, flows, keptOf }: Ready, du: number): boolean {
  const material = flows.material[problem.dus.flow[du]!]!;
  const kept = material < 0 ? -1 : (keptOf?.[problem.dus.firstJob[du]! + material] ?? -1);
  return material >= 0 && (kept < 0 || problem.kept.state[kept]! > 2);
}

/**
 * Planned backward: items of which there is enough in the end, but on some day less than those need who can begin no later. What is dismantled counts as there
 * from the beginning. Of an item in a region, or over all, the first such day is told.
 */
function lateSupplies(ready: Ready, without: readonly Certificate[]): Certificate[] {
  const { problem, flows, keptOf, calendars } = ready;
  const { dus, demand, lots } = problem;
  const told = new Set(without.flatMap((one) => ("item" in one ? [`${one.item} ${one.region}`] : [])));
  const starts = new Int32Array(ready.jobs);
  const by = new Int32Array(dus.id.length);
  /** Demand of an item in a region, in order of the day by which it is needed. */
  const needs = new Map<string, { item: number; region: number; rows: { du: number; by: number; quantity: number }[] }>();
  /** First day by which somebody of a region needs something who may move from a lot directly. */
  const moving = new Map<string, number>();
  for (let du = 0; du < dus.id.length; du++) {
    if (!consumes(ready, du)) continue;
    const material = flows.material[dus.flow[du]!]!;
    const kept = keptOf?.[dus.firstJob[du]! + material] ?? -1;
    if (kept < 0) latestStarts(ready, du, starts);
    by[du] = kept >= 0 ? problem.kept.start[kept]! : (calendars[dus.calendar[du]!]!.days[starts[material]!] ?? -1);
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++)
      for (const region of [-1, dus.region[du]!]) {
        const key = `${demand.item[at]} ${region}`;
        const own = needs.get(key) ?? { item: demand.item[at]!, region, rows: [] };
        needs.set(key, own);
        own.rows.push({ du, by: by[du]!, quantity: demand.quantity[at]! });
      }
    if (dus.directFrom[du]! >= 0)
      for (let lot = 0; lot < lots.item.length; lot++) {
        const key = `${lot} ${dus.region[du]}`;
        if (servesDirectly(problem, du, lot)) moving.set(key, Math.min(moving.get(key) ?? NO_DAY, by[du]!));
      }
  }
  const lotsOf = lotsByItem(problem);
  const unitsBy = (item: number, region: number, day: number) => {
    let units = 0;
    for (const lot of lotsOf.list.subarray(lotsOf.at[item]!, lotsOf.at[item + 1]!)) {
      const here = region < 0 || lots.region[lot]! < 0 || lots.region[lot] === region || (moving.get(`${lot} ${region}`) ?? NO_DAY) <= day;
      if (here && (lots.source[lot] === REUSE || lots.day[lot]! <= day)) units += lots.quantity[lot]!;
    }
    return units;
  };
  const found: Certificate[] = [];
  for (const [key, { item, region, rows }] of needs) {
    if (told.has(key)) continue;
    rows.sort((one, other) => one.by - other.by || dus.rank[one.du]! - dus.rank[other.du]!);
    let needed = 0;
    for (const [at, { du, by: day, quantity }] of rows.entries()) {
      needed += quantity;
      if (rows[at + 1]?.by === day) continue;
      const available = coverable(problem, item, (one) => unitsBy(one, region, day));
      if (needed <= available) continue;
      found.push({ code: "MATERIAL_LATE", du, item, region, day, needed, available, relax: needed - available });
      break;
    }
  }
  return found;
}

/** Units of an item that could be covered: its own, and what each group that replaces it makes. */
function coverable({ substitutes }: Problem, item: number, units: (item: number) => number): number {
  let covered = units(item);
  for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]!; group++) {
    let whole = NO_DAY;
    for (let part = substitutes.partAt[group]!; part < substitutes.partAt[group + 1]!; part++)
      whole = Math.min(whole, Math.floor(units(substitutes.partItem[part]!) / substitutes.partQuantity[part]!));
    if (whole < NO_DAY) covered += whole * substitutes.covers[group]!;
  }
  return covered;
}
