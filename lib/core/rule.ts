import type { ErrorCode } from "#lib/errors.ts";
import { AppError, type Params, type Problem } from "./error.ts";

/** A business rule: its code names the refusal and the message; `broken` gives false when the facts obey it, else true or the text's parameters. */
export type Rule<Facts> = { code: ErrorCode; broken: (facts: Facts) => Params | boolean };

/**
 * Every broken rule of the list, in its order.
 * @param path field the problems are reported at
 */
export function brokenRules<Facts>(rules: readonly Rule<Facts>[], facts: Facts, path = ""): Problem[] {
  const problems: Problem[] = [];
  for (const rule of rules) {
    const broken = rule.broken(facts);
    if (broken !== false) problems.push({ path, code: rule.code, params: broken === true ? {} : broken });
  }
  return problems;
}

/** Throws one AppError that holds all broken rules, under the code of the first; does nothing when all hold. */
export function checkRules<Facts>(rules: readonly Rule<Facts>[], facts: Facts, path = ""): void {
  const problems = brokenRules(rules, facts, path);
  const first = problems[0];
  if (first) throw new AppError(first.code, first.params, problems);
}
