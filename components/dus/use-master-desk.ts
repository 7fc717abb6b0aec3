"use client";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import type { z } from "zod";
import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import type { GridHead, Refusal } from "#components/grid/grid-model.ts";
import { PagedList, type PagedRow } from "#components/grid/paged-list.ts";
import type { Params } from "#lib/core/error.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { duCodeFields, duFields, siteFields } from "#lib/rollout-plan/dus/schema.ts";

const numbered = new Set(["regionId", "subcontractorId"]);

/** Everything behind a table of master data that lives outside React: its rows, the unsaved edits, the state of the grid. */
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
  const [desk] = useState(() => {
    const list = new PagedList(address, { yes: "", no: "", readOnly: { code: "NO_PERMISSION", cause: "" } }, () => mayEdit);
    const edits = new EditStore({ unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: words("unreadable", { typed }) }) });
    const grid = new GridController<PagedRow>(list, edits);
    return { list, edits, grid };
  });
  desk.grid.readOnly = !mayEdit;
  desk.list.texts = { yes: t("values.flag.yes"), no: t("values.flag.no"), readOnly: { code: "NO_PERMISSION", cause: t("list.readOnly") } };

  useEffect(() => {
    const titles = new Map(head.groups.flatMap((group) => group.columns.map((column) => [column.key, column.title])));
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
          { columnKey: edit.columnKey, refusal: refusal(code, { ...problem.params, field: titles.get(edit.columnKey) ?? edit.columnKey }) },
        ];
      }),
    );
  }, [desk, head, address, refusal]);
  return { ...desk, refusal };
}
