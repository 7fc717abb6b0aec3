import styles from "./cards-view.module.css";

const radius = 19;
const round = 2 * Math.PI * radius;

/** Done of all as a ring with the figures inside; `label` says it in words. */
export function ProgressRing({ done, total, label }: { done: number; total: number; label: string }) {
  const share = total === 0 ? 0 : done / total;
  return (
    <span className={styles.ring} role="img" aria-label={label}>
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <circle className={styles.track} cx="22" cy="22" r={radius} />
        {share > 0 && <circle className={styles.done} cx="22" cy="22" r={radius} strokeDasharray={`${round * share} ${round}`} />}
      </svg>
      {done}/{total}
    </span>
  );
}
