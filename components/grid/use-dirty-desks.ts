"use client";
import { useCallback, useSyncExternalStore } from "react";
import { useUnsaved } from "#components/ui/unsaved.ts";
import type { EditStore } from "./edit-store.ts";

type Desk = { edits: EditStore };

/** Whether a table, shown or not, holds what is not saved; the shell then asks before the page is left. */
export function useDirtyDesks(desks: ReadonlyMap<string, Desk>, shown: Desk | undefined): boolean {
  // Only the desk that is shown changes; when another one is shown the listeners are set anew.
  const subscribe = useCallback((listener: () => void) => shown?.edits.subscribe(listener) ?? (() => {}), [shown]);
  const isDirty = useSyncExternalStore(
    subscribe,
    () => [...desks.values()].some(({ edits }) => edits.counts.dirty > 0),
    () => false,
  );
  useUnsaved(isDirty);
  return isDirty;
}
