import { dayNumber } from "#lib/core/clock.ts";
import type { Phase } from "#lib/resources/project-cycle/queries.ts";
import classes from "./cycle.module.css";

type Props = { phases: readonly Phase[]; shared: ReadonlySet<string>; today: string };

/** A bar for each phase from its first to its last day; bars that share days with another are hatched. */
export function PhaseGantt({ phases, shared, today }: Props) {
  const from = Math.min(...phases.map(({ startDate }) => dayNumber(startDate)));
  const to = Math.max(...phases.map(({ endDate }) => dayNumber(endDate)));
  const place = (day: number) => ((day - from) / (to - from + 1)) * 100;
  const now = dayNumber(today);
  return (
    <ol className={classes.gantt}>
      {phases.map(({ id, code, name, startDate, endDate }) => (
        <li key={id}>
          <span className={classes.name} title={name}>
            {code} {name}
          </span>
          <span className={classes.track}>
            {now >= from && now <= to ? <span className={classes.today} style={{ left: `${place(now)}%` }} aria-hidden="true" /> : null}
            <span
              className={classes.bar}
              data-shared={shared.has(name) || undefined}
              style={{ left: `${place(dayNumber(startDate))}%`, width: `${place(dayNumber(endDate) + 1) - place(dayNumber(startDate))}%` }}
            />
          </span>
          <span className={classes.days}>
            {startDate} – {endDate}
          </span>
        </li>
      ))}
    </ol>
  );
}
