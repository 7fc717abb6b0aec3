import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { firstAsk, questionText } from "#components/rollout-plan/first-rows.ts";
import { PlanCells } from "#components/rollout-plan/plan-cells.ts";
import { planGridHead } from "#components/rollout-plan/plan-columns.ts";
import { type DateShift, PlanCompare } from "#components/rollout-plan/plan-compare.ts";
import type { PlanQuestion } from "#components/rollout-plan/plan-filters.ts";
import { PeopleBook } from "#components/rollout-plan/plan-people.ts";
import { PlanSource } from "#components/rollout-plan/plan-source.ts";
import { dayNumber } from "#lib/core/clock.ts";
import { emptyBlock, encodeDays, encodeTileRow, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { lastPlanDay } from "#lib/rollout-plan/plan-rows/rules.ts";
import { codeTexts } from "#lib/rollout-plan/tiles/logic.ts";
import { planHead } from "./plan-fixture.ts";

type Call = { address: string; input: Record<string, unknown> };
let calls: Call[];
let answers: Record<string, (input: Record<string, unknown>) => unknown>;
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
};
const asked = (address: string) => calls.filter((call) => call.address === address);

const question: PlanQuestion = { filters: [], sort: [], period: null, search: null, flowIds: [], exception: null };
const head = planGridHead(planHead, { fields: "", attributes: "", bar: "", barTitle: "" }, {});
const columns = new Map(
  head.groups.flatMap((group) => [...group.columns, ...(group.bar ? [group.bar] : [])].map((column) => [column.key, column])),
);
const column = (key: string) => columns.get(key) as NonNullable<ReturnType<typeof columns.get>>;

function tile(duIds: number[], from: number) {
  const block = emptyBlock(duIds, 6);
  block.flowIds.fill(2);
  block.flowVersions.fill(4);
  block.versions.fill(1);
  duIds.forEach((_, row) => {
    for (const slot of [3, 4, 5]) setCell(block, row, slot, "state", 1);
    setCell(block, row, 3, "planEnd", dayNumber("2026-10-14"));
    setCell(block, row, 3, "planOwner", 6);
  });
  return {
    from,
    seq: 5,
    duIds,
    rows: duIds.map((_, row) => encodeTileRow(block, row, [3, 4, 5])),
    owners: [[6, [101]]],
    people: [[101, "Chen Wei"]],
    fields: [
      codeTexts(
        "code",
        duIds.map((id) => `GD-${id}`),
      ),
    ],
    attrs: [],
    notes: [],
  };
}

const texts = {
  status: (status: string) => `<${status}>`,
  shift: ({ kind, days, old }: DateShift) => `${kind} ${days} ${old}`,
  wait: (days: number, exceeds: boolean) => `waits ${days}${exceeds ? " too long" : ""}`,
  yes: "yes",
  no: "no",
  refusal: (code: string) => ({ code, cause: code }),
};
const headWith = (attrs: string[]) => ({
  cells: new PlanCells(planHead, "2026-10-14", false),
  frame: { lastPlanDay: lastPlanDay("2026-10-14"), rights: { plan: true, actual: true } },
  parts: { fields: ["code"], attrs, notes: [] },
});
const makeSource = () => new PlanSource(headWith([]), texts, new PeopleBook());

beforeEach(() => {
  calls = [];
  const ids = [11, 12, 13];
  answers = {
    "wbs/filter": () => ({ data: { queryId: "q1", total: 3, unmatched: [], seq: 5, duIds: ids } }),
    "rolloutPlan/tile": (input) => ({ data: tile(ids.slice(Number(input.from)), Number(input.from)) }),
  };
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (url: URL, init: { body: string }) => {
    const address = url.pathname.slice("/api/".length);
    const input = JSON.parse(init.body) as Record<string, unknown>;
    calls.push({ address, input });
    return new Response(JSON.stringify({ status: 200, ...(answers[address]?.(input) as object) }));
  });
});
afterEach(() => vi.unstubAllGlobals());

async function opened() {
  const source = makeSource();
  await source.ask(question);
  source.requestRange(0, 2);
  await settle();
  return source;
}

