import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { makeSnapshot, type SnapshotRows, snapshotText } from "#lib/planning-engine/snapshot/logic.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";
import { duRow, exampleRows, planRows, planStartDay, slots } from "#tests/support/snapshot-rows.ts";

const made = (more: Partial<SnapshotRows> = {}) => makeSnapshot(exampleRows(more));
const settings = (more: Partial<SnapshotRows["settings"]>) => ({ settings: { ...exampleRows().settings, ...more } });
const inFlow = 1;
const bit = (name: keyof typeof stateBits, value = 1) => inFlow | (value << stateBits[name].at);

describe("the frozen input", () => {
  it("holds flows, pools, lots, what is dismantled and demand with numbers for names", () => {
    const { snapshot, faults } = made();
    expect(snapshot).toMatchObject({
      skills: ["INST", "SUR"],
      resources: ["R"],
      pools: [
        { skill: 0, resource: 0, region: -1, teams: 1 },
        { skill: 1, resource: 0, region: -1, teams: 1 },
      ],
      regions: [{ name: "", calendar: 0 }],
      flows: [
        {
          name: "DISM",
          activities: [{ name: "Dismantle", slot: 4, days: 2, disassembly: true, skill: 0, resource: -1, pres: [], coTeam: -1 }],
        },
        {
          name: "NEW",
          activities: [
            { name: "Survey", coTeam: -1 },
            { name: "Install", pres: [[0, 0, 0]], coTeam: 0 },
            { name: "Cutover", pres: [[1, 0, 1]], coTeam: 0 },
          ],
        },
      ],
      dus: { id: [1, 2, 3], flow: [1, 1, 0], rankClass: [0, 0, 0], rank: [0, 1, 2], due: [NO_DAY, NO_DAY, NO_DAY] },
      items: ["ANT"],
      lots: { item: [0], quantity: [200], day: [0], source: [0], warehouse: [0] },
      reuse: [{ du: 2, item: 0, dismantled: 400, damage: 1000, reuse: 8000, buffer: 0, turnaround: 1 }],
      demand: { du: [0, 1], item: [0, 0], quantity: [200, 200] },
      kept: { job: [] },
      absent: [],
    });
    expect(faults).toEqual([{ code: "DUE_MISSING", level: "warning", block: "du", params: { count: 3 } }]);
    expect(snapshotText(made().snapshot)).toBe(snapshotText(snapshot));
  });

  it("ranks by class, due date, direction of the wave and code", () => {
    const dus = [
      duRow(1, { code: "D", rfiPriority: 2 }),
      duRow(2, { code: "B", planEnd: planStartDay + 9, longitude: 10, latitude: 50, rfiPriority: 1 }),
      duRow(3, { code: "C", planEnd: planStartDay + 9, longitude: 10, latitude: 51, rfiPriority: 1 }),
      duRow(4, { code: "A", planEnd: planStartDay + 9, rfiPriority: null }),
    ];
    const rank = (more: Partial<SnapshotRows["settings"]>) => made({ dus, materials: [], ...settings(more) }).snapshot.dus;
    expect(rank({})).toMatchObject({ rankClass: [0, 0, 0, 0], rank: [3, 1, 2, 0] });
    expect(rank({ azimuth: 0 }).rank).toEqual([3, 0, 1, 2]);
    expect(rank({ azimuth: 180 }).rank).toEqual([3, 1, 0, 2]);
    expect(rank({ sortByRfi: true })).toMatchObject({ rankClass: [1, 0, 0, 2], rank: [2, 0, 1, 3] });
  });

  it("takes the end of month for the due date where that is asked for, and in reverse the latest one where a DU has none", () => {
    const dus = [duRow(1, { planEnd: planStartDay + 9, eomonth: dayNumber("2026-03-31") }), duRow(2)];
    const due = (more: Partial<SnapshotRows["settings"]>) => made({ dus, materials: [], ...settings(more) }).snapshot.dus.due;
    expect(due({})).toEqual([9, NO_DAY]);
    expect(due({ enableEomonth: true })).toEqual([29, NO_DAY]);
    expect(due({ direction: "reverse" })).toEqual([9, 9]);
    expect(made({ dus: [duRow(1)], materials: [], ...settings({ direction: "reverse" }) }).faults).toMatchObject([
      { code: "DUE_MISSING", level: "error" },
    ]);
  });

  it("keeps the dates of what is finished, started, suspended, fixed or frozen, as scheduling counts them", () => {
    // Monday to Friday: 2026-03-02 is a Monday.
    const calendars = { project: workingDays(62, []), regions: new Map() };
    const kept = (plan: Parameters<typeof planRows>[0]) => {
      const { snapshot } = made({ calendars, materials: [], plan: planRows(plan), dus: [duRow(1)], today: planStartDay + 2 });
      return { ...snapshot.kept, absent: snapshot.absent, present: snapshot.present };
    };
    const one = (state: string, start: number, end: number) =>
      expect.objectContaining({
        job: [1],
        start: [start],
        end: [end],
        state: [["done", "completed", "started", "suspended", "fixed", "frozen"].indexOf(state)],
      });
    const install = slots.Install;
    expect(kept({ 1: { [install]: { actualStart: "2026-02-26", actualEnd: "2026-03-02" } } })).toEqual(one("completed", -4, 1));
    // Without a start it began its lead time before the end: Thursday for an end on Monday.
    expect(kept({ 1: { [install]: { actualEnd: "2026-03-02" } } })).toEqual(one("completed", -4, 1));
    expect(kept({ 1: { [install]: { actualStart: "2026-02-27" } } })).toEqual(one("started", -3, 3));
    expect(kept({ 1: { [install]: { actualStart: "2026-02-16" } } })).toEqual(one("started", -14, 3));
    const plan = { planStart: "2026-03-07", planEnd: "2026-03-10" };
    expect(kept({ 1: { [install]: { ...plan, state: bit("fixed") } } })).toEqual(one("fixed", 7, 9));
    expect(kept({ 1: { [install]: { planEnd: "2026-03-10", state: bit("frozen") } } })).toEqual(one("frozen", 4, 9));
    expect(kept({ 1: { [install]: { ...plan, state: bit("workOrder", 5) } } })).toEqual(one("suspended", 7, 9));
    expect(kept({ 1: { [install]: { state: bit("frozen") } } })).toMatchObject({ job: [], present: { job: [] } });
    expect(kept({ 1: { [install]: plan } })).toMatchObject({ job: [], present: { job: [1], start: [7] } });
    expect(kept({ 1: { [install]: { ...plan, state: bit("na") } } })).toMatchObject({ job: [], absent: [1], present: { job: [] } });
    // A slot outside of the DU's flow says nothing.
    expect(kept({ 1: { [install]: { ...plan, state: 0 } } })).toMatchObject({ job: [], absent: [], present: { job: [] } });
  });

  it("marks the assembly of a DU as done by its actual date, with all that comes before", () => {
    const dus = [duRow(1, { icEnd: planStartDay - 3 }), duRow(2, { icEnd: planStartDay - 3, type: "dismantle" })];
    const plan = planRows({ 1: { [slots.Survey]: { actualStart: "2026-02-20", actualEnd: "2026-02-21" } } });
    expect(made({ dus, materials: [] }).snapshot.kept).toEqual({ job: [0, 1], state: [0, 0], start: [NO_DAY, -3], end: [NO_DAY, -2] });
    expect(made({ dus, materials: [], plan }).snapshot.kept).toEqual({ job: [0, 1], state: [1, 0], start: [-10, -3], end: [-8, -2] });
  });

  it("freezes the calendar of each region, a margin before and up to the horizon, once for equal ones", () => {
    const week = workingDays(62, []);
    const dus = [duRow(1, { region: "North" }), duRow(2, { region: "South" }), duRow(3, { region: "West" })];
    const { snapshot } = made({
      dus,
      materials: [],
      calendars: {
        project: week,
        regions: new Map([
          ["South", workingDays(126, [])],
          ["West", week],
        ]),
      },
    });
    expect(snapshot.regions).toEqual([
      { name: "North", calendar: 0 },
      { name: "South", calendar: 1 },
      { name: "West", calendar: 0 },
    ]);
    const { first, works } = snapshot.calendars[0]!;
    expect([first, works.length, works.slice(-first, 7 - first)]).toEqual([-60, 161, "1111100"]);
    expect(made({ calendars: { project: workingDays(0, []), regions: new Map() } }).faults).toContainEqual(
      expect.objectContaining({ code: "CALENDAR_EMPTY", level: "error" }),
    );
  });

  it("sums equal lots, orders demand by design priority and substitutes by theirs", () => {
    const stock = [
      { warehouse: 7, item: "ANT", inventory: 1.25, plan: 3, inbound: planStartDay - 5 },
      { warehouse: 7, item: "ANT", inventory: 2.5, plan: 0, inbound: planStartDay + 5 },
      { warehouse: 8, item: "ANT", inventory: 1, plan: null, inbound: 0 },
    ];
    const warehouses = [
      { id: 7, name: "Main", priority: 2, region: null },
      { id: 8, name: "North", priority: 1, region: "North" },
    ];
    const part = { designItem: "RRU", covers: 1, designPriority: 1, group: "G2", priority: 2 };
    const substitutes = [
      { ...part, item: "R2", quantity: 2 },
      { ...part, item: "R1", quantity: 1 },
      { ...part, group: "G1", priority: 1, item: "R3", quantity: 0.5 },
    ];
    const materials = [
      { du: 1, item: "ANT", decom: null, install: 2 },
      { du: 1, item: "RRU", decom: null, install: 1 },
    ];
    const { snapshot } = made({ stock, warehouses, substitutes, materials });
    expect(snapshot.warehouses.map(({ name, region }) => [name, region])).toEqual([
      ["North", 1],
      ["Main", -1],
    ]);
    expect(snapshot.lots).toEqual({ item: [0, 0, 0], quantity: [100, 375, 300], day: [0, 0, 0], source: [0, 0, 1], warehouse: [0, 1, 1] });
    expect(snapshot.items).toEqual(["ANT", "R1", "R2", "R3", "RRU"]);
    expect(snapshot.demand).toEqual({ du: [0, 0], item: [4, 0], quantity: [100, 200] });
    expect(snapshot.substitutes).toEqual([
      { item: 4, name: "G1", covers: 100, parts: [[3, 50]] },
      {
        item: 4,
        name: "G2",
        covers: 100,
        parts: [
          [1, 100],
          [2, 200],
        ],
      },
    ]);
  });

  it("names DUs without activities, demand nobody takes, two material activities and items nobody supplies", () => {
    const codes = (more: Partial<SnapshotRows>) =>
      made(more).faults.flatMap(({ code, level, duId }) => (code === "DUE_MISSING" ? [] : [`${level} ${code} ${duId ?? ""}`.trim()]));
    expect(codes({ dus: [duRow(1), duRow(9, { workflow: "OTHER" })] })).toEqual(["error WORKFLOW_EMPTY 9"]);
    expect(codes({ dus: [duRow(1, { type: "dismantle" })] })).toEqual(["error MATERIAL_ACTIVITY_MISSING 1"]);
    const activities = exampleRows().activities.map((row) => ({ ...row, material: true, slot: null }));
    expect(codes({ activities, dus: [duRow(1)] }).sort()).toEqual([
      "error MATERIAL_ACTIVITY_TWICE",
      "warning SLOT_MISSING",
      "warning SLOT_MISSING",
      "warning SLOT_MISSING",
    ]);
    expect(codes({ stock: [], reuse: [] })).toEqual(["warning NO_SUPPLY"]);
    expect(codes(settings({ anchor: "Cutover" }))).toEqual(["warning ANCHOR_MISSING"]);
  });

  it("takes the plan to start from by names, or from the rollout plan", () => {
    const rows = [
      {
        duId: 2,
        activities: ["Cutover", "Gone", "Survey"],
        starts: [planStartDay + 8, planStartDay, 0],
        pools: [{ skillType: "INST", resourceName: "R", region: null }, null, null],
      },
      { duId: 99, activities: ["Survey"], starts: [planStartDay], pools: [null] },
    ];
    expect(made({ base: { runId: 5, stabilityWeight: 3, frozenDays: 7, rows } }).snapshot.base).toEqual({
      runId: 5,
      stabilityWeight: 3,
      frozenDays: 7,
      job: [5],
      start: [8],
      pool: [0],
    });
    const plan = planRows({ 1: { [slots.Cutover]: { planStart: "2026-03-10", planEnd: "2026-03-10" } } });
    expect(made({ plan, base: { runId: null, stabilityWeight: 0, frozenDays: 0, rows: "plan" } }).snapshot.base).toMatchObject({
      job: [2],
      start: [8],
      pool: [-1],
    });
  });
});
