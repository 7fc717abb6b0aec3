"use client";
import { useTranslations } from "next-intl";
import type { CSSProperties, ReactNode } from "react";
import type { Status } from "./glyph-paths.ts";
import { StatusGlyph } from "./status-glyph.tsx";
import classes from "./status-tag.module.css";

/** An activity status as glyph, word and colour. `text` replaces the word: NA or INV, a date, a count. */
export function StatusTag({ status, text, plain = false }: { status: Status; text?: ReactNode; plain?: boolean }) {
  const t = useTranslations("ui");
  if (plain)
    return (
      <span className={classes.plain}>
        <StatusGlyph status={status} />
        {text ?? t(`status.${status}`)}
      </span>
    );
  return (
    <span className={classes.tag} data-status={status} style={{ "--c": `var(--st-${status})` } as CSSProperties}>
      <StatusGlyph status={status} color="currentColor" />
      {text ?? t(`status.${status}`)}
    </span>
  );
}

export type Tone = "neutral" | "ok" | "warn" | "danger" | "info";

/** A short word about a record that is no activity: released, running, expired. Meaning never by tone alone. */
export function Tag({ tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.tag} style={tone === "neutral" ? undefined : ({ "--c": `var(--${tone})` } as CSSProperties)}>
      {icon}
      {children}
    </span>
  );
}
