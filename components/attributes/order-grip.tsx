"use client";
import { useTranslations } from "next-intl";
import type { DragEvent } from "react";
import { RowGrip } from "#components/ui/row-grip.tsx";

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
  const step = (by: -1 | 1, row: Element | null) => {
    const target = gripOf(by === -1 ? row?.previousElementSibling : row?.nextElementSibling);
    if (target !== null) onMove(id, target);
  };
  return (
    <RowGrip
      id={gripId(id)}
      rowKey={id}
      label={t("move", { name })}
      help={t("help")}
      onDrag={() => onDrag(id)}
      onEnd={() => onDrag(null)}
      onStep={step}
    />
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
