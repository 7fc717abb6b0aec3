"use client";
import Link from "next/link";
import { useHref } from "#components/ui/use-href.ts";
import type { ScreenKey } from "#lib/screens.ts";
import classes from "./link-list.module.css";
import { useMenuTitle } from "./use-menu-title.ts";

type Props = {
  label: string;
  keys: readonly ScreenKey[];
  /** Whether the label is to be seen above the links. */
  titled?: boolean;
};

/** Links to screens by their titles. */
export function LinkList({ label, keys, titled = false }: Props) {
  const href = useHref();
  const title = useMenuTitle();
  return (
    <nav aria-label={label} className={titled ? classes.titled : undefined}>
      {titled ? <h3 className={classes.title}>{label}</h3> : null}
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
