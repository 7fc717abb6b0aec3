"use client";
import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";

/** Somebody who can be chosen. */
export type Person = { account: string; name: string };

const shown = 20;
const typingMs = 300;

type Props = {
  id: string;
  value: readonly Person[];
  onChange: (people: Person[]) => void;
  most?: number;
  error?: boolean;
  "aria-describedby"?: string;
};

/** People in an order, found among the members of the project by name or account while typing; at most as many as an owner cell holds. [OWN-09] */
export function PeopleField({ value, onChange, most = ownersMax, ...rest }: Props) {
  const t = useTranslations("owners.form");
  const project = useProjectNumber();
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text.trim(), typingMs);
  const found = useQuery({
    queryKey: ["owner-people", project, typed],
    enabled: typed !== "",
    meta: lookup,
    queryFn: async ({ signal }) => {
      const filters = [{ field: "search", type: "like" as const, values: [typed] }];
      return dataOf(await callDoor<{ records: Person[] }>(listAddress("memberRole/list", 1, shown, filters), {}, { signal })).records;
    },
  });
  const known = new Map([...value, ...(typed === "" ? [] : (found.data ?? []))].map((person) => [person.account, person]));
  return (
    <MultiSelect
      {...rest}
      searchable
      maxValues={most}
      placeholder={value.length === 0 ? t("peopleSearch") : undefined}
      data={[...known.values()].map(({ account, name }) => ({ value: account, label: `${name} (${account})` }))}
      // The server has searched; what it found stays.
      filter={({ options }) => options}
      value={value.map(({ account }) => account)}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={typed !== "" && found.isSuccess ? t("noHits") : undefined}
      onChange={(accounts) => {
        setText("");
        onChange(accounts.map((account) => known.get(account) ?? { account, name: account }));
      }}
    />
  );
}
