import { percentMax, type RateKind, rateBounds } from "./limits.ts";

/** The bounds a completion rate breaks, null when it keeps to them. */
export function rateFault(kind: RateKind, rate: number): { min: number; max: number; decimals: number } | null {
  const bounds = rateBounds[kind];
  const unit = 10 ** bounds.decimals;
  const whole = Math.abs(rate * unit - Math.round(rate * unit)) < 1e-6;
  return rate >= bounds.min && rate <= bounds.max && whole ? null : { ...bounds };
}

/** How far a cluster is: percent done with two decimals (null without DUs), whether that suffices, and how many DUs are still needed. */
export type Readiness = { rate: number | null; ready: boolean; needed: number };

/** Readiness of a cluster; a whole rate above 100 is the number of DUs that must be done. */
export function readiness(total: number, done: number, kind: RateKind, completionRate: number): Readiness {
  const rate = total === 0 ? null : Math.round((done * 10_000) / total) / 100;
  const counts = kind === "integer" && completionRate > percentMax;
  // In hundredths of a percent, so that nothing is lost by halves.
  const wanted = counts ? completionRate : Math.ceil((Math.round(completionRate * 100) * total) / 10_000);
  return { rate, ready: total > 0 && done >= wanted, needed: Math.max(0, wanted - done) };
}

export type LngLat = [longitude: number, latitude: number];

/** Corners of the convex hull of points, in their order; one or two points are their own hull. */
export function convexHull(points: readonly LngLat[]): LngLat[] {
  const sorted = [...new Map(points.map((point) => [point.join(), point])).values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const lower = halfHull(sorted);
  const upper = halfHull([...sorted].reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function halfHull(points: readonly LngLat[]): LngLat[] {
  const hull: LngLat[] = [];
  for (const point of points) {
    while (hull.length >= 2 && turn(hull.at(-2) as LngLat, hull.at(-1) as LngLat, point) <= 0) hull.pop();
    hull.push(point);
  }
  return hull;
}

const turn = (a: LngLat, b: LngLat, c: LngLat) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** One day of a cutover curve: how many DUs were planned and done up to its end. */
export type CurvePoint = { day: string; planned: number; actual: number };

/** Cumulative curve from the numbers of single days, which come in the order of days. */
export function cumulate(days: readonly CurvePoint[]): CurvePoint[] {
  let [planned, actual] = [0, 0];
  return days.map((point) => {
    planned += point.planned;
    actual += point.actual;
    return { day: point.day, planned, actual };
  });
}
