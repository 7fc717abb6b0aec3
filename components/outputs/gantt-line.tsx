"use client";
import { memo } from "react";
import { asCell, asNothing, asRow, asRowHead } from "#components/grid/grid-roles.ts";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { dayLeft, type TimeAxis } from "#components/ui/time-axis.ts";
import type { GanttRow } from "#lib/planning-engine/outputs/schema.ts";
import classes from "./plan-gantt.module.css";

type Props = {
  /** Undefined while it is being read. */
  row: GanttRow | undefined;
  isTeam: boolean;
  axis: TimeAxis;
  top: number;
  /** Days that are drawn. */
  from: number;
  to: number;
  rowIndex: number;
  idOf: (bar: number) => string;
  /** The bar one looks at by key; -1 the line itself. */
  active: number | null;
  onHover: (bar: number | null) => void;
  onPick: (bar: number) => void;
  onOpen: (duId: number) => void;
};

/** Pixels from which a bar has room for the DU it is of. */
const roomForCode = 64;

/** A line of the Gantt: the name at the left, the bars in sight along time. */
function Line({ row, isTeam, axis, top, from, to, rowIndex, idOf, active, onHover, onPick, onOpen }: Props) {
  const asBar = (at: number, duId: number) => ({
    ...asCell(at + 2),
    onPointerEnter: () => onHover(at),
    onPointerLeave: () => onHover(null),
    onClick: () => onPick(at),
    onDoubleClick: () => onOpen(duId),
  });
  return (
    <div
      id={idOf(-1)}
      className={classes.line}
      {...asRow(rowIndex)}
      data-active={active !== null || undefined}
      style={{ top, width: 260 + axis.width }}
    >
      <div className={classes.name} {...asRowHead(1)} title={row?.label}>
        {row ? (
          <>
            <span>{row.label}</span>
            {row.lateDays > 0 ? (
              <span className={classes.late}>
                <MarkGlyph mark="warning" /> +{row.lateDays}
              </span>
            ) : null}
          </>
        ) : (
          <span className={classes.bone} />
        )}
      </div>
      <div className={classes.track} {...asNothing}>
        {row?.bars.map((bar, at) => {
          if (bar.endDay < from || bar.startDay > to) return null;
          const left = dayLeft(axis, bar.startDay);
          const width = Math.max(3, (bar.endDay - bar.startDay + 1) * axis.dayWidth - 1);
          return (
            <div
              key={`${bar.duId} ${bar.position}`}
              id={idOf(at)}
              {...asBar(at, bar.duId)}
              className={classes.barBox}
              data-kind={bar.fixed ? "fixed" : bar.pool > 0 ? "team" : "plain"}
              data-active={active === at || undefined}
              style={{ left, width }}
            >
              {isTeam && width >= roomForCode ? bar.duCode : <span className="visually-hidden">{bar.duCode}</span>}
            </div>
          );
        })}
        {row && row.dueDay > 0 ? (
          <span
            className={classes.due}
            data-late={row.lateDays > 0 || undefined}
            style={{ left: dayLeft(axis, row.dueDay + 1) - 1 }}
            aria-hidden="true"
          />
        ) : null}
      </div>
    </div>
  );
}

/** Drawn anew only where what it shows has changed: a scroll moves many lines and changes few. */
export const GanttLine = memo(
  Line,
  (before, after) =>
    before.row === after.row &&
    before.isTeam === after.isTeam &&
    before.axis === after.axis &&
    before.top === after.top &&
    before.from === after.from &&
    before.to === after.to &&
    before.active === after.active,
);
