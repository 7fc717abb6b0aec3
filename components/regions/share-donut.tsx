import { regionColor } from "./region-map.tsx";
import classes from "./regions.module.css";

const size = 220;
const radius = 84;
const length = 2 * Math.PI * radius;

/** Shares as a ring; the table beside it says the same in figures. */
export function ShareDonut({ label, parts }: { label: string; parts: readonly { name: string; value: number }[] }) {
  const total = Math.max(
    100,
    parts.reduce((sum, { value }) => sum + value, 0),
  );
  let before = 0;
  return (
    <svg className={classes.donut} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <circle className={classes.ring} cx={size / 2} cy={size / 2} r={radius} />
      {parts.map(({ name, value }, at) => {
        const arc = (value / total) * length;
        const offset = -before;
        before += arc;
        return (
          <circle
            key={name}
            className={classes.arc}
            cx={size / 2}
            cy={size / 2}
            r={radius}
            style={{ stroke: regionColor(at) }}
            strokeDasharray={`${Math.max(0, arc - 1.5)} ${length}`}
            strokeDashoffset={offset}
            transform={`rotate(-90 ${size / 2} ${size / 2})`}
          >
            <title>{`${name} ${value.toFixed(2)} %`}</title>
          </circle>
        );
      })}
    </svg>
  );
}
