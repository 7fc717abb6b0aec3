import { REUSE } from "#lib/planning-engine/lots/limits.ts";
import { lotDays } from "#lib/planning-engine/lots/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

/**
 * Movements of items by day, as material planning shows them: one row per item, region (-1 = central warehouses) and day on which something moves, in this
 * order. Supply is of the lots there, demand of the DUs there by design item. Quantities in hundredths.
 */
export type MaterialPlan = {
  item: Int32Array;
  region: Int32Array;
  day: Int32Array;
  opening: Float64Array;
  required: Float64Array;
  inbound: Float64Array;
  reused: Float64Array;
  issued: Float64Array;
  closing: Float64Array;
  /** Net requirement, and the first day on which it is needed; `NO_DAY` where nothing is missing. */
  missing: Float64Array;
  needDay: Int32Array;
};

/** Days, before and behind the plan start, that a key tells apart. */
const DAY_SPAN = 1 << 21;

type Movement = {
  item: number;
  region: number;
  day: number;
  required: number;
  inbound: number;
  reused: number;
  issued: number;
  missing: number;
};

/** Works out the movements of a complete plan. */
export function materialPlan(problem: Problem, plan: Plan): MaterialPlan {
  const { lots, dus, flows, demand, kept, items, teams } = problem;
  const { allocations, gaps } = plan;
  const cell = (item: number, region: number) => item * (teams.regions + 1) + region + 1;
  const stock = new Float64Array(items * (teams.regions + 1));
  const movements = new Map<number, Movement>();
  const moved = (
    item: number,
    region: number,
    day: number,
    what: "required" | "inbound" | "reused" | "issued" | "missing",
    units: number,
  ) => {
    if (units === 0 || day === NO_DAY) return;
    const key = cell(item, region) * DAY_SPAN + day;
    let row = movements.get(key);
    if (!row) {
      row = { item, region, day, required: 0, inbound: 0, reused: 0, issued: 0, missing: 0 };
      movements.set(key, row);
    }
    row[what] += units;
  };
  const days = lotDays(problem, (du) => dismantledOn(problem, plan, du));
  const direct = new Float64Array(lots.item.length);
  allocations.lot.forEach((lot, row) => {
    moved(lots.item[lot]!, lots.region[lot]!, allocations.need[row]!, "issued", allocations.quantity[row]!);
    if (allocations.direct[row]) direct[lot]! += allocations.quantity[row]!;
  });
  for (let lot = 0; lot < lots.item.length; lot++) {
    const [item, region, units] = [lots.item[lot]!, lots.region[lot]!, lots.quantity[lot]!];
    if (lots.source[lot] === REUSE) {
      // What moves directly is there without turnaround.
      moved(item, region, days.direct[lot]!, "reused", direct[lot]!);
      moved(item, region, days.day[lot]!, "reused", units - direct[lot]!);
    } else if (lots.source[lot] === 0) stock[cell(item, region)]! += units;
    else moved(item, region, lots.day[lot]!, "inbound", units);
  }
  const stateOf = new Map(Array.from(kept.job, (job, at) => [job, kept.state[at]!]));
  for (let du = 0; du < dus.id.length; du++) {
    const job = dus.firstJob[du]! + flows[dus.flow[du]!]!.material;
    // Done, completed and started jobs have taken theirs.
    if (job < dus.firstJob[du]! || (stateOf.get(job) ?? NO_DAY) <= 2) continue;
    for (let at = demand.at[du]!; at < demand.at[du + 1]!; at++)
      moved(demand.item[at]!, dus.region[du]!, plan.start[job]!, "required", demand.quantity[at]!);
  }
  gaps.du.forEach((du, row) => {
    if (gaps.short[row]! > 0) moved(gaps.item[row]!, dus.region[du]!, gaps.needDay[row]!, "missing", gaps.short[row]!);
  });
  const rows = [...movements.values()].sort((a, b) => a.item - b.item || a.region - b.region || a.day - b.day);
  const opening = new Float64Array(rows.length);
  const closing = Float64Array.from(rows, ({ item, region, inbound, reused, issued }, at) => {
    opening[at] = stock[cell(item, region)]!;
    stock[cell(item, region)] = opening[at]! + inbound + reused - issued;
    return stock[cell(item, region)]!;
  });
  return {
    item: Int32Array.from(rows, ({ item }) => item),
    region: Int32Array.from(rows, ({ region }) => region),
    day: Int32Array.from(rows, ({ day }) => day),
    opening,
    required: Float64Array.from(rows, ({ required }) => required),
    inbound: Float64Array.from(rows, ({ inbound }) => inbound),
    reused: Float64Array.from(rows, ({ reused }) => reused),
    issued: Float64Array.from(rows, ({ issued }) => issued),
    closing,
    missing: Float64Array.from(rows, ({ missing }) => missing),
    needDay: Int32Array.from(rows, ({ missing, day }) => (missing > 0 ? day : NO_DAY)),
  };
}

function dismantledOn({ dus, flows }: Problem, { end }: Plan, du: number): number {
  let last = -NO_DAY;
  flows[dus.flow[du]!]!.disassembly.forEach((is, position) => {
    if (is) last = Math.max(last, end[dus.firstJob[du]! + position]!);
  });
  return last === -NO_DAY ? NO_DAY : last;
}
