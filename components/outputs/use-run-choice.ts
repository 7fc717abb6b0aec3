"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { useList } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import type { EngineVersion } from "#lib/planning-engine/versions/queries.ts";

const listed = 200;
const runsAddress = "engine/executeEngine/find/list";
/** Milliseconds between two looks while a run is under way. */
const lookMs = 3_000;

const numberOf = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

/** Which version and run an output screen shows: those of its address, else the current version and its newest run with an output. */
export function useRunChoice() {
  const query = useSearchParams();
  const project = useProjectNumber();
  const [asked, setAsked] = useState({ versionId: numberOf(query.get("versionId")), runId: numberOf(query.get("runId")) });
  const versions = useList<EngineVersion>({ address: "engine/version/find/list", page: 1, size: listed });
  const all = versions.data?.records ?? [];
  const version = all.find(({ id }) => id === asked.versionId) ?? all.find(({ isCurrent }) => isCurrent) ?? all[0] ?? null;
  const [isRunning, setIsRunning] = useState(false);
  const runs = useVersionRuns(version?.id ?? null, isRunning);
  // Runs of the version before are none of this one.
  const isOther = runs.isPlaceholderData;
  const known = isOther ? [] : (runs.data?.records ?? []);
  const newest = known[0] ?? null;
  useEffect(() => setIsRunning(newest?.status === "executing"), [newest?.status]);
  const run = known.find(({ id }) => id === asked.runId) ?? known.find(({ hasOutput }) => hasOutput) ?? newest;
  const client = useQueryClient();
  // What a run comes to is told at once; between two looks it may have ended.
  useLive((message) => {
    if (message.kind === "run" || message.kind === "open") void client.invalidateQueries({ queryKey: ["list", project, runsAddress] });
  });
  const keep = (next: typeof asked) => {
    setAsked(next);
    const address = new URL(window.location.href);
    for (const [name, value] of Object.entries(next)) {
      if (value === null) address.searchParams.delete(name);
      else address.searchParams.set(name, String(value));
    }
    window.history.replaceState(null, "", address);
  };
  return {
    versions: all,
    version,
    runs: known,
    run,
    newest,
    isPending: versions.isPending || (version !== null && (runs.isPending || isOther)),
    // What is shown stays when a later look fails.
    error: versions.data ? (runs.data ? null : runs.error) : versions.error,
    retry: () => void (versions.data ? runs.refetch() : versions.refetch()),
    chooseVersion: (versionId: number) => keep({ versionId, runId: null }),
    chooseRun: (runId: number) => keep({ versionId: version?.id ?? null, runId }),
  };
}

function useVersionRuns(versionId: number | null, isRunning: boolean) {
  return useList<RunHead>({
    address: runsAddress,
    page: 1,
    size: 50,
    filters: [{ field: "versionId", type: "eq", values: [versionId ?? 0] }],
    refetchInterval: isRunning ? lookMs : false,
    enabled: versionId !== null,
  });
}

export type RunChoice = ReturnType<typeof useRunChoice>;
