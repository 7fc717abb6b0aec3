/** Values of one column of a tile, row by row. Texts and references are coded: 0 = blank, else the place in `dict`, from 1. */
export type TileColumn = { key: string } & ({ values: (number | string | boolean | null)[] } | { codes: number[]; dict: DictEntry[] });
/** A text, or the id and name of what a reference points to. */
export type DictEntry = string | [id: number, title: string];

/** One note of a tile: the place of its DU in the tile, its slot, and its values in the order of `noteFields`. */
export type TileNote = [at: number, slot: number, delayReason: string | null, score: number | null, scoreRemark: string | null];

/** Packs texts with a dictionary. */
export function codeTexts(key: string, texts: readonly (string | null)[]): TileColumn {
  const places = new Map<string, number>();
  const codes = texts.map((text) => {
    if (text === null || text === "") return 0;
    const place = places.get(text) ?? places.size + 1;
    places.set(text, place);
    return place;
  });
  return { key, codes, dict: [...places.keys()] };
}

/** Packs references with a dictionary of their names. */
export function codeReferences(key: string, ids: readonly (number | null)[], titles: ReadonlyMap<number, string>): TileColumn {
  const places = new Map<number, number>();
  const codes = ids.map((id) => {
    if (id === null) return 0;
    const place = places.get(id) ?? places.size + 1;
    places.set(id, place);
    return place;
  });
  return { key, codes, dict: [...places.keys()].map((id) => [id, titles.get(id) ?? String(id)]) };
}

/** Value of a row of a column. */
export function columnValue(column: TileColumn, row: number): number | string | boolean | null | [number, string] {
  if ("values" in column) return column.values[row] ?? null;
  const code = column.codes[row] ?? 0;
  return code === 0 ? null : (column.dict[code - 1] ?? null);
}
