"use client";
import { type RefObject, useEffect, useEffectEvent } from "react";

/**
 * Runs on Ctrl+Enter wherever the focus is while a dialog is open, except in a question above it.
 * @param content something inside the dialog
 */
export function useDialogShortcut(content: RefObject<HTMLElement | null>, run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !content.current) return;
    const dialog = event.target instanceof Element ? event.target.closest("[aria-modal]") : null;
    if (dialog && !dialog.contains(content.current)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
