"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { SyncStatus } from "#lib/planning-engine/inventory-sync/queries.ts";

/** Milliseconds between two looks while it runs. */
const lookMs = 3_000;

/** Synchronises the stock of a version in the background and follows it. [ENG-19] [ENG-59] */
export function useInventorySync(versionId: number | null, onEnd: () => void) {
  const t = useTranslations("engine-home");
  const project = useProjectNumber();
  const client = useQueryClient();
  const [starting, setStarting] = useState(false);
  const queryKey = ["engine sync", project, versionId];
  const found = useQuery({
    queryKey,
    enabled: versionId !== null,
    queryFn: async ({ signal }) => dataOf(await callDoor<SyncStatus>("nc/inventory/syncStatus", { versionId }, { signal })),
    refetchInterval: ({ state }) => (state.data?.state === "syncing" ? lookMs : false),
  });
  useLive((message) => {
    if (message.kind === "task" && found.data?.state === "syncing") void client.invalidateQueries({ queryKey });
  });
  const finishedAt = found.data?.finishedAt ? String(found.data.finishedAt) : null;
  const [seen, setSeen] = useState(finishedAt);
  useEffect(() => {
    if (seen === finishedAt) return;
    setSeen(finishedAt);
    onEnd();
  }, [seen, finishedAt, onEnd]);
  const start = async () => {
    setStarting(true);
    const answer = signalAnswer(await callDoor("nc/inventory/sync", { versionId }));
    setStarting(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? t("sync.refused"));
    else toast.note(t("sync.syncing"));
    await client.invalidateQueries({ queryKey });
  };
  const readAgain = found.isError && !found.data ? () => void found.refetch() : undefined;
  return { status: found.data, readAgain, starting, start };
}
