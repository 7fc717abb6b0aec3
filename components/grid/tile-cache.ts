/** Rows of one tile. */
export const tileSize = 200;
/** Tiles kept; the longest unseen goes first. */
export const tilesMax = 120;
const loadsAtOnce = 4;
/** How far ahead of a quick scroll tiles are loaded, in time and at most in tiles. */
const lookAheadMs = 700;
const aheadMax = 4;
/** A pause longer than this begins another scroll. */
const scrollPauseMs = 250;

type Tile<Row> = { rows: readonly Row[]; stale: boolean };

/** Loads rows of one tile; rejects when it cannot. An aborted load may do either. */
export type TileLoader<Row> = (from: number, count: number, signal: AbortSignal) => Promise<readonly Row[]>;

/**
 * Rows in tiles: keeps the last seen ones, loads what is asked for, then the next tile in scroll direction, and aborts loads that scrolling has left behind.
 */
export class TileCache<Row> {
  private tiles = new Map<number, Tile<Row>>();
  private loading = new Map<number, AbortController>();
  private failed = new Set<number>();
  private wanted: readonly number[] = [];
  /** Tiles in the way one scrolls, the nearest first. */
  private ahead: readonly number[] = [];
  /** As many of them as any speed asks for: their loads, once begun, go on when a scroll wavers. */
  private reach: readonly number[] = [];
  private lastFrom = 0;
  private lastAt = 0;
  /** The way one scrolls: 1 down, -1 up. */
  private step = 1;
  /** Rows a millisecond of the present scroll. */
  private speed = 0;
  private needed = new Map<number, number>();
  private waiters: (() => void)[] = [];
  private generation = 0;
  private total = 0;
  private readonly load: TileLoader<Row>;
  private readonly changed: (tile: { from: number; rows: readonly Row[] } | null) => void;
  private readonly now: () => number;

  /**
   * @param load reads one tile
   * @param changed called after every tile that arrived (with it) or failed (null)
   * @param now the clock, in milliseconds
   */
  constructor(load: TileLoader<Row>, changed: (tile: { from: number; rows: readonly Row[] } | null) => void, now: () => number = Date.now) {
    this.load = load;
    this.changed = changed;
    this.now = now;
  }

  /** Puts a tile in that came with the page; one that is not whole is read again when it is seen. */
  seed(from: number, rows: readonly Row[], partial: boolean): void {
    this.tiles.set(from / tileSize, { rows, stale: partial });
  }

  row(index: number): Row | undefined {
    return this.tiles.get(Math.floor(index / tileSize))?.rows[index % tileSize];
  }

  /** Every loaded row with its position. */
  *loaded(): Generator<[number, Row]> {
    for (const [tile, { rows }] of this.tiles) for (let at = 0; at < rows.length; at++) yield [tile * tileSize + at, rows[at] as Row];
  }

  /** Forgets everything and stops all loads: another query. */
  reset(total: number): void {
    this.generation++;
    for (const controller of this.loading.values()) controller.abort();
    this.loading.clear();
    this.tiles.clear();
    this.failed.clear();
    this.wanted = [];
    this.ahead = [];
    this.reach = [];
    this.total = total;
    this.settleWaiters();
  }

  /** The number of rows became known or grew. */
  setTotal(total: number): void {
    this.total = total;
  }

  /** The rows on screen. Tiles that are missing are loaded, loads of tiles that are no longer wanted are aborted. */
  request(from: number, to: number): void {
    const last = Math.min(to, this.total - 1);
    if (last < from || from < 0) return;
    this.wanted = tilesOf(from, last);
    for (const tile of this.wanted) {
      const kept = this.tiles.get(tile);
      if (!kept) continue;
      this.tiles.delete(tile);
      this.tiles.set(tile, kept);
    }
    this.lookAhead(from);
    for (const [tile, controller] of this.loading)
      if (!this.isWanted(tile)) {
        controller.abort();
        this.loading.delete(tile);
      }
    this.pump();
  }

  /** Chooses the tiles to load beyond those on screen: the next one, and as many as a quick scroll reaches before they could arrive. */
  private lookAhead(from: number): void {
    const now = this.now();
    const passed = now - this.lastAt;
    const moved = from - this.lastFrom;
    if (moved !== 0) {
      const speed = passed > 0 && passed < scrollPauseMs ? moved / passed : 0;
      // Frames differ in length: the mean of the last ones says more than the last one.
      this.speed = Math.sign(speed) === Math.sign(this.speed) ? (this.speed + speed) / 2 : speed;
    }
    if (moved !== 0) this.step = Math.sign(moved);
    const edge = (this.step < 0 ? this.wanted[0] : this.wanted.at(-1)) as number;
    const count = Math.max(1, Math.min(aheadMax, Math.ceil((Math.abs(this.speed) * lookAheadMs) / tileSize)));
    this.reach = Array.from({ length: aheadMax }, (_, at) => edge + this.step * (at + 1)).filter(
      (tile) => tile >= 0 && tile * tileSize < this.total,
    );
    this.ahead = this.reach.slice(0, count);
    this.lastFrom = from;
    this.lastAt = now;
  }

