/** Rules one run or dry run may be asked for. */
export const runRulesMax = 10;
/** DUs judged and bound in one transaction. */
export const runBlockDus = 10_000;
/** DUs a dry run lists for each rule. */
export const previewDusMax = 200;

export const runModes = ["manual", "import", "daily"] as const;
export type RunMode = (typeof runModes)[number];

/** Why no rule has bound a DU. */
export const unmatchedReasons = ["NO_RULE", "RULE_INVALID", "NO_REGION"] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];
