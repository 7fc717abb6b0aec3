import { NumberReader, NumberWriter } from "#lib/core/number-text.ts";

/** Values of one column of a tile, row by row. Texts and references are coded, as a text of numbers: 0 = blank, else the place in `dict`, from 1. */
export type TileColumn = { key: string } & ({ values: TileValue[] } | { codes: string; dict: DictEntry[] });
/** A value that stands for itself. */
export type TileValue = number | string | boolean | null;
/** A text, or the id and name of what a reference points to. */
export type DictEntry = string | [id: number, title: string];

/** One note of a tile: the place of its DU in the tile, its slot, and its values in the order of `noteFields`. */
export type TileNote = [at: number, slot: number, delayReason: string | null, score: number | null, scoreRemark: string | null];

const writer = new NumberWriter();

/** Packs texts with a dictionary. */
export function codeTexts(key: string, texts: readonly (string | null)[]): TileColumn {
  const places = codeValues(texts.map((text) => (text === "" ? null : text)));
  return { key, codes: writer.take(), dict: [...places.keys()] };
}

/** Writes the places of values in their dictionary, which it makes. */
function codeValues<T>(values: readonly (T | null)[]): Map<T, number> {
  const places = new Map<T, number>();
  for (const value of values) {
    const known = value === null ? 0 : places.get(value);
    writer.push(known ?? places.size + 1);
    if (known === undefined) places.set(value as T, places.size + 1);
  }
  return places;
}

/** Packs references with a dictionary of their names. */
export function codeReferences(key: string, ids: readonly (number | null)[], titles: ReadonlyMap<number, string>): TileColumn {
  const places = codeValues(ids);
  return { key, codes: writer.take(), dict: [...places.keys()].map((id) => [id, titles.get(id) ?? String(id)]) };
}

/** A column whose rows can be looked up. */
export type OpenColumn = { key: string; values: TileValue[] } | { key: string; codes: Uint32Array; dict: DictEntry[] };

/** Unpacks a column of so many rows. */
export function openColumn(column: TileColumn, rows: number): OpenColumn {
  if ("values" in column) return column;
  const reader = new NumberReader(column.codes);
  const codes = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) codes[row] = reader.next();
  return { ...column, codes };
}

/** Value of a row of a column. */
export function columnValue(column: OpenColumn, row: number): TileValue | [number, string] {
  if ("values" in column) return column.values[row] ?? null;
  const code = column.codes[row] ?? 0;
  return code === 0 ? null : (column.dict[code - 1] ?? null);
}