  /** Loads all rows of a range, whatever is on screen; false when some could not be loaded. */
  async ensure(from: number, to: number): Promise<boolean> {
    const generation = this.generation;
    const tiles = tilesOf(Math.max(0, from), Math.min(to, this.total - 1));
    for (const tile of tiles) this.needed.set(tile, (this.needed.get(tile) ?? 0) + 1);
    this.pump();
    const settled = (tile: number) => this.tiles.has(tile) || this.failed.has(tile);
    while (generation === this.generation && !tiles.every(settled)) await new Promise<void>((resolve) => this.waiters.push(resolve));
    for (const tile of tiles) {
      const uses = (this.needed.get(tile) ?? 1) - 1;
      if (uses > 0) this.needed.set(tile, uses);
      else this.needed.delete(tile);
    }
    return generation === this.generation && tiles.every((tile) => this.tiles.has(tile));
  }

  /** Reads rows again that changed: those on screen at once with the old values shown meanwhile, the others when they are seen next. */
  refresh(indexes: Iterable<number>): void {
    const touched = new Set<number>();
    for (const index of indexes) touched.add(Math.floor(index / tileSize));
    for (const tile of touched) {
      const kept = this.tiles.get(tile);
      if (!kept) continue;
      kept.stale = true;
      this.failed.delete(tile);
      this.loading.get(tile)?.abort();
      this.loading.delete(tile);
    }
    this.pump();
  }

  /** Marks every tile for another reading. */
  refreshAll(): void {
    this.refresh([...this.tiles.keys()].map((tile) => tile * tileSize));
  }

  failures(): { from: number; to: number }[] {
    // A tile that only could not be refreshed still shows its rows.
    return [...this.failed]
      .filter((tile) => !this.tiles.has(tile))
      .map((tile) => ({ from: tile * tileSize, to: Math.min(this.total, (tile + 1) * tileSize) - 1 }));
  }

  /** Whether rows that changed could not be read again: they stand as they were. */
  get behind(): boolean {
    for (const tile of this.failed) if (this.tiles.has(tile)) return true;
    return false;
  }

  /** Reads those again. */
  catchUp(): void {
    for (const tile of this.failed) if (this.tiles.has(tile)) this.failed.delete(tile);
    this.pump();
  }

  /** Loads a failed tile again. */
  retry(from: number): void {
    this.failed.delete(Math.floor(from / tileSize));
    this.pump();
  }

  private isWanted(tile: number): boolean {
    return this.wanted.includes(tile) || this.reach.includes(tile) || this.needed.has(tile);
  }

  private pump(): void {
    const due = (tile: number) => !this.failed.has(tile) && !this.loading.has(tile) && (this.tiles.get(tile)?.stale ?? true);
    for (const tile of [...this.wanted, ...this.needed.keys()]) {
      if (this.loading.size >= loadsAtOnce) return;
      if (due(tile)) this.start(tile);
    }
    // At rest the next tile waits until what is seen has come; in a quick scroll there is no time for that.
    if (this.ahead.length === 1 && this.loading.size > 0) return;
    for (const tile of this.ahead) {
      if (this.loading.size >= loadsAtOnce) return;
      if (due(tile)) this.start(tile);
    }
  }

  private start(tile: number): void {
    const controller = new AbortController();
    this.loading.set(tile, controller);
    const current = () => this.loading.get(tile) === controller;
    this.load(tile * tileSize, Math.min(tileSize, this.total - tile * tileSize), controller.signal).then(
      (rows) => {
        if (!current()) return;
        this.loading.delete(tile);
        this.tiles.delete(tile);
        this.tiles.set(tile, { rows, stale: false });
        this.evict();
        this.finish({ from: tile * tileSize, rows });
      },
      () => {
        if (!current()) return;
        this.loading.delete(tile);
        this.failed.add(tile);
        this.finish(null);
      },
    );
  }

  private finish(tile: { from: number; rows: readonly Row[] } | null): void {
    this.changed(tile);
    this.settleWaiters();
    this.pump();
  }

  private settleWaiters(): void {
    const waiting = this.waiters;
    this.waiters = [];
    for (const resolve of waiting) resolve();
  }

  private evict(): void {
    for (const tile of this.tiles.keys()) {
      if (this.tiles.size <= tilesMax) return;
      if (!this.wanted.includes(tile) && !this.needed.has(tile)) this.tiles.delete(tile);
    }
  }
}

function tilesOf(from: number, to: number): number[] {
  const tiles: number[] = [];
  for (let tile = Math.floor(from / tileSize); tile <= Math.floor(to / tileSize); tile++) tiles.push(tile);
  return tiles;
}
