"use client";
import { useEffect, useEffectEvent } from "react";

/** A part of the program that somebody waits for and whose code could not be read. */
export type UnreadPart = {
  /** Reads it again. */
  again: () => void;
  /** Closes what it would have shown, where it can be closed. */
  giveUp: (() => void) | undefined;
};

let parts: readonly UnreadPart[] = [];
const listeners = new Set<() => void>();

function keep(next: readonly UnreadPart[]): void {
  parts = next;
  for (const listener of listeners) listener();
}

/** The parts that are missing now, for the place that says so. */
export const unreadParts = {
  get: (): readonly UnreadPart[] => parts,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Says that a part is missing for as long as it is. */
export function useUnreadPart(missing: boolean, again: () => void, giveUp?: () => void): void {
  const readAgain = useEffectEvent(again);
  const close = useEffectEvent(() => giveUp?.());
  const closes = giveUp !== undefined;
  useEffect(() => {
    if (!missing) return;
    const part: UnreadPart = { again: () => readAgain(), giveUp: closes ? () => close() : undefined };
    keep([...parts, part]);
    return () => keep(parts.filter((one) => one !== part));
  }, [missing, closes]);
}
