import { degree } from "./map-sources.mjs";

export type LngLat = [longitude: number, latitude: number];
/** West, south, east, north in degrees. */
export type MapBox = [west: number, south: number, east: number, north: number];

/** Points of a map by columns, ascending by id: coordinates in millionths of a degree, the place of their look in the list the map is given. */
export type MapPoints = { ids: Float64Array; xs: Int32Array; ys: Int32Array; statuses: Uint8Array };

/** A map without points. */
export const noPoints: MapPoints = { ids: new Float64Array(), xs: new Int32Array(), ys: new Int32Array(), statuses: new Uint8Array() };

/** The smallest box around the points; null when there is none. */
export function boxOf({ xs, ys }: Pick<MapPoints, "xs" | "ys">): MapBox | null {
  if (xs.length === 0) return null;
  let [west, south, east, north] = [xs[0] as number, ys[0] as number, xs[0] as number, ys[0] as number];
  for (let at = 1; at < xs.length; at++) {
    const [x, y] = [xs[at] as number, ys[at] as number];
    if (x < west) west = x;
    else if (x > east) east = x;
    if (y < south) south = y;
    else if (y > north) north = y;
  }
  return [west / degree, south / degree, east / degree, north / degree];
}

/** The smallest box around corners; null when there is none. */
export function boxAround(corners: readonly LngLat[]): MapBox | null {
  if (corners.length === 0) return null;
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Places of the points inside a box, up to a number. */
export function pointsInBox(points: MapPoints, [west, south, east, north]: MapBox, most = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  const [x0, y0, x1, y1] = [west * degree, south * degree, east * degree, north * degree];
  for (let at = 0; at < points.xs.length && found.length < most; at++) {
    const [x, y] = [points.xs[at] as number, points.ys[at] as number];
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) found.push(at);
  }
  return found;
}

/** Places of the points inside a ring of corners, whichever way round it runs. */
export function pointsInRing(points: MapPoints, ring: readonly LngLat[]): number[] {
  if (ring.length < 3) return [];
  const xs = ring.map(([x]) => x * degree);
  const ys = ring.map(([, y]) => y * degree);
  const box: MapBox = [Math.min(...xs) / degree, Math.min(...ys) / degree, Math.max(...xs) / degree, Math.max(...ys) / degree];
  return pointsInBox(points, box).filter((at) => {
    const [x, y] = [points.xs[at] as number, points.ys[at] as number];
    let inside = false;
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [yi, yj] = [ys[i] as number, ys[j] as number];
      if (yi > y !== yj > y && x < (((xs[j] as number) - (xs[i] as number)) * (y - yi)) / (yj - yi) + (xs[i] as number)) inside = !inside;
    }
    return inside;
  });
}

/** At most so many corners of a line drawn by hand, evenly taken. */
export function thinned<T>(line: readonly T[], most: number): T[] {
  if (line.length <= most) return [...line];
  return Array.from({ length: most }, (_, at) => line[Math.floor((at * line.length) / most)] as T);
}

// Half a metre: what the map tells of where a point lies is rounded to less.
const nearness = 5;

/** Places of the points of a look that lie where the map says one lies: several, where they share a site. */
export function pointsAt({ xs, ys, statuses }: MapPoints, [longitude, latitude]: LngLat, look: number): number[] {
  // Beyond the edge of the world it begins anew.
  const x = (((((longitude + 180) % 360) + 360) % 360) - 180) * degree;
  const y = latitude * degree;
  const found: number[] = [];
  for (let at = 0; at < xs.length; at++) {
    const apart = Math.abs((xs[at] as number) - x);
    if (Math.min(apart, 360 * degree - apart) <= nearness && Math.abs((ys[at] as number) - y) <= nearness && statuses[at] === look)
      found.push(at);
  }
  return found;
}
