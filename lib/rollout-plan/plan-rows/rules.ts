import { addMonths, dayNumber, firstDay, lastDay } from "#lib/core/clock.ts";
import type { Params } from "#lib/core/error.ts";
import type { Rule } from "#lib/core/rule.ts";
import { byTarget, type DependencyNode, type DependencyRule, findBroken } from "#lib/dependency-rules/rule-set/logic.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { newHits, type PlanWarning, type WarningField, type WarningHit } from "#lib/reminders/warnings/logic.ts";
import type { PlanSource } from "#lib/rollout-plan/plan-log/limits.ts";
import { type PlanField, planAheadYears, planFields, type StateBit, scoreMax, scoreMin, scoreWithoutRemark, stateBits } from "./limits.ts";
import {
  bitMask,
  cellField,
  cellSlot,
  dateRange,
  isApplicable,
  type PlanBlock,
  type PlanColumns,
  type RowDiff,
  stateValue,
  workOrderStatus,
} from "./logic.ts";

/** One changed cell and its row as it would be after the save. Locks are read from the state as it was before. */
export type CellFacts = {
  field: PlanField;
  before: number;
  after: number;
  planStart: number;
  planEnd: number;
  actualStart: number;
  actualEnd: number;
  actualEndBefore: number;
  planOwner: number;
  actualOwner: number;
  state: number;
  stateBefore: number;
  releaseState: number;
  /** The slot belongs to the activity of kind mos. */
  mos: boolean;
  today: number;
  /** Last day a plan date may have. */
  lastPlanDay: number;
  /** Plan Change Control Flag of the project. */
  changeControl: boolean;
  hasReason: boolean;
  /** The person is one of the actual owners, or of the plan owners where there are no actual ones. */
  isOwner: boolean;
  /** The person is PM, PCM, TD, TL, or site or region owner of the DU. */
  isRelated: boolean;
  /** canEditPlan for the DU. */
  mayEditPlan: boolean;
  /** rollout.actualEdit for the DU. */
  mayEditActual: boolean;
};

/** A rule about one cell; it is asked for the named fields only. */
export type CellRule = Rule<CellFacts> & { on: readonly PlanField[] };

const planDates: readonly PlanField[] = ["planStart", "planEnd"];
const actualDates: readonly PlanField[] = ["actualStart", "actualEnd"];
const workDates: readonly PlanField[] = [...planDates, ...actualDates];
const owners: readonly PlanField[] = ["planOwner", "actualOwner", "attrOwner"];

const masks = Object.fromEntries(Object.keys(stateBits).map((bit) => [bit, bitMask(bit as StateBit)])) as Record<StateBit, number>;

function has(state: number, bit: StateBit): boolean {
  return (state & masks[bit]) !== 0;
}

