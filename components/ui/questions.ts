"use client";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import type { Answer } from "#lib/core/error.ts";
import { holdValue } from "#lib/core/held-value.ts";

/** One question of a save, in words. */
export type Question = { code: string; msg: string };
/** Questions that are shown, and what to do with the answer. */
export type OpenQuestions = { questions: readonly Question[]; answer: (yes: boolean) => void };

const codes = ["DEP_CLEAR_CONFIRM", "WARNING_CONFIRM"];
/** The questions that are open now, for the dialog that shows them. */
export const openQuestions = holdValue<OpenQuestions | null>(null);

function ask(questions: readonly Question[]): Promise<boolean> {
  return new Promise((resolve) => {
    openQuestions.set({
      questions,
      answer: (yes) => {
        openQuestions.set(null);
        resolve(yes);
      },
    });
  });
}

/**
 * Sends a save that may ask back: what it would do to prerequisites and warnings is shown, and the save sent again once it is confirmed. Questions that came up
 * meanwhile are asked too. Without a yes the answer is the refusal, with nothing in it but its text.
 * @param send the save, with the hash of the questions that were answered
 */
export async function withQuestions<T>(send: (confirmed: string | undefined) => Promise<Answer<T>>): Promise<Answer<T>> {
  for (let confirmed: string | undefined; ; ) {
    const answer = signalAnswer(await send(confirmed));
    if (!answer.code || !codes.includes(answer.code)) return answer;
    const { beside, ...refusal } = answer;
    const asked = beside as { confirm: string; questions: Question[] } | undefined;
    if (!asked || !(await ask(asked.questions))) return refusal;
    confirmed = asked.confirm;
  }
}
