"use client";

import { useFormatter, useTranslations } from "next-intl";
import { memo, useSyncExternalStore } from "react";
import { StatusGlyph } from "#components/ui/status-glyph.tsx";
import type { ColumnLayout, PlacedGroup } from "./column-layout.ts";
import { asCell, asNothing, asRow, asRowHead, asRows } from "./grid-roles.ts";
import styles from "./grid-summary.module.css";
import type { ScrollWindow } from "./scroll-window.ts";

/** Figures of a group over all rows of the query. `total` counts the rows the group applies to. */
export type GroupFigures = { total: number; planned: number; done: number; delayed: number };

export type SummaryProps = {
  scroll: ScrollWindow;
  layout: ColumnLayout;
  figures: ReadonlyMap<string, GroupFigures>;
  label: string;
  note: string;
  /** The figures could not be read: says so, and reads them again. */
  failed?: { text: string; onRetry: () => void } | null;
  rowIndex: number;
};

const join = (...names: (string | false)[]) => names.filter(Boolean).join(" ");

/** The row at the bottom: progress, done in percent and delayed of every group. */
export const GridSummary = memo(function GridSummary({ scroll, layout, figures, label, note, failed, rowIndex }: SummaryProps) {
  const t = useTranslations("grid");
  const span = useSyncExternalStore(scroll.subscribe, scroll.headSpan, scroll.firstHeadSpan);
  const [firstColumn, lastColumn] = span.split(" ").map(Number) as [number, number];
  const groups = layout.groups.filter((group) => !group.locked && group.last >= firstColumn && group.first <= lastColumn);
  const lockedWidth = layout.lockedWidth - layout.numberWidth;
  return (
    <div {...asRows} className={styles.summary} style={{ width: layout.width }}>
      <div {...asRow(rowIndex)}>
        <div {...asNothing} className={styles.locked} style={{ width: layout.lockedWidth }}>
          <div {...asNothing} className={styles.cell} style={{ left: 0, width: layout.numberWidth }} />
          <div
            {...asRowHead(2, layout.lockedCount)}
            className={join(styles.cell ?? "", styles.edge ?? "")}
            style={{ left: layout.numberWidth, width: lockedWidth }}
          >
            <b>{label}</b>
            <span>{note}</span>
            {failed && (
              <span role="alert" className={styles.failed} title={failed.text}>
                <span>{failed.text}</span>
                <button type="button" className={styles.retry} onClick={failed.onRetry}>
                  {t("retry")}
                </button>
              </span>
            )}
          </div>
        </div>
        {groups.map((group) => (
          <SummaryCell key={`${group.group?.key}-${group.first}`} group={group} figures={figures.get(group.group?.key ?? "")} />
        ))}
      </div>
    </div>
  );
});

const SummaryCell = memo(function SummaryCell({ group, figures }: { group: PlacedGroup; figures: GroupFigures | undefined }) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const part = figures && figures.total > 0 ? figures.done / figures.total : 0;
  const wide = group.width >= 330;
  const percent = (digits: number) =>
    `${format.number(part * 100, { maximumFractionDigits: digits, minimumFractionDigits: digits })}\u00a0%`;
  return (
    <div
      {...asCell(group.first + 2, group.last - group.first + 1)}
      className={join(styles.cell ?? "", styles.edge ?? "")}
      style={{ left: group.left, width: group.width }}
    >
      {figures && figures.total > 0 && (
        <>
          <i className={styles.progress} style={{ width: `${part * 100}%` }} />
          {wide ? (
            <>
              <span>
                {t("planned")} <b>{format.number(figures.planned)}</b>
              </span>
              <span>
                {t("done")} <b>{format.number(figures.done)}</b>
              </span>
              <Delayed count={figures.delayed} />
              {figures.total > figures.planned && (
                <span className={styles.count} title={t("notPlanned")}>
                  <StatusGlyph status="notplanned" />
                  {format.number(figures.total - figures.planned)}
                </span>
              )}
              <b className={styles.right}>{percent(2)}</b>
            </>
          ) : (
            <>
              <b>{percent(0)}</b>
              <span className={styles.right}>
                <Delayed count={figures.delayed} />
              </span>
            </>
          )}
        </>
      )}
    </div>
  );
});

function Delayed({ count }: { count: number }) {
  const t = useTranslations("grid");
  const format = useFormatter();
  if (count === 0) return null;
  return (
    <span className={styles.count} title={t("delayed")}>
      <StatusGlyph status="delayed" />
      <b>{format.number(count)}</b>
    </span>
  );
}
