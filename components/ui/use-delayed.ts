"use client";
import { useEffect, useState } from "react";

/** Milliseconds after which a wait is shown. */
export const loadingDelayMs = 200;

/** True once `active` has lasted: a wait that ends sooner is never shown. */
export function useDelayed(active: boolean, after = loadingDelayMs): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!active) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), after);
    return () => clearTimeout(timer);
  }, [active, after]);
  return active && shown;
}
