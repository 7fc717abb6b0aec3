"use client";
import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import type { Filter, Page, Sort } from "#lib/core/paging.ts";
import { useProjectNumber } from "./use-href.ts";

/** A refused or failed call, thrown where React Query wants an error. */
export class CallError extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(answer.msg ?? answer.code ?? String(answer.status));
    this.name = "CallError";
    this.answer = answer;
  }
}

/** The data of an answer, or a CallError. */
export function dataOf<T>(answer: Answer<T>): T {
  signalAnswer(answer);
  if (answer.status >= 400) throw new CallError(answer);
  return answer.data as T;
}

export type ListQuery = {
  /** Address of the list up to its page: `memberRole/list`. */
  address: string;
  page: number;
  size: number;
  filters?: Filter[];
  sort?: Sort[];
  /** Further input of the call. */
  input?: Record<string, unknown>;
  /** Milliseconds between readings, while something runs. */
  refetchInterval?: number | false;
  /** false while what it lists is not known yet. */
  enabled?: boolean;
  /** `lookup` where it lists what there is to choose from. */
  meta?: Record<string, unknown>;
};

/** One page of a list of the server. The present page stays while the next one is read; an earlier reading is given up. */
export function useList<Row>({ address, page, size, filters = [], sort, input, refetchInterval = false, enabled = true, meta }: ListQuery) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["list", project, address, page, size, filters, sort ?? null, input ?? null],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<Page<Row>>(listAddress(address, page, size, filters), { ...input, ...(sort?.length ? { sort } : {}) }, { signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval,
    enabled,
    meta,
  });
}

const ofList = (address: string) => ({
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === "list" && queryKey[2] === address,
});

/** Reads every shown page of a list again, after something was written. */
export function refreshList(client: QueryClient, address: string): Promise<void> {
  return client.invalidateQueries(ofList(address));
}

/** The rows of the pages of a list that are shown. */
export function shownRows<Row>(client: QueryClient, address: string): Row[] {
  return client.getQueriesData<Page<Row>>({ ...ofList(address), type: "active" }).flatMap(([, page]) => page?.records ?? []);
}
