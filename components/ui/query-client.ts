"use client";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { toast } from "./toast.ts";
import { CallError } from "./use-list.ts";

const staleMs = 30_000;

/** Meta of a query that reads what there is to choose from. The place of the choices shows nothing but them, so a toast tells that they could not be read, and reads them again. */
export const lookup = { lookup: true } as const;

/**
 * The readings of a page. What fails is shown by the page where it would stand; a failed lookup by a toast.
 * @param words of the failure of a lookup, with its reason, and of the retry
 */
export function makeQueryClient(words: { failed: (reason: string) => string; retry: string }): QueryClient {
  const id = "lookup-failed";
  const client: QueryClient = new QueryClient({
    // Without a network a reading fails at once, as without a server; one that waited for it would stay loading. It is read again when there is one.
    defaultOptions: {
      queries: { staleTime: staleMs, refetchOnWindowFocus: false, retry: false, networkMode: "always", refetchOnReconnect: true },
    },
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (!meta?.lookup) return;
        const retry = () => {
          toast.hide(id);
          // One toast tells of all that failed.
          void client.refetchQueries({
            type: "active",
            predicate: ({ meta: own, state }) => own?.lookup === true && state.status === "error",
          });
        };
        const reason = error instanceof CallError ? (error.answer.msg ?? "") : "";
        toast.problem(words.failed(reason).trim(), { id, actions: [{ label: words.retry, run: retry }] });
      },
    }),
  });
  return client;
}
