"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Answer } from "#lib/core/error.ts";

export type ReminderForm = ReturnType<typeof useReminderForm>;

/** Problems of a reminder's form by field; those that belong to no field stand under the empty key. */
export function useReminderForm() {
  const t = useTranslations("reminder-rules");
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    problems,
    clear: () => setProblems(new Map()),
    /** Marks fields that are not filled in; true when there are any. */
    missing: (fields: Readonly<Record<string, boolean>>) => {
      const empty = Object.entries(fields).filter(([, isMissing]) => isMissing);
      setProblems(new Map(empty.map(([field]) => [field, t("form.missing")])));
      return empty.length > 0;
    },
    /** Shows a refusal at its fields. */
    tell: (answer: Answer<unknown>) => {
      const told = new Map((answer.problems ?? []).map(({ path, msg }) => [path.replace(/^(rule|actualTime|deviation)\./, ""), msg]));
      setProblems(told.size > 0 ? told : new Map([["", answer.msg ?? t("failed")]]));
    },
    /** What is wrong with the whole, or with a field the form does not show. */
    rest: (shown: readonly string[]) => [...problems].find(([path]) => !shown.includes(path))?.[1],
  };
}
