"use client";

import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { MapPoints } from "#components/ui/map-points.ts";
import { ownTask } from "#components/ui/own-task.ts";
import { useLive } from "#components/ui/use-live.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { unpackPointsByColumn } from "#lib/rollout-plan/map-points/logic.ts";
import type { PlanMap } from "#lib/rollout-plan/map-points/queries.ts";
import { type PlanQuestion, questionInput } from "./plan-filters.ts";
import type { FilterAnswer } from "./plan-source.ts";

/** The map of a question: its points, the DUs without coordinates, what the search did not find. */
export type MapData = Omit<PlanMap, "points"> & { points: MapPoints; queryId: string; total: number | null; unmatched: readonly string[] };

/** Milliseconds after which changes of others are read, so that many of them are read once. */
const settleMs = 1_500;

/** Points of the DUs that fit a question, coloured by their own status or by one activity; read again when the plan moves. */
export function usePlanMap(question: PlanQuestion, activityId: number | null) {
  const asking = useMemo(() => ({ question, activityId }), [question, activityId]);
  const [shown, setShown] = useState<{ of: typeof asking; data: MapData } | null>(null);
  const [failed, setFailed] = useState<{ of: typeof asking; answer: Answer } | null>(null);
  const held = useRef<{ queryId: string; activityId: number | null; seq: number } | null>(null);
  const asked = useRef(0);

  const read = useCallback(async () => {
    const turn = ++asked.current;
    const { question, activityId } = asking;
    await ownTask();
    if (turn !== asked.current) return;
    const input = { ...questionInput(question), view: "map" };
    const filtered = signalAnswer(await callDoor<FilterAnswer>("wbs/filter", input, { cancelKey: "map filter" }));
    if (turn !== asked.current || filtered.status === 499) return;
    const found = filtered.data;
    if (!found) return setFailed({ of: asking, answer: filtered });
    const same = held.current?.queryId === found.queryId && held.current.activityId === activityId;
    const answer = signalAnswer(
      await callDoor<PlanMap>(
        "rolloutPlan/map",
        { queryId: found.queryId, ...(activityId === null ? {} : { activityId }), ...(same ? { seq: held.current?.seq } : {}) },
        { cancelKey: "map points" },
      ),
    );
    if (turn !== asked.current || answer.status === 499) return;
    if (answer.status === 304) {
      setFailed(null);
      return setShown((before) => before && { ...before, of: asking });
    }
    const map = answer.data;
    if (!map) return setFailed({ of: asking, answer });
    const points = await unpackPointsByColumn(map.points, ownTask);
    if (turn !== asked.current) return;
    held.current = { queryId: found.queryId, activityId, seq: map.seq };
    const { total, unmatched } = found;
    // What stands around the map is drawn anew between other work of the page: the map moves meanwhile.
    startTransition(() => {
      setFailed(null);
      setShown({ of: asking, data: { ...map, points, queryId: found.queryId, total, unmatched } });
    });
  }, [asking]);

  useEffect(() => void read(), [read]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive((message) => {
    const mayHaveMoved = message.kind === "open" || (message.kind === "plan" && message.data.seq > (held.current?.seq ?? 0));
    if (!mayHaveMoved) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void read(), settleMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const problem = failed?.of === asking ? failed.answer : null;
  // Once it failed, the map of the question before would be taken for that of this one.
  const isOld = problem !== null && shown?.of !== asking;
  return { data: isOld ? null : (shown?.data ?? null), failed: problem, read };
}

/** Place of an id among ascending ones; -1 where it is not. */
export function placeOf(ids: Float64Array, id: number): number {
  let [from, to] = [0, ids.length - 1];
  while (from <= to) {
    const middle = (from + to) >> 1;
    const found = ids[middle] as number;
    if (found === id) return middle;
    if (found < id) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}
