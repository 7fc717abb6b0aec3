import { beforeEach, describe, expect, test } from "vitest";
import { TileCache, tileSize, tilesMax } from "#components/grid/tile-cache.ts";

type Load = { from: number; count: number; signal: AbortSignal; answer: (rows?: number[]) => void; fail: () => void };
let loads: Load[];
let arrived: (number | null)[];
let cache: TileCache<number>;
let time: number;
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const open = () => loads.filter((load) => !load.signal.aborted).map((load) => load.from);
const take = (from: number) => {
  const index = loads.findIndex((load) => load.from === from && !load.signal.aborted);
  return loads.splice(index, 1)[0] as Load;
};
const answer = async (from: number) => {
  take(from).answer();
  await settle();
};

beforeEach(() => {
  loads = [];
  arrived = [];
  time = 0;
  cache = new TileCache<number>(
    (from, count, signal) =>
      new Promise((resolve, reject) => {
        const rows = Array.from({ length: count }, (_, at) => from + at);
        loads.push({ from, count, signal, answer: (given) => resolve(given ?? rows), fail: () => reject(new Error("lost")) });
      }),
    (tile) => arrived.push(tile?.from ?? null),
    () => time,
  );
  cache.reset(10_000);
});

test("loads the tiles on screen, then the next one downwards", async () => {
  cache.request(190, 215);
  expect(open()).toEqual([0, 200]);
  await answer(0);
  await answer(200);
  expect(open()).toEqual([400]);
  expect([cache.row(0), cache.row(215), cache.row(400)]).toEqual([0, 215, undefined]);
  expect(arrived).toEqual([0, 200]);
});

test("prefetches upwards when scrolling up", async () => {
  cache.request(4000, 4020);
  cache.request(3000, 3020);
  await answer(3000);
  expect(open()).toEqual([2800]);
});

test("aborts what scrolling has left behind", () => {
  cache.request(0, 20);
  const first = loads[0] as Load;
  cache.request(5000, 5020);
  expect(first.signal.aborted).toBe(true);
  expect(open()).toEqual([5000]);
});

test("the last tile is as short as the query", () => {
  cache.reset(250);
  cache.request(200, 249);
  expect(loads[0]).toMatchObject({ from: 200, count: 50 });
});

test("keeps the last 120 tiles", async () => {
  cache.reset(200 * tileSize);
  for (let tile = 0; tile < 130; tile++) {
    cache.request(tile * tileSize, tile * tileSize + 10);
    if (open().includes(tile * tileSize)) await answer(tile * tileSize);
  }
  for (const load of loads) load.answer();
  await settle();
  expect(cache.row(0)).toBeUndefined();
  expect(cache.row(129 * tileSize)).toBe(129 * tileSize);
  expect([...cache.loaded()].length / tileSize).toBeLessThanOrEqual(tilesMax);
});

describe("a tile that fails", () => {
  test("is named and not asked for again until somebody retries", async () => {
    cache.request(0, 20);
    take(0).fail();
    await settle();
    expect(cache.failures()).toEqual([{ from: 0, to: 199 }]);
    cache.request(0, 21);
    expect(open()).not.toContain(0);
    cache.retry(0);
    await answer(0);
    expect(cache.failures()).toEqual([]);
    expect(cache.row(5)).toBe(5);
  });

  test("shows its old rows when only the refresh failed", async () => {
    cache.request(0, 20);
    await answer(0);
    cache.refresh([3]);
    take(0).fail();
    await settle();
    expect(cache.row(5)).toBe(5);
    expect(cache.failures()).toEqual([]);
  });

  test("is behind while its old rows stand, until it is read again", async () => {
    cache.request(0, 20);
    await answer(0);
    cache.refresh([3]);
    take(0).fail();
    await settle();
    expect(cache.behind).toBe(true);
    cache.catchUp();
    take(0).answer(Array.from({ length: 200 }, () => -1));
    await settle();
    expect([cache.behind, cache.row(5)]).toEqual([false, -1]);
  });

  test("is not behind where there are no rows yet, and catching up leaves it to the retry", async () => {
    cache.request(0, 20);
    take(0).fail();
    await settle();
    cache.catchUp();
    expect([cache.behind, cache.failures()]).toEqual([false, [{ from: 0, to: 199 }]]);
    expect(open()).not.toContain(0);
  });
});

