"use client";
import { IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { MarkGlyph, StatusGlyph } from "./status-glyph.tsx";
import classes from "./toast.module.css";

export type ToastTone = "done" | "note" | "problem" | "others";
export type ToastAction = { label: string; run: () => void };

const glyphs: Record<ToastTone, ReactNode> = {
  done: <StatusGlyph status="completed" size={16} color="var(--ok)" />,
  note: <MarkGlyph mark="refused" size={16} color="var(--fg-2)" />,
  problem: <StatusGlyph status="delayed" size={16} color="var(--danger)" />,
  others: <MarkGlyph mark="conflict" size={16} color="var(--info)" />,
};

/** The line inside a toast: glyph, words, at most two verbs, and the way to put it away. */
export function ToastLine({
  tone,
  text,
  actions,
  onClose,
}: {
  tone: ToastTone;
  text: ReactNode;
  actions: ToastAction[];
  onClose: () => void;
}) {
  const t = useTranslations("ui");
  return (
    <span className={classes.line}>
      {glyphs[tone]}
      <span className={classes.text}>{text}</span>
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          className={classes.action}
          onClick={() => {
            // What it offered is taken; it is not offered twice.
            onClose();
            action.run();
          }}
        >
          {action.label}
        </button>
      ))}
      <button type="button" className={classes.close} aria-label={t("toast.close")} title={t("toast.close")} onClick={onClose}>
        <IconX size={16} stroke={1.4} />
      </button>
    </span>
  );
}
