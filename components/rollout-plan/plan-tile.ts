import type { GridMark } from "#lib/reminders/grid-marks/queries.ts";
import { type DecodedTileRow, decodeTileRow, emptyTileRow, readTileFlow } from "#lib/rollout-plan/plan-rows/logic.ts";
import { columnValue, type OpenColumn, openColumn, type TileColumn, type TileNote } from "#lib/rollout-plan/tiles/logic.ts";

/** A tile as the server sends it. */
export type TileAnswer = {
  from: number;
  seq: number;
  duIds: number[];
  /** Texts of rows in the order of `duIds`. */
  rows?: string[];
  owners?: [setId: number, userIds: number[]][];
  people?: [userId: number, name: string][];
  marks?: GridMark[];
  fields: TileColumn[];
  attrs: TileColumn[];
  notes: TileNote[];
};

/** One DU of a tile: its plan, and its other values in the columns of the tile. */
export type PlanRow = {
  duId: number;
  at: number;
  readonly plan: DecodedTileRow;
  flow: readonly [id: number, version: number];
  tile: PlanTile;
};

/** A row whose plan is decoded when it is first drawn, so that a tile that arrives while one scrolls costs no frame. */
class LazyRow implements PlanRow {
  readonly duId: number;
  readonly at: number;
  readonly tile: PlanTile;
  private readonly coded: string;
  private decoded: DecodedTileRow | undefined;

  constructor(duId: number, at: number, coded: string, tile: PlanTile) {
    this.duId = duId;
    this.at = at;
    this.coded = coded;
    this.tile = tile;
  }

  get plan(): DecodedTileRow {
    this.decoded ??= decodeTileRow(this.coded);
    return this.decoded;
  }

  get flow(): readonly [number, number] {
    return readTileFlow(this.coded);
  }
}

/** Values the rows of a tile share. */
export type PlanTile = {
  columns: ReadonlyMap<string, OpenColumn>;
  owners: ReadonlyMap<number, readonly number[]>;
  /** Slots whose notes the tile carries, and the notes by `place slot`. */
  noteSlots: ReadonlySet<number>;
  notes: ReadonlyMap<string, TileNote>;
  /** What reminders mark, by the place of the row. */
  marks: ReadonlyMap<number, GridMark>;
  /** When the tile was asked for, as a count of readings and saves. */
  asked: number;
};

/**
 * Rows of a tile, ready to be drawn.
 * @param noteSlots slots whose notes were asked for
 */
export function openTile(answer: TileAnswer, asked: number, noteSlots: readonly number[]): PlanRow[] {
  const tile: PlanTile = {
    columns: new Map([...answer.fields, ...answer.attrs].map((column) => [column.key, openColumn(column, answer.duIds.length)])),
    owners: new Map(answer.owners ?? []),
    noteSlots: new Set(noteSlots),
    notes: new Map(answer.notes.map((note) => [`${note[0]} ${note[1]}`, note])),
    marks: new Map((answer.marks ?? []).map((mark) => [mark[0], mark])),
    asked,
  };
  return answer.duIds.map((duId, at) => new LazyRow(duId, at, answer.rows?.[at] ?? emptyTileRow(duId), tile));
}

/** Value of a note of a row: its place in a note's values is that of `noteFields`. */
export function noteValue(row: PlanRow, slot: number, place: number): string | number | null {
  return (row.tile.notes.get(`${row.at} ${slot}`)?.[place + 2] as string | number | null | undefined) ?? null;
}

/** How long the site of a row has waited after RFI, where a reminder marks it. */
export function waitOf(row: PlanRow): { slot: number; days: number; exceeds: boolean } | null {
  const mark = row.tile.marks.get(row.at);
  return mark ? { slot: mark[1], days: mark[2], exceeds: mark[3] } : null;
}

/** Value of a column the tile carries: a reference as [id, title]; undefined when the tile does not have the column. */
export function tileValue(row: PlanRow, key: string): ReturnType<typeof columnValue> | undefined {
  const column = row.tile.columns.get(key);
  return column && columnValue(column, row.at);
}
