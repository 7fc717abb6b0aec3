"use client";
import { IconGripVertical } from "@tabler/icons-react";
import type { DragEvent } from "react";
import classes from "./regions.module.css";

/** Kind of what is dragged between the tray and the regions. */
const dragType = "text/x-network-regions";

/** The network regions a drag brought, empty for anything else. */
export const draggedIds = (event: DragEvent): number[] =>
  event.dataTransfer
    .getData(dragType)
    .split(",")
    .map(Number)
    .filter((id) => id > 0);

/** Lets a drag of network regions end here. */
export function allowDrop(event: DragEvent): void {
  if (event.dataTransfer.types.includes(dragType)) event.preventDefault();
}

type Props = { id: number; name: string; chosen: ReadonlySet<number>; readOnly: boolean; onToggle: (id: number) => void };

/** A network region: dragged to where it belongs, or selected and sent there from the bar of the selection. */
export function NetworkChip({ id, name, chosen, readOnly, onToggle }: Props) {
  if (readOnly)
    return (
      <span className={classes.chip} title={name}>
        {name}
      </span>
    );
  return (
    <button
      type="button"
      className={classes.chip}
      aria-pressed={chosen.has(id)}
      draggable
      title={name}
      onClick={() => onToggle(id)}
      onDragStart={(event) => event.dataTransfer.setData(dragType, [...(chosen.has(id) ? chosen : [id])].join())}
    >
      <IconGripVertical size={12} stroke={1.7} aria-hidden="true" />
      <span className={classes.chipName}>{name}</span>
    </button>
  );
}
