"use client";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { ClipboardEvent, Ref } from "react";
import classes from "./outputs.module.css";

// As tall as the buttons beside them.
const low = () => ({ wrapper: { "--input-height": "28px" } });

type SearchProps = {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
  onPaste?: ((event: ClipboardEvent<HTMLInputElement>) => void) | undefined;
  fieldRef?: Ref<HTMLInputElement> | undefined;
};

/** What is looked for, in a bar of tools. */
export function SearchField({ label, hint, value, onChange, onPaste, fieldRef }: SearchProps) {
  return (
    <TextInput
      ref={fieldRef}
      className={classes.search}
      vars={low}
      aria-label={label}
      placeholder={hint}
      leftSection={<IconSearch size={16} stroke={1.4} aria-hidden="true" />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onPaste={onPaste}
    />
  );
}

type SelectProps = { label: string; value: string; data: { value: string; label: string }[]; onChange: (value: string) => void };

/** A choice in a bar of tools. */
export function BarSelect({ label, value, data, onChange }: SelectProps) {
  return (
    <NativeSelect
      vars={low}
      className={classes.select}
      aria-label={label}
      value={value}
      data={data}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
