"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import { type PlanState, readState } from "./plan-state.ts";

const saveDelayMs = 1_000;

/** How the view of the person is changed. */
export type PlanStateActions = {
  change: (part: Partial<PlanState>) => void;
  /** Shows a whole other view. A borrowed one and its changes are not kept as the home page. */
  open: (view: unknown, borrowed: boolean) => void;
  /** Keeps what is shown as the home page from now on. */
  adopt: () => void;
};

/**
 * The view of the person, kept on the server a moment after every change.
 * @param home the view to begin with, as it was kept
 * @param borrowed it is a saved view, not the home page
 */
export function usePlanState(home: unknown, borrowed: boolean): [PlanState, PlanStateActions] {
  const [state, setState] = useState(() => readState(home));
  const kept = useRef(state);
  const isBorrowed = useRef(borrowed);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    // A view that could not be kept is no reason to interrupt; the next change tries again.
    void callDoor("wbs/saveHomePage", { state: kept.current });
  }, []);

  const actions = useMemo<PlanStateActions>(
    () => ({
      change: (part) => {
        kept.current = { ...kept.current, ...part };
        setState(kept.current);
        if (isBorrowed.current) return;
        clearTimeout(timer.current);
        timer.current = setTimeout(save, saveDelayMs);
      },
      open: (view, other) => {
        if (timer.current !== undefined) save();
        isBorrowed.current = other;
        kept.current = readState(view);
        setState(kept.current);
      },
      adopt: () => {
        isBorrowed.current = false;
        save();
      },
    }),
    [save],
  );

  useEffect(
    () => () => {
      if (timer.current !== undefined) save();
    },
    [save],
  );
  return [state, actions];
}
