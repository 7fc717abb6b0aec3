/** Days one board shows. */
export const boardDaysMax = 92;
/** Cards one answer carries; where more stand there, it carries their counts alone. */
export const boardCardsMax = 2_000;
/** Activities without plan dates that are listed. */
export const unscheduledMax = 500;
/** Lanes whose cards can be asked for at once. */
export const boardLanesMax = 500;
/** By what activities are put into lanes. */
export const boardGroups = ["owner", "subcontractor", "region", "cluster"] as const;
export type BoardGroup = (typeof boardGroups)[number];
/** Lane of what has no owner, subcontractor, region or cluster. */
export const noLane = 0;
