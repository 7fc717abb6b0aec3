"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import { type PlanState, readState } from "./plan-state.ts";

const saveDelayMs = 1_000;

/** The view of the person, kept on the server a moment after every change. */
export function usePlanState(home: unknown): [PlanState, (change: Partial<PlanState>) => void] {
  const [state, setState] = useState(() => readState(home));
  const kept = useRef(state);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    // A view that could not be kept is no reason to interrupt; the next change tries again.
    void callDoor("wbs/saveHomePage", { state: kept.current });
  }, []);

  const change = useCallback(
    (part: Partial<PlanState>) => {
      kept.current = { ...kept.current, ...part };
      setState(kept.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, saveDelayMs);
    },
    [save],
  );

  useEffect(
    () => () => {
      if (timer.current !== undefined) save();
    },
    [save],
  );
  return [state, change];
}
