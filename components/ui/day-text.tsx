"use client";
import { useState } from "react";
import { parseDay } from "#lib/imports/kind/logic.ts";
import classes from "./day-text.module.css";

type Props = {
  /** ISO day, empty for none. */
  value: string;
  onChange: (day: string) => void;
  "aria-label": string;
  "aria-describedby"?: string | undefined;
  /** It was changed and is not saved yet. */
  changed?: boolean;
  error?: boolean;
};

/** A day typed into a cell of a table of many: as light as a text, shown as 2026-10-14 in every language. What is no day is handed on as it stands. */
export function DayText({ value, onChange, changed = false, error = false, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const done = () => {
    if (typed === null) return;
    const text = typed.trim();
    onChange(text === "" ? "" : (parseDay(text, "ymd") ?? text));
    setTyped(null);
  };
  return (
    <input
      {...rest}
      className={classes.day}
      type="text"
      inputMode="numeric"
      autoComplete="off"
      placeholder="2026-10-14"
      maxLength={10}
      value={typed ?? value}
      data-changed={changed || undefined}
      aria-invalid={error || undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        const day = parseDay(event.currentTarget.value, "ymd");
        if (day !== null || event.currentTarget.value === "") onChange(day ?? "");
      }}
      onBlur={done}
    />
  );
}
