"use client";
import { type ComponentType, useCallback, useEffect, useState } from "react";
import { useUnreadPart } from "./unread-parts.ts";

type Loaded<Props> = {
  /** The component, null until it is there. */
  Part: ComponentType<Props> | null;
  /** It is needed, and its code could not be read. */
  unread: boolean;
  /** Reads it once more; never throws. */
  again: () => void;
  /** Reads it ahead of its need, which may fail without a word; never throws. */
  come: () => void;
};

/**
 * A component whose code is read when it is needed, each time anew until it is there.
 * @param load gives the component; always the same function
 */
export function useLoaded<Props>(load: () => Promise<ComponentType<Props>>, needed: boolean): Loaded<Props> {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const [failed, setFailed] = useState(false);
  const read = useCallback((onFailure?: () => void) => void load().then((loaded) => setPart(() => loaded), onFailure ?? ignore), [load]);
  const again = useCallback(() => read(() => setFailed(true)), [read]);
  const come = useCallback(() => read(), [read]);
  const missing = needed && !Part;
  useEffect(() => {
    if (!missing) return;
    again();
    return () => setFailed(false);
  }, [missing, again]);
  return { Part, unread: missing && failed, again, come };
}

const ignore = () => {};

/**
 * As `useLoaded`, for what opens over the page: where its code cannot be read, the page says so.
 * @param giveUp closes what was to open
 */
export function useOpened<Props>(load: () => Promise<ComponentType<Props>>, opened: boolean, giveUp?: () => void) {
  const { Part, unread, again, come } = useLoaded(load, opened);
  useUnreadPart(unread, again, giveUp);
  return { Part, come };
}
