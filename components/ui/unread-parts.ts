"use client";
import { useEffect, useEffectEvent } from "react";
import { holdValue } from "#lib/core/held-value.ts";

/** A part of the program that somebody waits for and whose code could not be read. */
export type UnreadPart = {
  /** Reads it again. */
  again: () => void;
  /** Closes what it would have shown, where it can be closed. */
  giveUp: (() => void) | undefined;
};

/** The parts that are missing now, for the place that says so. */
export const unreadParts = holdValue<readonly UnreadPart[]>([]);

/** Says that a part is missing for as long as it is. */
export function useUnreadPart(missing: boolean, again: () => void, giveUp?: () => void): void {
  const readAgain = useEffectEvent(again);
  const close = useEffectEvent(() => giveUp?.());
  const closes = giveUp !== undefined;
  useEffect(() => {
    if (!missing) return;
    const part: UnreadPart = { again: () => readAgain(), giveUp: closes ? () => close() : undefined };
    unreadParts.set([...unreadParts.get(), part]);
    return () => unreadParts.set(unreadParts.get().filter((one) => one !== part));
  }, [missing, closes]);
}