test("asks once which DUs fit, then for their rows", async () => {
  const source = await opened();
  expect(source.total).toBe(3);
  expect(asked("rolloutPlan/tile")[0]?.input).toEqual({
    queryId: "q1",
    from: 0,
    count: 3,
    parts: { plan: true, fields: ["code"], attrs: [], notes: [] },
  });
  const row = source.row(1);
  expect([source.rowKey(1), source.indexOf("13")]).toEqual(["12", 2]);
  expect(row && source.text(source.value(row, column("code")), column("code"), row)).toBe("GD-12");
  expect(row && source.text(source.value(row, column("7:planOwner")), column("7:planOwner"), row)).toBe("Chen Wei");
  expect(row && source.text(source.value(row, column("7:status")), column("7:status"), row)).toBe("<within7>");
});

test("columns that are shown again after rows came without them are read again", async () => {
  const source = await opened();
  const tiles = async (attrs: string[]) => {
    source.setHead(headWith(attrs), texts);
    source.requestRange(0, 2);
    await settle();
    return asked("rolloutPlan/tile").map(({ input }) => (input.parts as { attrs: string[] }).attrs.join(" "));
  };
  expect(await tiles(["a13@3"])).toEqual(["", "a13@3"]);
  expect(await tiles([])).toEqual(["", "a13@3"]);
  expect(await tiles(["a13@3"])).toEqual(["", "a13@3", "a13@3"]);
});

test("a bar shows its date, or the status where that says more", async () => {
  const source = await opened();
  const row = source.row(0);
  const text = (key: string) => row && source.text(source.value(row, column(key)), column(key), row);
  expect([text("7:bar"), text("9:bar")]).toEqual(["2026-10-14", "<notPlanned>"]);
});

test("another question on the same places reads the rows anew", async () => {
  const source = await opened();
  await source.ask({ ...question, period: { preset: "thisWeek" } });
  await settle();
  expect(asked("rolloutPlan/tile")).toHaveLength(2);
  expect(source.row(0)?.duId).toBe(11);
});

test("a question that fails keeps the rows of the one before", async () => {
  const source = await opened();
  answers["wbs/filter"] = () => ({ status: 422, code: "FILTER_TOO_LONG", msg: "too long" });
  await source.ask({ ...question, flowIds: [2] });
  expect(source.failed?.code).toBe("FILTER_TOO_LONG");
  expect(source.row(0)?.duId).toBe(11);
});

test("an expired query is asked again without losing the rows", async () => {
  const source = await opened();
  answers["wbs/filter"] = () => ({ data: { queryId: "q2", total: 3, unmatched: [], seq: 6, duIds: [11, 12, 13] } });
  const rows = answers["rolloutPlan/tile"] as (input: Record<string, unknown>) => unknown;
  answers["rolloutPlan/tile"] = (input) => (input.queryId === "q1" ? { status: 410, code: "QUERY_EXPIRED" } : rows(input));
  source.refreshAll();
  await settle();
  expect(source.query.queryId).toBe("q2");
  expect(source.row(2)?.duId).toBe(13);
  expect(source.failures()).toEqual([]);
});

test("a DU that is gone leaves a gap and moves no other", async () => {
  answers["rolloutPlan/tile"] = () => ({ data: tile([11, 13], 0) });
  const source = await opened();
  expect([source.row(0)?.duId, source.row(1)?.duId, source.row(2)?.duId]).toEqual([11, 0, 13]);
  const gap = source.row(1);
  expect(gap && source.locked(gap, column("7:planEnd"))?.code).toBe("READ_ONLY");
});

test("rows that could not be read are named until they are", async () => {
  const rows = answers["rolloutPlan/tile"];
  answers["rolloutPlan/tile"] = () => ({ status: 503, code: "SERVICE_ERROR" });
  const source = await opened();
  expect(source.failures()).toEqual([{ from: 0, to: 2 }]);
  answers["rolloutPlan/tile"] = rows as (input: Record<string, unknown>) => unknown;
  source.retry(0);
  await settle();
  expect([source.failures(), source.row(0)?.duId]).toEqual([[], 11]);
});

