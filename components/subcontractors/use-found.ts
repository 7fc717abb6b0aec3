"use client";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";

/**
 * The answer of a reading call; an answer read before stays while the next one comes.
 * @param options `meta` is `lookup` where the answer is what there is to choose from
 */
export function useFound<Result>(
  address: string,
  input: object = {},
  { enabled = true, meta }: { enabled?: boolean; meta?: typeof lookup } = {},
) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["found", project, address, input],
    queryFn: async ({ signal }) => dataOf(await callDoor<Result>(address, input, { signal })),
    enabled,
    retry: false,
    ...(meta && { meta }),
  });
}

/** Reads every answer of the address again. */
export const refreshFound = (client: QueryClient, address: string): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "found" && queryKey[2] === address });
