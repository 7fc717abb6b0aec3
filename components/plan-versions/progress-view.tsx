"use client";
import { MultiSelect, SegmentedControl, Select, Switch } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, useList } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { type ProgressGrain, progressGrains, progressVersionsMax } from "#lib/plan-versions/progress/limits.ts";
import type { Progress, ProgressLine } from "#lib/plan-versions/progress/queries.ts";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import { lineLook, ProgressChart } from "./progress-chart.tsx";
import { versionsAddress } from "./version-list.tsx";
import classes from "./versions.module.css";

/** How many activities were to be finished by when, in versions and now, and how many are: as a chart or a table. */
export function ProgressView({ activities }: { activities: readonly { id: number; name: string }[] }) {
  const t = useTranslations("plan-versions.progress");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [activityId, setActivityId] = useState<number | null>(null);
  const [grain, setGrain] = useState<ProgressGrain>("week");
  const [asTable, setAsTable] = useState(false);
  const versions = useList<VersionRow>({ address: versionsAddress, page: 1, size: 200 });
  const records = versions.data?.records ?? [];
  // What is in force for the whole project is what one looks at first.
  const ids = chosen ?? records.filter(({ inForce, scope }) => inForce && scope === "project").map(({ id }) => String(id));
  const asked = { versionIds: ids.map(Number), grain, ...(activityId === null ? {} : { activityId }) };
  const found = useQuery({
    queryKey: ["version-progress", project, asked],
    queryFn: async ({ signal }) => dataOf(await callDoor<Progress>("dataVersion/progress", asked, { signal })),
    enabled: versions.data !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const name = (line: ProgressLine) =>
    line.kind === "actual" ? t("actual") : line.versionId === null ? t("current") : `${line.code} ${line.name}`;
  const progress = found.data;
  return (
    <div className={classes.view}>
      <div className={classes.pickers} role="toolbar" aria-label={t("label")}>
        <MultiSelect
          size="xs"
          w={420}
          searchable
          clearable
          clearButtonProps={{ "aria-label": common("clear") }}
          aria-label={t("versions")}
          placeholder={ids.length === 0 ? t("versions") : undefined}
          maxValues={progressVersionsMax}
          data={records.map(({ id, code, name: title }) => ({ value: String(id), label: `${code} ${title}` }))}
          value={ids}
          onChange={setChosen}
        />
        <Select
          size="xs"
          w={180}
          searchable
          clearable
          clearButtonProps={{ "aria-label": common("clear") }}
          aria-label={common("activity")}
          placeholder={t("allActivities")}
          data={activities.map(({ id, name: title }) => ({ value: String(id), label: title }))}
          value={activityId === null ? null : String(activityId)}
          onChange={(value) => setActivityId(value === null ? null : Number(value))}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("grain")}
          data={progressGrains.map((value) => ({ value, label: t(`grains.${value}`) }))}
          value={grain}
          onChange={(value) => setGrain(value as ProgressGrain)}
        />
        <Switch size="xs" label={t("asTable")} checked={asTable} onChange={(event) => setAsTable(event.currentTarget.checked)} />
      </div>
      {versions.isError && !versions.data ? (
        <ErrorPanel title={t("failed")} failed={versions.error} onRetry={() => versions.refetch()} />
      ) : null}
      {found.isError ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {progress && progress.steps.length === 0 ? <EmptyState title={t("empty")} /> : null}
      {progress && progress.steps.length > 0 ? (
        asTable ? (
          <ScrollRegion className={classes.rows} label={t("label")} busy={found.isFetching}>
            <table className={classes.table} aria-label={t("label")}>
              <thead>
                <tr>
                  <th scope="col">{t("until")}</th>
                  {progress.lines.map((line) => (
                    <th key={name(line)} scope="col" data-align="right">
                      {name(line)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {progress.steps.map((step, at) => (
                  <tr key={step}>
                    <td>{step}</td>
                    {progress.lines.map((line) => (
                      <td key={name(line)} data-align="right">
                        {at < line.values.length ? formatNumber(line.values[at]!) : ""}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        ) : (
          <figure className={classes.chart}>
            <ul className={classes.legend}>
              {progress.lines.map((line, at) => {
                const { color, dash } = lineLook(line, at);
                return (
                  <li key={name(line)}>
                    <svg width="24" height="8" aria-hidden="true">
                      <line x1="0" x2="24" y1="4" y2="4" stroke={color} strokeWidth={2} strokeDasharray={dash} />
                    </svg>
                    {name(line)}
                  </li>
                );
              })}
            </ul>
            <ProgressChart progress={progress} name={name} />
          </figure>
        )
      ) : null}
    </div>
  );
}
