"use client";
import { Switch } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Fragment, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { emptyText, formatNumber, formatRange } from "#lib/core/format.ts";
import type { ComparedDu, EngineComparison } from "#lib/planning-engine/outputs/schema.ts";
import { Bones } from "./bones.tsx";
import { DuFilters, type DuNarrowing, duFilters, everyDu } from "./du-filters.tsx";
import { Shift } from "./moves-view.tsx";
import classes from "./outputs.module.css";
import { useOutput } from "./use-output.ts";
import { usePaging } from "./use-paging.ts";

type Props = {
  runId: number;
  choices: { regions: string[]; clusters: string[]; workflows: string[] } | undefined;
  onOpen: (duId: number) => void;
};

/** A run beside the rollout plan as it is now: by how many days each DU, and each of its activities, would move. */
export function PlanCompare({ runId, choices, onOpen }: Props) {
  const t = useTranslations("outputs.compare");
  const common = useTranslations("common");
  const [narrowing, setNarrowing] = useState<DuNarrowing>(everyDu);
  const [asked] = useDebouncedValue(narrowing, 250);
  const [changed, setChanged] = useState(true);
  const { page, size, first, foot } = usePaging();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const filters = [...duFilters(asked), ...(changed ? [{ field: "changed", type: "eq" as const, values: [true] }] : [])];
  // The rollout plan goes on being edited.
  const found = useOutput<EngineComparison>("engine/output/find/compare", { runId, page, size, filters }, { staleTime: 0 });
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />;
  const toggle = (duId: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(duId)) after.add(duId);
      return after;
    });
  const totals = found.data?.totals;
  return (
    <>
      <div className={listFrame.bar}>
        <DuFilters
          value={narrowing}
          choices={choices}
          onChange={(next) => {
            setNarrowing(next);
            first();
          }}
        />
        <Switch
          size="xs"
          label={t("changedOnly")}
          checked={changed}
          onChange={(event) => {
            setChanged(event.currentTarget.checked);
            first();
          }}
        />
        <p className={classes.sentence} aria-live="polite">
          {totals
            ? totals.changedDus === 0
              ? t("same")
              : t("sentence", {
                  changed: formatNumber(totals.changedDus),
                  dus: formatNumber(totals.dus),
                  dates: formatNumber(totals.changedDates),
                  later: formatNumber(totals.later),
                  earlier: formatNumber(totals.earlier),
                  unplanned: formatNumber(totals.unplanned),
                })
            : ""}
        </p>
      </div>
      {!found.data ? (
        <Bones />
      ) : found.data.records.length === 0 ? (
        <EmptyState title={totals?.changedDus === 0 ? t("same") : undefined} />
      ) : (
        <ScrollRegion className={plain.scroll} label={t("label")} busy={found.isFetching}>
          <table className={`${plain.table} ${classes.dense}`} aria-label={t("label")}>
            <thead>
              <tr>
                <th scope="col">{common("du")}</th>
                <th scope="col">{common("name")}</th>
                <th scope="col">{t("now")}</th>
                <th scope="col">{t("then")}</th>
                <th scope="col" data-align="right">
                  {t("days")}
                </th>
                <th scope="col" data-align="right">
                  {t("dates")}
                </th>
              </tr>
            </thead>
            <tbody>
              {found.data.records.map((du) => (
                <Fragment key={du.duId}>
                  <tr>
                    <th scope="row">
                      <button
                        type="button"
                        className={classes.fold}
                        aria-expanded={open.has(du.duId)}
                        aria-label={t("unfold", { du: du.duCode })}
                        onClick={() => toggle(du.duId)}
                      >
                        {open.has(du.duId) ? (
                          <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
                        ) : (
                          <IconChevronRight size={14} stroke={1.7} aria-hidden="true" />
                        )}
                      </button>
                      <button type="button" className={classes.link} onClick={() => onOpen(du.duId)}>
                        {du.duCode}
                      </button>
                    </th>
                    <td title={du.duName}>{du.duName}</td>
                    <td className={du.planLastEnd === null || du.days === 0 ? undefined : classes.old}>{du.planLastEnd ?? emptyText}</td>
                    <td>{du.lastEnd ?? emptyText}</td>
                    <td data-align="right">
                      <Shift days={du.days} />
                    </td>
                    <td data-align="right">{formatNumber(du.changed)}</td>
                  </tr>
                  {open.has(du.duId) ? <ActivityRows du={du} changedOnly={changed} /> : null}
                </Fragment>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {found.data && found.data.total > 0 ? <TableFoot {...foot} total={found.data.total} /> : null}
    </>
  );
}

function ActivityRows({ du, changedOnly }: { du: ComparedDu; changedOnly: boolean }) {
  const t = useTranslations("outputs.compare");
  const isSame = ({ start, end, planStart, planEnd }: ComparedDu["activities"][number]) => start === planStart && end === planEnd;
  return du.activities
    .filter((activity) => !changedOnly || !isSame(activity))
    .map((activity) => (
      <tr key={activity.activityName} className={classes.inner}>
        <td />
        <td title={activity.activityName}>{activity.activityName}</td>
        <td className={isSame(activity) || activity.planEnd === null ? undefined : classes.old}>
          {formatRange(activity.planStart, activity.planEnd)}
        </td>
        <td>{formatRange(activity.start, activity.end)}</td>
        <td data-align="right">
          <Shift days={activity.days} />
        </td>
        <td data-align="right">{activity.slot === 0 ? t("noSlot") : ""}</td>
      </tr>
    ));
}
