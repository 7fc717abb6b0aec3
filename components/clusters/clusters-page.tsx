"use client";
import { Button } from "@mantine/core";
import { IconClipboardList, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import type { Status } from "#components/ui/glyph-paths.ts";
import type { MapShape } from "#components/ui/map-engine.ts";
import { MapView } from "#components/ui/map-on-demand.tsx";
import { type LngLat, pointsInRing } from "#components/ui/map-points.ts";
import type { MapHandle } from "#components/ui/map-view.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatNumber } from "#lib/core/format.ts";
import { percentMax } from "#lib/dimension-views/clusters/limits.ts";
import type { ClusterRow } from "#lib/dimension-views/clusters/queries.ts";
import { AssignBar } from "./assign-bar.tsx";
import { type ClusterChoices, ClusterDialog } from "./cluster-dialog.tsx";
import { clusterTabs } from "./cluster-tabs.ts";
import classes from "./clusters.module.css";
import { CodesDialog } from "./codes-dialog.tsx";
import { DeleteClusters } from "./delete-clusters.tsx";
import { clustersAddress, refreshClusters, useClusterView } from "./use-cluster-view.ts";
import { useDuPoints } from "./use-du-points.ts";

type Open =
  | { dialog: "edit"; cluster: ClusterRow | null; polygon: LngLat[] | null }
  | { dialog: "codes" }
  | { dialog: "delete"; rows: ClusterRow[]; clear: () => void };

/** Clusters in a list and on the map beside it: draw around DUs, put them in. [MDV-07] */
export function ClustersPage({ choices, looks, styleUrl }: { choices: ClusterChoices; looks: readonly Status[]; styleUrl: string | null }) {
  const t = useTranslations("clusters");
  const common = useTranslations("common");
  const { can } = useSession();
  const href = useHref();
  const client = useQueryClient();
  const map = useRef<MapHandle>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [ring, setRing] = useState<LngLat[] | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const view = useClusterView();
  const found = useDuPoints();
  const points = found.data ?? null;
  const pointsFailed = found.isError && !found.data;
  const mapFailed = pointsFailed || (view.isError && !view.data);
  useEffect(() => {
    // The map that was there before it failed has ended.
    if (mapFailed) map.current = null;
  }, [mapFailed]);
  const mayEdit = can("cluster.edit");
  const clusters = view.data?.clusters ?? [];
  const refresh = () => refreshClusters(client);
  const clear = () => {
    setChosen(new Set());
    setRing(null);
  };
  const shapes = useMemo<MapShape[]>(
    () => (view.data?.clusters ?? []).map(({ id, hull, color, name }) => ({ id, ring: hull, color, name, chosen: id === shown })),
    [view.data, shown],
  );
  const places = useMemo(
    () => (points ? [...points.ids.keys()].filter((at) => chosen.has(points.ids[at] as number)) : []),
    [points, chosen],
  );
  const choose = (at: readonly number[], adds: boolean) =>
    setChosen(new Set([...(adds ? chosen : []), ...at.map((place) => points?.ids[place] as number)]));
  const show = (row: ClusterRow) => {
    setShown(row.id);
    map.current?.fitRing(clusters.find(({ id }) => id === row.id)?.hull ?? []);
  };
  const columns: Column<ClusterRow>[] = [
    {
      key: "name",
      label: common("name"),
      width: 160,
      sortable: true,
      render: (row) => (
        <span className={classes.named}>
          <span className={classes.swatch} style={{ background: `var(--${row.color})` }} />
          {row.name}
        </span>
      ),
    },
    { key: "priority", label: t("field.priority"), width: 80, align: "right", sortable: true },
    { key: "region", label: t("field.regionId"), width: 120, sortable: true },
    { key: "cutoverActivity", label: t("field.cutoverActivityId"), width: 150 },
    {
      key: "completionRate",
      label: t("field.completionRate"),
      width: 110,
      align: "right",
      render: (row) => rateText(row, t("dus")),
    },
    {
      key: "duCount",
      label: "DU",
      width: 70,
      align: "right",
      render: (row) => (row.duCount === null ? "-" : formatNumber(row.duCount)),
    },
    { key: "maxCutoverQty", label: t("field.maxCutoverQty"), width: 110, align: "right" },
  ];
  return (
    <div className={classes.page}>
      <PageBar {...clusterTabs(href, "clusters", t)}>
        {mayEdit ? (
          <>
            <Button leftSection={<IconClipboardList size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "codes" })}>
              {t("codes.title")}
            </Button>
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} stroke={1.4} />}
              onClick={() => setOpen({ dialog: "edit", cluster: null, polygon: null })}
            >
              {t("new")}
            </Button>
          </>
        ) : null}
      </PageBar>
      {chosen.size > 0 && mayEdit ? (
        <AssignBar
          duIds={[...chosen]}
          clusters={clusters}
          onDone={refresh}
          onClear={clear}
          onNew={ring ? () => setOpen({ dialog: "edit", cluster: null, polygon: ring }) : undefined}
        />
      ) : null}
      <div className={classes.sides}>
        <div className={classes.list}>
          <DataTable<ClusterRow>
            label={t("label")}
            address={clustersAddress}
            columns={columns}
            rowKey={(row) => row.id}
            onOpen={show}
            batch={(rows, clearRows) => (
              <>
                {rows.length === 1 ? <Button onClick={() => rows[0] && show(rows[0])}>{t("show")}</Button> : null}
                {mayEdit && rows.length === 1 ? (
                  <Button onClick={() => setOpen({ dialog: "edit", cluster: rows[0] ?? null, polygon: null })}>{common("edit")}</Button>
                ) : null}
                {mayEdit ? <Button onClick={() => setOpen({ dialog: "delete", rows, clear: clearRows })}>{common("delete")}</Button> : null}
              </>
            )}
            empty={<EmptyState title={t("empty")} text={t("emptyText")} />}
          />
        </div>
        {mapFailed ? (
          <ErrorPanel
            title={pointsFailed ? t("mapFailed") : t("status.failed")}
            failed={pointsFailed ? found.error : view.error}
            onRetry={() => {
              if (pointsFailed) void found.refetch();
              if (view.isError) void view.refetch();
            }}
          />
        ) : (
          <MapView
            label={t("map")}
            styleUrl={styleUrl}
            points={points}
            looks={looks}
            counts={!can("rollout.duCountHide")}
            chosen={places}
            shapes={shapes}
            draws={mayEdit}
            onRing={(line, adds) => {
              if (points) choose(pointsInRing(points, line), adds);
              setRing(line);
            }}
            onPick={({ places: at, shape, adds }) => {
              if (at.length > 0 && mayEdit) choose(at, adds);
              setShown(shape);
            }}
            onReady={(ready) => {
              map.current = ready;
            }}
          />
        )}
      </div>
      {open?.dialog === "edit" ? (
        <ClusterDialog
          cluster={open.cluster}
          polygon={open.polygon}
          choices={choices}
          onClose={() => setOpen(null)}
          onSaved={() => void refresh()}
        />
      ) : null}
      {open?.dialog === "codes" ? (
        <CodesDialog onClose={() => setOpen(null)} onFound={(duIds) => setChosen(new Set([...chosen, ...duIds]))} />
      ) : null}
      {open?.dialog === "delete" ? (
        <DeleteClusters
          rows={open.rows}
          onClose={() => setOpen(null)}
          onDeleted={() => {
            open.clear();
            void refresh();
          }}
        />
      ) : null}
    </div>
  );
}

/** A completion rate with what it counts: percent, or DUs above a hundred. */
function rateText({ rateKind, completionRate }: ClusterRow, dus: string): string {
  if (rateKind === "real") return `${completionRate.toFixed(2)} %`;
  return completionRate > percentMax ? `${formatNumber(completionRate)} ${dus}` : `${completionRate} %`;
}
