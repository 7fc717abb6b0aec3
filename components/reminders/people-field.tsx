"use client";
import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";

type Member = { userId: number; account: string; name: string };

const shown = 20;
const typingMs = 300;

type Props = {
  id: string;
  value: readonly number[];
  onChange: (userIds: number[]) => void;
  /** People already chosen whose names are known. */
  known?: readonly { id: number; name: string }[];
  error?: boolean;
};

/** Members of the project, found by account, name or e-mail while typing. */
export function PeopleField({ id, value, onChange, known = [], error = false }: Props) {
  const t = useTranslations("reminders.notification");
  const project = useProjectNumber();
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text.trim(), typingMs);
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map(known.map((one) => [one.id, one.name])));
  const found = useQuery({
    queryKey: ["reminder-people", project, typed],
    queryFn: async ({ signal }) => {
      const filters = typed ? [{ field: "search", type: "like" as const, values: [typed] }] : [];
      return dataOf(await callDoor<{ records: Member[] }>(listAddress("memberRole/list", 1, shown, filters), {}, { signal })).records;
    },
    placeholderData: (before) => before,
    retry: false,
    meta: lookup,
  });
  const labels = new Map(chosen);
  for (const member of found.data ?? []) labels.set(member.userId, `${member.name} (${member.account})`);
  return (
    <MultiSelect
      id={id}
      searchable
      hidePickedOptions
      error={error}
      data={[...labels].map(([userId, label]) => ({ value: String(userId), label }))}
      // The server has searched; what it found stays.
      filter={({ options }) => options}
      value={value.map(String)}
      nothingFoundMessage={found.isSuccess && !found.isPlaceholderData ? t("nobody") : undefined}
      aria-describedby={fieldNoteId(id)}
      onSearchChange={(word) => setText(word.slice(0, 100))}
      onChange={(values) => {
        const ids = values.map(Number);
        setChosen(new Map([...labels].filter(([userId]) => ids.includes(userId))));
        onChange(ids);
      }}
    />
  );
}
