import { type TimeAxis, timeHead } from "./time-axis.ts";
import classes from "./time-chart.module.css";

/** Pixels below which a tick has no room beside its text. */
const narrowBelow = 36;

type Props = {
  axis: TimeAxis;
  /** Days that are drawn. */
  from: number;
  to: number;
  locale: string;
  /** The day whose tick stands out. */
  today?: number;
};

/** The two rows of days above a chart over time. */
export function TimeTicks({ axis, from, to, locale, today }: Props) {
  const { upper, lower } = timeHead(axis, from, to, locale);
  return (
    <>
      {upper.map(({ day, left, width, text }) => (
        <span key={`upper ${day}`} className={classes.upper} style={{ left, width }}>
          {width < narrowBelow ? null : text}
        </span>
      ))}
      {lower.map(({ day, left, width, text }) => (
        <span
          key={day}
          className={classes.lower}
          data-narrow={width < narrowBelow || undefined}
          data-now={(today !== undefined && today >= day && today < day + width / axis.dayWidth) || undefined}
          style={{ left, width }}
        >
          {text}
        </span>
      ))}
    </>
  );
}
