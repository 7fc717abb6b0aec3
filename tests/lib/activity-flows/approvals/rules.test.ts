import { describe, expect, test } from "vitest";
import { type DecisionFacts, decisionRules, type WithdrawalFacts, withdrawalRules } from "#lib/activity-flows/approvals/rules.ts";
import { brokenRules } from "#lib/core/rule.ts";

const turn: DecisionFacts = { status: "approving", isSubmitter: false, first: false, isAddressed: true, isAble: true };

describe("a decision", () => {
  test.each<[string, Partial<DecisionFacts>, string[]]>([
    ["by who is asked", {}, []],
    ["of a change that is decided", { status: "done" }, ["WRONG_STATUS"]],
    ["by somebody else", { isAddressed: false }, ["NOT_APPROVER"]],
    ["by the submitter as a delegate", { isSubmitter: true }, ["NOT_APPROVER"]],
    ["by who has lost the role", { isAble: false }, ["ROLE_CHANGED"]],
    ["by somebody else without the role", { isAddressed: false, isAble: false }, ["NOT_APPROVER"]],
  ])("%s", (_name, given, codes) => {
    expect(brokenRules(decisionRules, { ...turn, ...given }).map(({ code }) => code)).toEqual(codes);
  });
});

describe("a withdrawal", () => {
  const none: WithdrawalFacts = { status: "approving", isSubmitter: false, bindsAll: false, isOrphan: false };
  test.each<[string, Partial<WithdrawalFacts>, string[]]>([
    ["by the submitter", { isSubmitter: true }, []],
    ["by somebody else", { isOrphan: true }, ["NOT_APPROVER"]],
    ["by who binds, while everybody is there", { bindsAll: true }, ["NOT_APPROVER"]],
    ["by who binds, once somebody has gone", { bindsAll: true, isOrphan: true }, []],
    ["of a change that has ended", { isSubmitter: true, status: "rejected" }, ["WRONG_STATUS"]],
  ])("%s", (_name, given, codes) => {
    expect(brokenRules(withdrawalRules, { ...none, ...given }).map(({ code }) => code)).toEqual(codes);
  });
});
