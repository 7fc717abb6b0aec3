"use client";
import { Button, TagsInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { isAddress } from "#lib/reminders/outbox/logic.ts";
import { addressesMax } from "#lib/reminders/recipients/limits.ts";
import { splitAddresses } from "#lib/reminders/recipients/logic.ts";
import classes from "./settings.module.css";

type Props = {
  id: string;
  label: string;
  required?: boolean;
  value: readonly string[];
  error?: string | undefined;
  onChange: (addresses: string[]) => void;
};

/** Addresses typed or pasted with semicolons or line breaks between them, each once; wrong ones are named and go at a click. */
export function AddressField({ id, label, required = false, value, error, onChange }: Props) {
  const t = useTranslations("reminders.notification");
  const [typed, setTyped] = useState("");
  const wrong = value.filter((address) => !isAddress(address));
  const add = (given: readonly string[]) => onChange(splitAddresses([...value, ...given]));
  return (
    <Field
      id={id}
      label={label}
      required={required}
      count={{ used: value.length, max: addressesMax }}
      help={t("addressesHelp")}
      error={error ?? (wrong.length > 0 ? t("wrong", { count: wrong.length, addresses: wrong.slice(0, 5).join("; ") }) : undefined)}
    >
      <TagsInput
        id={id}
        data-autofocus
        required={required}
        splitChars={[";"]}
        value={[...value]}
        searchValue={typed}
        error={wrong.length > 0}
        aria-describedby={fieldNoteId(id)}
        onSearchChange={setTyped}
        onChange={(addresses) => onChange(splitAddresses(addresses))}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text");
          if (!/[;\r\n]/.test(pasted)) return;
          event.preventDefault();
          add([pasted]);
        }}
        onBlur={() => {
          if (typed.trim() !== "") add([typed]);
          setTyped("");
        }}
      />
      {wrong.length > 0 ? (
        <Button className={classes.removeWrong ?? ""} size="compact-xs" onClick={() => onChange(value.filter(isAddress))}>
          {t("removeWrong")}
        </Button>
      ) : null}
    </Field>
  );
}
