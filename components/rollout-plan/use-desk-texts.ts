"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { GridColumn, Refusal } from "#components/grid/grid-model.ts";
import type { Params } from "#lib/core/error.ts";
import type { DeskTexts } from "./plan-desk.ts";

const unreadableKinds: Partial<Record<GridColumn["kind"], string>> = {
  date: "unreadableDate",
  month: "unreadableMonth",
  number: "unreadableNumber",
  choice: "unreadableChoice",
  flag: "unreadableChoice",
  people: "unreadablePeople",
};

/** Texts of statuses, refusals and their remedies in the language of the page. */
export function useDeskTexts(): DeskTexts {
  const t = useTranslations("plan-grid");
  const grid = useTranslations("grid");
  const errors = useTranslations("errors");
  return useMemo(() => {
    const refusal = (code: string, params: Params): Refusal => {
      const cause = t.has(`cause.${code}`) ? t(`cause.${code}`, params) : errors.has(code) ? errors(code, params) : code;
      // Some remedies differ by field: move the start, or move the end.
      const remedy = [`remedy.${code}_${params.field}`, `remedy.${code}`].find((key) => t.has(key));
      return { code, cause, ...(remedy ? { remedy: t(remedy, params) } : {}) };
    };
    const statuses = new Map<string, string>();
    return {
      // Asked for every cell that scrolls by.
      status: (status) => {
        const known = statuses.get(status);
        if (known !== undefined) return known;
        const word = t(`status.${status}`);
        statuses.set(status, word);
        return word;
      },
      shift: ({ kind, days, old }) => t(`compare.${kind}`, { days: Math.abs(days), old: old ?? "" }),
      wait: (days, exceeds) => t(exceeds ? "wait.exceeds" : "wait.long", { days }),
      yes: t("yes"),
      no: t("no"),
      refusal,
      unreadable: (typed, column) => {
        const remedy = column && unreadableKinds[column.kind];
        return { code: "VALUE_FORMAT", cause: grid("unreadable", { typed }), ...(remedy ? { remedy: grid(remedy) } : {}) };
      },
    };
  }, [t, grid, errors]);
}
