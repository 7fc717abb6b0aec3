"use client";
import { Button, MultiSelect, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { roleName } from "#lib/core/format.ts";
import { roles } from "#lib/permissions.ts";
import { isAddress } from "#lib/reminders/outbox/logic.ts";
import { addressesMax } from "#lib/reminders/recipients/limits.ts";
import { splitAddresses } from "#lib/reminders/recipients/logic.ts";
import type { Receivers } from "#lib/reminders/recipients/schema.ts";
import type { Named, ReminderChoices } from "#lib/reminders/rules/queries.ts";
import classes from "./reminders.module.css";

/** Options of a choice: what is offered now, and what is chosen already and may be offered no longer. */
export function optionsOf(offered: readonly Named[], known: readonly Named[] = []): { value: string; label: string }[] {
  const all = new Map([...known, ...offered].map(({ id, name }) => [String(id), name]));
  return [...all].map(([value, label]) => ({ value, label }));
}

type Props = {
  id: string;
  value: Receivers;
  choices: Pick<ReminderChoices, "people" | "groups">;
  /** People and groups of a saved reminder. */
  known?: { people: readonly Named[]; groups: readonly Named[] } | undefined;
  /** Addresses outside may be named. */
  outside: boolean;
  required?: boolean;
  problems: ReadonlyMap<string, string>;
  /** Where the problems of its fields stand: `receivers.`. */
  path?: string;
  onChange: (value: Receivers) => void;
};

/** Whom a reminder writes to: people, groups, roles, and addresses outside, of which wrong ones are named. */
export function ReceiverFields({ id, value, choices, known, outside, required = false, problems, path = "receivers.", onChange }: Props) {
  const t = useTranslations("reminder-rules");
  const change = (part: Partial<Receivers>) => onChange({ ...value, ...part });
  // Addresses as they are typed or pasted, with `;` or line breaks between them; what is wrong with them is told when the field is left.
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed === null ? value.addresses.filter((address) => !isAddress(address)) : [];
  const tooMany = value.addresses.length > addressesMax;
  const addressProblem =
    wrong.length > 0
      ? t("form.wrongAddresses", { addresses: wrong.join("; ") })
      : tooMany
        ? t("form.tooManyAddresses", { max: addressesMax })
        : problems.get(`${path}addresses`);
  return (
    <div className={classes.receivers}>
      <Field
        id={`${id}-people`}
        label={t("form.people")}
        required={required}
        error={problems.get(`${path}userIds`) ?? problems.get("receivers")}
      >
        <MultiSelect
          id={`${id}-people`}
          searchable
          hidePickedOptions
          limit={100}
          data={optionsOf(choices.people, known?.people)}
          value={value.userIds.map(String)}
          aria-describedby={fieldNoteId(`${id}-people`)}
          onChange={(ids) => change({ userIds: ids.map(Number) })}
        />
      </Field>
      <Field id={`${id}-groups`} label={t("form.groups")} error={problems.get(`${path}groupIds`)}>
        <MultiSelect
          id={`${id}-groups`}
          searchable
          hidePickedOptions
          nothingFoundMessage={t("form.noGroups")}
          data={optionsOf(choices.groups, known?.groups)}
          value={value.groupIds.map(String)}
          aria-describedby={fieldNoteId(`${id}-groups`)}
          onChange={(ids) => change({ groupIds: ids.map(Number) })}
        />
      </Field>
      <Field id={`${id}-roles`} label={t("form.roles")} required={required && !outside} error={problems.get(`${path}roles`)}>
        <MultiSelect
          id={`${id}-roles`}
          searchable
          hidePickedOptions
          data={roles.map((role) => ({ value: role, label: roleName(role) }))}
          value={value.roles}
          aria-describedby={fieldNoteId(`${id}-roles`)}
          onChange={(codes) => change({ roles: codes as Receivers["roles"] })}
        />
      </Field>
      {outside ? (
        <Field
          id={`${id}-addresses`}
          label={t("form.addresses")}
          count={{ used: value.addresses.length, max: addressesMax }}
          help={t("form.addressesHelp")}
          error={addressProblem}
        >
          <Textarea
            id={`${id}-addresses`}
            autosize
            minRows={1}
            maxRows={5}
            value={typed ?? value.addresses.join("; ")}
            error={Boolean(addressProblem)}
            aria-describedby={fieldNoteId(`${id}-addresses`)}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              change({ addresses: splitAddresses(currentTarget.value) });
            }}
            onBlur={() => setTyped(null)}
          />
          {wrong.length > 0 ? (
            <Button mt={6} onClick={() => change({ addresses: value.addresses.filter(isAddress) })}>
              {t("form.dropWrong", { count: wrong.length })}
            </Button>
          ) : null}
        </Field>
      ) : null}
    </div>
  );
}
