import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CellValue } from "#components/grid/grid-model.ts";
import { listColumn } from "#components/grid/paged-list.ts";
import { setColumns } from "#components/grid/row-desk.ts";
import { type InputDesk, makeInputDesk } from "#components/planning-engine/input-desk.ts";
import { saveInputs } from "#components/planning-engine/input-saving.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";

type Sent = { rows: Record<string, unknown>[] };

let desk: InputDesk;
let sent: Sent[];
/** What happens while a save runs, and the ids it answers. */
let meanwhile: () => void;
let ids: number[];
const stored = [{ id: 7, rowVersion: 3, designItemCode: "A-1", designDescription: "Antenna" }];

beforeEach(async () => {
  sent = [];
  meanwhile = () => {};
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (url: URL, init: { body: string }) => {
    if (!url.pathname.endsWith("/save")) return Response.json({ status: 200, data: { records: stored, total: stored.length } });
    sent.push(JSON.parse(init.body));
    meanwhile();
    return Response.json({ status: 200, data: { ids } });
  });
  await open("itemSubstitute");
});
afterEach(() => vi.unstubAllGlobals());

async function open(name: BlockName): Promise<void> {
  const refusal = (code: string) => ({ code, cause: code });
  desk = makeInputDesk(name, true, {
    refusal,
    unreadable: refusal,
    rowLock: refusal("ROW_KEY"),
    somebody: "somebody",
    texts: { yes: "", no: "", readOnly: refusal("READ_ONLY") },
  });
  const columns = ["designItemCode", "designDescription", "duCode"].map((key) => listColumn(key, key, "text", 100));
  setColumns(desk, { groups: [{ key: name, title: "", columns }] });
  await desk.list.ask();
}

const type = (rowKey: string, columnKey: string, value: CellValue, base: CellValue = null) =>
  desk.edits.change([{ rowKey, columnKey, base, value }]);
const save = (name: BlockName = "itemSubstitute") =>
  saveInputs(
    name,
    1,
    desk,
    (code) => ({ code, cause: code }),
    (key) => key,
  );
const wanted = () => [...desk.edits.all()].map(({ rowKey, columnKey, base, mine }) => [rowKey, columnKey, base, mine]);

test("what is typed into a new row while it is saved is saved into the stored row, with all the row says", async () => {
  desk.rows.addRows(2);
  type("-1", "designItemCode", "A-2");
  type("-2", "designItemCode", "A-3");
  type("7", "designDescription", "Antenna 2", "Antenna");
  ids = [8, 9, 7];
  meanwhile = () => {
    type("-2", "designDescription", "Cable");
    type("-2", "designItemCode", "A-4", "A-3");
  };
  expect(await save()).toMatchObject({ saved: 3, refused: 0 });
  expect(wanted()).toEqual([
    ["9", "designItemCode", "A-3", "A-4"],
    ["9", "designDescription", null, "Cable"],
  ]);
  expect(desk.rows.draft("-2")).toBeUndefined();
  meanwhile = () => {};
  ids = [9];
  await save();
  expect(sent[1]?.rows).toEqual([{ id: 9, rowVersion: 1, designItemCode: "A-4", designDescription: "Cable" }]);
  expect(wanted()).toEqual([]);
});

test("a new row that nobody typed into meanwhile leaves nothing behind", async () => {
  desk.rows.addRows(1);
  type("-1", "designItemCode", "A-2");
  ids = [8];
  await save();
  expect([wanted(), desk.rows.total, desk.list.known.has("8")]).toEqual([[], 1, false]);
});

test("what names a row is refused where the row was stored meanwhile, and stays", async () => {
  await open("du");
  type("7", "duCode", "D-2", "D-1");
  expect(await save("du")).toMatchObject({ saved: 0, refused: 1 });
  expect(sent).toEqual([]);
  expect(desk.edits.get("7", "duCode")).toMatchObject({ mine: "D-2", refusal: { code: "ROW_KEY" } });
});
