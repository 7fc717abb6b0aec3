import classes from "./outputs.module.css";

const day = /(\d{4}-\d{2}-\d{2})/;

/** A sentence whose dates stay in one piece. */
export function DatedText({ children }: { children: string }) {
  return children.split(day).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} className={classes.day}>
        {part}
      </span>
    ),
  );
}
