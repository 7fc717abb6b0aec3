/** DUs one change may hold [FLW-31]. */
export const changeDusMax = 100;
/** Longest reason of a change, and longest comment on it. */
export const changeReasonMax = 2000;
/** DU codes a row of the list names. */
export const listedDusMax = 5;

export const changeKinds = ["change", "unbind"] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeStatuses = ["approving", "applying", "done", "partly_done", "rejected", "withdrawn"] as const;
export type ChangeStatus = (typeof changeStatuses)[number];

/** Steps of a change in its history. */
export const changeEvents = ["submit", "tlApprove", "approve", "reject", "transfer", "withdraw", "apply"] as const;
export type ChangeEvent = (typeof changeEvents)[number];

/** What a change deletes and keeps, counted in activities. */
export const impactFigures = [
  "planDates",
  "actualDates",
  "owners",
  "baselines",
  "attributes",
  "notes",
  "approvals",
  "workOrders",
  "frozen",
] as const;
export type ImpactFigure = (typeof impactFigures)[number];
