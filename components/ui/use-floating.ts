"use client";
import { type ComponentType, useCallback, useEffect, useRef } from "react";
import { useLoaded } from "./use-loaded.ts";

/**
 * What every element that opens something over the page needs: its place, and the code of what it opens, read when the person comes near it by
 * pointer or key and at the latest when it is opened.
 */
export function useFloating<Props, Element extends HTMLElement = HTMLElement>(load: () => Promise<ComponentType<Props>>, opened: boolean) {
  const target = useRef<Element>(null);
  const [Part, read] = useLoaded(load);
  const come = useCallback(() => void read().catch(() => undefined), [read]);
  useEffect(() => {
    if (opened && !Part) come();
  }, [opened, Part, come]);
  return { target, Part, come };
}
