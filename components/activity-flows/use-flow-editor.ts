"use client";
import { useRouter } from "next/navigation";
import { useCallback, useMemo, useReducer, useState, useTransition } from "react";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { discardFlow, editFlow } from "#lib/activity-flows/actions.ts";
import { checkEditor, type EditorEvent, editGraph, isEdited, openEditor } from "#lib/activity-flows/editor/logic.ts";
import { saveGraph } from "#lib/activity-flows/graph/actions.ts";
import { releaseFlow } from "#lib/activity-flows/release/actions.ts";
import type { Answer } from "#lib/core/error.ts";
import { editorGraph, type FlowDetail } from "./flow-data.ts";

/** What is chosen in the editor: activities by key, relations by their id in the diagram. */
export type Selection = { nodes: ReadonlySet<string>; relations: ReadonlySet<string> };
export const noSelection: Selection = { nodes: new Set(), relations: new Set() };

/** The id a relation has in the diagram. */
export function relationKey(relation: { pre: string; node: string; type: string }): string {
  return `${relation.pre} ${relation.node} ${relation.type}`;
}

/** The graph being edited with everything that can be done to it; the server's refusals stay until the next attempt. */
export function useFlowEditor(detail: FlowDetail) {
  const { can } = useSession();
  const router = useRouter();
  const href = useHref();
  const [state, dispatch] = useReducer(editGraph, detail, (given) => openEditor(editorGraph(given)));
  const [head, setHead] = useState(detail.flow);
  const [selection, setSelection] = useState<Selection>(noSelection);
  const [refusal, setRefusal] = useState<Answer<unknown> | null>(null);
  const [runSave, saving] = useAction(saveGraph);
  const [runRelease] = useAction(releaseFlow);
  const [releasing, setReleasing] = useState(false);
  const [runEdit, opening] = useAction(editFlow);
  const [runDiscard] = useAction(discardFlow);
  const [leaving, leave] = useTransition();
  const findings = useMemo(() => checkEditor(state.graph), [state.graph]);
  const isDraft = head.status === "draft";
  const editable = isDraft && can("flow.networkNode");
  const edited = isEdited(state);

  const save = useCallback(async (): Promise<number | null> => {
    if (findings.some((finding) => finding.weight === "error")) return null;
    const settled = editGraph(state, { do: "settle" });
    const graph = settled.graph;
    dispatch({ do: "settle" });
    const answer = await runSave({
      flowId: head.id,
      rowVersion: head.rowVersion,
      nodes: graph.nodes.map(({ originNodeId: _origin, ...node }) => node),
      relations: graph.relations,
    });
    if (answer.status >= 400 || !answer.data) {
      setRefusal(answer);
      return null;
    }
    const { rowVersion, nodes } = answer.data;
    setRefusal(null);
    dispatch({ do: "saved", graph, nodes });
    setHead((before) => ({ ...before, rowVersion }));
    return rowVersion;
  }, [findings, state, head.id, head.rowVersion, runSave]);

  /** Saves what is unsaved, then releases; gives what the release did, or null when it was refused. */
  const release = useCallback(async () => {
    setReleasing(true);
    const rowVersion = edited ? await save() : head.rowVersion;
    const answer = rowVersion === null ? null : await runRelease({ id: head.id, rowVersion });
    setReleasing(false);
    if (answer === null) return null;
    if (answer.status >= 400 || !answer.data) {
      setRefusal(answer);
      return null;
    }
    const { flowId } = answer.data;
    leave(() => {
      router.replace(href("activityFlows", { query: { flow: flowId } }));
      router.refresh();
    });
    return answer.data;
  }, [edited, save, head.id, head.rowVersion, runRelease, router, href]);

  /** Opens the working copy of a released flow. */
  const openCopy = useCallback(async () => {
    const answer = await runEdit({ id: head.id });
    if (answer.status >= 400 || !answer.data) setRefusal(answer);
    else {
      const { id } = answer.data;
      leave(() => router.push(href("activityFlows", { query: { flow: id } })));
    }
  }, [head.id, runEdit, router, href]);

  const discard = useCallback(async () => {
    const answer = await runDiscard({ id: head.id, rowVersion: head.rowVersion });
    if (answer.status >= 400 || !answer.data) {
      setRefusal(answer);
      return;
    }
    const { flowId } = answer.data;
    leave(() => {
      router.replace(href("activityFlows", { query: { flow: flowId } }));
      router.refresh();
    });
  }, [head.id, head.rowVersion, runDiscard, router, href]);

  /** Activities and relations that may go: a released activity only by a person who may delete it. */
  const removeSelected = useCallback(() => {
    const may = can("flow.releaseNodeDelete");
    const keys = state.graph.nodes.filter((node) => selection.nodes.has(node.key) && (may || !node.originNodeId)).map((node) => node.key);
    const relations = state.graph.relations.filter((relation) => selection.relations.has(relationKey(relation)));
    dispatch({ do: "remove", keys, relations });
    setSelection(noSelection);
  }, [can, state.graph, selection]);

  /** Arranges the picture by itself where nobody has placed activities. */
  const settle = useCallback(() => dispatch({ do: "settle" }), []);

  const change = useCallback((event: EditorEvent) => {
    setRefusal(null);
    dispatch(event);
  }, []);

  return {
    state,
    graph: state.graph,
    head,
    setHead,
    selection,
    setSelection,
    findings,
    refusal,
    editable,
    edited,
    isDraft,
    saving,
    releasing: releasing || leaving,
    opening: opening || leaving,
    change,
    settle,
    save,
    release,
    openCopy,
    discard,
    removeSelected,
  };
}

export type FlowEditing = ReturnType<typeof useFlowEditor>;
