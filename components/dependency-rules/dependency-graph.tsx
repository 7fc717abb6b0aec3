"use client";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { layoutGraph, nodeHeight, nodeWidth } from "#lib/activity-flows/layout/logic.ts";
import type { NamedEvent } from "#lib/dependency-rules/logic.ts";
import type { DependencyEntry } from "#lib/dependency-rules/queries.ts";
import { eventKey, type ObjectEvent } from "#lib/dependency-rules/rule-set/logic.ts";
import classes from "./dependencies.module.css";
import { useEventText } from "./use-event-text.ts";

type Props = {
  rules: readonly DependencyEntry[];
  /** Events along a circle that was refused, the first again at the end: drawn alone, in red. */
  loop: readonly NamedEvent[] | null;
};

type Edge = { pre: string; node: string; implicit: boolean };

/** Room at both sides for arrows that run back, how far they bow out, and their distance from the lower edge. */
const aside = 40;
const bow = 44;
const gap = 12;

const keyOf = (event: NamedEvent): string => eventKey(event as ObjectEvent);
/** Words of a box that fit into its width. */
const boxChars = 24;
const short = (text: string) => (text.length > boxChars ? `${text.slice(0, boxChars - 1)}…` : text);

/** The events rules name, from left to right in the order in which they may happen; dashed where an activity's own events follow each other. */
export function DependencyGraph({ rules, loop }: Props) {
  const t = useTranslations("dependency-rules");
  const word = useEventText();
  const { nodes, edges, places, width, height } = useMemo(() => drawn(rules, loop), [rules, loop]);
  if (nodes.length === 0) return <EmptyState title={t("graph.empty")} />;
  const name = (key: string) => word(nodes.find((node) => keyOf(node) === key) as NamedEvent);
  const label = edges.map(({ pre, node }) => `${name(pre)} → ${name(node)}`).join("; ");
  return (
    <ScrollRegion label={t(loop ? "graph.loop" : "graph.label")} className={loop ? classes.loop : classes.canvas}>
      <svg
        className={classes.graph}
        viewBox={`${-aside} 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={label}
        data-loop={loop !== null || undefined}
      >
        <defs>
          <marker
            id={loop ? "dep-loop-head" : "dep-head"}
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0,0 L8,4 L0,8 z" />
          </marker>
        </defs>
        {edges.map(({ pre, node, implicit }) => {
          const from = places.get(pre) as { x: number; y: number };
          const to = places.get(node) as { x: number; y: number };
          const [x1, y1, x2, y2] = [from.x + nodeWidth, from.y + nodeHeight / 2, to.x, to.y + nodeHeight / 2];
          // A way back runs below the boxes.
          const bend = x2 > x1 ? `M${x1},${y1} C${x1 + 36},${y1} ${x2 - 36},${y2} ${x2},${y2}` : back(x1, y1, x2, y2, height - gap);
          return (
            <path
              key={`${pre} ${node}`}
              className={classes.edge}
              data-implicit={implicit || undefined}
              d={bend}
              markerEnd={`url(#${loop ? "dep-loop-head" : "dep-head"})`}
            />
          );
        })}
        {nodes.map((node) => {
          const { x, y } = places.get(keyOf(node)) as { x: number; y: number };
          return (
            <g key={keyOf(node)} transform={`translate(${x},${y})`}>
              <rect width={nodeWidth} height={nodeHeight} rx={4} />
              <text x={12} y={24}>
                {short(node.name ?? t("refusal.hiddenTarget"))}
              </text>
              <text x={12} y={42} data-event="">
                {t(`event.${node.event}`)}
              </text>
              <title>{word(node)}</title>
            </g>
          );
        })}
      </svg>
    </ScrollRegion>
  );
}

const back = (x1: number, y1: number, x2: number, y2: number, low: number) =>
  `M${x1},${y1} C${x1 + bow},${y1} ${x1 + bow},${low} ${x1 - bow},${low} H${x2 + bow} C${x2 - bow},${low} ${x2 - bow},${y2} ${x2},${y2}`;

function drawn(rules: readonly DependencyEntry[], loop: readonly NamedEvent[] | null) {
  const byKey = new Map<string, NamedEvent>();
  const edges = new Map<string, Edge>();
  const add = (pre: NamedEvent, node: NamedEvent, implicit: boolean) => {
    for (const event of [pre, node]) byKey.set(keyOf(event), event);
    edges.set(`${keyOf(pre)} ${keyOf(node)}`, { pre: keyOf(pre), node: keyOf(node), implicit });
  };
  if (loop) for (const [at, node] of loop.slice(1).entries()) add(loop[at] as NamedEvent, node, follows(loop[at] as NamedEvent, node));
  else {
    for (const { target, prerequisites } of rules) for (const prerequisite of prerequisites) add(prerequisite, target, false);
    const named = [...byKey.values()];
    for (const pre of named) for (const node of named) if (follows(pre, node)) add(pre, node, true);
  }
  const nodes = [...byKey.values()];
  const places = layoutGraph([...byKey.keys()], [...edges.values()]);
  const ends = [...places.values()];
  return {
    nodes,
    edges: [...edges.values()],
    places,
    width: Math.max(0, ...ends.map(({ x }) => x)) + nodeWidth + 2 * aside,
    height: Math.max(0, ...ends.map(({ y }) => y)) + nodeHeight + 3 * gap,
  };
}

const order = ["START", "COMPLETE", "CLOSE"];

/** Whether two events of the same activity follow each other. */
const follows = (pre: NamedEvent, node: NamedEvent): boolean =>
  pre.activityId !== undefined && pre.activityId === node.activityId && order.indexOf(node.event) > order.indexOf(pre.event);
