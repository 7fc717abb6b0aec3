"use client";
import { Input } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./field.module.css";
import { MarkGlyph } from "./status-glyph.tsx";

type Props = {
  label: string;
  /** Id of the control inside. */
  id: string;
  required?: boolean;
  /** Length and bound of a text: shown as 9 / 100, warning from 90 %. */
  count?: { used: number; max: number };
  /** Bounds of a number: shown as 0 – 1095. */
  range?: { min: number; max: number };
  help?: ReactNode;
  /** Replaces the help. */
  error?: string | undefined;
  width?: number | string;
  children: ReactNode;
};

/**
 * Frame of a form control: label above with counter or range at its right end, help or the error below.
 * The control inside carries `id`, `error={Boolean(error)}` and `aria-describedby={fieldNoteId(id)}`.
 */
export function Field({ label, id, required = false, count, range, help, error, width, children }: Props) {
  return (
    <Input.Wrapper
      className={classes.wrapper}
      style={width === undefined ? undefined : { width }}
      labelElement="label"
      labelProps={{ htmlFor: id }}
      label={
        <span className={classes.label}>
          {label}
          {required ? (
            <span className={classes.required} aria-hidden="true">
              *
            </span>
          ) : null}
          {count ? (
            <span className={classes.count} data-near={count.used >= count.max * 0.9 || undefined}>
              {count.used} / {count.max}
            </span>
          ) : null}
          {range ? (
            <span className={classes.count}>
              {range.min} – {range.max}
            </span>
          ) : null}
        </span>
      }
      description={error ? undefined : help}
      descriptionProps={{ id: fieldNoteId(id) }}
      error={
        error ? (
          <span className={classes.error}>
            <MarkGlyph mark="refused" />
            {error}
          </span>
        ) : undefined
      }
      errorProps={{ id: fieldNoteId(id) }}
    >
      {children}
    </Input.Wrapper>
  );
}

/** Id of the line below a control: its help or error. */
export function fieldNoteId(id: string): string {
  return `${id}-note`;
}
