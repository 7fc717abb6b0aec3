"use client";
import { IconSearch } from "@tabler/icons-react";
import type { ClipboardEvent } from "react";
import classes from "./search-field.module.css";

type Props = {
  label: string;
  /** Example shown while nothing is typed; the label where there is none. */
  hint?: string;
  title?: string;
  value: string;
  onChange: (text: string) => void;
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
};

/** Search in a tool bar. */
export function SearchField({ label, hint, title, value, onChange, onPaste }: Props) {
  return (
    <span className={classes.field}>
      <IconSearch size={16} stroke={1.4} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint ?? label}
        title={title}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onPaste={onPaste}
      />
    </span>
  );
}
