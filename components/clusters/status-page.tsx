"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import type { Status } from "#components/ui/glyph-paths.ts";
import type { MapShape } from "#components/ui/map-engine.ts";
import { MapView } from "#components/ui/map-on-demand.tsx";
import { noPoints } from "#components/ui/map-points.ts";
import type { MapHandle } from "#components/ui/map-view.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { ClusterDetail } from "./cluster-detail.tsx";
import { ReadyTag, rateOf, readyColor } from "./cluster-rate.tsx";
import { clusterTabs } from "./cluster-tabs.ts";
import classes from "./clusters.module.css";
import { useClusterView } from "./use-cluster-view.ts";

const none: readonly number[] = [];
const looks: readonly Status[] = [];

/** Clusters by readiness: on the map as coloured areas, beside it by priority, one of them with its curve and missing DUs. [MDV-08] */
export function StatusPage({ toneOf, styleUrl }: { toneOf: Record<string, Status>; styleUrl: string | null }) {
  const t = useTranslations("clusters.status");
  const tabs = useTranslations("clusters");
  const { can } = useSession();
  const href = useHref();
  const router = useRouter();
  const map = useRef<MapHandle>(null);
  const view = useClusterView();
  const [shown, setShown] = useState<number | null>(null);
  const clusters = view.data?.clusters;
  const chosen = clusters?.find(({ id }) => id === shown) ?? null;
  const shapes = useMemo<MapShape[]>(
    () =>
      (clusters ?? []).map((cluster) => ({
        id: cluster.id,
        ring: cluster.hull,
        color: readyColor(cluster),
        name: `${cluster.name} ${rateOf(cluster)}`,
        chosen: cluster.id === shown,
      })),
    [clusters, shown],
  );
  const show = (id: number | null) => {
    setShown(id);
    const hull = clusters?.find((cluster) => cluster.id === id)?.hull;
    if (hull) map.current?.fitRing(hull);
  };
  const open = async (duIds: number[]) => {
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const answer = await callDoor(`wbs/batchInsertStorageDuForWeb/${key}`, { kind: "cluster", duIds });
    if (answer.status === 200) router.push(href("rolloutPlan", { query: { selection: key } }));
    else toast.problem(answer.msg ?? t("stored"));
  };
  return (
    <div className={classes.page}>
      <PageBar {...clusterTabs(href, "clusterStatus", tabs)} />
      {view.isError && !clusters ? (
        <ErrorPanel title={t("failed")} failed={view.error} onRetry={() => void view.refetch()} />
      ) : clusters?.length === 0 ? (
        <EmptyState title={tabs("empty")} text={tabs("emptyText")} />
      ) : (
        <div className={classes.sides}>
          <MapView
            label={t("map")}
            styleUrl={styleUrl}
            points={clusters ? noPoints : null}
            looks={looks}
            counts={false}
            chosen={none}
            shapes={shapes}
            onPick={({ shape }) => setShown(shape)}
            onReady={(ready) => {
              map.current = ready;
            }}
          />
          <aside className={classes.panel} aria-label={t("label")} aria-busy={view.isFetching}>
            {chosen ? (
              <ClusterDetail
                cluster={chosen}
                toneOf={toneOf}
                onBack={() => setShown(null)}
                onOpen={can("rollout.view") ? (duIds) => void open(duIds) : undefined}
              />
            ) : (
              <ScrollRegion className={classes.detail} label={t("label")}>
                <ol className={classes.clusters}>
                  {(clusters ?? []).map((cluster) => (
                    <li key={cluster.id}>
                      <button type="button" onClick={() => show(cluster.id)}>
                        <span className={classes.line}>
                          <b>{cluster.name}</b>
                          <span className={classes.help}>{t("priority", { priority: cluster.priority })}</span>
                          <span className={classes.end}>
                            <ReadyTag cluster={cluster} />
                          </span>
                        </span>
                        <span className={classes.line}>
                          <ProgressBar done={cluster.rate ?? 0} total={100} label={cluster.name} />
                          <span>{rateOf(cluster)}</span>
                          <span className={classes.end}>
                            {cluster.missingCount === null ? null : t("missing", { count: formatNumber(cluster.missingCount) })}
                          </span>
                        </span>
                      </button>
                    </li>
                  ))}
                </ol>
              </ScrollRegion>
            )}
          </aside>
        </div>
      )}
    </div>
  );
}
