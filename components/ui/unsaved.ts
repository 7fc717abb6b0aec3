"use client";
import { useEffect, useId, useSyncExternalStore } from "react";

const dirty = new Set<string>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Marks this component as holding unsaved edits while `isDirty`; the shell then asks before the page is left. */
export function useUnsaved(isDirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    dirty.add(id);
    tell();
    return () => {
      dirty.delete(id);
      tell();
    };
  }, [id, isDirty]);
}

/** Whether anything on the page is unsaved. */
export function hasUnsaved(): boolean {
  return dirty.size > 0;
}

/** The same, kept up to date in a component. */
export function useHasUnsaved(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hasUnsaved,
    () => false,
  );
}
