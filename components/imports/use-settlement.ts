"use client";
import { useMemo, useState } from "react";
import type { Side } from "#lib/imports/kind/logic.ts";
import type { Settlement } from "#lib/imports/logic.ts";

/** A cell in conflict; `mixed`: its row has other changes too. */
export type DisputedCell = { row: number; path: string; mixed: boolean };

/** What the person decides about cells changed on both sides: one value for all, and the cells where it is the other. */
export type Settling = {
  settlement: Settlement;
  /** Rows that would be written for a decision about their cells alone. */
  ownRows: number;
  sideOf: (cell: Pick<DisputedCell, "row" | "path">) => Side;
  decide: (cell: DisputedCell, side: Side) => void;
  decideAll: (side: Side) => void;
  reset: () => void;
};

const keyOf = ({ row, path }: Pick<DisputedCell, "row" | "path">) => `${row} ${path}`;

/** Keeps the decisions; the present values stand until somebody asks for those of the file. */
export function useSettlement(): Settling {
  const [side, setSide] = useState<Side>("theirs");
  const [apart, setApart] = useState<ReadonlyMap<string, DisputedCell>>(new Map());
  return useMemo(() => {
    const other: Side = side === "mine" ? "theirs" : "mine";
    const cells = [...apart.values()];
    return {
      settlement: { side, except: cells.map(({ row, path }) => ({ row, path })) },
      ownRows: new Set(cells.filter((cell) => !cell.mixed).map((cell) => cell.row)).size,
      sideOf: (cell) => (apart.has(keyOf(cell)) ? other : side),
      decide: (cell, wanted) => {
        const next = new Map(apart);
        if (wanted === side) next.delete(keyOf(cell));
        else next.set(keyOf(cell), cell);
        setApart(next);
      },
      decideAll: (wanted) => {
        setSide(wanted);
        setApart(new Map());
      },
      reset: () => {
        setSide("theirs");
        setApart(new Map());
      },
    };
  }, [side, apart]);
}
