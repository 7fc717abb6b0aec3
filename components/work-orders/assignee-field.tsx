"use client";
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";

type Person = { id: number; name: string; account: string };
type Props = {
  id: string;
  label: string;
  /** Call that gives the people, with what was typed. */
  address: "workOrder/assignees" | "activity/na/approvers";
  value: number | null;
  required?: boolean;
  help?: string;
  fault?: string | null;
  onChange: (person: number | null) => void;
};

/** One member of the project, found by name or account. */
export function AssigneeField({ id, label, address, value, required = false, help, fault, onChange }: Props) {
  const t = useTranslations("work-orders.form");
  const project = useProjectNumber();
  const [search, setSearch] = useState("");
  const searching = address === "workOrder/assignees";
  const people = useQuery({
    queryKey: [address, project, searching ? search : ""],
    queryFn: async ({ signal }) => dataOf(await callDoor<Person[]>(address, searching ? { search } : {}, { signal })),
    placeholderData: (before) => before,
    meta: lookup,
    retry: false,
  });
  return (
    <Field id={id} label={label} required={required} help={help} error={fault ?? undefined}>
      <Select
        id={id}
        searchable
        clearable={!required}
        clearButtonProps={{ "aria-label": t("clearPerson") }}
        data={(people.data ?? []).map((person) => ({ value: String(person.id), label: `${person.name} (${person.account})` }))}
        nothingFoundMessage={people.isSuccess ? t("noPerson") : undefined}
        value={value === null ? null : String(value)}
        error={Boolean(fault)}
        aria-describedby={fieldNoteId(id)}
        onSearchChange={(word) => setSearch(word.replace(/ \(.*\)$/, "").slice(0, 60))}
        onChange={(next) => onChange(next === null ? null : Number(next))}
      />
    </Field>
  );
}