/** Every rule of a plan cell, in the order in which refusals are reported. */
export const cellRules = [
  { code: "NO_PERMISSION", on: [...planDates, ...owners], broken: (cell) => !cell.mayEditPlan && { right: "rollout.edit" } },
  { code: "NO_PERMISSION", on: actualDates, broken: (cell) => !cell.mayEditActual && { right: "rollout.actualEdit" } },
  { code: "NO_ACTIVITY", on: [...workDates, ...owners], broken: (cell) => cell.after !== 0 && !has(cell.state, "inFlow") },
  { code: "NA_OR_INV", on: workDates, broken: (cell) => has(cell.state, "na") },
  { code: "TASK_CLOSED", on: workDates, broken: (cell) => has(cell.stateBefore, "closed") },
  { code: "FROZEN", on: planDates, broken: (cell) => has(cell.stateBefore, "frozen") },
  { code: "MOS_FROZEN", on: planDates, broken: (cell) => cell.mos && has(cell.stateBefore, "mosFrozen") },
  { code: "ACTUAL_EXISTS", on: planDates, broken: (cell) => cell.mos && cell.actualEndBefore !== 0 },
  { code: "CHANGE_CONTROL", on: planDates, broken: (cell) => cell.changeControl && cell.releaseState > 0 },
  { code: "TOOL_LOCKED", on: actualDates, broken: (cell) => has(cell.stateBefore, "toolLocked") },
  { code: "SUSPENDED", on: actualDates, broken: (cell) => workOrderStatus(cell.stateBefore) === "suspended" },
  { code: "SUB_STEPS_ONLY", on: actualDates, broken: (cell) => has(cell.stateBefore, "subFlow") },
  { code: "IN_APPROVAL", on: actualDates, broken: (cell) => stateValue(cell.stateBefore, "approval") === 2 },
  { code: "REVENUE_TRIGGERED", on: ["actualEnd"], broken: (cell) => has(cell.stateBefore, "revenue") },
  { code: "DELIVERABLE_MISSING", on: ["actualEnd"], broken: (cell) => cell.after !== 0 && has(cell.stateBefore, "deliverableMissing") },
  { code: "OWNER_REQUIRED", on: actualDates, broken: (cell) => cell.after !== 0 && cell.planOwner === 0 && cell.actualOwner === 0 },
  { code: "NOT_OWNER", on: actualDates, broken: (cell) => !cell.isOwner && !cell.isRelated },
  {
    code: "DATE_OUT_OF_RANGE",
    on: planFields.slice(0, 8),
    broken: (cell) => cell.after !== 0 && (cell.after < firstDay || cell.after > lastDay) && dateRange,
  },
  { code: "PLAN_TOO_FAR", on: planDates, broken: (cell) => cell.after > cell.lastPlanDay && { years: planAheadYears } },
  { code: "ACTUAL_AFTER_TODAY", on: actualDates, broken: (cell) => cell.after > cell.today },
  { code: "PLAN_ORDER", on: planDates, broken: (cell) => cell.planStart !== 0 && cell.planEnd !== 0 && cell.planStart > cell.planEnd },
  {
    code: "ACTUAL_ORDER",
    on: actualDates,
    broken: (cell) => cell.actualStart !== 0 && cell.actualEnd !== 0 && cell.actualStart > cell.actualEnd,
  },
  { code: "REASON_REQUIRED", on: ["actualEnd"], broken: (cell) => cell.before !== 0 && !cell.hasReason },
] as const satisfies readonly CellRule[];

/** What is asked of a whole DU besides its cells: refusals, and questions a person may answer. */
export type RowRuleCode = "DEP_PREREQ_UNMET" | "WARNING_MANDATORY";
export type QuestionCode = "DEP_CLEAR_CONFIRM" | "WARNING_CONFIRM";
export type CellRuleCode = (typeof cellRules)[number]["code"] | RowRuleCode;

/** What a source wants to do, as far as the by-source table looks at it. */
export type Ask = {
  source: PlanSource;
  /** The step of another area that writes. */
  event?: "redo" | "start" | "complete" | "remoteUpdate" | "na" | "subSteps" | undefined;
  hasReason: boolean;
  /** A person started it. */
  byPerson: boolean;
  /** plan.frozenChange of the person. */
  frozenChange?: boolean | undefined;
  /** workOrder.redoAfterRevenue of the person. */
  redoAfterRevenue?: boolean | undefined;
};

/** A line of the by-source table: who is not asked which rules, and why; `where` keeps it to some cells. */
export type Exemption = {
  name: string;
  applies: (ask: Ask) => boolean;
  where?: (cell: CellFacts) => boolean;
  codes: readonly ErrorCode[] | "all";
  because: string;
};

const unattended: readonly PlanSource[] = ["rule", "owner_rule", "automation", "engine", "system"];

