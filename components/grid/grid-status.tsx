"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useSyncExternalStore } from "react";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import type { AnyGrid } from "./grid-controller.ts";
import styles from "./grid-status.module.css";
import { selectionFigures } from "./selection-figures.ts";

type StatusProps = {
  grid: AnyGrid;
  /** Leads to the next refused or conflicting cell where the grid itself is not shown; its selected cells are then not spoken of. */
  onProblem?: () => void;
  /** Right end: when the data was last in step with the server. */
  children?: ReactNode;
};

/** The bar below the grid: what is selected at the left; unsaved, refused and conflicting cells at the right, each leading to the next one. */
export function GridStatus({ grid, onProblem, children }: StatusProps) {
  const t = useTranslations("grid");
  const format = useFormatter();
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const { dirty, refused, conflicts } = grid.edits.counts;
  const figures = !onProblem && grid.source.total > 0 ? selectionFigures(grid) : null;
  const toProblem = onProblem ?? (() => grid.toProblem(false));
  const several = figures && figures.rows * figures.columns > 1;
  return (
    <div className={styles.bar}>
      {grid.rows.size > 0 && (
        <span>
          {t("rowsChosen")} <b>{format.number(grid.rows.size)}</b>
        </span>
      )}
      {several && (
        <span>
          {t("selected")}{" "}
          <b>
            {format.number(figures.rows)} × {format.number(figures.columns)}
          </b>
        </span>
      )}
      {several && figures.earliest && (
        <span>
          {t("earliest")} <b>{figures.earliest}</b>
        </span>
      )}
      {several && figures.latest && (
        <span>
          {t("latest")} <b>{figures.latest}</b>
        </span>
      )}
      {several && figures.sum !== null && (
        <span>
          {t("sum")} <b>{format.number(figures.sum, { maximumFractionDigits: 2 })}</b>
        </span>
      )}
      <span className={styles.grow} />
      <span role="status" style={{ display: "contents" }}>
        {dirty > 0 && (
          <span className={styles.unsaved}>
            <b style={{ color: "inherit" }}>{format.number(dirty)}</b> {t("unsaved")}
          </span>
        )}
        {refused > 0 && (
          <button type="button" className={`${styles.jump} ${styles.refused}`} title={t("nextProblemKey")} onClick={toProblem}>
            <MarkGlyph mark="refused" />
            <span>{t("refusedCount", { count: refused })}</span>
          </button>
        )}
        {conflicts > 0 && (
          <button type="button" className={`${styles.jump} ${styles.conflicts}`} title={t("nextProblemKey")} onClick={toProblem}>
            <MarkGlyph mark="conflict" />
            <span>{t("conflictCount", { count: conflicts })}</span>
          </button>
        )}
      </span>
      {children}
    </div>
  );
}
