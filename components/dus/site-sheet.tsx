"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { emptyText } from "#lib/core/format.ts";
import type { SiteInfo } from "#lib/rollout-plan/queries.ts";
import classes from "./record-sheet.module.css";

const facts = [
  "siteNumber",
  "country",
  "province",
  "city",
  "town",
  "address",
  "postCode",
  "longitude",
  "latitude",
  "siteScenario",
] as const;

/** The master data of one site, its owners and its DUs, on a page of its own. */
export function SiteSheet({ site }: { site: SiteInfo }) {
  const t = useTranslations("dus.fields");
  const sheet = useTranslations("dus.sheet");
  const href = useHref();
  const people = (list: SiteInfo["siteOwners"]) => list.map((person) => person.name).join(", ") || emptyText;
  return (
    <>
      <PageBar record={site.code} />
      <ScrollRegion className={classes.page} label={site.code}>
        <div className={classes.card}>
          <dl className={classes.facts}>
            <dt>{t("siteCode")}</dt>
            <dd>{site.code}</dd>
            <dt>{t("siteName")}</dt>
            <dd>{site.name}</dd>
            {facts.map((fact) => (
              <SiteFact key={fact} name={t(fact)} value={site[fact]} />
            ))}
            <dt>{sheet("siteOwners")}</dt>
            <dd>{people(site.siteOwners)}</dd>
            <dt>{sheet("regionOwners")}</dt>
            <dd>{people(site.regionOwners)}</dd>
          </dl>
          <h2>{sheet("dus", { count: site.dus.length })}</h2>
          <ul className={classes.list}>
            {site.dus.map((du) => (
              <li key={du.id}>
                <Link href={href("dialog", { query: { type: "duDetail", id: du.id } })} prefetch={false}>
                  {du.code}
                </Link>{" "}
                {du.name} {du.flow ?? ""}
              </li>
            ))}
          </ul>
        </div>
      </ScrollRegion>
    </>
  );
}

function SiteFact({ name, value }: { name: string; value: string | number | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value ?? emptyText}</dd>
    </>
  );
}
