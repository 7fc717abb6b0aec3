import type { Bucket } from "#lib/planning-engine/outputs/limits.ts";
import type { MaterialItem, MrpRow } from "#lib/planning-engine/outputs/schema.ts";

/** What of an item is shown, in the order in which it follows from one another. */
export const measures = ["opening", "grossReq", "inbound", "reuseIn", "issued", "closing", "netReq"] as const;
export type Measure = (typeof measures)[number];
/** An item bucket by bucket: one number for each column. */
export type FilledItem = { itemCode: string; missing: number; firstNeed: string | null } & Record<Measure, number[]>;

const isStock = (measure: Measure) => measure === "opening" || measure === "closing";
// Sums of two decimals, without what binary fractions leave behind.
const exact = (value: number) => Math.round(value * 100) / 100;

/**
 * Puts the rows of an item under their columns, summed over regions. A bucket without a row is one without a movement: the stock of each region stands on;
 * before the first movement it is what that one opens with.
 */
export function fillItem(item: MaterialItem, columns: readonly string[]): FilledItem {
  const filled = { itemCode: item.itemCode, missing: item.netReq, firstNeed: item.firstNeed } as FilledItem;
  for (const measure of measures) filled[measure] = columns.map(() => 0);
  const places = new Map(columns.map((from, at) => [from, at]));
  const byRegion = new Map<string, MrpRow[]>();
  for (const row of item.rows) byRegion.set(row.region, [...(byRegion.get(row.region) ?? []), row]);
  for (const rows of byRegion.values()) {
    const at = new Map(rows.map((row) => [places.get(row.from) ?? -1, row]));
    let stock = rows.reduce((first, row) => (row.from < first.from ? row : first)).opening;
    for (let column = 0; column < columns.length; column++) {
      const row = at.get(column);
      for (const measure of measures) {
        const value = row ? row[measure] : isStock(measure) ? stock : 0;
        filled[measure][column] = exact((filled[measure][column] as number) + value);
      }
      if (row) stock = row.closing;
    }
  }
  return filled;
}

/** A point of the chart: what is needed up to a bucket, and what there is of it by then. */
export type SupplyPoint = { from: string; needed: number; supply: number };

/** Needs and supply of an item added up from the first bucket on; the supply begins with the opening stock. */
export function supplyCurve(item: FilledItem, columns: readonly string[]): SupplyPoint[] {
  let needed = 0;
  let supply = item.opening[0] ?? 0;
  return columns.map((from, at) => {
    needed = exact(needed + (item.grossReq[at] ?? 0));
    supply = exact(supply + (item.inbound[at] ?? 0) + (item.reuseIn[at] ?? 0));
    return { from, needed, supply };
  });
}

/** Under which head a column stands, and what it is called there. */
export function columnTitle(from: string, bucket: Bucket, week: (iso: string) => string): { group: string; title: string } {
  if (bucket === "day") return { group: from.slice(0, 7), title: from.slice(8) };
  if (bucket === "month") return { group: from.slice(0, 4), title: from.slice(5, 7) };
  return { group: from.slice(0, 7), title: week(from) };
}
