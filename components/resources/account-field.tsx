"use client";
import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { lookup } from "#components/ui/query-client.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { directoryKeyChars } from "#lib/session/limits.ts";

const shown = 20;
const typingMs = 300;

type Props = {
  id: string;
  max: number;
  value: readonly string[];
  onChange: (accounts: string[]) => void;
  error: boolean;
  "aria-describedby": string;
};

/** Accounts, found while typing or pasted as a list. */
export function AccountField({ max, value, onChange, ...rest }: Props) {
  const common = useTranslations("common");
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text.trim(), typingMs);
  const found = useQuery({
    queryKey: ["accounts", typed],
    enabled: typed.length >= directoryKeyChars,
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ records: { account: string; name: string }[] }>(
          "user/searchDirectory",
          { searchKey: typed, page: 1, size: shown },
          { signal },
        ),
      ).records,
    meta: lookup,
  });
  const names = new Map((found.data ?? []).map(({ account, name }) => [account, name]));
  return (
    <TagsInput
      {...rest}
      data-autofocus
      maxTags={max}
      splitChars={[",", ";", " ", "\n", "\t"]}
      clearable
      clearButtonProps={{ "aria-label": common("clear") }}
      data={[...names.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => `${names.get(option.value) ?? ""} (${option.value})`}
      searchValue={text}
      onSearchChange={setText}
      value={[...value]}
      onChange={onChange}
    />
  );
}
