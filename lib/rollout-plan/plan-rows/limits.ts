/** Highest slot a project's activity library can give; a cell number then still fits a smallint [FLW LIBRARY_FULL]. */
export const slotMax = 2000;

/** Years a plan date may lie ahead of today, the same day included [RPL-16]. */
export const planAheadYears = 3;

/** Days after today that count as "within 7 days", the last included. */
export const soonDays = 7;

/** People one owner cell may hold. */
export const ownersMax = 20;

/** Questions of a write nobody is asked about that the audit log lists one by one. */
export const questionsListed = 100;

/** Rows that take so long to work on that the connection is given a moment for what was sent before, and how many milliseconds that is. */
export const manyRows = 1_000;
export const sendingMs = 2;
/** So many rows in turn have to say the same of a kind, on average, for it to be said once. */
export const rowsPerRun = 4;

/** Scores, and the lowest that needs no remark [RPL-27]. */
export const scoreMin = 1;
export const scoreMax = 5;
export const scoreWithoutRemark = 3;

/** Eight kinds of dates, then state and owners: the order of fields in a cell number. */
export const planFields = [
  "planStart",
  "planEnd",
  "actualStart",
  "actualEnd",
  "baselineStart",
  "baselineEnd",
  "releasedStart",
  "releasedEnd",
  "state",
  "planOwner",
  "actualOwner",
  "attrOwner",
] as const;
export type PlanField = (typeof planFields)[number];

export const dateFields = planFields.slice(0, 8) as readonly DateField[];
export type DateField =
  | "planStart"
  | "planEnd"
  | "actualStart"
  | "actualEnd"
  | "baselineStart"
  | "baselineEnd"
  | "releasedStart"
  | "releasedEnd";
export type OwnerField = "planOwner" | "actualOwner" | "attrOwner";
export const ownerFields = ["planOwner", "actualOwner", "attrOwner"] as const satisfies readonly OwnerField[];

/** The area that may write a group of state bits through `patchPlanState` or its own plan writes. */
export type BitOwner =
  | "activity-flows"
  | "work-orders"
  | "scheduling"
  | "rollout-plan"
  | "tool-lock"
  | "approvers"
  | "revenue"
  | "material-requests"
  | "documents";

/** State bits of a slot: where they start, how many they are and the one area that writes them. */
export const stateBits = {
  inFlow: { at: 0, width: 1, owner: "activity-flows" },
  na: { at: 1, width: 2, owner: "work-orders" },
  fixed: { at: 3, width: 1, owner: "scheduling" },
  frozen: { at: 4, width: 1, owner: "scheduling" },
  toolLocked: { at: 5, width: 1, owner: "tool-lock" },
  closed: { at: 6, width: 1, owner: "rollout-plan" },
  approval: { at: 7, width: 3, owner: "approvers" },
  workOrder: { at: 10, width: 3, owner: "work-orders" },
  redone: { at: 13, width: 1, owner: "work-orders" },
  naRequest: { at: 14, width: 1, owner: "work-orders" },
  revenue: { at: 15, width: 1, owner: "revenue" },
  signVerify: { at: 16, width: 1, owner: "tool-lock" },
  mosFrozen: { at: 17, width: 1, owner: "material-requests" },
  deliverableMissing: { at: 18, width: 1, owner: "documents" },
  note: { at: 19, width: 1, owner: "rollout-plan" },
  subFlow: { at: 20, width: 1, owner: "activity-flows" },
} as const satisfies Record<string, { at: number; width: number; owner: BitOwner }>;
export type StateBit = keyof typeof stateBits;

/** Values of the state groups wider than one bit. */
export const naValues = ["none", "NA", "INV"] as const;
export const approvalValues = [
  "none",
  "unsubmitted",
  "approving",
  "approved",
  "approvedWithDefects",
  "rejected",
  "reReview",
  "notRequired",
] as const;
