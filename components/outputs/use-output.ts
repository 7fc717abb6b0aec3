"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";

/** Milliseconds for which an answer is taken as it is: the output of a run does not change, only what it is compared with does. */
const freshMs = 300_000;

type Options = {
  enabled?: boolean;
  staleTime?: number;
  /** `lookup` where only choices are taken from it. */
  meta?: typeof lookup;
};

/** What a call says of a run; the answer before stays while the next one is read. */
export function useOutput<T>(address: string, input: object, { enabled = true, staleTime = freshMs, meta }: Options = {}) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["output", project, address, input],
    queryFn: async ({ signal }) => dataOf(await callDoor<T>(address, input, { signal })),
    enabled,
    staleTime,
    placeholderData: keepPreviousData,
    retry: false,
    meta,
  });
}
