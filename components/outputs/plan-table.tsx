"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { GridView } from "#components/grid/column-layout.ts";
import type { ColumnSort } from "#components/grid/grid-head.tsx";
import { GridStatus } from "#components/grid/grid-status.tsx";
import { PlanningGrid } from "#components/grid/planning-grid.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { lookup } from "#components/ui/query-client.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { OutputPlan, PlanningColumn } from "#lib/planning-engine/outputs/schema.ts";
import { DuFilters, type DuNarrowing, duFilters, everyDu, isNarrowed } from "./du-filters.tsx";
import classes from "./outputs.module.css";
import { lockedOf, makeDesk, planningHead } from "./planning-list.ts";
import { useOutput } from "./use-output.ts";

type Props = {
  runId: number;
  /** The chosen DUs, whenever they change. */
  onChosen: (duIds: readonly number[]) => void;
  onOpen: (duId: number) => void;
};

/** Every DU of an output with the start and end of each activity, what is late and what is short. Enter or a double click opens a DU. */
export function PlanTable({ runId, onChosen, onOpen }: Props) {
  const t = useTranslations("outputs");
  const common = useTranslations("common");
  const [narrowing, setNarrowing] = useState<DuNarrowing>(everyDu);
  const [asked] = useDebouncedValue(narrowing, 250);
  const [sorts, setSorts] = useState<readonly ColumnSort[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const readOnly = { code: "READ_ONLY", cause: t("table.readOnly") };
  const texts = { yes: common("yes"), no: "", readOnly };
  const [desk] = useState(() => makeDesk(texts));
  const { list, grid } = desk;
  list.texts = texts;
  list.said = { late: t("table.late"), gap: t("table.gap") };
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const header = useOutput<PlanningColumn[]>("nc/activity/planning/buildHeader", { runId });
  const filters = useMemo(() => duFilters(asked), [asked]);
  const overview = useOutput<OutputPlan>("engine/output/find/outputPlan", { runId, page: 1, size: 10, filters }, { meta: lookup });
  const head = useMemo(() => planningHead(header.data ?? [], t("table.du")), [header.data, t]);
  const [view, setView] = useState<Omit<GridView, "locked">>({ widths: {}, hidden: [], folded: [] });
  const whole = useMemo<GridView>(() => ({ ...view, locked: lockedOf(header.data ?? []) }), [view, header.data]);

  useEffect(() => {
    void list.ask({
      filters: [{ field: "runId", type: "eq", values: [runId] }, ...filters],
      sort: sorts.map(({ key, dir }) => ({ field: key, dir })),
    });
  }, [list, runId, filters, sorts]);
  const chosen = grid.rows.list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when the choice changes, whoever listens
  useEffect(() => onChosen(chosen.map(Number)), [chosen]);
  useEffect(() => {
    const open = ({ row }: { row: number }) => {
      const key = list.rowKey(row);
      if (key !== undefined) onOpen(Number(key));
      return key !== undefined;
    };
    grid.openOnEnter = open;
    grid.openLocked = open;
  }, [grid, list, onOpen]);
  // One click sorts, the next turns the order round, the third takes it back.
  const onSort = useCallback(
    (key: string) => setSorts(([now]) => (now?.key !== key ? [{ key, dir: "asc" }] : now.dir === "asc" ? [{ key, dir: "desc" }] : [])),
    [],
  );
  const failure = list.failed ?? header.error;
  const empty = () => {
    if (failure)
      return (
        <ErrorPanel
          title={t("failed")}
          failed={failure}
          onRetry={() => {
            void header.refetch();
            void list.ask();
          }}
        />
      );
    if (!list.asked || list.total > 0) return null;
    return (
      <EmptyState>{isNarrowed(narrowing) ? <Button onClick={() => setNarrowing(everyDu)}>{t("filter.drop")}</Button> : null}</EmptyState>
    );
  };
  const totals = overview.data?.totals;
  const counted =
    overview.data && totals
      ? [
          common("dus", { count: overview.data.total }),
          ...(totals.lateDus > 0 ? [t("table.lateOf", { count: totals.lateDus, days: formatNumber(totals.lateDays) })] : []),
          ...(totals.gapDus > 0 ? [t("table.gapOf", { count: totals.gapDus })] : []),
          ...(totals.lastEnd ? [t("table.until", { day: totals.lastEnd })] : []),
        ].join(" · ")
      : "";
  return (
    <div className={`${listFrame.page} ${classes.screen}`}>
      <div className={listFrame.bar}>
        <DuFilters value={narrowing} choices={overview.data?.choices} onChange={setNarrowing} fieldRef={field} />
      </div>
      <PlanningGrid
        grid={grid}
        label={t("table.label")}
        head={head}
        view={whole}
        onView={(part) => setView((before) => ({ ...before, ...part }))}
        lockedTitle={t("table.du")}
        sorts={sorts}
        onSort={onSort}
        onSave={() => {}}
        onSearch={() => field.current?.focus()}
        empty={empty()}
      />
      <GridStatus grid={grid}>
        <span aria-live="polite">{counted}</span>
        <span>{t("table.keys")}</span>
      </GridStatus>
    </div>
  );
}
