import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PlanCells } from "#components/rollout-plan/plan-cells.ts";
import { planGridHead } from "#components/rollout-plan/plan-columns.ts";
import { PlanDesk } from "#components/rollout-plan/plan-desk.ts";
import { planDatesOf, replan } from "#components/rollout-plan/plan-moves.ts";
import type { PlanRow } from "#components/rollout-plan/plan-tile.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { emptyBlock, encodeTileRow, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { lastPlanDay } from "#lib/rollout-plan/plan-rows/rules.ts";
import { codeTexts } from "#lib/rollout-plan/tiles/logic.ts";
import { planHead } from "./plan-fixture.ts";

const day = dayNumber;
let state: number;
let releaseState: number;
let planEnd: string;

/** Rows as `rolloutPlan/gantt` answers them: Survey planned for three days. */
function answer(duIds: number[]) {
  const block = emptyBlock(duIds, 6);
  block.flowIds.fill(2);
  block.flowVersions.fill(4);
  block.releaseStates.fill(releaseState);
  duIds.forEach((_, row) => {
    setCell(block, row, 3, "state", state);
    setCell(block, row, 3, "planStart", day("2026-10-14"));
    setCell(block, row, 3, "planEnd", day(planEnd));
  });
  return {
    from: 0,
    seq: 5,
    duIds,
    rows: duIds.map((_, row) => encodeTileRow(block, row, [3, 4, 5])),
    fields: [
      codeTexts(
        "code",
        duIds.map((id) => `GD-${id}`),
      ),
    ],
    attrs: [],
    notes: [],
    regions: duIds.map(() => null),
    flows: [],
    calendars: [],
  };
}

beforeEach(() => {
  state = 1;
  releaseState = 0;
  planEnd = "2026-10-16";
  vi.stubGlobal("window", { location: { pathname: "/P100", origin: "http://localhost" } });
  vi.stubGlobal("fetch", async (_url: URL, init: { body: string }) => {
    const { duIds } = JSON.parse(init.body) as { duIds: number[] };
    return new Response(JSON.stringify({ status: 200, data: answer(duIds) }));
  });
});
afterEach(() => vi.unstubAllGlobals());

async function opened(changeControl = false) {
  const cells = new PlanCells(planHead, "2026-10-14", changeControl);
  const frame = { lastPlanDay: lastPlanDay("2026-10-14"), rights: { plan: true, actual: true } };
  const head = planGridHead(planHead, { fields: "", attributes: "", bar: "", barTitle: "" }, {});
  const refusal = (code: string) => ({ code, cause: code });
  const desk = new PlanDesk({ cells, frame, parts: { fields: ["code"], attrs: [], notes: [] } }, head, {
    status: String,
    shift: () => "",
    wait: () => "",
    yes: "",
    no: "",
    refusal,
    unreadable: () => refusal("VALUE_FORMAT"),
  });
  await desk.source.readRows([42]);
  return { desk, row: desk.source.rowOf("42") as PlanRow };
}
const entry = (passes: boolean) => ({ mayPass: () => passes, dusMax: 50, dialog: () => null });
const wanted = (planStart: string, end: string) => ({ planStart: day(planStart), planEnd: day(end) });
const edits = (desk: PlanDesk) => [...desk.edits.all()].map(({ columnKey, base, mine }) => [columnKey, base, mine]);

describe("moving an activity in a view", () => {
  test("wants both dates as typing them does, with the values that were read, as one step", async () => {
    const { desk, row } = await opened();
    expect(replan(desk, planHead, entry(false), row, 7, wanted("2026-10-19", "2026-10-21"))).toEqual({ kind: "moved" });
    expect(edits(desk)).toEqual([
      ["7:planStart", "2026-10-14", "2026-10-19"],
      ["7:planEnd", "2026-10-16", "2026-10-21"],
    ]);
    const { planStart, planEnd: end } = planDatesOf(desk, row, 7);
    expect([isoDay(planStart), isoDay(end)]).toEqual(["2026-10-19", "2026-10-21"]);
    desk.edits.undo();
    expect(edits(desk)).toEqual([]);
  });

  test("changes nothing where it already stands, and one date where only one differs", async () => {
    const { desk, row } = await opened();
    expect(replan(desk, planHead, entry(false), row, 7, wanted("2026-10-14", "2026-10-16"))).toEqual({ kind: "same" });
    replan(desk, planHead, entry(false), row, 7, wanted("2026-10-14", "2026-10-20"));
    expect(edits(desk)).toEqual([["7:planEnd", "2026-10-16", "2026-10-20"]]);
  });

  test("is refused by the rules of the grid at once, and stays wanted until it is corrected", async () => {
    const { desk, row } = await opened();
    const result = replan(desk, planHead, entry(false), row, 7, wanted("2030-01-01", "2030-01-02"));
    expect(result).toMatchObject({ kind: "refused", refusal: { code: "PLAN_TOO_FAR" } });
    expect(desk.edits.counts).toMatchObject({ dirty: 2, refused: 2 });
  });

  test("stops at a lock; who may pass it gets the dates he wants for the dialog", async () => {
    state = 1 | (1 << stateBits.frozen.at);
    const frozen = await opened();
    expect(replan(frozen.desk, planHead, entry(false), frozen.row, 7, wanted("2026-10-19", "2026-10-21"))).toMatchObject({
      kind: "locked",
      refusal: { code: "FROZEN" },
      dates: null,
    });
    expect(edits(frozen.desk)).toEqual([]);
    state = 1;
    releaseState = 1;
    const controlled = await opened(true);
    expect(replan(controlled.desk, planHead, entry(true), controlled.row, 7, wanted("2026-10-19", "2026-10-21"))).toMatchObject({
      kind: "locked",
      refusal: { code: "CHANGE_CONTROL" },
      dates: {
        activity: { id: 7, name: "Survey" },
        dus: [{ duId: 42, code: "GD-42", planStart: "2026-10-14", planEnd: "2026-10-16" }],
        frozen: false,
        wanted: { planStart: "2026-10-19", planEnd: "2026-10-21" },
      },
    });
  });

  test("meets what others saved meanwhile as a conflict when the rows are read again", async () => {
    const { desk, row } = await opened();
    replan(desk, planHead, entry(false), row, 7, wanted("2026-10-14", "2026-10-20"));
    planEnd = "2026-10-17";
    await desk.source.readRows([42]);
    expect(desk.edits.get("42", "7:planEnd")?.conflict).toMatchObject({ theirs: "2026-10-17" });
  });

  test("shows what was saved until the row is read again, and only what was saved after a reading", async () => {
    const { desk, row } = await opened();
    const before = desk.source.reading;
    desk.source.keepSaved([{ rowKey: "42", columnKey: "7:planEnd", mine: "2026-10-20" }]);
    expect(desk.source.savedSince("42", "7:planEnd", before)).toBe("2026-10-20");
    expect(desk.source.savedSince("42", "7:planEnd", desk.source.reading)).toBeUndefined();
    expect(isoDay(planDatesOf(desk, row, 7).planEnd)).toBe("2026-10-20");
    planEnd = "2026-10-20";
    await desk.source.readRows([42]);
    expect(desk.source.savedSince("42", "7:planEnd", before)).toBeUndefined();
  });
});