describe("without told numbers", () => {
  test("the area grows by a tile until a short one ends it", async () => {
    const all = Array.from({ length: 250 }, (_, at) => at + 1);
    answers["wbs/filter"] = () => ({ data: { queryId: "q1", total: null, unmatched: [], seq: 5 } });
    answers["rolloutPlan/tile"] = ({ from }) => ({ data: tile(all.slice(Number(from), Number(from) + 200), Number(from)) });
    const source = makeSource();
    await source.ask(question);
    expect([source.open, source.total]).toEqual([true, 200]);
    source.requestRange(0, 20);
    await settle();
    expect([source.open, source.total]).toEqual([false, 250]);
    expect(source.rowKey(240)).toBe("241");
  });
});

test("saved cells show what was saved until their rows are read again", async () => {
  const source = await opened();
  const value = () => source.value(source.row(0) as never, column("7:planEnd"));
  source.keepSaved([{ rowKey: "11", columnKey: "7:planEnd", mine: "2026-12-24" }]);
  expect(value()).toBe("2026-12-24");
  expect(source.value(source.row(0) as never, column("7:status"))).toBe("after7");
  source.refresh([11]);
  await settle();
  expect(value()).toBe("2026-10-14");
});

test("rows that came with the page stand there before anything is asked; the rest of their tile is fetched", async () => {
  const source = makeSource();
  source.adopt({
    question: questionText(question),
    filter: { queryId: "q0", total: 3, unmatched: [], seq: 5 },
    ids: "11,1*2",
    tile: tile([11, 12], 0) as never,
    notes: [],
  });
  const text = (at: number) => source.text(source.value(source.row(at)!, column("code")), column("code"), source.row(at));
  expect([source.total, text(0), text(1), source.row(2)]).toEqual([3, "GD-11", "GD-12", undefined]);
  await source.ask(question);
  expect(calls).toEqual([]);
  source.requestRange(0, 2);
  await settle();
  expect(asked("rolloutPlan/tile").map(({ input }) => [input.queryId, input.from])).toEqual([["q0", 0]]);
  expect(text(2)).toBe("GD-13");
  // Another question is asked as ever, and so is the first one again.
  await source.ask({ ...question, period: { preset: "thisWeek" } });
  await source.ask(question);
  expect(asked("wbs/filter")).toHaveLength(2);
});

test("rows that came with the page are taken without a call, as the server takes them; their marks come with their whole tile", async () => {
  answers["rollPlanDependency/violations"] = () => ({
    data: { violations: [{ duId: 11, activityId: 7, event: "COMPLETE", unmet: ["power"] }] },
  });
  const source = new PlanSource({ ...headWith([]), marked: true }, texts, new PeopleBook());
  source.adopt({
    question: questionText(question),
    filter: { queryId: "q0", total: 2, unmatched: [], seq: 5 },
    ids: "11,1",
    tile: tile([11, 12], 0) as never,
    notes: [],
  });
  await settle();
  expect(calls).toEqual([]);
  source.requestRange(0, 1);
  await settle();
  expect(asked("rollPlanDependency/violations").map(({ input }) => input.duIds)).toEqual([[11, 12]]);
  expect(source.cellState(source.row(0)!, column("7:actualEnd")).note).toEqual({ mark: "waits", text: "power" });
});

test("rows of another question than the one asked are not kept", async () => {
  const source = makeSource();
  source.adopt({
    question: questionText({ ...question, flowIds: [9] }),
    filter: { queryId: "q0", total: 1, unmatched: [], seq: 5 },
    ids: "99",
    tile: tile([99], 0) as never,
    notes: [],
  });
  await source.ask(question);
  expect([source.total, asked("wbs/filter").length]).toEqual([3, 1]);
});

test("what a page brings along is what its grid asks for: the same question, the same columns", () => {
  const first = firstAsk({ hidden: ["region"], filters: [{ key: "code", type: "like", values: ["GD"] }], flowIds: [2] }, planHead);
  expect(first.text).toBe(questionText({ ...question, filters: [{ key: "code", type: "like", values: ["GD"] }], flowIds: [2] }));
  expect((first.parts.fields as string[]).includes("region")).toBe(false);
  // A saved view brings its search, and the exception it is narrowed to.
  const kept = { search: { field: "code", text: "GD-1, GD-2" }, exception: "delayed" } as const;
  expect(firstAsk(kept, planHead).text).toBe(questionText({ ...question, ...kept }));
});

