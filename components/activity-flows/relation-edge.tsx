"use client";
import { BaseEdge, type EdgeProps } from "@xyflow/react";
import { relationPath } from "#lib/activity-flows/layout/logic.ts";

/** A relation as a right-angled arrow from edge to edge, with its label on a level part. */
export function RelationEdge({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourceHandleId,
  targetHandleId,
  data,
  label,
  markerEnd,
  interactionWidth,
}: EdgeProps) {
  const { path, labelX, labelY } = relationPath(
    { x: sourceX, y: sourceY, side: sourceHandleId === "start" ? "start" : "end" },
    { x: targetX, y: targetY, side: targetHandleId === "end" ? "end" : "start" },
    data?.detour === true,
  );
  return (
    <BaseEdge
      path={path}
      label={label}
      labelX={labelX}
      labelY={labelY}
      labelBgPadding={[4, 2]}
      labelBgBorderRadius={3}
      {...(markerEnd ? { markerEnd } : {})}
      {...(interactionWidth ? { interactionWidth } : {})}
    />
  );
}
