"use client";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { directoryKeyChars } from "#lib/session/limits.ts";

/** Somebody found. */
export type Person = { id: number; account: string; name: string };
type Found = { id?: number; userId?: number; account: string; name: string };

const shown = 20;
const typingMs = 300;

type Props = {
  id?: string;
  /** The directory of everybody, or the members of the project. */
  among: "directory" | "members";
  value: Person | null;
  onChange: (person: Person | null) => void;
  placeholder?: string;
  /** Where no label belongs to the field. */
  "aria-label"?: string;
  "aria-describedby"?: string;
  error?: boolean;
  disabled?: boolean;
};

/** A person found by account, name or e-mail while typing. */
export function PersonField({ among, value, onChange, ...rest }: Props) {
  const common = useTranslations("common");
  const t = useTranslations("access.grantDialog");
  const project = useProjectNumber();
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text.trim(), typingMs);
  const enough = typed.length >= directoryKeyChars && typed !== (value && labelOf(value));
  const found = useQuery({
    queryKey: ["people", project, among, typed],
    enabled: enough,
    queryFn: async ({ signal }) => {
      const answer =
        among === "directory"
          ? await callDoor<{ records: Found[] }>("user/searchDirectory", { searchKey: typed, page: 1, size: shown }, { signal })
          : await callDoor<{ records: Found[] }>(
              listAddress("memberRole/list", 1, shown, [{ field: "search", type: "like", values: [typed] }]),
              {},
              { signal },
            );
      return dataOf(answer).records.map(({ id, userId, account, name }): Person => ({ id: (id ?? userId) as number, account, name }));
    },
    meta: lookup,
  });
  const people = enough ? (found.data ?? []) : [];
  const choices = value && !people.some((person) => person.id === value.id) ? [value, ...people] : people;
  return (
    <Select
      {...rest}
      searchable
      clearable
      clearButtonProps={{ "aria-label": common("clear") }}
      data={choices.map((person) => ({ value: String(person.id), label: labelOf(person) }))}
      // The server has searched; what it found stays.
      filter={({ options }) => options}
      value={value ? String(value.id) : null}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={enough && found.isSuccess ? t("noHits") : undefined}
      onChange={(chosen) => {
        // A field that only collects people is empty again at once.
        if (value === null) setText("");
        onChange(choices.find((person) => String(person.id) === chosen) ?? null);
      }}
    />
  );
}

const labelOf = (person: Person) => `${person.name} (${person.account})`;
