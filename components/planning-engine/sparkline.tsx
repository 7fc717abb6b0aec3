/** A place of the line: seconds of the run, and the value. */
export type Point = { at: number; value: number };

const width = 240;
const height = 40;
const edge = 3;

/** How a figure fell while something ran, as steps: it stays until a better one is found. */
export function Sparkline({ points, label }: { points: readonly Point[]; label: string }) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const spread = Math.max(...values) - low;
  const isFlat = spread === 0;
  const span = Math.max(1, last.at - first.at);
  const x = ({ at }: Point) => edge + ((at - first.at) / span) * (width - 2 * edge);
  // What did not change runs through the middle.
  const y = ({ value }: Point) => (isFlat ? height / 2 : height - edge - ((value - low) / spread) * (height - 2 * edge));
  const steps = points.map((point, at) => (at === 0 ? `M${x(point)} ${y(point)}` : `H${x(point)}V${y(point)}`)).join("");
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <path d={steps} fill="none" stroke="var(--c1)" strokeWidth={2} strokeLinejoin="round" />
      <circle cx={x(last)} cy={y(last)} r={2.5} fill="var(--c1)" />
    </svg>
  );
}
