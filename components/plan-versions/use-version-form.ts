"use client";
import { useState } from "react";
import { useAction } from "#components/ui/use-action.ts";
import { saveVersion } from "#lib/plan-versions/actions.ts";
import type { BaselineAnswer } from "#lib/plan-versions/baselines/commands.ts";

/** Name and remark of a version while they are edited, and saving them: faults stand at their fields, the dialog stays open. */
export function useVersionForm(first: { name: string; remark: string }) {
  const [values, setValues] = useState(first);
  const [faults, setFaults] = useState<Partial<Record<"name" | "remark", string>>>({});
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveVersion);
  const change = (given: { name?: string; remark?: string }) => {
    setValues((before) => ({ ...before, ...given }));
    setFaults({});
    setProblem(undefined);
  };
  const submit = async (more: Omit<Parameters<typeof saveVersion>[0], "name" | "remark">): Promise<BaselineAnswer | null> => {
    const answer = await save({ ...more, name: values.name, remark: values.remark });
    if (answer.data) return answer.data;
    const own = (answer.problems ?? []).filter(({ path }) => path === "name" || path === "remark");
    setFaults(Object.fromEntries(own.map(({ path, msg }) => [path, msg])));
    if (own.length === 0) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    return null;
  };
  return { values, faults, problem, saving, change, submit };
}
