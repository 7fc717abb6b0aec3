import type { CellEdit, CellValue } from "#components/grid/grid-model.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Params } from "#lib/core/error.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { delayReasonChars, type NoteField } from "#lib/rollout-plan/columns/limits.ts";
import type { DateField, OwnerField, PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { hiddenDay, tileDates, tileOwners } from "#lib/rollout-plan/plan-rows/logic.ts";
import { askedRules, brokenCell, type CellFacts, type CellRule, scoreRules } from "#lib/rollout-plan/plan-rows/rules.ts";
import type { PlanCells } from "./plan-cells.ts";
import { columnKey } from "./plan-keys.ts";
import { noteValue, type PlanRow } from "./plan-tile.ts";

/** A broken rule of a cell: its code and what its text names. */
export type BrokenRule = { columnKey: string; code: string; params: Params };

/** Rights of the person as far as the page knows them; the server decides. */
export type EditRights = { plan: boolean; actual: boolean };

/** Rules that say that a cell cannot be edited at all, whatever is typed. */
const lockCodes = new Set<string>([
  "NO_PERMISSION",
  "NO_ACTIVITY",
  "NA_OR_INV",
  "TASK_CLOSED",
  "FROZEN",
  "MOS_FROZEN",
  "ACTUAL_EXISTS",
  "CHANGE_CONTROL",
  "TOOL_LOCKED",
  "SUSPENDED",
  "SUB_STEPS_ONLY",
  "IN_APPROVAL",
  "REVENUE_TRIGGERED",
]);

const planFields = new Set<string>([...tileDates, ...tileOwners]);
/** An owner set that is not empty; which people are in it is the server's to check. */
const somebody = 1;

// The reason is asked when saving, so its absence is no refusal here.
const rules = askedRules({ source: "grid", hasReason: true, byPerson: true });
const locks = Object.fromEntries(
  Object.entries(rules).map(([field, list]) => [field, list.filter((rule) => lockCodes.has(rule.code))]),
) as unknown as Record<PlanField, readonly CellRule[]>;

/** Whether a field is a plan cell, for which the rules of plan rows hold. */
export function isPlanField(field: string): field is DateField | OwnerField {
  return planFields.has(field);
}

/** Dates and owners of one activity of a row, with unsaved values in the place of saved ones. */
function activityFacts(
  cells: PlanCells,
  row: PlanRow,
  activityId: number,
  edits: ReadonlyMap<string, CellEdit> | undefined,
): { before: Record<string, number>; after: Record<string, number> } {
  const place = cells.placeOf(row, activityId);
  const before: Record<string, number> = {};
  tileDates.forEach((field, index) => {
    const day = place < 0 ? 0 : (row.plan.dates[place * tileDates.length + index] ?? 0);
    before[field] = day === hiddenDay ? 0 : day;
  });
  tileOwners.forEach((field, index) => {
    before[field] = place < 0 ? 0 : Math.max(0, row.plan.owners[place * tileOwners.length + index] ?? 0);
  });
  const after = { ...before };
  for (const field of [...tileDates, ...tileOwners]) {
    const edit = edits?.get(columnKey(field, activityId));
    if (edit && edit.typed === undefined) after[field] = cellNumberOf(edit.mine);
  }
  return { before, after };
}

function cellNumberOf(value: CellValue): number {
  if (typeof value === "string") return dayNumber(value);
  return Array.isArray(value) && value.length > 0 ? somebody : 0;
}

/** The last day a plan date may have, and the rights: what all cells of a page share. */
export type CheckFrame = { lastPlanDay: number; rights: EditRights };

function facts(
  cells: PlanCells,
  row: PlanRow,
  activityId: number,
  field: DateField | OwnerField,
  values: ReturnType<typeof activityFacts>,
  frame: CheckFrame,
): CellFacts {
  const { before, after } = values;
  const state = cells.stateOf(row, activityId);
  return {
    field,
    before: before[field] ?? 0,
    after: after[field] ?? 0,
    planStart: after.planStart ?? 0,
    planEnd: after.planEnd ?? 0,
    actualStart: after.actualStart ?? 0,
    actualEnd: after.actualEnd ?? 0,
    actualEndBefore: before.actualEnd ?? 0,
    planOwner: after.planOwner ?? 0,
    actualOwner: after.actualOwner ?? 0,
    state,
    stateBefore: state,
    releaseState: row.plan.releaseState,
    mos: cells.isMos(activityId),
    today: cells.today,
    lastPlanDay: frame.lastPlanDay,
    changeControl: cells.changeControl,
    hasReason: true,
    // Whether somebody is site or region owner of the DU is known to the server alone.
    isOwner: true,
    isRelated: true,
    mayEditPlan: frame.rights.plan,
    mayEditActual: frame.rights.actual,
  };
}

/** Broken rules of the unsaved plan cells and notes of a row, as it would be after the save. */
export function checkRow(cells: PlanCells, row: PlanRow, edits: ReadonlyMap<string, CellEdit>, frame: CheckFrame): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const known = new Map<number, ReturnType<typeof activityFacts>>();
  for (const [key, edit] of edits) {
    const { field, activityId } = cells.reader(key);
    if (activityId === null || !isPlanField(field) || edit.typed !== undefined) continue;
    let values = known.get(activityId);
    if (!values) {
      values = activityFacts(cells, row, activityId, edits);
      known.set(activityId, values);
    }
    const found = brokenCell(rules[field], facts(cells, row, activityId, field, values, frame));
    if (found) broken.push({ columnKey: key, code: found.code, params: { ...dayTexts(values.after), ...found.params, field } });
  }
  return [...broken, ...checkNotes(cells, row, edits)];
}

