"use client";
import { type RefObject, useEffect, useLayoutEffect } from "react";

const reachable = "button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), a[href]";

/**
 * Keeps the focus within an element whose content changes: what was chosen is often replaced by what comes next, and a focus that went with it would leave the
 * keyboard, Escape included, with nobody. It goes to what wants it, else to the first part one can reach, else to the element. In the end it goes back to what
 * opened the element, unless it has been taken elsewhere by then; an element that fades away takes it no more.
 * @param element null = nothing is kept
 */
export function useKeptFocus(element: HTMLElement | null, opener: RefObject<HTMLElement | null>): void {
  // Before anything within asks for the focus: one that was fading away is opened again.
  useLayoutEffect(() => {
    if (element) element.inert = false;
  }, [element]);
  useEffect(() => {
    if (!element) return;
    const before = opener.current;
    const keep = () => {
      if (document.activeElement !== document.body) return;
      const next = element.querySelector<HTMLElement>("[data-autofocus]") ?? element.querySelector<HTMLElement>(reachable) ?? element;
      next.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      const { activeElement } = document;
      if (activeElement === document.body || element.contains(activeElement)) before?.focus({ preventScroll: true });
      // Who asked for the focus when it opened may get a turn only now, and would take it along.
      element.inert = true;
    };
  }, [element, opener]);
}
