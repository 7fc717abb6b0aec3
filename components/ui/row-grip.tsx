"use client";
import { IconGripVertical } from "@tabler/icons-react";
import type { DragEvent, KeyboardEvent } from "react";
import classes from "./row-grip.module.css";

type Props = {
  id?: string;
  /** Name of the row: found again by it after a move, and told by its label. */
  rowKey: string | number;
  label: string;
  help: string;
  onDrag: () => void;
  onEnd: () => void;
  /** One row up or down. @param row the row or item the grip stands in */
  onStep: (step: -1 | 1, row: Element | null) => void;
};

/** The handle a row is put into another place by: dragged, or with Alt and the arrow keys on it. */
export function RowGrip({ id, rowKey, label, help, onDrag, onEnd, onStep }: Props) {
  const onDragStart = (event: DragEvent<HTMLButtonElement>) => {
    event.dataTransfer.effectAllowed = "move";
    // Without data some browsers begin no drag.
    event.dataTransfer.setData("text/plain", label);
    onDrag();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    onStep(event.key === "ArrowUp" ? -1 : 1, event.currentTarget.closest("tr, li"));
  };
  return (
    <button
      id={id}
      type="button"
      className={classes.grip}
      data-grip={rowKey}
      draggable
      aria-label={label}
      title={help}
      onDragStart={onDragStart}
      onDragEnd={onEnd}
      onKeyDown={onKeyDown}
    >
      <IconGripVertical size={14} stroke={1.4} aria-hidden="true" />
    </button>
  );
}
