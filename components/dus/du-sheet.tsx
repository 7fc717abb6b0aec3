"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { emptyText } from "#lib/core/format.ts";
import type { DuRow } from "#lib/rollout-plan/dus/queries.ts";
import classes from "./record-sheet.module.css";

const facts = [
  "code",
  "name",
  "siteCode",
  "siteName",
  "siteNumber",
  "address",
  "city",
  "postCode",
  "region",
  "subcontractor",
  "flow",
  "projectCode",
  "subProjectCode",
  "deliveryType",
  "productType",
  "productLine",
  "scenarioType",
  "cluster",
  "clusterPriority",
  "rfiPriority",
  "deliveryKey",
  "deliveryBatchNo",
  "poCompletenessNo",
  "rfcNumber",
  "hwContractNumber",
  "completenessType",
  "networkElementId",
] as const;
const names = { region: "regionName", subcontractor: "subcontractorName", cluster: "clusterName", flow: "flowName" } as const;
const fieldOf = (fact: (typeof facts)[number]): keyof DuRow => (fact in names ? names[fact as keyof typeof names] : (fact as keyof DuRow));

/** The master data of one DU on a page of its own. */
export function DuSheet({ du }: { du: DuRow }) {
  const t = useTranslations("dus.fields");
  const sheet = useTranslations("dus.sheet");
  const href = useHref();
  return (
    <>
      <PageBar record={du.code} />
      <ScrollRegion className={classes.page} label={du.code}>
        <div className={classes.card}>
          <dl className={classes.facts}>
            {facts.map((fact) => (
              <Fact key={fact} name={t(fact)} value={du[fieldOf(fact)]} />
            ))}
          </dl>
          <ul className={classes.list}>
            <li>
              <Link href={href("rolloutPlan", { query: { du: du.code } })} prefetch={false}>
                {sheet("plan")}
              </Link>
            </li>
            <li>
              <Link href={href("dialog", { query: { type: "siteInfo", id: du.siteId } })} prefetch={false}>
                {sheet("site")}
              </Link>
            </li>
          </ul>
        </div>
      </ScrollRegion>
    </>
  );
}

function Fact({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value === null || value === undefined || value === "" ? emptyText : String(value)}</dd>
    </>
  );
}
