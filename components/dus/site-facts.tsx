"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { StatusTag } from "#components/ui/status-tag.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { emptyText } from "#lib/core/format.ts";
import type { SiteInfo } from "#lib/rollout-plan/queries.ts";
import { duTone } from "./du-tone.ts";
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
  "stateId",
  "stateName",
  "siteScenario",
] as const;

/** The master data of a site, its owners and those of its DUs the person reaches. */
export function SiteFacts({ site }: { site: SiteInfo }) {
  const t = useTranslations("dus");
  const href = useHref();
  const people = (list: SiteInfo["siteOwners"]) => list.map((person) => person.name).join(", ") || emptyText;
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t("fields.siteCode")}</dt>
        <dd>{site.code}</dd>
        <dt>{t("fields.siteName")}</dt>
        <dd>{site.name}</dd>
        {facts.map((fact) => (
          <SiteFact key={fact} name={t(`fields.${fact}`)} value={site[fact]} />
        ))}
        <SiteFact name={t("fields.status")} value={t(`values.status.${site.status}`)} />
        <dt>{t("sheet.siteOwners")}</dt>
        <dd>{people(site.siteOwners)}</dd>
        <dt>{t("sheet.regionOwners")}</dt>
        <dd>{people(site.regionOwners)}</dd>
      </dl>
      <h2>{t("sheet.dus", { count: site.dus.length })}</h2>
      <ul className={classes.list}>
        {site.dus.map((du) => (
          <li key={du.id} className={classes.du}>
            <Link href={href("dialog", { query: { type: "duDetail", id: du.id } })} prefetch={false}>
              {du.code}
            </Link>
            <span>
              {du.name} {du.flow ?? ""}
            </span>
            <StatusTag status={duTone(du.status)} text={t(`status.${du.status}`)} plain />
          </li>
        ))}
      </ul>
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