test("another question reads no rows ahead while the grid is not on screen", async () => {
  const source = await opened();
  const before = asked("rolloutPlan/tile").length;
  source.leaveScreen();
  await source.ask({ ...question, exception: "delayed" });
  await settle();
  expect(asked("rolloutPlan/tile")).toHaveLength(before);
  source.requestRange(0, 2);
  await settle();
  expect(asked("rolloutPlan/tile")).toHaveLength(before + 1);
});

test("the rows of the page carry the columns of a first screen and the locked ones; the others come with the whole tile", async () => {
  const keys = planHead.fields.map(({ key }) => key);
  const wide = Object.fromEntries(keys.map((key) => [key, 600]));
  const last = keys.at(-1) as string;
  const carried = (home: object) => firstAsk({ hidden: [], widths: wide, ...home }, planHead).parts.fields as string[];
  expect(carried({})).toContain("code");
  expect(carried({})).not.toContain(last);
  expect(carried({ locked: ["code", last] })).toContain(last);
  const source = makeSource();
  source.adopt({
    question: questionText(question),
    filter: { queryId: "q0", total: 2, unmatched: [], seq: 5 },
    ids: "11,1",
    tile: tile([11, 12], 0) as never,
    notes: [],
  });
  source.requestRange(0, 1);
  await settle();
  expect(asked("rolloutPlan/tile")).toHaveLength(1);
});

test("a version beside the plan shifts its dates, also after they moved; taken away, they stand alone", async () => {
  const { slot } = planHead.activities.find(({ activityId }) => activityId === 7)!;
  // The plan end is 2026-10-14, day 9783.
  let old = 9780;
  answers["dataVersion/tile"] = () => ({
    data: { from: 0, version: { code: "B-0001", name: "promise" }, rows: [[11, encodeDays([0, old, 0, 9784]), [0, 3, 0, 0]]] },
  });
  const source = await opened();
  const state = (at: number, key: string) => {
    const row = source.row(at);
    return row && source.cellState(row, column(key));
  };
  const compare = new PlanCompare(5, [slot], () => {});
  source.setCompare(compare);
  await settle();
  expect(asked("dataVersion/tile").at(-1)?.input).toMatchObject({ versionId: 5, queryId: "q1", from: 0, slots: [slot] });
  expect(compare.title).toBe("B-0001 promise");
  expect(state(0, "7:planEnd")).toMatchObject({ shift: { kind: "later", text: "+3" }, spoken: "later 3 2026-10-11" });
  expect(state(0, "7:actualEnd")).toMatchObject({ shift: { kind: "removed", text: "2026-10-15" } });
  expect(state(0, "7:planStart")?.shift).toBeUndefined();
  // The second DU is not in the version.
  expect(state(1, "7:planEnd")?.shift).toBeUndefined();
  old = 9783;
  source.refresh([11]);
  await settle();
  expect(state(0, "7:planEnd")?.shift).toBeUndefined();
  source.setCompare(null);
  expect(state(0, "7:actualEnd")?.shift).toBeUndefined();
});

test("a version that cannot be read is told once for each reading and leaves the plan as it is", async () => {
  answers["dataVersion/tile"] = () => ({ status: 404, code: "NOT_FOUND", msg: "gone" });
  const failed: string[] = [];
  const source = await opened();
  source.setCompare(new PlanCompare(5, [1], ({ msg }) => failed.push(msg ?? "")));
  await settle();
  expect(failed).toEqual(["gone"]);
  expect(source.row(0)?.duId).toBe(11);
});

test("a site that waits is painted at its code and at the date it waits from, in its own way once it waits too long", async () => {
  const { slot } = planHead.activities.find(({ activityId }) => activityId === 7)!;
  answers["rolloutPlan/tile"] = () => ({
    data: {
      ...tile([11, 12, 13], 0),
      marks: [
        [0, slot, 7, false],
        [2, slot, 20, true],
      ],
    },
  });
  const source = await opened();
  const note = (at: number, key: string) => source.cellState(source.row(at)!, column(key)).note;
  expect(note(0, "code")).toEqual({ mark: "waitsLong", text: "waits 7" });
  expect(note(0, "7:actualEnd")).toEqual({ mark: "waitsLong", text: "waits 7" });
  expect(note(2, "code")).toEqual({ mark: "exceeds", text: "waits 20 too long" });
  expect([note(1, "code"), note(0, "7:planEnd"), note(0, "9:actualEnd")]).toEqual([undefined, undefined, undefined]);
});
