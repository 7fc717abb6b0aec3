"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import type { RunHead, RunProgress } from "#lib/planning-engine/runs/schema.ts";
import { type RunHistory, withProgress } from "./run-history.ts";

/** Milliseconds between two looks at a run, where the live line brings nothing. */
const lookMs = 5_000;

/** The last run of a version, followed while it is calculated: by the live line, with the call as fallback. [ENG-22] */
export function useRun(versionId: number | null, onEnd: () => void) {
  const project = useProjectNumber();
  const client = useQueryClient();
  const [history, setHistory] = useState<RunHistory | null>(null);
  const headKey = ["engine run", project, versionId];
  const head = useQuery({
    queryKey: headKey,
    enabled: versionId !== null,
    queryFn: async ({ signal }) => {
      const filters = [{ field: "versionId", type: "eq" as const, values: [versionId] }];
      const page = dataOf(await callDoor<Page<RunHead>>(listAddress("engine/executeEngine/find/list", 1, 20, filters), {}, { signal }));
      return page.records[0] ?? null;
    },
  });
  const runs = head.data?.status === "executing";
  const runId = head.data?.id ?? null;
  const progressKey = ["engine progress", project, runId];
  const progress = useQuery({
    queryKey: progressKey,
    enabled: runId !== null,
    queryFn: async ({ signal }) => dataOf(await callDoor<RunProgress>("engine/executeEngine/status", { runId }, { signal })),
    refetchInterval: ({ state }) => (runs && state.data?.status !== "terminated" ? lookMs : false),
  });
  const data = progress.data;
  useLive((message) => {
    if (message.kind === "run" && message.data.runId === runId) client.setQueryData(progressKey, message.data);
    else if (message.kind === "run" && message.data.versionId === versionId) void client.invalidateQueries({ queryKey: headKey });
    else if (message.kind === "open" && runs) void client.invalidateQueries({ queryKey: progressKey });
  });
  useEffect(() => {
    if (data) setHistory((before) => withProgress(before, data));
  }, [data]);
  const ended = runs && data?.runId === runId && data.status !== "executing";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once at the end of a run
  useEffect(() => {
    if (!ended) return;
    void client.invalidateQueries({ queryKey: headKey });
    onEnd();
  }, [ended]);
  const isOwn = history?.runId === runId;
  return {
    head: head.data ?? null,
    /** Why it is not known which run is the last one. */
    failed: head.data === undefined ? head.error : null,
    progress: data?.runId === runId ? data : undefined,
    history: isOwn ? history : null,
    refresh: () => client.invalidateQueries({ queryKey: headKey }),
  };
}
