import classes from "./progress-bar.module.css";

/**
 * How far a long piece of work is.
 * @param done, total without a total the bar only says that something runs
 */
export function ProgressBar({ done, total, label, large = false }: { done: number; total: number | null; label: string; large?: boolean }) {
  const share = total ? Math.min(100, Math.max(0, (done / total) * 100)) : null;
  return (
    <div
      className={classes.track}
      data-large={large || undefined}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share)}
    >
      <div
        className={share === null ? `${classes.fill} ${classes.open}` : classes.fill}
        style={share === null ? undefined : { width: `${share}%` }}
      />
    </div>
  );
}
