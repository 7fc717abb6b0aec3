"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { rowHeight } from "./column-layout.ts";
import type { AnyGrid } from "./grid-controller.ts";
import styles from "./planning-grid.module.css";
import type { ScrollWindow } from "./scroll-window.ts";

type FailuresProps = { grid: AnyGrid; scroll: ScrollWindow; onRetry: (from: number) => void };

/** Says over the rows in sight which of them could not be loaded, and offers to load them again. */
export function TileFailures({ grid, scroll, onRetry }: FailuresProps) {
  const t = useTranslations("grid");
  const inSight = () => {
    const { firstRow, lastRow } = scroll.window().seen;
    return grid.source
      .failures()
      .filter(({ from, to }) => from <= lastRow && to >= firstRow)
      .map(({ from, to }) => `${from} ${(Math.max(from, firstRow) + Math.min(to, lastRow)) / 2}`)
      .join();
  };
  const failures = useSyncExternalStore(scroll.subscribe, inSight, () => "");
  if (failures === "") return null;
  return failures.split(",").map((failure) => {
    const [from, middle] = failure.split(" ").map(Number) as [number, number];
    return (
      <div
        key={from}
        role="alert"
        className={styles.failure}
        style={{ top: middle * rowHeight - 8, left: Math.max(8, scroll.port.width / 2 - 120) }}
      >
        {t("rowsFailed")}
        <button type="button" className={styles.retry} onClick={() => onRetry(from)}>
          {t("retry")}
        </button>
      </div>
    );
  });
}
