/** The product's mark: a milestone with an M. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 18 20" width={size * 0.9} height={size} aria-hidden="true" fill="none" strokeLinecap="round" strokeLinejoin="round">
      <path d="M3 19V7a6 6 0 0 1 12 0v12z" stroke="var(--fg-1)" strokeWidth="1.6" />
      <path d="M6.2 13.5V8l2.8 3 2.8-3v5.5" stroke="var(--accent)" strokeWidth="1.8" />
      <path d="M1 19h16" stroke="var(--fg-1)" strokeWidth="1.6" />
    </svg>
  );
}
