import type { CellEdit, CellValue } from "#components/grid/grid-model.ts";
import type { PlanHead } from "#components/rollout-plan/plan-columns.ts";
import { openTile, type PlanRow } from "#components/rollout-plan/plan-tile.ts";
import { dayNumber } from "#lib/core/clock.ts";
import { type DateField, stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { emptyBlock, encodeTileRow, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { codeReferences, codeTexts, type TileNote } from "#lib/rollout-plan/tiles/logic.ts";

const column = (key: string, title: string, type: PlanHead["fields"][number]["type"], editable = true) => ({
  key,
  title,
  type,
  editable,
  width: 120,
});

/** A flow of three activities: Survey (slot 3), MOS (slot 4), Installation (slot 5). */
export const planHead: PlanHead = {
  flows: [{ flowId: 2, name: "New site", version: 4, activityIds: [7, 9, 8] }],
  activities: [
    { activityId: 7, slot: 3, name: "Survey", kind: "normal" },
    { activityId: 9, slot: 4, name: "MOS", kind: "mos" },
    { activityId: 8, slot: 5, name: "Installation", kind: "normal" },
  ],
  activityColumns: [
    column("planStart", "Plan start", "date"),
    column("planEnd", "Plan end", "date"),
    column("actualEnd", "Actual end", "date"),
    column("baselineEnd", "Baseline end", "date", false),
    column("planOwner", "Plan owner", "reference"),
    column("status", "Status", "status", false),
    column("delayReason", "Delay reason", "text"),
    column("score", "Score", "integer"),
    column("scoreRemark", "Score remark", "text"),
  ],
  fields: [
    column("code", "DU ID", "text", false),
    column("name", "DU name", "text"),
    column("status", "Status", "status", false),
    column("region", "Region", "reference"),
    column("planEndDate", "Plan end date", "date", false),
    column("flow", "Flow", "reference", false),
  ],
  attributes: [
    { ...column("a12", "Height", "number"), attributeId: 12, level: "DU" },
    { ...column("a13", "Crew", "text"), attributeId: 13, level: "ACTIVITY" },
  ],
};

type Given = { state?: Partial<Record<keyof typeof stateBits, number>>; dates?: Partial<Record<DateField, string>>; owners?: number };

/** A row as a tile brings it; activities that are not given are not in the flow of the DU. */
export function planRow(
  activities: Partial<Record<3 | 4 | 5, Given>>,
  more: { releaseState?: number; flowVersion?: number } = {},
): PlanRow {
  const block = emptyBlock([42], 6);
  block.flowIds[0] = 2;
  block.flowVersions[0] = more.flowVersion ?? 4;
  block.releaseStates[0] = more.releaseState ?? 0;
  for (const [slot, { state = {}, dates = {}, owners }] of Object.entries(activities)) {
    let bits = 1;
    for (const [bit, value] of Object.entries(state)) bits |= value << stateBits[bit as keyof typeof stateBits].at;
    setCell(block, 0, Number(slot), "state", bits);
    for (const [field, day] of Object.entries(dates)) setCell(block, 0, Number(slot), field as DateField, dayNumber(day));
    if (owners) setCell(block, 0, Number(slot), "planOwner", owners);
  }
  const answer = {
    from: 0,
    seq: 1,
    duIds: [42],
    rows: [encodeTileRow(block, 0, [3, 4, 5])],
    owners: [[6, [101, 102]]] as [number, number[]][],
    fields: [
      codeTexts("code", ["GD-1"]),
      codeTexts("status", ["delayed"]),
      codeReferences("region", [4], new Map([[4, "Delta"]])),
      { key: "planEndDate", values: [dayNumber("2026-10-20")] },
    ],
    attrs: [{ key: "a12", values: [31.5] }, codeTexts("a13@3", ["Crew 2"])],
    notes: [[0, 3, "rain", 2, "late"]] as TileNote[],
  };
  return openTile(answer, 1, [3, 5])[0] as PlanRow;
}

/** Unsaved edits of that row. */
export function rowEdits(values: Record<string, CellValue>): Map<string, CellEdit> {
  return new Map(Object.entries(values).map(([columnKey, mine]) => [columnKey, { rowKey: "42", columnKey, base: null, mine, at: 0 }]));
}
