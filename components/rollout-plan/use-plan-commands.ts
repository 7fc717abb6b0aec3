"use client";

import { useTranslations } from "next-intl";
import { useMemo, useRef } from "react";
import { type Command, useCommands } from "#components/ui/commands.ts";
import { batchDusMax } from "#lib/rollout-plan/batches/limits.ts";
import type { BatchKind } from "./plan-batches.tsx";
import type { PlanEntry } from "./plan-entries.ts";
import { gridViewKey, type PlanView } from "./plan-views.ts";

type Given = {
  readOnly: boolean;
  mayExport: boolean;
  /** A save that can be taken back. */
  mayUndo: boolean;
  /** How many rows are chosen. */
  chosen: number;
  entries: readonly PlanEntry[];
  kinds: readonly BatchKind[];
  views: readonly PlanView[];
  /** The view that is shown. */
  view: string;
  run: {
    save: () => void;
    undo: () => void;
    toProblem: () => void;
    search: () => void;
    templates: () => void;
    columns: () => void;
    exceptions: () => void;
    export: () => void;
    view: (key: string) => void;
    batch: (kind: BatchKind) => void;
    entry: (entry: PlanEntry) => void;
  };
};

/** Offers in the command box what can be done on the plan now: its own verbs, those of other areas, the views. What needs chosen rows is offered while there are as many as it takes. */
export function usePlanCommands(given: Given): void {
  const t = useTranslations("plan-grid");
  const { readOnly, mayExport, mayUndo, chosen, entries, kinds, views, view } = given;
  // What is run is always of this moment; the list changes only with what is offered.
  const now = useRef(given.run);
  now.current = given.run;
  const commands = useMemo<Command[]>(() => {
    const run =
      <Key extends keyof Given["run"]>(key: Key, ...args: Parameters<Given["run"][Key]>) =>
      () =>
        (now.current[key] as (...given: unknown[]) => void)(...args);
    const fits = (max = Number.POSITIVE_INFINITY) => chosen > 0 && chosen <= max;
    const shownEntries = entries.filter((entry) => "dialog" in entry && entry.place !== "cell" && (!entry.rows || fits(entry.rowsMax)));
    const shownViews = [{ key: gridViewKey, label: t("views.grid") }, ...views.filter((other) => "view" in other)];
    return [
      ...(readOnly ? [] : [{ key: "plan-save", label: t("save.button"), shortcut: "Ctrl S", run: run("save") }]),
      ...(mayUndo ? [{ key: "plan-undo", label: t("commands.undo"), run: run("undo") }] : []),
      { key: "plan-problem", label: t("commands.problem"), shortcut: "F8", run: run("toProblem") },
      { key: "plan-search", label: t("search.label"), shortcut: "Ctrl F", run: run("search") },
      ...shownEntries.map((entry) => ({ key: `plan-${entry.key}`, label: entry.label, run: run("entry", entry) })),
      ...(fits(batchDusMax) ? kinds : []).map((kind) => ({
        key: `plan-batch-${kind}`,
        label: t(`batch.items.${kind}`),
        run: run("batch", kind),
      })),
      ...(views.length === 0 ? [] : shownViews)
        .filter(({ key }) => key !== view)
        .map(({ key, label }) => ({ key: `plan-view-${key}`, label: t("commands.view", { view: label }), run: run("view", key) })),
      { key: "plan-exceptions", label: t("exception.button"), run: run("exceptions") },
      { key: "plan-templates", label: t("templates.button"), run: run("templates") },
      ...(view === gridViewKey ? [{ key: "plan-columns", label: t("columns.title"), run: run("columns") }] : []),
      ...(mayExport ? [{ key: "plan-export", label: t("commands.export"), run: run("export") }] : []),
    ];
  }, [readOnly, mayExport, mayUndo, chosen, entries, kinds, views, view, t]);
  useCommands(commands);
}
