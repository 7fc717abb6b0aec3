"use client";
import { formatNumber } from "#lib/core/format.ts";
import classes from "./group-filter.module.css";

type Props<Key extends string> = {
  /** What the choice is about. */
  label: string;
  groups: readonly { key: Key; label: string; count?: number | undefined }[];
  value: Key;
  onChange: (key: Key) => void;
};

/** A choice of one group out of a few, all in sight, as a list is narrowed to. */
export function GroupFilter<Key extends string>({ label, groups, value, onChange }: Props<Key>) {
  return (
    <fieldset className={classes.groups}>
      <legend className={classes.legend}>{label}</legend>
      {groups.map((group) => (
        <button
          key={group.key}
          type="button"
          className={classes.group}
          aria-pressed={group.key === value}
          onClick={() => onChange(group.key)}
        >
          {group.label}
          {group.count === undefined ? null : <span className={classes.count}>{formatNumber(group.count)}</span>}
        </button>
      ))}
    </fieldset>
  );
}
