"use client";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { WarningEntry } from "#lib/reminders/warning-config/queries.ts";

/** Key under which the warnings of a project are kept in the browser. */
const warningsKey = "warnings";

/** The warnings of the project in their order, with how many DUs match each of them now. */
export function useWarnings() {
  const project = useProjectNumber();
  return useQuery({
    queryKey: [warningsKey, project],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: WarningEntry[] }>("warningConfig/list", {}, { signal })).records,
    retry: false,
  });
}

/** Reads the warnings again, after something was written. */
export const refreshWarnings = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: [warningsKey] });
