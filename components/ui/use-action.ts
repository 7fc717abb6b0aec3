"use client";
import { useCallback, useState } from "react";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import type { Answer } from "#lib/core/error.ts";
import { ownAnswer } from "#lib/core/own-answer.ts";
import { showFailedAnswer } from "./failure.ts";

/**
 * A server action with its waiting state: `const [save, saving] = useAction(saveTemplate)`. Never throws: a lost connection answers 503.
 * The end of the session is told to the shell, a system failure and a denial have their dialog; every other refusal is the caller's to show.
 */
export function useAction<Input, Result>(
  action: (input: Input) => Promise<Answer<Result>>,
): [(input: Input) => Promise<Answer<Result>>, boolean] {
  const [busy, setBusy] = useState(false);
  const run = useCallback(
    async (input: Input): Promise<Answer<Result>> => {
      setBusy(true);
      try {
        const answer = signalAnswer(await action(input));
        showFailedAnswer(answer);
        return answer;
      } catch {
        return ownAnswer("SERVICE_ERROR");
      } finally {
        setBusy(false);
      }
    },
    [action],
  );
  return [run, busy];
}
