import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeDesk, setColumns, type TabDesk } from "#components/du-tabs/tab-desk.ts";
import { saveEdits } from "#components/du-tabs/tab-saving.ts";
import type { CellValue } from "#components/grid/grid-model.ts";
import { listColumn } from "#components/grid/paged-list.ts";

type Stored = { id: number | null; duId: number; rowVersion: number | null; data: Record<string, unknown> };
type Sent = { rows: ({ duId: number } & Record<string, unknown>)[] };

let stored: Stored[];
let sent: Sent[];
/** What the server answers to a save. */
let answer: (input: Sent) => object;
let desk: TabDesk;

beforeEach(async () => {
  sent = [];
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (url: URL, init: { body: string }) => {
    if (url.pathname === "/api/duTabAttr/saveRow") {
      sent.push(JSON.parse(init.body));
      return Response.json(answer(sent.at(-1) as Sent));
    }
    const records = stored.map((row) => ({
      ...row,
      code: `D-${row.duId}`,
      sn: null,
      duVersion: 4,
      updatedBy: "Zhou Min",
      updatedAt: null,
    }));
    return Response.json({ status: 200, data: { records, total: records.length } });
  });
  stored = [1, 2, 3].map((duId) => ({ id: duId === 3 ? null : duId * 10, duId, rowVersion: duId === 3 ? null : 1, data: { a1: "old" } }));
  const readOnly = { code: "NO_PERMISSION", cause: "" };
  desk = makeDesk(
    { keyMode: "DU", mode: "RW" },
    { unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: typed }), somebody: "somebody", texts: { yes: "", no: "", readOnly } },
  );
  const columns = ["a1", "a2", "a3"].map((key) => listColumn(key, key, "text", 100));
  setColumns(desk, { groups: [{ key: "tab", title: "", columns }] }, { fixed: [], attributes: [] });
  await desk.list.ask();
});
afterEach(() => vi.unstubAllGlobals());

const edit = (duId: number, columnKey: string, value: CellValue, base: CellValue = null) =>
  desk.edits.change([{ rowKey: String(duId), columnKey, base, value }]);
const save = () => saveEdits(7, desk, new Set(["a3"]), (code) => ({ code, cause: code }));
const wanted = () =>
  [...desk.edits.all()].map(({ rowKey, columnKey, mine, refusal, conflict }) => [rowKey, columnKey, mine, refusal?.code, conflict?.theirs]);
const good = ({ rows }: Sent) => ({
  status: 200,
  data: { saved: rows.map((_, index) => ({ index, id: 100 + index, rowVersion: 2 })), conflicts: [] },
});

test("sends a row at the revision it was read at, the revision of its DU with values of the DU alone, a DU without a row without any", async () => {
  answer = good;
  edit(1, "a1", "new", "old");
  edit(2, "a3", "with the DU");
  edit(3, "a2", "first");
  expect(await save()).toMatchObject({ saved: 3, refused: 0 });
  expect(sent[0]).toEqual({
    tabId: 7,
    rows: [
      { id: 10, rowVersion: 1, duId: 1, data: { a1: "new" } },
      { id: 20, rowVersion: 1, duId: 2, duVersion: 4, data: { a3: "with the DU" } },
      { duId: 3, data: { a2: "first" } },
    ],
  });
  expect(wanted()).toEqual([]);
  // The row that was made is known by its number at the next save.
  edit(3, "a2", "second", "first");
  await save();
  expect(sent[1]!.rows).toEqual([{ id: 102, rowVersion: 2, duId: 3, data: { a2: "second" } }]);
});

test("saves the rows that are right where one is wrong, which keeps what was typed with the reason at its cell", async () => {
  edit(1, "a1", "new", "old");
  edit(2, "a1", "bad", "old");
  edit(2, "a2", "fine");
  answer = (input) =>
    input.rows.length > 1
      ? { status: 400, code: "NOT_A_DATE", problems: [{ path: "rows.1.data.a1", code: "NOT_A_DATE", msg: "a1: not a date" }] }
      : good(input);
  expect(await save()).toEqual({ saved: 1, refused: 1, stale: 0, failed: null });
  expect(sent[1]!.rows.map(({ duId }) => duId)).toEqual([1]);
  expect(wanted()).toEqual([
    ["2", "a1", "bad", "NOT_A_DATE", undefined],
    ["2", "a2", "fine", undefined, undefined],
  ]);
});

test("loses nothing of a row others have changed: cells of theirs become conflicts, the others are saved at the new revision", async () => {
  edit(1, "a1", "mine", "old");
  edit(1, "a2", "also mine");
  answer = () => ({ status: 200, data: { saved: [], conflicts: [{ index: 0, code: "STALE", params: {} }] } });
  expect(await save()).toMatchObject({ saved: 0, refused: 1, stale: 1 });
  expect(wanted().map((cell) => cell[3])).toEqual(["STALE", "STALE"]);
  stored[0] = { ...stored[0]!, rowVersion: 2, data: { a1: "theirs" } };
  await desk.list.ask();
  expect(wanted()).toEqual([
    ["1", "a1", "mine", undefined, "theirs"],
    ["1", "a2", "also mine", undefined, undefined],
  ]);
  answer = good;
  await save();
  expect(sent[1]!.rows).toEqual([{ id: 10, rowVersion: 2, duId: 1, data: { a2: "also mine" } }]);
  desk.edits.resolve([{ rowKey: "1", columnKey: "a1" }], "mine");
  await save();
  expect(sent[2]!.rows[0]).toMatchObject({ data: { a1: "mine" } });
  expect(wanted()).toEqual([]);
});

test("keeps every edit where the call fails", async () => {
  edit(1, "a1", "new", "old");
  answer = () => ({ status: 503, code: "SERVICE_ERROR" });
  expect((await save()).failed).toMatchObject({ status: 503 });
  expect(wanted()).toEqual([["1", "a1", "new", undefined, undefined]]);
});
