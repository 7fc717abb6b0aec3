"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { callDoor } from "#lib/core/call-door.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { useProjectNumber } from "./use-href.ts";
import { dataOf } from "./use-list.ts";
import { useLive } from "./use-live.ts";

/** Milliseconds between two looks at a task while it runs. */
const lookMs = 700;

/** A task that is followed to its end. */
export function useTask<Task extends { status: TaskRow["status"] }>(id: string | null) {
  const project = useProjectNumber();
  const client = useQueryClient();
  const queryKey = ["task", project, id];
  useLive((message) => {
    if (message.kind === "open" || (message.kind === "task" && message.data.id === id)) void client.invalidateQueries({ queryKey });
  });
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => dataOf(await callDoor<Task>(`task/find/${id}`, undefined, { method: "GET", signal })),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && (state.data.status === "queued" || state.data.status === "running") ? lookMs : false),
    retry: false,
  });
}
