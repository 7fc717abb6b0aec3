import type { errors } from "#lib/errors.ts";
import type { Answer } from "./error.ts";

/** Answers the browser makes itself when none comes from the server, with their status. */
const statuses = { SERVICE_ERROR: 503, TIMEOUT: 504 } as const satisfies Pick<typeof errors, "SERVICE_ERROR" | "TIMEOUT">;
export type OwnCode = keyof typeof statuses;

let texts: Partial<Record<OwnCode, string>> = {};

/** Gives the browser's own answers their texts in the language of the page. */
export function nameOwnAnswers(given: Record<OwnCode, string>): void {
  texts = given;
}

/** The answer to a call that the server did not answer, with its text as a refusal of the server has it. [OPS-27] */
export function ownAnswer(code: OwnCode): Answer<never> {
  const msg = texts[code];
  return { status: statuses[code], code, ...(msg === undefined ? {} : { msg }) };
}
