import { describe, expect, test } from "vitest";
import {
  packPreview,
  recordSlice,
  rowOfMove,
  sectionSlice,
  unpackFindings,
  unpackMoves,
  unpackRows,
} from "#lib/scheduling/previews/logic.ts";

const rows = {
  duIds: Float64Array.of(7, 9_007_199_254_740_991, 5),
  versions: Int32Array.of(1, 2, 2_000_000_000),
  movesAt: Int32Array.of(0, 2, 2, 3),
  calendars: Uint16Array.of(0, 65_535, 1),
  flows: Uint16Array.of(1, 0, 65_535),
};
const moves = Uint16Array.from({ length: 15 }, (_, at) => 32_767 - at);
const refused = Int32Array.of(1, 0, 3, 0);
const warnings = Int32Array.of(0, 2, 15, 3, 2, 2000, 16, 0);
const counts = { rows: 3, moves: 3, refused: 1, warnings: 2 };
const bytes = packPreview(rows, moves, refused, warnings);
// As the driver gives them: a view at an odd place of a larger buffer.
const cut = ({ at, length }: { at: number; length: number }) => {
  const given = Buffer.alloc(length + 3);
  given.set(bytes.subarray(at, at + length), 3);
  return given.subarray(3);
};

describe("the stored form of a preview", () => {
  test("gives every section back", () => {
    expect(unpackRows(cut(sectionSlice(counts, "rows")), 3)).toEqual(rows);
    expect(unpackMoves(cut(sectionSlice(counts, "moves")))).toEqual(moves);
    expect(unpackFindings(cut(sectionSlice(counts, "refused")))).toEqual(refused);
    expect(unpackFindings(cut(sectionSlice(counts, "warnings")))).toEqual(warnings);
    const last = sectionSlice(counts, "warnings");
    expect(last.at + last.length).toBe(bytes.length);
  });

  test("gives single records, none beyond the end", () => {
    expect(unpackMoves(cut(recordSlice(counts, "moves", 1, 1)))).toEqual(moves.slice(5, 10));
    expect(unpackMoves(cut(recordSlice(counts, "moves", 2, 100)))).toEqual(moves.slice(10));
    expect(unpackFindings(cut(recordSlice(counts, "warnings", 1, 5)))).toEqual(warnings.slice(4));
    expect(recordSlice(counts, "refused", 4, 10).length).toBe(0);
  });

  test("finds the row of a move, rows without moves between", () => {
    expect([0, 1, 2].map((move) => rowOfMove(rows.movesAt, move))).toEqual([0, 0, 2]);
    expect(rowOfMove(Int32Array.of(0, 0, 0, 1, 1), 0)).toBe(2);
  });
});
