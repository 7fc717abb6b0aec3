import { NONE, REUSE } from "../checker-facts/limits.ts";
import { consumingJob, type Facts, type Findings } from "../checker-facts/logic.ts";
import type { Supply } from "../checker-material/logic.ts";

/**
 * The movements of items by day, as they are stored: one row per item, region (-1 = central warehouses) and day on which something moves, in order of the
 * day. Quantities in hundredths.
 */
export type Balance = {
  item: Int32Array;
  region: Int32Array;
  day: Int32Array;
  opening: Float64Array;
  required: Float64Array;
  inbound: Float64Array;
  reused: Float64Array;
  issued: Float64Array;
  closing: Float64Array;
  missing: Float64Array;
};

type Movement = { required: number; inbound: number; reused: number; issued: number; missing: number };

/** C15: the movements recomputed from lots, pegging and gaps: every row is there, none is too many, and each opens where the one before it closed. */
export function checkBalance(facts: Facts, supply: Supply, balance: Balance, findings: Findings): void {
  const { problem, plan } = facts;
  const { lots, demand, dus } = problem;
  const stock = new Map<string, number>();
  const moves = new Map<string, Movement>();
  const pool = (item: number, region: number) => `${item}/${region}`;
  const moved = (item: number, region: number, day: number, what: keyof Movement, quantity: number) => {
    if (quantity === 0 || day === NONE) return;
    const key = `${pool(item, region)}/${day}`;
    const row = moves.get(key) ?? { required: 0, inbound: 0, reused: 0, issued: 0, missing: 0 };
    moves.set(key, row);
    row[what] += quantity;
  };
  // What moves directly is there without turnaround; the rest of the lot comes with it.
  const direct = new Float64Array(lots.item.length);
  plan.allocations.lot.forEach((lot, row) => {
    const quantity = plan.allocations.quantity[row]!;
    moved(lots.item[lot]!, lots.region[lot]!, plan.allocations.need[row]!, "issued", quantity);
    if (plan.allocations.direct[row]) direct[lot]! += quantity;
  });
  for (let lot = 0; lot < lots.item.length; lot++) {
    const item = lots.item[lot]!;
    const region = lots.region[lot]!;
    if (lots.source[lot] === REUSE) {
      moved(item, region, supply.directDay[lot]!, "reused", direct[lot]!);
      moved(item, region, supply.day[lot]!, "reused", lots.quantity[lot]! - direct[lot]!);
    } else if (lots.source[lot] === 0) stock.set(pool(item, region), (stock.get(pool(item, region)) ?? 0) + lots.quantity[lot]!);
    else moved(item, region, lots.day[lot]!, "inbound", lots.quantity[lot]!);
  }
  for (let du = 0; du < dus.id.length; du++) {
    const job = consumingJob(facts, du);
    if (job < 0) continue;
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++)
      moved(demand.item[entry]!, dus.region[du]!, plan.start[job]!, "required", demand.quantity[entry]!);
  }
  plan.gaps.du.forEach((du, row) => {
    const job = consumingJob(facts, du);
    if (job >= 0) moved(plan.gaps.item[row]!, dus.region[du]!, plan.start[job]!, "missing", plan.gaps.short[row]!);
  });

  const none: Movement = { required: 0, inbound: 0, reused: 0, issued: 0, missing: 0 };
  const closed = new Map<string, { day: number; closing: number }>();
  for (let row = 0; row < balance.item.length; row++) {
    const item = balance.item[row]!;
    const region = balance.region[row]!;
    const day = balance.day[row]!;
    const key = `${pool(item, region)}/${day}`;
    const is = moves.get(key) ?? none;
    const before = closed.get(pool(item, region)) ?? { day: Number.NEGATIVE_INFINITY, closing: stock.get(pool(item, region)) ?? 0 };
    const same = (fault: string, found: number, expected: number) => {
      if (found !== expected) findings.add("C15", fault, -1, item, found, expected);
    };
    if (!moves.has(key)) findings.add("C15", "row-without-movement", -1, item, day, NONE);
    if (day <= before.day) findings.add("C15", "order", -1, item, day, before.day);
    same("opening", balance.opening[row]!, before.closing);
    same("required", balance.required[row]!, is.required);
    same("inbound", balance.inbound[row]!, is.inbound);
    same("reused", balance.reused[row]!, is.reused);
    same("issued", balance.issued[row]!, is.issued);
    same("missing", balance.missing[row]!, is.missing);
    const closing = balance.opening[row]! + balance.inbound[row]! + balance.reused[row]! - balance.issued[row]!;
    same("closing", balance.closing[row]!, closing);
    if (closing < 0) findings.add("C15", "below-zero", -1, item, closing, 0);
    closed.set(pool(item, region), { day, closing: balance.closing[row]! });
    moves.delete(key);
  }
  for (const key of moves.keys()) {
    const [item = "", , day = ""] = key.split("/");
    findings.add("C15", "row-missing", -1, Number(item), NONE, Number(day));
  }
}
