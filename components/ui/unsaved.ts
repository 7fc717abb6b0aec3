"use client";
import { useEffect, useId, useSyncExternalStore } from "react";

/** Components with unsaved edits, and whether this browser keeps them. */
const dirty = new Map<string, boolean>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/**
 * Marks this component as holding unsaved edits while `isDirty`; the shell then asks before the page is left.
 * @param kept this browser keeps them: who leaves finds them again
 */
export function useUnsaved(isDirty: boolean, kept = false): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    dirty.set(id, kept);
    tell();
    return () => {
      dirty.delete(id);
      tell();
    };
  }, [id, isDirty, kept]);
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

/** Whether all that is unsaved is kept by this browser, so that leaving loses nothing. */
export function isAllKept(): boolean {
  return [...dirty.values()].every(Boolean);
}

let ask: ((go: () => void) => void) | null = null;

/** Goes away from the page at the wish of the person; while something is unsaved, the shell asks first. */
export function askToLeave(go: () => void): void {
  if (ask && hasUnsaved()) ask(go);
  else go();
}

/** Takes over the questions of `askToLeave`; gives what ends it. */
export function answerLeaving(asked: (go: () => void) => void): () => void {
  ask = asked;
  return () => {
    ask = null;
  };
}
