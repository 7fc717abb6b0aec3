"use client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { TreePage } from "#lib/rollout-plan/du-tree/queries.ts";
import { type Branch, rootKey, type TreeRow, treeRows } from "./tree-rows.ts";

const nothing: Branch = { records: [], next: null, loading: false, failed: null };

/** The tree as far as it was opened: branches are read when they are first seen, and 500 children at a time. */
export function useDuTree() {
  const [branches, setBranches] = useState<ReadonlyMap<string, Branch>>(new Map());
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const now = useRef(branches);
  now.current = branches;
  const round = useRef(0);

  const put = useCallback((key: string, part: (before: Branch) => Branch) => {
    setBranches((before) => new Map(before).set(key, part(before.get(key) ?? nothing)));
  }, []);

  /** Reads the first children of a node, or those behind the last one that was read. */
  const load = useCallback(
    async (key: string) => {
      const after = now.current.get(key)?.next ?? null;
      const own = round.current;
      put(key, (before) => ({ ...before, loading: true, failed: null }));
      const input = { ...(key === rootKey ? {} : { parent: key }), ...(after ? { after } : {}) };
      const answer = signalAnswer(await callDoor<TreePage>("rolloutPlan/tree", input, { reading: true }));
      if (own !== round.current) return;
      put(key, (before) => {
        const { data } = answer;
        if (!data) return { ...before, loading: false, failed: answer.msg ?? answer.code ?? "" };
        return { records: after ? [...before.records, ...data.records] : data.records, next: data.next, loading: false, failed: null };
      });
    },
    [put],
  );

  const rows = useMemo<TreeRow[]>(() => treeRows(branches, expanded), [branches, expanded]);
  useEffect(() => {
    const seen = [rootKey, ...rows.flatMap((row) => (row.kind === "node" && row.expanded ? [row.key] : []))];
    for (const key of seen) if (!branches.has(key)) void load(key);
  }, [rows, branches, load]);

  const toggle = useCallback((keys: readonly string[], open: boolean) => {
    setExpanded((before) => {
      const next = new Set(before);
      for (const key of keys) {
        if (open) next.add(key);
        else next.delete(key);
      }
      return next;
    });
  }, []);
  /** Reads everything that is open again. */
  const refresh = useCallback(() => {
    round.current++;
    setBranches(new Map());
  }, []);
  return { rows, root: branches.get(rootKey) ?? null, load, toggle, refresh };
}
