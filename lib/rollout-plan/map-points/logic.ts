import { NumberReader, NumberWriter } from "#lib/core/number-text.ts";

/** Points by columns, ascending by DU id: coordinates in millionths of a degree, status as its place in `pointStatuses`. */
export type PointColumns = { ids: ArrayLike<number>; xs: ArrayLike<number>; ys: ArrayLike<number>; statuses: ArrayLike<number> };

/** Points as they travel: texts of numbers, ids as differences, coordinates from the south-western corner. */
export type PackedPoints = { count: number; west: number; south: number; ids: string; xs: string; ys: string; statuses: string };

/** Packs points, about ten bytes each. */
export function packPoints(points: PointColumns): PackedPoints {
  const count = points.ids.length;
  const [west, south] = [leastOf(points.xs), leastOf(points.ys)];
  const writer = new NumberWriter();
  const written = (values: ArrayLike<number>, from: (at: number) => number) => {
    for (let at = 0; at < count; at++) writer.push((values[at] as number) - from(at));
    return writer.take();
  };
  return {
    count,
    west,
    south,
    ids: written(points.ids, (at) => (at === 0 ? 0 : (points.ids[at - 1] as number))),
    xs: written(points.xs, () => west),
    ys: written(points.ys, () => south),
    statuses: written(points.statuses, () => 0),
  };
}

/** Points by columns as `packPoints` was given them. */
export type Points = { ids: Float64Array; xs: Int32Array; ys: Int32Array; statuses: Uint8Array };

function unpackColumn<Column extends Float64Array | Int32Array | Uint8Array>(
  text: string,
  column: Column,
  start: number,
  adds = false,
): Column {
  const reader = new NumberReader(text);
  let last = start;
  for (let at = 0; at < column.length; at++) {
    const value = last + reader.next();
    column[at] = value;
    if (adds) last = value;
  }
  return column;
}

const unpackers = {
  ids: ({ ids, count }: PackedPoints) => unpackColumn(ids, new Float64Array(count), 0, true),
  xs: ({ xs, count, west }: PackedPoints) => unpackColumn(xs, new Int32Array(count), west),
  ys: ({ ys, count, south }: PackedPoints) => unpackColumn(ys, new Int32Array(count), south),
  statuses: ({ statuses, count }: PackedPoints) => unpackColumn(statuses, new Uint8Array(count), 0),
};

/** The points of what `packPoints` made. */
export function unpackPoints(packed: PackedPoints): Points {
  return { ids: unpackers.ids(packed), xs: unpackers.xs(packed), ys: unpackers.ys(packed), statuses: unpackers.statuses(packed) };
}

/** As `unpackPoints`, column by column. @param pause waited for before each, so that none holds the page for long */
export async function unpackPointsByColumn(packed: PackedPoints, pause: () => Promise<void>): Promise<Points> {
  const column = async <Name extends keyof Points>(name: Name) => {
    await pause();
    return unpackers[name](packed) as Points[Name];
  };
  return { ids: await column("ids"), xs: await column("xs"), ys: await column("ys"), statuses: await column("statuses") };
}

function leastOf(values: ArrayLike<number>): number {
  let least = values.length > 0 ? (values[0] as number) : 0;
  for (let at = 1; at < values.length; at++) least = Math.min(least, values[at] as number);
  return least;
}

/** The whole numbers of an array as the database writes it: `{1,-2,3}`. */
export function readNumbers(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let sign = 1;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 45) sign = -1;
    else if (code >= 48) {
      // The closing bracket is the only sign beyond the digits.
      if (code > 57) {
        if (at > 1) numbers.push(value * sign);
      } else value = value * 10 + code - 48;
    } else {
      numbers.push(value * sign);
      value = 0;
      sign = 1;
    }
  }
  return numbers;
}
