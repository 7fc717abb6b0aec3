"use client";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Confirm } from "./confirm.tsx";
import { useUnsaved } from "./unsaved.ts";

/** Whether values of a form are others than when it was opened. They are compared as JSON, so dates and sets are handed in as texts and lists. */
export function useEdited(values: unknown): boolean {
  const now = JSON.stringify(values);
  const [opened] = useState(now);
  return now !== opened;
}

/**
 * Keeps a dialog with unsaved edits from being closed by Escape, a click beside it or Cancel without a question; leaving the page asks as well.
 * @param onClose closes without a question; what has been saved calls it directly
 * @returns what the dialog calls to be closed, and the question, to be drawn inside the dialog
 */
export function useCloseGuard(isEdited: boolean, onClose: () => void): { close: () => void; question: ReactNode } {
  const t = useTranslations("ui.discard");
  const [asked, setAsked] = useState(false);
  useUnsaved(isEdited);
  // What was asked about is saved meanwhile.
  if (asked && !isEdited) setAsked(false);
  return {
    close: () => (isEdited ? setAsked(true) : onClose()),
    question: (
      <Confirm opened={asked} verb={t("verb")} danger onConfirm={onClose} onClose={() => setAsked(false)}>
        {t("text")}
      </Confirm>
    ),
  };
}
