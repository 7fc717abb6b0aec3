/**
 * The stored form of a preview: four sections behind one another, so that a page of one of them can be read alone.
 * rows: per DU id (float64), row version, number of moves before it (one more at the end), place of its calendar and of its flow;
 * moves: slot, old start, old end, new start, new end (uint16); refused, warnings: row, slot, code, days (int32).
 */
export type PreviewRows = {
  duIds: Float64Array;
  versions: Int32Array;
  movesAt: Int32Array;
  calendars: Uint16Array;
  flows: Uint16Array;
};
export type PreviewMove = { slot: number; oldStart: number; oldEnd: number; newStart: number; newEnd: number };
export type PreviewFinding = { row: number; slot: number; code: number; days: number };

/** How many records each section holds. */
export type PreviewCounts = { rows: number; moves: number; refused: number; warnings: number };
export type PreviewSection = keyof PreviewCounts;

/** Place of some records inside the stored bytes. */
export type Slice = { at: number; length: number };

export const moveWidth = 5;
export const findingWidth = 4;
const moveBytes = 2 * moveWidth;
const findingBytes = 4 * findingWidth;
const rowBytes = (rows: number) => 8 * rows + 4 * rows + 4 * (rows + 1) + 2 * rows + 2 * rows;

/** Where a section begins and how long it is. */
export function sectionSlice(counts: PreviewCounts, section: PreviewSection): Slice {
  const lengths: [PreviewSection, number][] = [
    ["rows", rowBytes(counts.rows)],
    ["moves", moveBytes * counts.moves],
    ["refused", findingBytes * counts.refused],
    ["warnings", findingBytes * counts.warnings],
  ];
  let at = 0;
  for (const [name, length] of lengths) {
    if (name === section) return { at, length };
    at += length;
  }
  throw new Error(`no section ${section}`);
}

/** Where `count` records of a section from record `from` on are stored; fewer at its end. */
export function recordSlice(counts: PreviewCounts, section: Exclude<PreviewSection, "rows">, from: number, count: number): Slice {
  const width = section === "moves" ? moveBytes : findingBytes;
  const { at } = sectionSlice(counts, section);
  const first = Math.min(from, counts[section]);
  const last = Math.min(from + count, counts[section]);
  return { at: at + first * width, length: (last - first) * width };
}

/**
 * Packs a preview.
 * @param moves five numbers each, in the order of the rows
 * @param refused, warnings four numbers each
 */
export function packPreview(rows: PreviewRows, moves: Uint16Array, refused: Int32Array, warnings: Int32Array): Uint8Array<ArrayBuffer> {
  const parts = [rows.duIds, rows.versions, rows.movesAt, rows.calendars, rows.flows, moves, refused, warnings];
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

/** Takes the section of the rows apart. */
export function unpackRows(bytes: Uint8Array, rows: number): PreviewRows {
  const { buffer } = new Uint8Array(bytes);
  return {
    duIds: new Float64Array(buffer, 0, rows),
    versions: new Int32Array(buffer, 8 * rows, rows),
    movesAt: new Int32Array(buffer, 12 * rows, rows + 1),
    calendars: new Uint16Array(buffer, 16 * rows + 4, rows),
    flows: new Uint16Array(buffer, 18 * rows + 4, rows),
  };
}

/** The numbers of some moves, five each. */
export function unpackMoves(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(bytes).buffer);
}

/** The numbers of some findings, four each. */
export function unpackFindings(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

/** Row a move belongs to: the last one whose moves do not begin behind it. */
export function rowOfMove(movesAt: Int32Array, move: number): number {
  let low = 0;
  let high = movesAt.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (movesAt[middle]! <= move) low = middle;
    else high = middle - 1;
  }
  return low;
}
