import { suggestionDistance, suggestionsMax } from "./limits.ts";

/** A name with width, case, blanks and separators taken away. */
export const normalised = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_\-·./:：・()（）[\]【】]+/g, "");

/** Key of a remembered name. */
export const rememberedKey = (text: string): string => text.trim().toLowerCase();

/** A DU of a version as an answer may name it. */
export type NamedDu = { id: number; code: string; name: string; flowId: number | null };
/** An activity as an answer may name it: by code, or by its name in the library or in a flow. */
export type NamedActivity = { id: number; slot: number; code: string; name: string };

/** What names of an answer can mean. */
export type Meanings = {
  dus: readonly NamedDu[];
  activities: readonly NamedActivity[];
  /** Slot by the name a flow gives it, by flow. */
  flowNames: ReadonlyMap<number, ReadonlyMap<string, number>>;
  rememberedDus: ReadonlyMap<string, number>;
  /** Slots by remembered words. */
  rememberedActivities: ReadonlyMap<string, number>;
  applies: (duId: number, slot: number) => boolean;
};

/**
 * Finds out of which DU and activity an answer speaks: the DU by its code, by a name only one DU has, or by what was remembered; the activity by its code,
 * by its name in the library or in the flow of the DU, or by what was remembered. An activity that does not apply to the DU is not found.
 */
export function mapAnswers(
  rows: readonly { du: string; activity: string }[],
  meanings: Meanings,
): { duId: number | null; slot: number | null }[] {
  const byCode = new Map(meanings.dus.map((du) => [du.code, du]));
  const byName = Map.groupBy(meanings.dus, ({ name }) => name);
  const byId = new Map(meanings.dus.map((du) => [du.id, du]));
  const activityByCode = new Map(meanings.activities.map(({ code, slot }) => [code, slot]));
  const activityByName = new Map(meanings.activities.map(({ name, slot }) => [name, slot]));
  return rows.map((row) => {
    const text = row.du.trim();
    const named = byName.get(text) ?? [];
    const du =
      byCode.get(text) ??
      (named.length === 1 ? named[0] : undefined) ??
      byId.get(meanings.rememberedDus.get(rememberedKey(text)) ?? 0) ??
      null;
    const word = row.activity.trim();
    const slot =
      activityByCode.get(word) ??
      activityByName.get(word) ??
      meanings.flowNames.get(du?.flowId ?? 0)?.get(word) ??
      meanings.rememberedActivities.get(rememberedKey(word)) ??
      null;
    return { duId: du?.id ?? null, slot: du && slot !== null && !meanings.applies(du.id, slot) ? null : slot };
  });
}

/** How well a suggestion fits. */
export type Fit = "exact" | "normalised" | "similar";
const fits: readonly Fit[] = ["exact", "normalised", "similar"];

/** Candidates whose names fit a word, best first: equal, equal but for case and separators, or two letters apart at most. */
export function suggest<Candidate>(
  word: string,
  candidates: readonly Candidate[],
  namesOf: (candidate: Candidate) => readonly string[],
): { candidate: Candidate; fit: Fit }[] {
  const text = word.trim();
  const key = normalised(text);
  const found = candidates.flatMap((candidate) => {
    const names = namesOf(candidate);
    if (names.includes(text)) return { candidate, fit: "exact" as const };
    const keys = names.map(normalised);
    if (keys.includes(key)) return { candidate, fit: "normalised" as const };
    return keys.some((name) => isNear(name, key)) ? { candidate, fit: "similar" as const } : [];
  });
  return found.sort((left, right) => fits.indexOf(left.fit) - fits.indexOf(right.fit)).slice(0, suggestionsMax);
}

/** Whether two words are few insertions, deletions and exchanges of letters apart; of very short ones nothing is left to compare. */
export function isNear(left: string, right: string, most: number = suggestionDistance): boolean {
  const [a, b] = [[...left], [...right]];
  if (Math.abs(a.length - b.length) > most || Math.min(a.length, b.length) <= most) return false;
  let row = b.map((_, at) => at + 1);
  row.unshift(0);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    if (Math.min(...next) > most) return false;
    row = next;
  }
  return (row.at(-1) as number) <= most;
}
