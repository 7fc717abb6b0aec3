import { type Relation, relations } from "#lib/planning-engine/activity-relations/limits.ts";

/** What an activity waits for, as the calls give it; without relation while none was typed. */
export type Predecessor = { activityName: string; relation: Relation | null; offsetDays: number };

const separator = "; ";
const ends = new RegExp(`^(.*?)(?:\\s+(${relations.join("|")})\\s*([+-]\\s*\\d+)?)?$`, "is");

/** Predecessors as one text: `Survey FS; Delivery SS+3`. */
export function predecessorText(given: readonly Predecessor[]): string | null {
  const text = ({ activityName, relation, offsetDays }: Predecessor) =>
    [activityName, relation && `${relation}${offsetDays === 0 ? "" : offsetDays > 0 ? `+${offsetDays}` : offsetDays}`]
      .filter(Boolean)
      .join(" ");
  return given.map(text).join(separator) || null;
}

/** Predecessors of a text: name, relation and days of each, separated by semicolons or lines. */
export function readPredecessors(text: string): Predecessor[] {
  return readNames(text).map((part) => {
    const [, activityName = "", relation, days] = ends.exec(part) ?? [];
    return {
      activityName: activityName.trim(),
      relation: (relation?.toUpperCase() as Relation | undefined) ?? null,
      offsetDays: Number((days ?? "0").replace(/\s+/g, "")),
    };
  });
}

/** Names as one text. */
export function nameText(given: readonly string[]): string | null {
  return given.join(separator) || null;
}

/** Names of a text, separated by semicolons or lines. */
export function readNames(text: string): string[] {
  return text
    .split(/[;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
}