/** Every source asks all rules except these; `canEditPlan` is the code NO_PERMISSION. */
export const exemptions: readonly Exemption[] = [
  {
    name: "plan change",
    applies: (ask) => ask.source === "plan_change",
    codes: ["CHANGE_CONTROL"],
    because: "changing a controlled plan is its purpose",
  },
  {
    name: "plan change with plan.frozenChange",
    applies: (ask) => ask.source === "plan_change" && ask.frozenChange === true,
    where: (cell) => has(cell.stateBefore, "frozen"),
    codes: ["FROZEN", "NO_PERMISSION"],
    because: "for a frozen cell the right to change a frozen plan stands in for the right to edit",
  },
  {
    name: "release",
    applies: (ask) => ask.source === "release",
    codes: ["CHANGE_CONTROL"],
    because: "else change control would never end",
  },
  { name: "undo", applies: (ask) => ask.source === "undo", codes: ["CHANGE_CONTROL"], because: "else change control would never end" },
  {
    name: "restore and feedback with a reason",
    applies: (ask) => (ask.source === "restore" || ask.source === "feedback") && ask.hasReason,
    codes: ["CHANGE_CONTROL"],
    because: "else change control would never end",
  },
  {
    name: "redo of a work order",
    applies: (ask) => ask.source === "work_order" && ask.event === "redo",
    codes: ["TASK_CLOSED", "IN_APPROVAL", "SUSPENDED", "SUB_STEPS_ONLY", "NOT_OWNER", "OWNER_REQUIRED", "NO_PERMISSION"],
    because: "redo has its own guards and must be able to clear a closed activity, a suspended one, and one whose dates come from steps",
  },
  {
    name: "redo of a work order with workOrder.redoAfterRevenue",
    applies: (ask) => ask.source === "work_order" && ask.event === "redo" && ask.redoAfterRevenue === true,
    codes: ["REVENUE_TRIGGERED"],
    because: "the right is given for exactly this",
  },
  {
    name: "start, completion and remote update of a work order",
    applies: (ask) => ask.source === "work_order" && (ask.event === "start" || ask.event === "complete" || ask.event === "remoteUpdate"),
    codes: ["NO_PERMISSION"],
    because: "the order's own right decides",
  },
  {
    name: "remote update of a work order",
    applies: (ask) => ask.source === "work_order" && ask.event === "remoteUpdate",
    codes: ["NOT_OWNER"],
    because: "the order's own right decides",
  },
  {
    name: "steps of a sub-flow",
    applies: (ask) => ask.event === "subSteps",
    codes: ["SUB_STEPS_ONLY"],
    because: "the dates come from the steps",
  },
  { name: "flow", applies: (ask) => ask.source === "flow", codes: "all", because: "it has its own guards and builds the rows anew" },
  { name: "NA or INV done", applies: (ask) => ask.event === "na", codes: "all", because: "it has its own guards and builds the rows anew" },
  {
    name: "rules, automation, engine and system",
    applies: (ask) => unattended.includes(ask.source),
    codes: ["REASON_REQUIRED", "NOT_OWNER"],
    because: "there is nobody to ask",
  },
  { name: "undo without a reason", applies: (ask) => ask.source === "undo", codes: ["REASON_REQUIRED"], because: "the reason is the undo" },
  {
    name: "rules, automation, engine and system without a person",
    applies: (ask) => unattended.includes(ask.source) && !ask.byPerson,
    codes: ["NO_PERMISSION"],
    because: "nobody's right could be asked",
  },
];

/** The rules a write asks, per field. */
export type AskedRules = Record<PlanField, readonly CellRule[]>;

const knownRules = new Map<string, AskedRules>();

/** Rules left by the by-source table, sorted by field so that a cell meets only its own. They follow from what is asked alone, of which there are few kinds. */
export function askedRules(ask: Ask): AskedRules {
  const key = JSON.stringify(ask);
  const rules = knownRules.get(key) ?? leftRules(ask);
  knownRules.set(key, rules);
  return rules;
}

function leftRules(ask: Ask): AskedRules {
  const lines = exemptions.filter((line) => line.applies(ask));
  const left = cellRules.flatMap((rule: CellRule): CellRule[] => {
    const spared = lines.filter(({ codes }) => codes === "all" || codes.includes(rule.code));
    if (spared.length === 0) return [rule];
    if (spared.some(({ where }) => !where)) return [];
    return [{ ...rule, broken: (cell) => !spared.some(({ where }) => where?.(cell)) && rule.broken(cell) }];
  });
  return Object.fromEntries(planFields.map((field) => [field, left.filter((rule) => rule.on.includes(field))])) as unknown as AskedRules;
}

/** What is done is not planned anew by a rule. */
const completedRule: CellRule = { code: "ACTIVITY_COMPLETED", on: planDates, broken: (cell) => cell.actualEndBefore !== 0 };

