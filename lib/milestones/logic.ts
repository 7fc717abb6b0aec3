import type { Locale } from "#lib/core/locale.ts";

/** Names of a milestone in the languages it has one in. */
export type MilestoneNames = { nameZh: string; nameEn: string; nameJa: string | null };

/** The name in a language; a milestone without Japanese name shows its English one. */
export function milestoneName(names: MilestoneNames, locale: Locale): string {
  if (locale === "zh") return names.nameZh;
  return locale === "ja" ? names.nameJa || names.nameEn : names.nameEn;
}

/** What must be one of its kind among the milestones of a project, whatever its case. */
export type Labels = MilestoneNames & { number: string };
const labels = ["number", "nameZh", "nameEn", "nameJa"] as const;

/** Labels of a milestone that another one has already. */
export function takenLabels(own: Labels, others: readonly Labels[]): (typeof labels)[number][] {
  return labels.filter((label) => {
    const given = own[label]?.toLowerCase();
    return Boolean(given) && others.some((other) => other[label]?.toLowerCase() === given);
  });
}
