"use client";
import { IconGripVertical } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { DragEvent, KeyboardEvent } from "react";
import classes from "./attributes.module.css";

const gripOf = (row: Element | null | undefined): number | null => {
  const id = row?.querySelector<HTMLElement>("[data-grip]")?.dataset.grip;
  return id === undefined ? null : Number(id);
};

/** Id of the DOM element of a grip. */
export const gripId = (id: number): string => `attribute-grip-${id}`;

type Props = {
  id: number;
  name: string;
  onDrag: (id: number | null) => void;
  /** Moves the row to the place of another one. */
  onMove: (id: number, targetId: number) => void;
};

/** The handle a row is moved by: dragged, or with Alt and the arrow keys on it. */
export function OrderGrip({ id, name, onDrag, onMove }: Props) {
  const t = useTranslations("attributes.order");
  const onKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    const row = event.currentTarget.closest("tr, li");
    const target = gripOf(event.key === "ArrowUp" ? row?.previousElementSibling : row?.nextElementSibling);
    if (target !== null) onMove(id, target);
  };
  return (
    <button
      id={gripId(id)}
      type="button"
      className={classes.grip}
      data-grip={id}
      draggable
      aria-label={t("move", { name })}
      title={t("help")}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", name);
        onDrag(id);
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={onKey}
    >
      <IconGripVertical size={14} stroke={1.4} />
    </button>
  );
}

/** What the element around rows with grips listens to while one of them is dragged. */
export function dropHandlers(dragged: number | null, onMove: Props["onMove"]) {
  const rowOf = (event: DragEvent) => (event.target as Element).closest("tr[data-row], li");
  return {
    onDragOver: (event: DragEvent) => {
      if (dragged !== null && rowOf(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const target = dragged === null ? null : gripOf(rowOf(event));
      if (dragged === null || target === null) return;
      event.preventDefault();
      onMove(dragged, target);
    },
  };
}
