"use client";
import { useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";

/**
 * A form that is stored by a call: waiting state, faults by the path of the field, and what is wrong with the whole.
 * @param fields whether a path is one the form shows beside the field
 */
export function useSave<Result>(address: string, fields: (path: string) => boolean) {
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const clear = () => {
    setFaults({});
    setProblem(undefined);
  };
  const save = async (input: object): Promise<Result | null> => {
    setBusy(true);
    const answer = await callDoor<Result>(address, input);
    setBusy(false);
    clear();
    if (answer.status < 400) return answer.data ?? ({} as Result);
    const own = (answer.problems ?? []).filter(({ path }) => fields(path));
    setFaults(Object.fromEntries(own.map(({ path, msg }) => [path, msg])));
    if (own.length === 0) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code ?? "");
    return null;
  };
  return { busy, faults, problem, clear, save };
}
