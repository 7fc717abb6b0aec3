"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { holdValue } from "#lib/core/held-value.ts";
import { listenLive } from "#lib/core/live-events.ts";
import { changedColumns } from "./plan-changes.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { neverSynced, tellSynced } from "./plan-sync.ts";

/** What `rolloutPlan/changes` answers. */
type Changes = { seq: number; reload: true } | { seq: number; changed: [duId: number, cells: number[], attrKeys: string[]][] };

/** How often changes are asked for while the page is seen, should the live line be down. */
const pollMs = 20_000;
/** Cells that may flash at once. */
const flashesMax = 2_000;

/** Keeps the rows in step with what others write: by live events, and by asking now and then. */
export function useLivePlan(
  desk: PlanDesk,
  project: string,
  slots: ReadonlyMap<number, number>,
  onMoved: () => void,
  onColumns: () => void,
) {
  const [sync] = useState(() => holdValue(neverSynced));
  const activityOf = useRef<ReadonlyMap<number, number>>(new Map());
  activityOf.current = new Map([...slots].map(([activityId, slot]) => [slot, activityId]));
  /** The question was asked: where it was answered, the rows are those of now. */
  const onAsked = useCallback(() => {
    if (!desk.source.asking) tellSynced(sync, desk.source.failed === null);
  }, [desk, sync]);
  const pulling = useRef<Promise<void> | null>(null);

  const read = useCallback(
    async (own: ReadonlySet<string>) => {
      const { source, grid } = desk;
      const since = source.seq;
      if (!source.asked) return;
      const answer = signalAnswer(await callDoor<Changes>("rolloutPlan/changes", { sinceSeq: since }, { reading: true }));
      // Another question meanwhile: its rows are newer than this answer.
      if (source.seq !== since) return;
      tellSynced(sync, Boolean(answer.data));
      if (!answer.data) return;
      source.catchUp();
      source.seq = answer.data.seq;
      if ("reload" in answer.data) {
        source.refreshAll();
        onMoved();
        return;
      }
      const { changed } = answer.data;
      if (changed.length === 0) return;
      source.refresh(changed.map(([duId]) => duId));
      const cells = changed.flatMap(([duId, numbers, attrs]) =>
        changedColumns(numbers, attrs, activityOf.current).map((key) => ({ rowKey: String(duId), columnKey: key })),
      );
      grid.flash(cells.filter((cell) => !own.has(`${cell.rowKey}|${cell.columnKey}`)).slice(0, flashesMax));
      onMoved();
    },
    [desk, onMoved, sync],
  );

  /** Asks what changed; one question at a time, a second one waits for the first. */
  const pull = useCallback(
    async (own: readonly { rowKey: string; columnKey: string }[] = []) => {
      const keys = new Set(own.map((cell) => `${cell.rowKey}|${cell.columnKey}`));
      if (pulling.current) await pulling.current;
      pulling.current = read(keys).finally(() => {
        pulling.current = null;
      });
      await pulling.current;
    },
    [read],
  );

  useEffect(() => {
    const stop = listenLive(project, (message) => {
      if (message.kind === "open" || (message.kind === "plan" && message.data.seq > desk.source.seq)) {
        // What we wrote ourselves is read by the save that wrote it.
        if (message.kind === "plan" && message.data.own) return;
        void pull();
      }
      // No DU moved: the attributes of the project were changed, and so were the columns.
      if (message.kind === "plan" && message.data.duIds?.length === 0) onColumns();
    });
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void pull();
    }, pollMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [project, pull, desk, onColumns]);

  return { pull, sync, onAsked };
}
