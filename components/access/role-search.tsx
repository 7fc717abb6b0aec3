"use client";
import { MultiSelect, TextInput } from "@mantine/core";
import { roleName } from "#lib/core/format.ts";
import type { Role } from "#lib/permissions.ts";

type Props = {
  /** What is looked for, and what it is called. */
  text: string;
  textLabel: string;
  onText: (text: string) => void;
  /** The roles to choose from, what they are called, and those chosen; none means all. */
  roles: readonly Role[];
  rolesLabel: string;
  chosen: string[];
  onChosen: (roles: string[]) => void;
};

/** The fields every list of rights begins with: a text, and the roles it is about. */
export function RoleSearch({ text, textLabel, onText, roles, rolesLabel, chosen, onChosen }: Props) {
  return (
    <>
      <TextInput
        size="xs"
        w={220}
        type="search"
        aria-label={textLabel}
        placeholder={textLabel}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <MultiSelect
        size="xs"
        w={220}
        aria-label={rolesLabel}
        placeholder={chosen.length === 0 ? rolesLabel : undefined}
        clearable
        searchable
        data={roles.map((role) => ({ value: role, label: roleName(role) }))}
        value={chosen}
        onChange={onChosen}
      />
    </>
  );
}
