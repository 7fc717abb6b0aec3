/** What stands between the rows in a text of arrays. */
export const rowBreak = "|";

const [open, close, comma, bar, minus, zero] = ["{", "}", ",", rowBreak, "-", "0"].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const numberBytes = 12;
/** Of a day or a state, with the comma: what is longer makes room for itself. */
const usualBytes = 6;

/** Whether two lists hold the same numbers in the same order. */
export function isSame(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/**
 * Rows of numbers without those that say the same as the one before them.
 * @returns for each row, which of the rest it is, counted from one
 */
export function runsOf<Row extends ArrayLike<number>>(rows: readonly Row[]): { runs: Row[]; places: number[] } {
  const runs: Row[] = [];
  const places = rows.map((row) => {
    const last = runs.at(-1);
    if (!last || !isSame(row, last)) runs.push(row);
    return runs.length;
  });
  return { runs, places };
}

/**
 * Text of the whole numbers of many rows for one parameter of a statement, which so has as many for one row as for ten thousand: a PostgreSQL array per row.
 * @param empty stands for a row without numbers
 */
export function arraysText(rows: readonly ArrayLike<number>[], empty: "" | "{}"): string {
  let numbers = 0;
  let longest = 0;
  for (const { length } of rows) {
    numbers += length;
    if (length > longest) longest = length;
  }
  let bytes = new Uint8Array(numbers * usualBytes + rows.length * 3 + longest * numberBytes + 3);
  let at = 0;
  let start = 0;
  let before: ArrayLike<number> | undefined;
  for (const row of rows) {
    const most = row.length * numberBytes + 3;
    if (bytes.length - at < most) {
      const larger = new Uint8Array(bytes.length * 2 + most);
      larger.set(bytes);
      bytes = larger;
    }
    if (before) bytes[at++] = bar;
    const from = at;
    // Thousands of rows that follow one flow say the same: the text of the row before is taken again.
    if (before && isSame(row, before)) {
      bytes.copyWithin(at, start, at - 1);
      at += at - 1 - start;
    } else if (row.length > 0 || empty !== "") {
      bytes[at++] = open;
      for (let i = 0; i < row.length; i++) {
        if (i > 0) bytes[at++] = comma;
        at = writeNumber(bytes, at, row[i] as number);
      }
      bytes[at++] = close;
    }
    start = from;
    before = row;
  }
  return new TextDecoder().decode(bytes.subarray(0, at));
}

function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  if (rest < 0) {
    bytes[at++] = minus;
    rest = -rest;
  }
  let digits = 1;
  for (let power = 10; power <= rest; power *= 10) digits++;
  for (let place = at + digits - 1; place >= at; place--) {
    const next = Math.floor(rest / 10);
    bytes[place] = zero + rest - next * 10;
    rest = next;
  }
  return at + digits;
}
