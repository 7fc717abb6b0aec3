"use client";
import { useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";

/** A form that is stored by a call: waiting state, faults by the first part of the path of the field, and what is wrong with the whole. */
export function useSave<Result>(address: string) {
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const clear = () => {
    setFaults({});
    setProblem(undefined);
  };
  const save = async (input: object): Promise<Answer<Result>> => {
    setBusy(true);
    const answer = await callDoor<Result>(address, input);
    setBusy(false);
    clear();
    if (answer.status >= 400) {
      const own = (answer.problems ?? []).filter(({ path }) => path !== "");
      setFaults(
        Object.fromEntries(
          own.flatMap(({ path, msg }) => [
            [path, msg],
            [path.split(".")[0] as string, msg],
          ]),
        ),
      );
      if (own.length === 0) setProblem(answer.msg ?? answer.code ?? "");
    }
    return answer;
  };
  return { busy, faults, problem, clear, save };
}
