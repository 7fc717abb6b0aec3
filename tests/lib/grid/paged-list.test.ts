import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PagedList } from "#components/grid/paged-list.ts";

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
};
let rows: number;
let told: boolean;
let asked: { path: string; body: unknown }[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (url: URL, init: { body: string }) => {
    const [, , , page = "1", size = "200"] = url.pathname.slice(1).split("/");
    asked.push({ path: url.pathname, body: JSON.parse(init.body) });
    const from = (Number(page) - 1) * Number(size);
    const records = Array.from({ length: Math.max(0, Math.min(Number(size), rows - from)) }, (_, at) => ({
      id: from + at + 1,
      rowVersion: 1,
    }));
    return Response.json({ status: 200, data: { records, total: told ? rows : null } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const makeList = () => new PagedList("du/list", { yes: "", no: "", readOnly: { code: "X", cause: "" } }, () => false);

test("knows how many rows there are where that is told", async () => {
  [rows, told] = [450, true];
  const list = makeList();
  await list.ask({ filters: [], sort: [{ field: "region", dir: "desc" }] });
  expect(list).toMatchObject({ total: 450, open: false, counted: true });
  expect(asked[0]!.body).toEqual({ sort: [{ field: "region", dir: "desc" }] });
});

test("is read again at once: its first page is not read twice, and rows never vanish meanwhile", async () => {
  [rows, told] = [150, true];
  const list = makeList();
  await list.ask();
  await settle();
  expect(asked).toHaveLength(1);
  const seen: (number | undefined)[] = [];
  list.subscribe(() => seen.push(list.row(3)?.id, list.indexOf("4")));
  const again = list.ask();
  seen.push(list.row(3)?.id);
  await again;
  await settle();
  expect(asked).toHaveLength(2);
  expect(new Set(seen)).toEqual(new Set([4, 3]));
});

test("offers another tile until a short one ends the list where numbers are hidden", async () => {
  [rows, told] = [450, false];
  const list = makeList();
  await list.ask({ filters: [], sort: [] });
  expect(list).toMatchObject({ total: 400, open: true, counted: false });
  // The second tile is whole, so a third is offered, and read ahead.
  list.requestRange(200, 230);
  await settle();
  expect(list.row(399)?.id).toBe(400);
  list.requestRange(400, 430);
  await settle();
  expect(list).toMatchObject({ total: 450, open: false });
  expect(list.row(449)?.id).toBe(450);
});

test("ends a hidden list that is short, or exactly a tile long", async () => {
  [rows, told] = [7, false];
  const list = makeList();
  await list.ask();
  expect(list).toMatchObject({ total: 7, open: false, counted: false });
  rows = 200;
  await list.ask();
  expect(list).toMatchObject({ total: 400, open: true });
  list.requestRange(200, 210);
  await settle();
  expect(list).toMatchObject({ total: 200, open: false });
});
