"use client";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { movedTime, readTime } from "./time-text.ts";

/** Minutes an arrow key moves a time by. */
const arrowMinutes = 15;

type Props = {
  id?: string;
  /** `HH:mm`, empty for none. */
  value: string;
  /** Told a time once one is typed, and nothing when the field is emptied. */
  onChange: (time: string) => void;
  "aria-label"?: string;
  "aria-describedby"?: string;
  error?: boolean;
  disabled?: boolean;
};

/** A time of the day, typed or moved by the arrow keys, shown as 08:30 in every language. */
export function TimeInput({ value, onChange, error = false, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  const set = (next: string) => {
    setTyped(next);
    const time = readTime(next);
    if (time !== null || next.trim() === "") onChange(time ?? "");
  };
  return (
    <TextInput
      {...rest}
      w={80}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      placeholder="08:30"
      value={text}
      error={error || (text.trim() !== "" && readTime(text) === null)}
      onChange={(event) => set(event.currentTarget.value)}
      onKeyDown={(event) => {
        const time = readTime(text);
        if (time === null || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        set(movedTime(time, event.key === "ArrowUp" ? arrowMinutes : -arrowMinutes));
      }}
      // What is no time gives way to the last one that was.
      onBlur={() => setTyped(null)}
    />
  );
}
