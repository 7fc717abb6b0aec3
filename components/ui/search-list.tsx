"use client";

import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import classes from "./search-list.module.css";

type Props = {
  /** Name of the list and of its search field. */
  label: string;
  /** Said where no choice fits what was typed. */
  nothing: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChoose: (value: string) => void;
  /** Escape leaves without a choice. */
  onLeave: () => void;
};

/** Choices to search by typing, the present one marked: arrows go through them, Enter takes one. Stands in a panel that opens on demand. */
export function SearchList({ label, nothing, options, value, onChoose, onLeave }: Props) {
  const [word, setWord] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const list = useCombobox({ opened: true, onDropdownClose: onLeave });
  // The panel may be open for a while before this has been read.
  useEffect(() => field.current?.focus(), []);
  const sought = word.trim().toLowerCase();
  const found = options.filter((option) => option.label.toLowerCase().includes(sought));
  // biome-ignore lint/correctness/useExhaustiveDependencies: marked anew for every word, and only then
  useEffect(() => {
    if (sought) list.selectFirstOption();
    else list.selectActiveOption();
  }, [sought]);
  return (
    <Combobox store={list} onOptionSubmit={onChoose}>
      <Combobox.EventsTarget>
        <TextInput
          ref={field}
          data-autofocus
          leftSection={<IconSearch size={16} stroke={1.4} aria-hidden />}
          aria-label={label}
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.options} aria-label={label}>
        {found.map((option) => (
          <Combobox.Option key={option.value} value={option.value} active={option.value === value}>
            {option.label}
          </Combobox.Option>
        ))}
        {found.length === 0 ? <Combobox.Empty>{nothing}</Combobox.Empty> : null}
      </Combobox.Options>
    </Combobox>
  );
}