/**
 * The rules of a cell that a run of rules fills, each cell by itself: those its writing asks, and its own. The order of two dates is left out: it is judged when
 * all cells of the row are filled.
 */
export function runRules(): AskedRules {
  const asked = askedRules({ source: "rule", hasReason: false, byPerson: false });
  const own = (field: PlanField) =>
    asked[field].flatMap((rule): CellRule[] => {
      if (rule.code === "PLAN_ORDER" || rule.code === "ACTUAL_ORDER") return [];
      return rule.code === "FROZEN" ? [rule, completedRule] : [rule];
    });
  return Object.fromEntries(planFields.map((field) => [field, own(field)])) as unknown as AskedRules;
}

/** The first broken rule of a cell among those for its field, or null. */
export function brokenCell(rules: readonly CellRule[], cell: CellFacts): { code: ErrorCode; params: Params } | null {
  // Millions of times in a large write: counted, so that no iterator is made.
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i] as CellRule;
    const broken = rule.broken(cell);
    if (broken !== false) return { code: rule.code, params: broken === true ? {} : broken };
  }
  return null;
}

/**
 * A refused cell, or value of an attribute (`a12`; of the DU itself at slot 0). `withDu`: nothing is wrong with it, but another cell of its DU was refused.
 */
export type Refusal = { duId: number; slot: number; field: PlanField | `a${number}`; code: ErrorCode; params: Params; withDu: boolean };

/** Something a write does that a person is asked about first. */
export type Question = Pick<Refusal, "duId" | "slot" | "field" | "params"> & {
  code: QuestionCode;
  /** Equal for equal questions: what an answer is compared by. */
  about: string;
};

/** A refused cell of the plan. */
export type CellRefusal = Refusal & { field: PlanField };

/** What the check of a block needs to know besides its cells. */
export type CellCheck = {
  rules: AskedRules;
  /** Slots of kind mos. */
  mos: ReadonlySet<number>;
  /** Owner sets that contain the person. */
  ownSets: ReadonlySet<number>;
  frame: Pick<CellFacts, "today" | "lastPlanDay" | "changeControl" | "hasReason">;
  /** Rights of the person on a DU. */
  person: (duId: number) => { plan: boolean; actual: boolean; related: boolean };
};

/** Refusals of the changed cells of a block: with one broken rule the other cells of its DU are refused too, with the code of the first. */
export function checkCells(block: PlanBlock, diffs: readonly RowDiff[], check: CellCheck): CellRefusal[] {
  const before = block.before as PlanColumns;
  const refusals: CellRefusal[] = [];
  // One object for all cells: a run over hundreds of thousands makes no garbage.
  const facts = { ...check.frame } as CellFacts;
  for (const diff of diffs) {
    const duId = block.duIds[diff.row] as number;
    const person = check.person(duId);
    facts.mayEditPlan = person.plan;
    facts.mayEditActual = person.actual;
    facts.isRelated = person.related;
    facts.releaseState = block.releaseStates[diff.row] as number;
    const found: CellRefusal[] = [];
    for (let i = 0; i < diff.cells.length; i++) {
      const cell = diff.cells[i] as number;
      const field = cellField(cell);
      const rules = check.rules[field];
      if (rules.length === 0) continue;
      const slot = cellSlot(cell);
      const at = diff.row * block.width + slot;
      facts.field = field;
      facts.before = diff.old[i] as number;
      facts.after = diff.new[i] as number;
      facts.planStart = block.planStart[at] as number;
      facts.planEnd = block.planEnd[at] as number;
      facts.actualStart = block.actualStart[at] as number;
      facts.actualEnd = block.actualEnd[at] as number;
      facts.actualEndBefore = before.actualEnd[at] as number;
      facts.planOwner = block.planOwner[at] as number;
      facts.actualOwner = block.actualOwner[at] as number;
      facts.state = block.state[at] as number;
      facts.stateBefore = before.state[at] as number;
      facts.mos = check.mos.has(slot);
      facts.isOwner = check.ownSets.has(facts.actualOwner || facts.planOwner);
      const broken = brokenCell(rules, facts);
      if (broken) found.push({ duId, slot, field, ...broken, withDu: false });
    }
    if (found.length > 0) refusals.push(...found, ...refusedWith(diff, duId, found));
  }
  return refusals;
}

