"use client";
import { useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";

/** A form stored by a call: waiting state, faults by the path of the field, and what is wrong with the whole. */
export function useSave<Result>(address: string, shown: (path: string) => boolean) {
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const save = async (input: object): Promise<Result | null> => {
    setBusy(true);
    const answer = await callDoor<Result>(address, input);
    setBusy(false);
    setFaults({});
    setProblem(undefined);
    if (answer.status < 400) return answer.data ?? ({} as Result);
    const own = (answer.problems ?? []).filter(({ path }) => shown(path));
    setFaults(Object.fromEntries(own.map(({ path, msg }) => [path, msg])));
    if (own.length === 0) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code ?? "");
    return null;
  };
  return { busy, faults, problem, save };
}
