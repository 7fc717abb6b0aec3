"use client";
import { IconAnchor, IconFileCheck, IconGavel, IconSquareRotated } from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { useTranslations } from "next-intl";
import classes from "./flow-diagram.module.css";

export type ActivityData = {
  name: string;
  leadTimeDays: number;
  isAnchor: boolean;
  isMilestone: boolean;
  needDeliverable: boolean;
  needApproval: boolean;
  /** How the live check judges it. */
  mark: "error" | "warning" | null;
};
export type ActivityNodeType = Node<ActivityData, "activity">;

/** An activity in the diagram: name, lead time, anchor and milestone marks. Its left edge is the start, its right edge the end. */
export function ActivityNode({ data, selected, isConnectable }: NodeProps<ActivityNodeType>) {
  const t = useTranslations("activity-flows");
  return (
    <div
      className={classes.node}
      data-selected={selected || undefined}
      data-mark={data.mark ?? undefined}
      data-anchor={data.isAnchor || undefined}
    >
      <Handle
        id="start"
        type="source"
        position={Position.Left}
        isConnectable={isConnectable}
        className={classes.handle}
        title={t("diagram.start")}
      />
      <span className={classes.name} title={data.name}>
        {data.name || t("diagram.unnamed")}
      </span>
      <span className={classes.meta}>
        {t("diagram.days", { days: data.leadTimeDays })}
        <span className={classes.marks}>
          {data.isAnchor ? <IconAnchor size={14} stroke={1.6} role="img" aria-label={t("flag.isAnchor")} /> : null}
          {data.isMilestone ? <IconSquareRotated size={14} stroke={1.6} role="img" aria-label={t("flag.isMilestone")} /> : null}
          {data.needDeliverable ? <IconFileCheck size={14} stroke={1.6} role="img" aria-label={t("flag.needDeliverable")} /> : null}
          {data.needApproval ? <IconGavel size={14} stroke={1.6} role="img" aria-label={t("flag.needApproval")} /> : null}
        </span>
      </span>
      <Handle
        id="end"
        type="source"
        position={Position.Right}
        isConnectable={isConnectable}
        className={classes.handle}
        title={t("diagram.end")}
      />
    </div>
  );
}
