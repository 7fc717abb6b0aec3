import type { GanttRelation } from "#lib/rollout-plan/gantt/queries.ts";

/** Where a bar lies, in pixels: its ends and the height of its middle. */
export type BarPlace = { left: number; right: number; middle: number };

/** An arrow of a relation: its line and its head as SVG paths, and whether it touches the selected activity. */
export type Arrow = { line: string; head: string; hot: boolean; label: string; labelAt: { x: number; y: number } | null };

/** Room that a label needs on the level part of an arrow. */
const labelRoom = 44;

/** Right-angled arrows of the relations whose bars are drawn. */
export function arrowsOf(
  relations: readonly GanttRelation[],
  placeOf: (activityId: number) => BarPlace | null,
  selected: number | null,
): Arrow[] {
  return relations.flatMap(([pre, next, type, offset]) => {
    const from = placeOf(pre);
    const to = placeOf(next);
    if (!from || !to) return [];
    const startsLeft = type === "SS" || type === "SF";
    const endsRight = type === "FF" || type === "SF";
    const x1 = startsLeft ? from.left : from.right;
    const x2 = endsRight ? to.right : to.left;
    const out = startsLeft ? -7 : 7;
    const tip = endsRight ? 1 : -1;
    const before = x2 + tip * 9;
    const direct = endsRight ? x1 + out >= before : x1 + out <= before;
    const [y1, y2] = [from.middle, to.middle];
    const line = direct
      ? `M${x1} ${y1}H${x1 + out}V${y2}H${x2 + tip * 5}`
      : `M${x1} ${y1}H${x1 + out}V${(y1 + y2) / 2}H${before}V${y2}H${x2 + tip * 5}`;
    const head = `M${x2 + tip} ${y2}l${tip * 5.5} -3.2v6.4z`;
    const hot = selected !== null && (pre === selected || next === selected);
    const label = `${type}${offset === 0 ? "" : offset > 0 ? `+${offset}` : offset}`;
    const wide = Math.abs(x2 - x1) > labelRoom;
    return [{ line, head, hot, label, labelAt: hot && wide ? { x: (x1 + out + x2) / 2, y: y2 } : null }];
  });
}
