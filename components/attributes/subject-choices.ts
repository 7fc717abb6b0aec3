import { roleName } from "#lib/core/format.ts";
import { roles } from "#lib/permissions.ts";

/** A member of the project, as lists of choices name him. */
export type Person = { id: number; name: string; account: string };

export const roleChoices = roles.map((role) => ({ value: role, label: roleName(role) }));
export const personChoices = (people: readonly Person[]): { value: string; label: string }[] =>
  people.map(({ id, name, account }) => ({ value: String(id), label: `${name} (${account})` }));
