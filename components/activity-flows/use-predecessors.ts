"use client";
import { useTranslations } from "next-intl";
import { useCallback, useMemo } from "react";
import type { EditorEvent, EditorGraph } from "#lib/activity-flows/editor/logic.ts";
import { offsetDaysMax } from "#lib/activity-flows/graph/limits.ts";
import { type ParsedPredecessors, parsePredecessors, predecessorsText } from "#lib/activity-flows/graph/logic.ts";

/** Predecessors as text for the forms of the editor: `text(key)` writes them, `commit` reads what was typed and says why it cannot. */
export function usePredecessors(graph: EditorGraph, onChange: (event: EditorEvent) => void) {
  const t = useTranslations("activity-flows");
  const order = useMemo(() => graph.nodes.map((node) => node.key), [graph.nodes]);
  const places = useMemo(() => new Map(order.map((key, at) => [key, at + 1])), [order]);
  const text = useCallback((key: string) => predecessorsText(key, graph.relations, places), [graph.relations, places]);
  const faultText = useCallback(
    (faults: ParsedPredecessors["faults"]) =>
      faults.map((fault) => t(`predecessor.${fault.code}`, { entry: fault.entry, max: offsetDaysMax, rows: order.length })).join(" "),
    [t, order.length],
  );
  const commit = useCallback(
    (key: string, typed: string): string | null => {
      const parsed = parsePredecessors(typed, key, order);
      if (parsed.faults.length > 0) return faultText(parsed.faults);
      onChange({ do: "predecessors", key, relations: parsed.relations });
      return null;
    },
    [order, onChange, faultText],
  );
  return { text, commit, faultText, places };
}
