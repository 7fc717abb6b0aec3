import classes from "./outputs.module.css";

/** Grey bars in the place of rows that are being read. */
export function Bones({ rows = 12 }: { rows?: number }) {
  return (
    <div className={classes.bones} aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} style={{ width: `${70 - ((at * 17) % 40)}%` }} />
      ))}
    </div>
  );
}
