"use client";
import Link from "next/link";
import { useHref } from "#components/ui/use-href.ts";
import type { ScreenKey } from "#lib/screens.ts";
import classes from "./link-list.module.css";
import { useMenuTitle } from "./use-menu-title.ts";

/** Links to screens by their titles. */
export function LinkList({ label, keys }: { label: string; keys: readonly ScreenKey[] }) {
  const href = useHref();
  const title = useMenuTitle();
  return (
    <nav aria-label={label}>
      <ul className={classes.list}>
        {keys.map((key) => (
          <li key={key}>
            <Link href={href(key)} prefetch={false}>
              {title(key)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
