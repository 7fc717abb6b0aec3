import type { warningFields, warningLevels, warningOperators } from "./limits.ts";

export type WarningOperator = (typeof warningOperators)[number];
export type WarningField = (typeof warningFields)[number];
export type WarningLevel = (typeof warningLevels)[number];
export type WarningDate = { slot: number; field: WarningField };

/** A configured warning: the distance from date A to date B in days, compared with a number. MANDATORY ones refuse the save that causes them. */
export type PlanWarning = {
  id?: number;
  /** Without flow it holds in every flow that contains both activities. */
  flowId?: number | null;
  level: WarningLevel;
  a: WarningDate;
  b: WarningDate;
  operator: WarningOperator;
  days: number;
  message: string;
};

/** The plan of one DU as far as warnings look at it; days are day numbers, 0 = empty. */
export type WarningRow = { applicable: (slot: number) => boolean; day: (slot: number, field: WarningField) => number };

/** A warning newly hit, with the distance found. */
export type WarningHit = { warning: PlanWarning; days: number };

function distance(row: WarningRow, warning: PlanWarning, today: number): number | null {
  const { a, b } = warning;
  if (!row.applicable(a.slot) || !row.applicable(b.slot)) return null;
  const from = row.day(a.slot, a.field);
  const to = row.day(b.slot, b.field) || (b.field.startsWith("actual") ? today : 0);
  return from === 0 || to === 0 ? null : to - from;
}

const compare: Record<WarningOperator, (found: number, limit: number) => boolean> = {
  GT: (found, limit) => found > limit,
  GE: (found, limit) => found >= limit,
  EQ: (found, limit) => found === limit,
  LE: (found, limit) => found <= limit,
  LT: (found, limit) => found < limit,
};

/** The distance when the warning is hit, else null. */
function hit(row: WarningRow, warning: PlanWarning, today: number): number | null {
  const found = distance(row, warning, today);
  return found !== null && compare[warning.operator](found, warning.days) ? found : null;
}

/** Warnings that hold after a write and did not before, both looked at with the same today. */
export function newHits(warnings: readonly PlanWarning[], before: WarningRow, after: WarningRow, today: number): WarningHit[] {
  const hits: WarningHit[] = [];
  for (const warning of warnings) {
    const days = hit(after, warning, today);
    if (days !== null && hit(before, warning, today) === null) hits.push({ warning, days });
  }
  return hits;
}

/** Warnings that hold in a row now. */
export function presentHits(warnings: readonly PlanWarning[], row: WarningRow, today: number): WarningHit[] {
  return warnings.flatMap((warning) => {
    const days = hit(row, warning, today);
    return days === null ? [] : [{ warning, days }];
  });
}

/** Warnings by the flow of a DU: those of the flow and those of every flow. */
export function warningsOf(warnings: readonly PlanWarning[]): (flowId: number) => readonly PlanWarning[] {
  const known = new Map<number, readonly PlanWarning[]>();
  return (flowId) => {
    let found = known.get(flowId);
    if (!found) {
      found = warnings.filter((warning) => (warning.flowId ?? flowId) === flowId);
      known.set(flowId, found);
    }
    return found;
  };
}

/** The text of a warning with {du}, {a}, {b} and {days} filled in; anything else in braces stays as it was typed. */
export function fillMessage(message: string, values: { du: string; a: string; b: string; days: number }): string {
  return message.replace(/\{(du|a|b|days)\}/g, (_all, name: keyof typeof values) => String(values[name]));
}
