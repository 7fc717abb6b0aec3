"use client";
import { useEffect, useId, useSyncExternalStore } from "react";

/** A verb of the present screen, offered in the command box. */
export type Command = { key: string; label: string; shortcut?: string; run: () => void };

const offered = new Map<string, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];

function changed(): void {
  all = [...offered.values()].flat();
  for (const listener of listeners) listener();
}

/** Offers verbs in the command box while this component is shown. Keep the array stable (useMemo). */
export function useCommands(commands: readonly Command[]): void {
  const id = useId();
  useEffect(() => {
    offered.set(id, commands);
    changed();
    return () => {
      offered.delete(id);
      changed();
    };
  }, [id, commands]);
}

const none: readonly Command[] = [];

/** Every verb that is offered now. */
export function useOfferedCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => all,
    () => none,
  );
}
