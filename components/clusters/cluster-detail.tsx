"use client";
import { Button } from "@mantine/core";
import { IconArrowLeft, IconTable } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { Status } from "#components/ui/glyph-paths.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { StatusTag } from "#components/ui/status-tag.tsx";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import { missingDusMax } from "#lib/dimension-views/clusters/limits.ts";
import type { ClusterView } from "#lib/dimension-views/clusters/queries.ts";
import { ClusterCurve } from "./cluster-curve.tsx";
import { ReadyTag, rateOf } from "./cluster-rate.tsx";
import classes from "./clusters.module.css";

type Props = {
  cluster: ClusterView;
  toneOf: Record<string, Status>;
  onBack: () => void;
  /** Opens the missing DUs in the grid; absent for who may not see it. */
  onOpen?: ((duIds: number[]) => void) | undefined;
};

/** One cluster: how far it is, its curve, and the DUs that are missing. */
export function ClusterDetail({ cluster, toneOf, onBack, onOpen }: Props) {
  const t = useTranslations("clusters.status");
  const words = useTranslations("plan-grid.status");
  const { total, done, needed, missing, missingCount } = cluster;
  return (
    <>
      <div className={classes.detailHead}>
        <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} stroke={1.4} />} onClick={onBack}>
          {t("back")}
        </Button>
      </div>
      <ScrollRegion className={classes.detail} label={cluster.name}>
        <h2>{cluster.name}</h2>
        <p className={classes.facts}>
          <ReadyTag cluster={cluster} />
          <b>{rateOf(cluster)}</b>
          {total !== null && done !== null ? t("doneOf", { done: formatNumber(done), total: formatNumber(total) }) : null}
        </p>
        <p className={classes.help}>
          {cluster.cutoverActivity ? t("by", { activity: cluster.cutoverActivity }) : t("noActivity")}
          {needed ? ` ${t("needed", { count: needed })}` : null}
        </p>
        {total !== null && done !== null && needed !== null ? (
          <ClusterCurve curve={cluster.curve} total={total} wanted={done + needed} />
        ) : null}
        {missing.length > 0 ? (
          <>
            <h3>{t("missing", { count: formatNumber(missingCount ?? missing.length) })}</h3>
            {onOpen ? (
              <Button leftSection={<IconTable size={16} stroke={1.4} />} onClick={() => onOpen(missing.map(({ duId }) => duId))}>
                {t("open")}
              </Button>
            ) : null}
            {missingCount !== null && missingCount > missing.length ? (
              <p className={classes.help}>{t("first", { max: missingDusMax })}</p>
            ) : null}
            <ul className={classes.missing}>
              {missing.map((du) => (
                <li key={du.duId}>
                  <span>{du.code}</span>
                  <span className={classes.day}>{du.planEnd ?? emptyText}</span>
                  <StatusTag plain status={toneOf[du.status] ?? "notplanned"} text={words(du.status)} />
                </li>
              ))}
            </ul>
          </>
        ) : null}
      </ScrollRegion>
    </>
  );
}