test("refresh reads a tile on screen again and shows the old rows meanwhile", async () => {
  cache.request(0, 20);
  await answer(0);
  await answer(200);
  cache.refresh([3, 250]);
  expect(cache.row(3)).toBe(3);
  expect(open()).toEqual([0]);
  const load = take(0);
  load.answer(Array.from({ length: 200 }, () => -1));
  await settle();
  expect(cache.row(3)).toBe(-1);
});

test("ensure loads a whole range whatever is on screen", async () => {
  cache.request(0, 20);
  const done = cache.ensure(1000, 1999);
  cache.request(9000, 9020);
  while (loads.length > 0) {
    for (const load of loads.splice(0)) load.answer();
    await settle();
  }
  expect(await done).toBe(true);
  expect([cache.row(1000), cache.row(1999)]).toEqual([1000, 1999]);
});

test("ensure answers false for a failed tile and for another query", async () => {
  const failing = cache.ensure(0, 10);
  take(0).fail();
  expect(await failing).toBe(false);
  const lost = cache.ensure(200, 210);
  cache.reset(500);
  expect(await lost).toBe(false);
});

test("another query forgets the rows", async () => {
  cache.request(0, 20);
  await answer(0);
  cache.reset(50);
  expect(cache.row(0)).toBeUndefined();
  cache.request(0, 20);
  expect(loads.at(-1)).toMatchObject({ from: 0, count: 50 });
});

test("a quick scroll loads as far ahead as it gets before tiles arrive, a slow one only the next tile", async () => {
  cache.request(0, 30);
  await answer(0);
  await answer(200);
  // 14 rows in every frame: 590 rows in the time looked ahead.
  for (let frame = 1; frame <= 4; frame++) {
    time = frame * 16.7;
    cache.request(frame * 14, frame * 14 + 30);
  }
  expect(open()).toEqual([400, 600]);
  for (let frame = 5; frame <= 8; frame++) {
    time = frame * 16.7;
    cache.request(frame * 28, frame * 28 + 30);
  }
  expect(open()).toEqual([400, 600, 800, 1000]);
});

test("what a quick scroll began to load is loaded once, though its frames waver", async () => {
  cache.request(0, 30);
  await answer(0);
  await answer(200);
  for (let frame = 1; frame <= 7; frame++) {
    time = frame * 16.7;
    cache.request(frame * 28, frame * 28 + 30);
  }
  expect(open()).toEqual([400, 600, 800, 1000]);
  // A frame that comes late makes the scroll look slower.
  const begun = [...loads];
  time = 250;
  cache.request(200, 230);
  expect(begun.filter((load) => load.signal.aborted)).toEqual([]);
  // A turn leaves them behind.
  cache.request(60, 90);
  expect(begun.filter((load) => !load.signal.aborted)).toEqual([]);
});

test("the way of a scroll is kept while the first row on screen stays", async () => {
  cache.request(1000, 1030);
  await answer(1000);
  cache.request(990, 1020);
  await answer(800);
  expect(open()).toEqual([600]);
  cache.request(990, 1019);
  expect(open()).toEqual([600]);
});

test("a tile that came with the page is not asked for again, the rest of a part of one is", async () => {
  cache.seed(0, [1, 2, 3], false);
  cache.request(0, 2);
  expect([cache.row(1), open()]).toEqual([2, [200]]);
  cache.seed(4000, [1, 2, 3], true);
  cache.request(4000, 4010);
  expect([cache.row(4001), cache.row(4010), open()]).toEqual([2, undefined, [4000]]);
  await answer(4000);
  expect(cache.row(4010)).toBe(4010);
});
