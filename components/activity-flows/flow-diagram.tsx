"use client";
import "@xyflow/react/dist/base.css";
import { ActionIcon } from "@mantine/core";
import { IconFocusCentered, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import {
  applyNodeChanges,
  Background,
  type Connection,
  ConnectionMode,
  type Edge,
  type EdgeChange,
  MarkerType,
  MiniMap,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useNodesInitialized,
  useReactFlow,
} from "@xyflow/react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { relationLabel } from "#lib/activity-flows/graph/logic.ts";
import { coveredRelations } from "#lib/activity-flows/layout/logic.ts";
import { ActivityNode, type ActivityNodeType } from "./activity-node.tsx";
import classes from "./flow-diagram.module.css";
import { RelationEdge } from "./relation-edge.tsx";
import { type FlowEditing, relationKey } from "./use-flow-editor.ts";

const nodeTypes = { activity: ActivityNode };
const edgeTypes = { relation: RelationEdge };
const fitting = { padding: 0.1, maxZoom: 1 };
/** Below this zoom names cannot be read. */
const readableZoom = 0.8;
const margin = 24;
/** Activities from which on an overview is worth its place. */
const overviewFrom = 9;
// A relation joins the ends its type names: finish is the right edge, start the left one.
const ends = {
  FS: { sourceHandle: "end", targetHandle: "start" },
  SS: { sourceHandle: "start", targetHandle: "start" },
  FF: { sourceHandle: "end", targetHandle: "end" },
  SF: { sourceHandle: "start", targetHandle: "end" },
} as const;

/** The flow as a graph to drag, connect and delete in; everything works with the keyboard too. */
export function FlowDiagram({ editing, arrangedAt }: { editing: FlowEditing; arrangedAt: number }) {
  return (
    <ReactFlowProvider>
      <Canvas editing={editing} arrangedAt={arrangedAt} />
    </ReactFlowProvider>
  );
}

function Canvas({ editing, arrangedAt }: { editing: FlowEditing; arrangedAt: number }) {
  const { graph, editable, change, selection, setSelection, findings, removeSelected } = editing;
  const t = useTranslations("activity-flows");
  const { fitView, zoomIn, zoomOut, setViewport, getNodes, getNodesBounds } = useReactFlow();
  const ready = useNodesInitialized();
  const frame = useRef<HTMLElement>(null);
  const [nodes, setNodes] = useState<ActivityNodeType[]>([]);

  useEffect(() => {
    const errors = new Set(findings.filter((finding) => finding.weight === "error").flatMap((finding) => finding.keys));
    const warnings = new Set(findings.filter((finding) => finding.weight === "warning").flatMap((finding) => finding.keys));
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return graph.nodes.map(({ key, x, y, name, leadTimeDays, isAnchor, isMilestone, needDeliverable, needApproval }) => ({
        ...known.get(key),
        id: key,
        type: "activity" as const,
        position: { x, y },
        selected: selection.nodes.has(key),
        ariaLabel: t("diagram.node", { name, days: leadTimeDays, anchor: isAnchor ? "yes" : "no" }),
        data: {
          name,
          leadTimeDays,
          isAnchor,
          isMilestone,
          needDeliverable,
          needApproval,
          mark: errors.has(key) ? ("error" as const) : warnings.has(key) ? ("warning" as const) : null,
        },
      }));
    });
  }, [graph.nodes, findings, selection.nodes, t]);

  const names = useMemo(() => new Map(graph.nodes.map((node) => [node.key, node.name])), [graph.nodes]);
  const detours = useMemo(() => new Set(coveredRelations(graph).map(relationKey)), [graph]);
  const edges = useMemo<Edge[]>(
    () =>
      graph.relations.map((relation) => ({
        id: relationKey(relation),
        source: relation.pre,
        target: relation.node,
        ...ends[relation.type],
        type: "relation",
        data: { detour: detours.has(relationKey(relation)) },
        label: relationLabel(relation.type, relation.offset),
        selected: selection.relations.has(relationKey(relation)),
        ariaLabel: t("diagram.relation", {
          pre: names.get(relation.pre) ?? "",
          node: names.get(relation.node) ?? "",
          label: relationLabel(relation.type, relation.offset),
        }),
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--line-ctl)" },
      })),
    [graph.relations, selection.relations, names, detours, t],
  );

  /** Shows everything where it stays readable, else the beginning of the flow at a readable size. */
  const showStart = () => {
    const { x, y, width, height } = getNodesBounds(getNodes());
    const { width: canvasWidth = 0, height: canvasHeight = 0 } = frame.current?.getBoundingClientRect() ?? {};
    if (width === 0 || canvasWidth / (width + 2 * margin) >= readableZoom) void fitView(fitting);
    else
      void setViewport({
        x: margin - x * readableZoom,
        y: (canvasHeight - height * readableZoom) / 2 - y * readableZoom,
        zoom: readableZoom,
      });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is chosen at first and when the picture was arranged anew, not at every change
  useEffect(() => {
    if (!ready) return;
    const timer = setTimeout(showStart, 30);
    return () => clearTimeout(timer);
  }, [arrangedAt, ready]);

  const onNodesChange = (changes: NodeChange<ActivityNodeType>[]) => {
    const picked = changes.filter((one) => one.type === "select");
    if (picked.length > 0) {
      const next = new Set(selection.nodes);
      for (const one of picked) one.selected ? next.add(one.id) : next.delete(one.id);
      setSelection({ nodes: next, relations: next.size > 0 ? new Set() : selection.relations });
    }
    setNodes((before) =>
      applyNodeChanges(
        changes.filter((one) => one.type !== "select" && one.type !== "remove"),
        before,
      ),
    );
    const settled = changes.flatMap((one) =>
      one.type === "position" && one.dragging === false && one.position ? [{ key: one.id, ...one.position }] : [],
    );
    if (settled.length > 0 && editable) change({ do: "move", positions: settled });
  };
  const onEdgesChange = (changes: EdgeChange[]) => {
    const picked = changes.filter((one) => one.type === "select");
    if (picked.length === 0) return;
    const next = new Set(selection.relations);
    for (const one of picked) one.selected ? next.add(one.id) : next.delete(one.id);
    setSelection({ nodes: next.size > 0 && picked.some((one) => one.selected) ? new Set() : selection.nodes, relations: next });
  };
  const onConnect = ({ source, target, sourceHandle, targetHandle }: Connection) => {
    const type = sourceHandle === "start" ? (targetHandle === "end" ? "SF" : "SS") : targetHandle === "end" ? "FF" : "FS";
    const relation = { pre: source, node: target, type, offset: 0 } as const;
    change({ do: "relate", relation });
    setSelection({ nodes: new Set(), relations: new Set([relationKey(relation)]) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!editable || (event.target as Element).closest("input, textarea, select, button")) return;
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    removeSelected();
  };
  const labels = {
    "node.a11yDescription.default": t("diagram.helpNode"),
    "node.a11yDescription.keyboardDisabled": t("diagram.helpNode"),
    "node.a11yDescription.ariaLiveMessage": ({ x, y }: { x: number; y: number }) =>
      t("diagram.moved", { x: Math.round(x), y: Math.round(y) }),
    "edge.a11yDescription.default": t("diagram.helpRelation"),
    "handle.ariaLabel": t("diagram.handle"),
  };

  return (
    <section ref={frame} className={classes.canvas} aria-label={t("view.diagram")}>
      <ReactFlow<ActivityNodeType>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onConnect={onConnect}
        onKeyDown={onKeyDown}
        connectionMode={ConnectionMode.Loose}
        nodesDraggable={editable}
        nodesConnectable={editable}
        deleteKeyCode={null}
        selectionMode={SelectionMode.Partial}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={["Control", "Meta"]}
        minZoom={0.1}
        maxZoom={2}
        ariaLabelConfig={labels}
        snapToGrid
        snapGrid={[4, 4]}
      >
        <Background gap={24} size={1} className={classes.grid ?? ""} />
        <Panel position="bottom-left" className={classes.zoom ?? ""}>
          <ActionIcon aria-label={t("diagram.zoomOut")} title={t("diagram.zoomOut")} onClick={() => zoomOut()}>
            <IconZoomOut size={16} stroke={1.4} />
          </ActionIcon>
          <ActionIcon aria-label={t("diagram.zoomIn")} title={t("diagram.zoomIn")} onClick={() => zoomIn()}>
            <IconZoomIn size={16} stroke={1.4} />
          </ActionIcon>
          <ActionIcon aria-label={t("diagram.fit")} title={t("diagram.fit")} onClick={() => fitView(fitting)}>
            <IconFocusCentered size={16} stroke={1.4} />
          </ActionIcon>
        </Panel>
        {graph.nodes.length >= overviewFrom ? (
          <MiniMap
            pannable
            position="bottom-right"
            className={classes.overview ?? ""}
            ariaLabel={t("diagram.overview")}
            nodeClassName={({ data }: ActivityNodeType) => (data.isAnchor ? (classes.overviewAnchor ?? "") : (classes.overviewNode ?? ""))}
            nodeBorderRadius={8}
          />
        ) : null}
      </ReactFlow>
    </section>
  );
}