/** Refusals of the other changed cells of a DU that is not written, with the code of the first. */
export function refusedWith(diff: RowDiff, duId: number, found: readonly Refusal[]): CellRefusal[] {
  const { code, params } = found[0] as Refusal;
  const named = new Set(found.map(({ slot, field }) => `${slot} ${field}`));
  return diff.cells
    .filter((cell) => !named.has(`${cellSlot(cell)} ${cellField(cell)}`) && cellField(cell) !== "state")
    .map((cell) => ({ duId, slot: cellSlot(cell), field: cellField(cell), code, params, withDu: true }));
}

/**
 * Finds what names one of some places: what is judged by changes alone is asked only where something changed.
 * @param placesOf slots, and attributes as negative numbers
 */
export function namedAt<Item>(
  items: readonly Item[],
  placesOf: (item: Item) => readonly number[],
): (places: readonly number[]) => readonly Item[] {
  const known = new Map<number, Item[]>();
  for (const item of items)
    for (const place of new Set(placesOf(item))) {
      const list = known.get(place);
      if (list) list.push(item);
      else known.set(place, [item]);
    }
  const none: readonly Item[] = [];
  return (places) => {
    if (places.length === 1) return known.get(places[0] as number) ?? none;
    const found = new Set(places.flatMap((place) => known.get(place) ?? none));
    return found.size === 0 ? none : items.filter((item) => found.has(item));
  };
}

/** Places a dependency rule names. */
export function placesOfRule({ target, prerequisites }: DependencyRule): number[] {
  return [target, ...prerequisites].map((node) => (node.event === "MAINTAIN" ? -node.attributeId : node.slot));
}

/** Places a warning names. */
export function placesOfWarning({ a, b }: PlanWarning): number[] {
  return [a.slot, b.slot];
}

/** Slots with changed cells, ascending. */
export function changedSlots({ cells }: RowDiff): number[] {
  const slots: number[] = [];
  for (const cell of cells) if (cellSlot(cell) !== slots.at(-1)) slots.push(cellSlot(cell));
  return slots;
}

/** What a whole row is judged by: what names none of its changed places may be left out. */
export type RowRules = {
  dependencies: readonly DependencyRule[];
  warnings: readonly PlanWarning[];
  /** Whether an attribute of a DU holds a value, before and after the write. */
  maintained: (duId: number, attributeId: number) => { before: boolean; after: boolean };
  today: number;
};

/** What was found in a row: the cell it stands at and what its text will name. */
export type RowFinding = Pick<Refusal, "duId" | "slot" | "field"> &
  (
    | { code: "DEP_PREREQ_UNMET" | "DEP_CLEAR_CONFIRM"; target: DependencyNode; unmet: DependencyNode[] }
    | { code: "WARNING_MANDATORY" | "WARNING_CONFIRM"; hit: WarningHit }
  );

const inFlowMask = bitMask("inFlow");
const closedMask = bitMask("closed");

/** A row of columns as rules of whole rows look at it; another row is looked at by moving `base`. */
class RowLook {
  base = 0;
  duId = 0;
  private readonly columns: PlanColumns;
  private readonly held: (duId: number, attributeId: number) => boolean;

  constructor(columns: PlanColumns, held: (duId: number, attributeId: number) => boolean) {
    this.columns = columns;
    this.held = held;
  }

  inFlow(slot: number): boolean {
    return ((this.columns.state[this.base + slot] ?? 0) & inFlowMask) !== 0;
  }
  applicable(slot: number): boolean {
    return isApplicable(this.columns.state[this.base + slot] ?? 0);
  }
  closed(slot: number): boolean {
    return ((this.columns.state[this.base + slot] ?? 0) & closedMask) !== 0;
  }
  actualStart(slot: number): number {
    return this.columns.actualStart[this.base + slot] ?? 0;
  }
  actualEnd(slot: number): number {
    return this.columns.actualEnd[this.base + slot] ?? 0;
  }
  day(slot: number, field: WarningField): number {
    return this.columns[field][this.base + slot] ?? 0;
  }
  maintained(attributeId: number): boolean {
    return this.held(this.duId, attributeId);
  }
}

