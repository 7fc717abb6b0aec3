import type { Rule } from "#lib/core/rule.ts";
import type { ChangeStatus } from "../changes/limits.ts";

/** Who a person is to a change that waits. */
export type DecisionFacts = {
  status: ChangeStatus;
  isSubmitter: boolean;
  /** The TL is asked first and has not answered. */
  first: boolean;
  /** The change is addressed to him, or, in its last step, to somebody he stands for by delegation. */
  isAddressed: boolean;
  /** He still holds the role, or the delegation, he is asked for. */
  isAble: boolean;
};

const WRONG_STATUS: Rule<{ status: ChangeStatus }> = {
  code: "WRONG_STATUS",
  broken: ({ status }) => status !== "approving" && { status },
};

/** Only who is asked decides, and nobody his own change, whoever he stands for. */
const NOT_APPROVER: Rule<DecisionFacts> = { code: "NOT_APPROVER", broken: ({ isAddressed, isSubmitter }) => !isAddressed || isSubmitter };

const ROLE_CHANGED: Rule<DecisionFacts> = { code: "ROLE_CHANGED", broken: ({ isAddressed, isAble }) => isAddressed && !isAble };

export const decisionRules: readonly Rule<DecisionFacts>[] = [WRONG_STATUS, NOT_APPROVER, ROLE_CHANGED];

/** What lets somebody take a change back. */
export type WithdrawalFacts = {
  status: ChangeStatus;
  isSubmitter: boolean;
  /** He may bind every DU of the project. */
  bindsAll: boolean;
  /** The submitter or the one who is asked has left, or lost the role. */
  isOrphan: boolean;
};

export const withdrawalRules: readonly Rule<WithdrawalFacts>[] = [
  WRONG_STATUS,
  { code: "NOT_APPROVER", broken: ({ isSubmitter, bindsAll, isOrphan }) => !isSubmitter && !(bindsAll && isOrphan) },
];
