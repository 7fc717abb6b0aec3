"use client";
import { useCallback, useEffect, useState } from "react";
import { loadingDelayMs } from "./use-delayed.ts";

/** Milliseconds after which a loading indicator gives up. OPS-36 */
export const loadingMaxMs = 60_000;

/** What a loading indicator shows: nothing yet, that something is loading, that it is not complete and to be tried later. */
export type LoadingState = "hidden" | "shown" | "late";

/**
 * State of the loading indicator of something that is loaded while `active`.
 * @returns `again` begins anew, for a retry while the first try is still open
 */
export function useLoading(active: boolean): { state: LoadingState; again: () => void } {
  const [state, setState] = useState<LoadingState>("hidden");
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins anew
  useEffect(() => {
    setState("hidden");
    if (!active) return;
    const timers = [setTimeout(() => setState("shown"), loadingDelayMs), setTimeout(() => setState("late"), loadingMaxMs)];
    return () => timers.forEach(clearTimeout);
  }, [active, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { state: active ? state : "hidden", again };
}
