"use client";
import { Button, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useId, useMemo, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { searchEntries } from "#lib/core/search-entries.ts";

/** A DU that was named. */
export type NamedDu = { id: number; code: string };
type Found = { found: NamedDu[]; missing: string[] };

const typingMs = 300;
const none: NamedDu[] = [];
/** Codes that were not found and are named in the help. */
const missingShown = 5;

/** A box for the codes of up to 500 DUs, one behind the other; tells how many were found and which were not. Too many empty it. */
export function DuBox({ label, onFound }: { label: string; onFound: (dus: readonly NamedDu[]) => void }) {
  const t = useTranslations("milestones.dus");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [text, setText] = useState("");
  const { take } = useSearchText(setText);
  const [typed] = useDebouncedValue(text, typingMs);
  const codes = useMemo(() => searchEntries(typed), [typed]);
  const asked = codes.length > 0;
  const found = useQuery({
    queryKey: ["named dus", project, codes],
    enabled: asked,
    queryFn: async ({ signal }) => dataOf(await callDoor<Found>("milestoneConfig/findDus", { codes }, { signal })),
  });
  const dus = (asked && found.data?.found) || none;
  useEffect(() => onFound(dus), [dus, onFound]);
  const missing = (asked && found.data?.missing) || [];
  return (
    <Field
      id={id}
      label={label}
      count={{ used: searchEntries(text).length, max: searchEntriesMax }}
      error={found.isError ? found.error.message : undefined}
      help={
        asked && found.data ? (
          <span role="status">
            {t("found", { found: dus.length, all: codes.length })}
            {missing.length > 0
              ? ` ${t("missing", { codes: missing.slice(0, missingShown).join(", "), more: Math.max(0, missing.length - missingShown) })}`
              : ""}
          </span>
        ) : (
          t("help")
        )
      }
    >
      <Textarea
        id={id}
        autosize
        minRows={2}
        maxRows={5}
        value={text}
        error={found.isError}
        aria-describedby={fieldNoteId(id)}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {found.isError ? (
        <Button variant="subtle" size="compact-xs" onClick={() => found.refetch()}>
          {common("retry")}
        </Button>
      ) : null}
    </Field>
  );
}
