"use client";

import type { ReactNode } from "react";
import { type CellRange, intersect, rangeCells } from "./cell-range.ts";
import { type ColumnLayout, placedRect } from "./column-layout.ts";
import styles from "./planning-grid.module.css";

type RingsProps = {
  layout: ColumnLayout;
  range: CellRange;
  copied: CellRange | null;
  filling: CellRange | null;
  /** Handle at the end of the selection; absent where nothing may be edited. */
  onHandle: ((event: React.PointerEvent) => void) | undefined;
  children?: ReactNode;
};

const join = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(" ");

/** Frames around the selection, the copied block and the block a fill would cover, for the locked or for the other columns. */
export function GridRings({ layout, locked, range, copied, filling, onHandle, children }: RingsProps & { locked: boolean }) {
  const side: CellRange = locked
    ? { top: 0, left: 0, bottom: Number.MAX_SAFE_INTEGER, right: layout.lockedCount - 1 }
    : { top: 0, left: layout.lockedCount, bottom: Number.MAX_SAFE_INTEGER, right: layout.columns.length - 1 };
  const frame = (block: CellRange | null, kind: string | undefined) => {
    const part = block && intersect(block, side);
    if (!part || !block) return null;
    const { left, top, width, height } = placedRect(layout, part);
    return (
      <div
        className={join(styles.ring, kind, part.left > block.left && styles.ringOpenLeft, part.right < block.right && styles.ringOpenRight)}
        style={{ left: left - 1, top: top - 1, width: width + 1, height: height + 1 }}
      />
    );
  };
  const last = onHandle && intersect({ ...range, left: range.right }, side);
  const corner = last && placedRect(layout, last);
  const frames = (
    <>
      {rangeCells(range) > 1 && frame(range, undefined)}
      {frame(copied, styles.copied)}
      {frame(filling, styles.filling)}
      {corner && (
        <div
          className={styles.handle}
          style={{ left: corner.left + corner.width - 4, top: corner.top + corner.height - 4 }}
          onPointerDown={onHandle}
        />
      )}
      {children}
    </>
  );
  return locked ? (
    <div className={styles.lockedRings}>
      <div>{frames}</div>
    </div>
  ) : (
    <div className={styles.rings}>{frames}</div>
  );
}
