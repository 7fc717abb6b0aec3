import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type MasterDesk, makeMasterDesk } from "#components/dus/master-desk.ts";
import { saveEdits } from "#components/dus/master-saving.ts";
import type { CellValue } from "#components/grid/grid-model.ts";
import { listColumn } from "#components/grid/paged-list.ts";
import { setColumns } from "#components/grid/row-desk.ts";

type Stored = { id: number; rowVersion: number; code: string; name: string; city: string | null };
type Sent = { rows: Record<string, unknown>[] };

let stored: Stored[];
let sent: Sent[];
/** What the server answers to a save. */
let answer: (input: Sent) => object;
let desk: MasterDesk;

beforeEach(async () => {
  sent = [];
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (url: URL, init: { body: string }) => {
    if (url.pathname === "/api/site/save") {
      sent.push(JSON.parse(init.body));
      return Response.json(answer(sent.at(-1) as Sent));
    }
    return Response.json({ status: 200, data: { records: stored, total: stored.length } });
  });
  stored = [1, 2].map((id) => ({ id, rowVersion: 1, code: `S-${id}`, name: "old", city: null }));
  desk = makeMasterDesk("site/list", true, {
    unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: typed }),
    somebody: "somebody",
    texts: { yes: "", no: "", readOnly: { code: "NO_PERMISSION", cause: "" } },
  });
  setColumns(desk, { groups: [{ key: "site", title: "", columns: ["name", "city"].map((key) => listColumn(key, key, "text", 100)) }] });
  await desk.list.ask();
});
afterEach(() => vi.unstubAllGlobals());

const edit = (id: number, columnKey: string, value: CellValue, base: CellValue = null) =>
  desk.edits.change([{ rowKey: String(id), columnKey, base, value }]);
const save = () => saveEdits("site/save", desk, (code) => ({ code, cause: code }));
const wanted = () =>
  [...desk.edits.all()].map(({ columnKey, mine, refusal, conflict }) => [columnKey, mine, refusal?.code, conflict?.theirs]);
const good = ({ rows }: Sent) => ({ status: 200, data: { ids: rows.map(({ id }) => id), rejected: [] } });

test("saves what was edited in rows that are no longer in sight", async () => {
  answer = good;
  edit(1, "name", "new", "old");
  edit(2, "city", "Porto");
  stored = [];
  await desk.list.ask();
  expect(await save()).toEqual({ saved: 2, refused: 0, stale: 0, failed: null });
  expect(sent[0]!.rows).toEqual([
    { id: 1, rowVersion: 1, name: "new" },
    { id: 2, rowVersion: 1, city: "Porto" },
  ]);
  expect(wanted()).toEqual([]);
});

test("a cell others changed before the list is read again is a conflict and not written; the others are saved at the new revision", async () => {
  answer = good;
  edit(1, "name", "mine", "old");
  edit(1, "city", "Porto");
  stored[0] = { ...stored[0]!, rowVersion: 2, name: "theirs" };
  await desk.list.ask();
  await save();
  expect(sent[0]!.rows).toEqual([{ id: 1, rowVersion: 2, city: "Porto" }]);
  expect(wanted()).toEqual([["name", "mine", undefined, "theirs"]]);
  desk.edits.resolve([{ rowKey: "1", columnKey: "name" }], "mine");
  await save();
  expect(sent[1]!.rows).toEqual([{ id: 1, rowVersion: 2, name: "mine" }]);
});

test("a refused row others have changed keeps its edits and shows their value after the next reading", async () => {
  answer = () => ({ status: 409, code: "STALE", problems: [{ path: "rows.0", code: "STALE", params: {} }] });
  edit(1, "name", "mine", "old");
  expect(await save()).toMatchObject({ saved: 0, refused: 1, stale: 1 });
  expect(wanted()).toEqual([["name", "mine", "STALE", undefined]]);
  stored[0] = { ...stored[0]!, rowVersion: 2, name: "theirs" };
  await desk.list.ask();
  expect(wanted()).toEqual([["name", "mine", undefined, "theirs"]]);
  await save();
  expect(sent).toHaveLength(1);
});
