"use client";
import { SegmentedControl, Switch } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { addDays } from "#lib/core/clock.ts";
import { formatNumber, formatRange, formatWeek } from "#lib/core/format.ts";
import type { TeamLoad } from "#lib/planning-engine/outputs/schema.ts";
import { Bones } from "./bones.tsx";
import classes from "./outputs.module.css";
import { type LoadGrain, loadGrains, loadSteps, shareStep } from "./team-steps.ts";
import { useOutput } from "./use-output.ts";

/** How much of their time the teams of each pool are held, week by week or month by month; a pool leads to its teams along time. */
export function TeamLoadView({ runId, onPool }: { runId: number; onPool: (search: string) => void }) {
  const t = useTranslations("outputs.teams");
  const found = useOutput<TeamLoad>("engine/output/find/teams", { runId });
  const [grain, setGrain] = useState<LoadGrain>("week");
  const [asNumbers, setAsNumbers] = useState(false);
  const weeks = found.data?.weeks;
  const steps = useMemo(() => loadSteps(weeks ?? [], grain), [weeks, grain]);
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Bones />;
  const { pools } = found.data;
  if (pools.length === 0) return <EmptyState title={t("none")} text={t("noneText")} />;
  const sum = (days: readonly number[], places: readonly number[]) => places.reduce((total, at) => total + (days[at] ?? 0), 0);
  return (
    <>
      <div className={listFrame.bar} role="toolbar" aria-label={t("label")}>
        <SegmentedControl
          size="xs"
          aria-label={t("grain")}
          data={loadGrains.map((value) => ({ value, label: t(`grainOf.${value}`) }))}
          value={grain}
          onChange={(value) => setGrain(value as LoadGrain)}
        />
        <Switch size="xs" label={t("asDays")} checked={asNumbers} onChange={(event) => setAsNumbers(event.currentTarget.checked)} />
        <span className={listFrame.grow} />
        <ul className={classes.heatLegend} aria-label={t("legend")}>
          {[0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => (
            <li key={share} className={classes.step} data-heat={shareStep(share)}>
              {formatNumber(share * 100, 0)}
            </li>
          ))}
          <li className={classes.step} data-heat="over">
            {t("over")}
          </li>
        </ul>
      </div>
      <PagedRows rows={pools} startSize={50} label={t("label")} className={classes.heatScroll}>
        {(shown) => (
          <table className={classes.heat} aria-label={t("label")}>
            <thead>
              <tr>
                <th scope="col">{t("pool")}</th>
                <th scope="col" data-align="right">
                  {t("count")}
                </th>
                <th scope="col" data-align="right">
                  {t("whole")}
                </th>
                {steps.map(({ key, from, to }) => (
                  <th key={key} scope="col" title={formatRange(from, to)}>
                    {grain === "week" ? formatWeek(addDays(from, 1)).slice(2) : key.slice(2)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((pool) => {
                const name = `${pool.skillType} · ${pool.resourceName}`;
                const all = steps.flatMap(({ places }) => places);
                const [held, open] = [sum(pool.heldDays, all), sum(pool.openDays, all)];
                return (
                  <tr key={pool.idx}>
                    <th scope="row">
                      <button type="button" className={classes.link} onClick={() => onPool(pool.resourceName)} title={t("toTeams")}>
                        {name}
                      </button>{" "}
                      <span className={classes.quiet}>{pool.region ?? t("anyRegion")}</span>
                    </th>
                    <td data-align="right">{formatNumber(pool.teamCount)}</td>
                    <td data-align="right">{open === 0 ? "" : `${formatNumber((held / open) * 100, 0)}\u00a0%`}</td>
                    {steps.map(({ key, places }) => {
                      const [busy, free] = [sum(pool.heldDays, places), sum(pool.openDays, places)];
                      if (busy === 0) return <td key={key} />;
                      const share = free === 0 ? Number.POSITIVE_INFINITY : busy / free;
                      return (
                        <td
                          key={key}
                          className={classes.step}
                          data-heat={share > 1 ? "over" : shareStep(share)}
                          title={t("cell", { pool: name, from: key, held: formatNumber(busy), open: formatNumber(free) })}
                        >
                          {asNumbers ? formatNumber(busy) : Number.isFinite(share) ? formatNumber(share * 100, 0) : "!"}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </PagedRows>
      <p className={classes.keys}>{t("help")}</p>
    </>
  );
}
