import { describe, expect, test } from "vitest";
import { brokenRules } from "#lib/core/rule.ts";
import { statuses } from "#lib/tasks/limits.ts";
import { cancelRules, deleteRules, retryRules } from "#lib/tasks/rules.ts";

describe.each([
  ["cancel", cancelRules, ["queued", "running"]],
  ["retry", retryRules, ["failed", "cancelled"]],
  ["delete", deleteRules, ["succeeded", "partial", "failed", "cancelled", "expired"]],
] as const)("%s", (_, rules, allowed) => {
  test.each(statuses)("a task that is %s", (status) => {
    const problems = brokenRules(rules, { status });
    if ((allowed as readonly string[]).includes(status)) expect(problems).toEqual([]);
    else expect(problems).toEqual([{ path: "", code: "WRONG_STATUS", params: { status } }]);
  });
});
