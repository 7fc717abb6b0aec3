import { type Lock, lockPaths, type Mark, markPaths, type Status, statusDashes, statusPaths } from "./glyph-paths.ts";

type Props = { size?: number; className?: string | undefined; color?: string };

function Outline({ path, dash, size = 12, className, color }: Props & { path: string; dash?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={className}
      fill="none"
      stroke={color ?? "currentColor"}
      strokeWidth={size > 12 ? 1.4 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeDasharray={dash}
      aria-hidden="true"
      style={{ flex: "none" }}
    >
      <path d={path} />
    </svg>
  );
}

/** Glyph of an activity status; the word or the date always stands beside it. */
export function StatusGlyph({ status, ...rest }: Props & { status: Status }) {
  return <Outline path={statusPaths[status]} dash={statusDashes[status]} color={`var(--st-${status})`} {...rest} />;
}

/** Glyph of the reason a cell is locked. */
export function LockGlyph({ lock, size = 11, ...rest }: Props & { lock: Lock }) {
  return <Outline path={lockPaths[lock]} size={size} {...rest} />;
}

/** Glyph of a refused cell, a warning or a conflict. */
export function MarkGlyph({ mark, ...rest }: Props & { mark: Mark }) {
  return <Outline path={markPaths[mark]} {...rest} />;
}
