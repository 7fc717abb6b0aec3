import type { CtxUser } from "#lib/core/ctx.ts";
import type { Answer } from "#lib/core/error.ts";
import { callAs } from "../../support/call.ts";

/** Calls of a project by a person, the project manager where nobody is named. */
export const attributeCalls =
  (project: () => { number: string }, pm: () => CtxUser) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
  (address: string, input: object = {}, user: CtxUser = pm()): Promise<Answer<any>> =>
    callAs(user, address, input, { project: project().number });

/** An attribute as its form sends it. */
export const given = (more: object = {}) => ({ name: "Tower height", type: "NUMBER", level: "DU", inRolloutPlan: true, ...more });

/** The problems of an answer as `path CODE`, or its code where it names none. */
export const refusal = async (answer: Promise<Answer>): Promise<string[]> => {
  const { status, code, problems = [] } = await answer;
  if (status < 400) return [`${status}`];
  return problems.length > 0 ? problems.map((problem) => `${problem.path} ${problem.code}`.trim()) : [String(code)];
};