/** Judges rows of a block: events and distances that a write newly causes and that rules refuse or ask about. */
export function rowJudge(
  block: PlanBlock,
  { maintained, today }: Pick<RowRules, "maintained" | "today">,
): (row: number, rules: Pick<RowRules, "dependencies" | "warnings">) => RowFinding[] {
  const before = new RowLook(block.before as PlanColumns, (duId, attributeId) => maintained(duId, attributeId).before);
  const after = new RowLook(block, (duId, attributeId) => maintained(duId, attributeId).after);
  return (row, { dependencies, warnings }) => {
    const duId = block.duIds[row] as number;
    const flowId = block.flowIds[row] as number;
    before.base = after.base = row * block.width;
    before.duId = after.duId = duId;
    const { unmet, cleared } = findBroken(dependencies, flowId, before, after);
    return [
      ...byTarget(unmet).map(
        (missing): RowFinding => ({ duId, ...placeOf(missing.target, before, after), code: "DEP_PREREQ_UNMET", ...missing }),
      ),
      // The question stands at the cell that is cleared, not at what came after it.
      ...cleared.map(
        ({ target, prerequisite }): RowFinding => ({
          duId,
          ...placeOf(prerequisite, before, after),
          code: "DEP_CLEAR_CONFIRM",
          target,
          unmet: [prerequisite],
        }),
      ),
      ...newHits(warnings, before, after, today, flowId).flatMap((hit): RowFinding[] => {
        const { level, b } = hit.warning;
        if (level === "DEFAULT") return [];
        return [{ duId, slot: b.slot, field: b.field, code: level === "MANDATORY" ? "WARNING_MANDATORY" : "WARNING_CONFIRM", hit }];
      }),
    ];
  };
}

type Starts = { actualStart: (slot: number) => number };

/** The cell of an event: of a start the date that was entered, which may be the end alone. */
function placeOf(node: DependencyNode, before: Starts, after: Starts): Pick<Refusal, "slot" | "field"> {
  if (node.event === "MAINTAIN") return { slot: 0, field: `a${node.attributeId}` };
  const { slot, event } = node;
  if (event === "CLOSE") return { slot, field: "state" };
  return { slot, field: event === "START" && before.actualStart(slot) !== after.actualStart(slot) ? "actualStart" : "actualEnd" };
}

/** The cells of which at least one has caused a finding: the dates of the event, the attribute, or both ends of the distance. */
export function blamedPlaces(finding: RowFinding): readonly Pick<Refusal, "slot" | "field">[] {
  if ("hit" in finding) return [finding.hit.warning.a, finding.hit.warning.b];
  const { target } = finding;
  if (target.event === "MAINTAIN") return [{ slot: 0, field: `a${target.attributeId}` }];
  const { slot, event } = target;
  if (event === "CLOSE") return [{ slot, field: "state" }];
  const end = { slot, field: "actualEnd" } as const;
  return event === "START" ? [{ slot, field: "actualStart" }, end] : [end];
}

/** What makes two questions the same one. */
export function questionText(finding: RowFinding): string {
  const { duId, code } = finding;
  return "hit" in finding
    ? `${code} ${duId} ${finding.hit.warning.id} ${finding.hit.days}`
    : `${code} ${duId} ${JSON.stringify([finding.target, finding.unmet])}`;
}

/** The last day a plan date may have: the same day three years after today. */
export function lastPlanDay(today: string): number {
  return dayNumber(addMonths(today, planAheadYears * 12));
}

/** Rules of a score and its remark. */
export const scoreRules = [
  {
    code: "VALUE_RANGE",
    broken: ({ score }) =>
      score !== null && (!Number.isInteger(score) || score < scoreMin || score > scoreMax) && { min: scoreMin, max: scoreMax },
  },
  {
    code: "SCORE_REMARK",
    broken: ({ score, remark }) => score !== null && score < scoreWithoutRemark && !remark?.trim() && { min: scoreWithoutRemark },
  },
] as const satisfies readonly Rule<{ score: number | null; remark: string | null }>[];
