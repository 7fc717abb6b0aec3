"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useRef } from "react";
import type { PlanDesk } from "./plan-desk.ts";

/**
 * The cell an address leads to (`?du=CODE&cell=7 3:planEnd`: the DU, then the column), made the active one once its DU is among the rows, and only once.
 * Call what it gives when rows have arrived.
 */
export function useWantedCell({ grid, source }: PlanDesk): () => void {
  const wanted = useSearchParams().get("cell");
  const gone = useRef<string | null>(null);
  return useCallback(() => {
    const [rowKey, columnKey] = wanted?.split(" ") ?? [];
    if (!rowKey || !columnKey || gone.current === wanted || source.indexOf(rowKey) === undefined) return;
    gone.current = wanted;
    grid.goTo(rowKey, columnKey);
  }, [grid, source, wanted]);
}