/** Broken rules of the unsaved notes of a row: the length of a text, the bounds of a score, the remark a low one needs. */
function checkNotes(cells: PlanCells, row: PlanRow, edits: ReadonlyMap<string, CellEdit>): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const scored = new Set<number>();
  for (const [key, edit] of edits) {
    const { field, activityId, note } = cells.reader(key);
    if (activityId === null || note < 0 || edit.typed !== undefined) continue;
    if (field !== "delayReason") scored.add(activityId);
    if (typeof edit.mine === "string" && [...edit.mine.trim()].length > delayReasonChars)
      broken.push({ columnKey: key, code: "VALUE_TOO_LONG", params: { max: delayReasonChars, field } });
  }
  for (const activityId of scored) {
    const value = (field: NoteField) => {
      const key = columnKey(field, activityId);
      const edit = edits.get(key);
      const { slot, note } = cells.reader(key);
      return edit && edit.typed === undefined ? edit.mine : noteValue(row, slot, note);
    };
    const score = value("score");
    const remark = value("scoreRemark");
    const [first] = brokenRules(scoreRules, {
      score: typeof score === "number" ? score : null,
      remark: typeof remark === "string" ? remark : null,
    });
    if (!first) continue;
    const field = edits.has(columnKey("score", activityId)) ? "score" : "scoreRemark";
    broken.push({ columnKey: columnKey(field, activityId), code: first.code, params: { ...first.params, field } });
  }
  return broken;
}

/** Days of an activity as a text names them. */
function dayTexts(values: Record<string, number>): Params {
  return Object.fromEntries(tileDates.map((field) => [field, isoDay(values[field] ?? 0) ?? "-"]));
}

/** The rule that locks a plan cell against any edit, or null. */
export function lockOf(
  cells: PlanCells,
  row: PlanRow,
  activityId: number,
  field: DateField | OwnerField,
  frame: CheckFrame,
): BrokenRule | null {
  const values = activityFacts(cells, row, activityId, undefined);
  // As if another value were typed: an empty one would pass rules that only forbid setting.
  values.after[field] = cells.today;
  const found = brokenCell(locks[field], facts(cells, row, activityId, field, values, frame));
  return found && { columnKey: columnKey(field, activityId), code: found.code, params: { ...found.params, field } };
}
