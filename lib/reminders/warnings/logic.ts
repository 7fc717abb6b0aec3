export type WarningOperator = "GT" | "GE" | "EQ" | "LE" | "LT";
export type WarningField = "planStart" | "planEnd" | "actualStart" | "actualEnd";
export type WarningDate = { slot: number; field: WarningField };

/** A configured warning: the distance from date A to date B in days, compared with a number. MANDATORY ones refuse the save that causes them. */
export type PlanWarning = {
  level: "DEFAULT" | "ADVISORY" | "MANDATORY";
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

/** Warnings that hold after a write and did not before, both looked at with the same today. */
export function newHits(warnings: readonly PlanWarning[], before: WarningRow, after: WarningRow, today: number): WarningHit[] {
  const hits: WarningHit[] = [];
  for (const warning of warnings) {
    const now = distance(after, warning, today);
    if (now === null || !compare[warning.operator](now, warning.days)) continue;
    const then = distance(before, warning, today);
    if (then === null || !compare[warning.operator](then, warning.days)) hits.push({ warning, days: now });
  }
  return hits;
}
