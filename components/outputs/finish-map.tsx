"use client";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { MapView } from "#components/ui/map-on-demand.tsx";
import type { MapPoints } from "#components/ui/map-points.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { OutputMap } from "#lib/planning-engine/outputs/schema.ts";
import { Bones } from "./bones.tsx";
import classes from "./outputs.module.css";
import { useOutput } from "./use-output.ts";

const degree = 1_000_000;
/** DUs listed beside the map. */
const listedMax = 200;

/** Where DUs finish in which month: the later, the deeper the colour; a cluster has the month of its last DU. A month marks its DUs, a point opens its DU. */
export function FinishMap({ runId, styleUrl, onOpen }: { runId: number; styleUrl: string | null; onOpen: (duId: number) => void }) {
  const t = useTranslations("outputs.map");
  const found = useOutput<OutputMap>("engine/output/find/map", { runId });
  const data = found.data;
  const [month, setMonth] = useState<number | null>(null);
  const [picked, setPicked] = useState<readonly number[]>([]);
  const looks = useMemo(
    () => [
      { text: "?", label: t("noEnd"), share: 0 },
      ...(data?.months ?? []).map((name, at, { length }) => ({
        text: name.slice(5),
        label: name,
        share: length < 2 ? 1 : 0.12 + (at / (length - 1)) * 0.88,
      })),
    ],
    [data?.months, t],
  );
  const points = useMemo<MapPoints | null>(() => {
    if (!data) return null;
    return {
      ids: Float64Array.from(data.duIds),
      xs: Int32Array.from(data.longitudes, (value) => Math.round(value * degree)),
      ys: Int32Array.from(data.latitudes, (value) => Math.round(value * degree)),
      statuses: Uint8Array.from(data.monthOf, (at) => at + 1),
    };
  }, [data]);
  const counts = useMemo(() => {
    const found = new Map<number, { dus: number; late: number }>();
    data?.monthOf.forEach((at, place) => {
      const of = found.get(at) ?? { dus: 0, late: 0 };
      found.set(at, { dus: of.dus + 1, late: of.late + ((data.lateDays[place] ?? 0) > 0 ? 1 : 0) });
    });
    return found;
  }, [data]);
  const chosen = useMemo(
    () => (month === null ? picked : (data?.monthOf ?? []).flatMap((at, place) => (at === month ? [place] : []))),
    [data, month, picked],
  );
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />;
  if (!data || !points) return <Bones />;
  if (data.duIds.length === 0) return <EmptyState title={t("none")} text={t("noneText", { count: data.unplaced })} />;
  const most = Math.max(1, ...[...counts.values()].map(({ dus }) => dus));
  const rows = [...data.months.map((name, at) => ({ name, at })), ...(counts.has(-1) ? [{ name: t("noEnd"), at: -1 }] : [])];
  return (
    <div className={classes.mapBody}>
      <MapView
        key={runId}
        label={t("label")}
        styleUrl={styleUrl}
        points={points}
        looks={looks}
        counts
        chosen={chosen}
        onPick={({ places, adds }) => {
          setMonth(null);
          setPicked(adds ? [...new Set([...picked, ...places])] : places);
        }}
      />
      <aside className={classes.panel} aria-label={t("months")}>
        <h3 className={classes.part}>{t("months")}</h3>
        <ScrollRegion className={classes.months} label={t("months")}>
          <ul>
            {rows.map(({ name, at }) => {
              const { dus, late } = counts.get(at) ?? { dus: 0, late: 0 };
              return (
                <li key={name}>
                  <button type="button" aria-pressed={month === at} onClick={() => setMonth(month === at ? null : at)}>
                    <span>{name}</span>
                    <span className={classes.track}>
                      <span
                        style={{
                          width: `${(dus / most) * 100}%`,
                          background: `color-mix(in srgb, var(--c1) ${Math.round((looks[at + 1]?.share ?? 0) * 100)}%, var(--bg-base))`,
                        }}
                      />
                    </span>
                    <b>{formatNumber(dus)}</b>
                    <span className={classes.bad}>{late > 0 ? t("late", { count: late }) : ""}</span>
                  </button>
                </li>
              );
            })}
          </ul>
          {data.unplaced > 0 ? <p className={classes.quiet}>{t("unplaced", { count: data.unplaced })}</p> : null}
        </ScrollRegion>
        <h3 className={classes.part}>{t("chosen", { count: chosen.length })}</h3>
        <ScrollRegion className={classes.months} label={t("chosen", { count: chosen.length })}>
          {chosen.length === 0 ? <p className={classes.quiet}>{t("chooseHelp")}</p> : null}
          <ul>
            {chosen.slice(0, listedMax).map((place) => (
              <li key={data.duIds[place]}>
                <button type="button" onClick={() => onOpen(data.duIds[place] ?? 0)}>
                  <span>{data.codes[place]}</span>
                  <span>{data.months[data.monthOf[place] ?? -1] ?? t("noEnd")}</span>
                  <span className={classes.bad}>{(data.lateDays[place] ?? 0) > 0 ? `+${data.lateDays[place]}` : ""}</span>
                </button>
              </li>
            ))}
          </ul>
          {chosen.length > listedMax ? <p className={classes.quiet}>{t("first", { max: listedMax })}</p> : null}
        </ScrollRegion>
      </aside>
    </div>
  );
}
