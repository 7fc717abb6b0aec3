"use client";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import type { SiteInfo } from "#lib/rollout-plan/queries.ts";
import classes from "./record-sheet.module.css";
import { SiteFacts } from "./site-facts.tsx";

/** The master data of one site on a page of its own. */
export function SiteSheet({ site }: { site: SiteInfo }) {
  return (
    <>
      <PageBar record={site.code} />
      <ScrollRegion className={classes.page} label={site.code}>
        <div className={classes.card}>
          <SiteFacts site={site} />
        </div>
      </ScrollRegion>
    </>
  );
}
