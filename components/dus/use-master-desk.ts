"use client";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import type { z } from "zod";
import type { GridHead, Refusal } from "#components/grid/grid-model.ts";
import { setColumns } from "#components/grid/row-desk.ts";
import type { Params } from "#lib/core/error.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { duCodeFields, duFields, siteFields } from "#lib/rollout-plan/dus/schema.ts";
import { makeMasterDesk } from "./master-desk.ts";

const numbered = new Set(["regionId", "subcontractorId"]);

/** The desk of a table of master data, its cells checked while they are typed as the save checks them, and how a refusal is said. */
export function useMasterDesk(address: string, head: GridHead, mayEdit: boolean) {
  const t = useTranslations("dus");
  const errors = useTranslations("errors");
  const words = useTranslations("grid");
  const refusal = useMemo(
    () =>
      (code: string, params: Params): Refusal => ({
        code,
        cause: errors.has(code as never) ? errors(code as never, params as never) : code,
      }),
    [errors],
  );
  const texts = { yes: t("values.flag.yes"), no: t("values.flag.no"), readOnly: { code: "NO_PERMISSION", cause: t("list.readOnly") } };
  const [desk] = useState(() =>
    makeMasterDesk(address, mayEdit, {
      unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: words("unreadable", { typed }) }),
      somebody: words("rowConflict.somebody"),
      texts,
    }),
  );
  desk.grid.readOnly = !mayEdit;
  desk.list.texts = texts;

  useEffect(() => setColumns(desk, head), [desk, head]);
  useEffect(() => {
    const fields = (address === "du/list" ? { ...duFields, ...duCodeFields } : siteFields) as Record<string, z.ZodType>;
    desk.edits.setCheck((_rowKey, changed) =>
      [...changed.values()].flatMap((edit) => {
        const schema = fields[edit.columnKey];
        if (!schema || edit.typed !== undefined) return [];
        const value = numbered.has(edit.columnKey) && edit.mine !== null ? Number(edit.mine) : edit.mine;
        const parsed = schema.safeParse(value);
        if (parsed.success) return [];
        const [problem] = zodProblems(parsed.error, value);
        if (!problem) return [];
        const code = value === null ? "VALUE_MISSING" : problem.code;
        return [
          {
            columnKey: edit.columnKey,
            refusal: refusal(code, { ...problem.params, field: desk.columns.get(edit.columnKey)?.title ?? edit.columnKey }),
          },
        ];
      }),
    );
  }, [desk, address, refusal]);
  return { desk, refusal };
}
