import type { ReactNode } from "react";

type Props = { label: string; className: string | undefined; role?: "tabpanel"; busy?: boolean; children: ReactNode };

/** A part of a page or dialog that scrolls by itself: with a name, and within reach of the keyboard. */
export function ScrollRegion({ label, className, role, busy, children }: Props) {
  return (
    <section className={className} role={role} aria-label={label} aria-busy={busy} tabIndex={0} data-scroll>
      {children}
    </section>
  );
}
