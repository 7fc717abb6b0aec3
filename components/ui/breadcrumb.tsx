"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { keptQuery } from "#lib/core/hash.ts";
import { screenOf, trailOf } from "#lib/screens.ts";
import classes from "./page-bar.module.css";
import { useHref } from "./use-href.ts";
import { useScreen, useScreenTitle } from "./use-screen.ts";

/** The screens above this one as links (they keep the delivery type only), and this one as the page's title. */
export function Breadcrumb({ record }: { record?: string }) {
  const t = useTranslations("ui");
  const here = useScreen();
  const title = useScreenTitle();
  const href = useHref();
  const kept = Object.fromEntries(keptQuery.map((name) => [name, here?.query.get(name)]));
  const trail = here ? trailOf(here.screen.key) : [screenOf("rolloutPlan")];
  const last = trail.at(-1);
  return (
    <nav aria-label={t("page.trail")}>
      <ol className={classes.trail}>
        {trail.slice(0, -1).map((screen) => (
          <li key={screen.key}>
            <Link href={href(screen.key, { query: kept })} prefetch={false}>
              {title(screen.key)}
            </Link>
          </li>
        ))}
        <li aria-current="page">
          <h1 className={classes.title}>{here && last ? title(last.key) : t("page.unknown")}</h1>
        </li>
        {record ? (
          <li>
            <span className={classes.title}>{record}</span>
          </li>
        ) : null}
      </ol>
    </nav>
  );
}
