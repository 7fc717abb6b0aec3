import { dayNumber } from "#lib/core/clock.ts";
import type { SnapshotRows } from "#lib/planning-engine/snapshot/logic.ts";
import { emptyBlock, type PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";

const everyDay = 127;
export const planStartDay = dayNumber("2026-03-02");

/** A DU as it is read for a snapshot. */
export const duRow = (id: number, more: Partial<SnapshotRows["dus"][number]> = {}): SnapshotRows["dus"][number] => ({
  id,
  code: `DU-${id}`,
  workflow: "NEW",
  type: "both",
  site: null,
  directSite: null,
  region: null,
  longitude: null,
  latitude: null,
  cluster: null,
  clusterPriority: null,
  rfiPriority: null,
  planEnd: 0,
  icEnd: 0,
  decomEnd: 0,
  eomonth: 0,
  ...more,
});

/** Slots of the activities below; 0 is none. */
export const slots = { Survey: 1, Install: 2, Cutover: 3, Dismantle: 4 };

/** The worked example of the engine: A and B are built, X is dismantled, on one team of each skill. */
export function exampleRows(more: Partial<SnapshotRows> = {}): SnapshotRows {
  const activity = { material: false, team: true, disassembly: false, assembly: false, resource: null };
  return {
    format: 1,
    codeVersion: "test",
    today: planStartDay,
    planStart: planStartDay,
    settings: {
      direction: "forward",
      horizonDays: 100,
      sortByRfi: false,
      enableEomonth: false,
      enableCluster: false,
      clusteringRate: null,
      damageRate: 1000,
      reuseRate: 8000,
      bufferRate: 0,
      maxClusterCutover: null,
      anchor: null,
      azimuth: null,
      strictGaps: false,
      currency: "USD",
      evaluationLimit: 2000,
      timeBudgetS: 10,
      seed: 1,
      islands: 1,
      useExact: false,
    },
    lastSync: 0,
    calendars: { project: workingDays(everyDay, []), regions: new Map() },
    dus: [
      duRow(1, { code: "A", rfiPriority: 1 }),
      duRow(2, { code: "B", rfiPriority: 2 }),
      duRow(3, { code: "X", rfiPriority: 3, workflow: "DISM" }),
    ],
    activities: [
      { ...activity, id: 14, workflow: "DISM", name: "Dismantle", slot: slots.Dismantle, days: 2, disassembly: true, skill: "INST" },
      { ...activity, id: 11, workflow: "NEW", name: "Survey", slot: slots.Survey, days: 1, skill: "SUR" },
      {
        ...activity,
        id: 12,
        workflow: "NEW",
        name: "Install",
        slot: slots.Install,
        days: 3,
        material: true,
        assembly: true,
        skill: "INST",
      },
      { ...activity, id: 13, workflow: "NEW", name: "Cutover", slot: slots.Cutover, days: 1, skill: "INST" },
    ],
    pres: [
      { id: 12, pre: 11, relation: "FS", offset: 0 },
      { id: 13, pre: 12, relation: "FS", offset: 1 },
    ],
    links: [{ one: 12, other: 13, kind: "co_team" }],
    pools: [
      { skill: "SUR", resource: "R", region: null, teams: 1 },
      { skill: "INST", resource: "R", region: null, teams: 1 },
    ],
    materials: [
      { du: 1, item: "ANT", decom: null, install: 2 },
      { du: 2, item: "ANT", decom: null, install: 2 },
      { du: 3, item: "ANT", decom: 4, install: null },
    ],
    stock: [{ warehouse: 7, item: "ANT", inventory: 2, plan: null, inbound: 0 }],
    warehouses: [{ id: 7, name: "Main", priority: 1, region: null }],
    substitutes: [],
    reuse: [{ item: "ANT", damage: null, reuse: null, buffer: null, turnaround: 1 }],
    plan: emptyBlock([], 5),
    base: null,
    ...more,
  };
}

type Slot = Partial<Record<"planStart" | "planEnd" | "actualStart" | "actualEnd", string> & { state: number }>;

/** Plan rows of DUs by slot; states count as in the flow unless given. */
export function planRows(given: Record<number, Record<number, Slot>>): PlanBlock {
  const block = emptyBlock(Object.keys(given).map(Number), 5);
  block.duIds.forEach((id, row) => {
    for (const [slot, { state = 1, ...dates }] of Object.entries(given[id]!)) {
      const at = row * block.width + Number(slot);
      block.state[at] = state;
      for (const [field, day] of Object.entries(dates)) block[field as "planStart"][at] = dayNumber(day);
    }
  });
  return block;
}
