"use client";
import { ActionIcon, Button, MultiSelect, SegmentedControl, Select, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload, IconRefresh } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import table from "#components/ui/data-table.module.css";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { blank, onDemand } from "#components/ui/on-demand.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { useExport } from "#components/ui/use-export.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { CallError, dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment } from "#lib/core/format.ts";
import type { View } from "#lib/dimension-views/counts/queries.ts";
import { type ViewPeriod, viewPeriods } from "#lib/dimension-views/limits.ts";
import type { GlobalSettings, Tab } from "#lib/dimension-views/queries.ts";
import { type Drill, type ViewSort, ViewTable } from "./view-table.tsx";
import classes from "./views.module.css";

const BarsView = onDemand(() => import("./bars-view.tsx").then((module) => module.BarsView), [], blank);
const CurveView = onDemand(() => import("./curve-view.tsx").then((module) => module.CurveView), [], blank);

const typingMs = 300;
const looks = ["table", "bars", "curve"] as const;
type Look = (typeof looks)[number];

type Props = { tab: Tab; config: GlobalSettings; regions: readonly { id: number; name: string }[] };

/** One tab: its figures as a table, as bars by value, or as the curve of an activity; every number opens its DUs in the grid. */
export function TabView({ tab, config, regions }: Props) {
  const t = useTranslations("dimension-views");
  const common = useTranslations("common");
  const plan = useTranslations("plan-grid.period");
  const project = useProjectNumber();
  const router = useRouter();
  const href = useHref();
  const { offset, rowsPerPage = 50 } = useSession();
  const [look, setLook] = useState<Look>("table");
  const [preset, setPreset] = useState<ViewPeriod | null>(config.period);
  const [regionIds, setRegionIds] = useState<string[]>([]);
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const [sort, setSort] = useState<ViewSort | null>(null);
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(rowsPerPage);
  const [startExport, exporting] = useExport("multiDim/export");
  const filters = regionIds.length > 0 ? [{ field: "region", type: "in", values: regionIds.map(Number) }] : [];
  const narrowed = { filters, ...(preset ? { period: { preset } } : {}) };
  const asked = { tabId: tab.id, ...narrowed, ...(search ? { search } : {}), ...(sort ? { sort } : {}) };
  const found = useQuery({
    queryKey: ["dimension view", project, asked, page, size],
    queryFn: async ({ signal }) => dataOf(await callDoor<View>("multiDim/query", { ...asked, page, size }, { signal })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  // What was last read stays in sight, greyed, when a later reading fails.
  const [good, setGood] = useState<View | null>(null);
  if (found.data && found.data !== good) setGood(found.data);
  const view = found.data ?? good;
  const failure = found.error instanceof CallError ? found.error.answer : null;
  const drill = async ({ row, value, activityId, bucket }: Drill) => {
    const answer = signalAnswer(
      await callDoor<{ queryId: string }>(
        "multiDim/drill",
        {
          tabId: tab.id,
          row,
          bucket,
          ...narrowed,
          ...(value === null ? {} : { value }),
          ...(activityId === undefined ? {} : { activityId }),
        },
        { reading: true },
      ),
    );
    if (answer.data) router.push(href("rolloutPlan", { query: { selection: answer.data.queryId } }));
    else toast.problem(answer.msg ?? t("failed"));
  };
  const restart =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setPage(1);
    };
  return (
    <div className={table.frame}>
      <search className={table.bar}>
        <Select
          size="xs"
          w={170}
          aria-label={common("period")}
          placeholder={t("untilToday")}
          clearable
          clearButtonProps={{ "aria-label": common("clear") }}
          data={viewPeriods.map((value) => ({ value, label: plan(value) }))}
          value={preset}
          onChange={restart((value: string | null) => setPreset(value as ViewPeriod | null))}
        />
        {regions.length > 1 ? (
          <MultiSelect
            size="xs"
            w={220}
            searchable
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            aria-label={common("region")}
            placeholder={regionIds.length === 0 ? common("region") : undefined}
            data={regions.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={regionIds}
            onChange={restart(setRegionIds)}
          />
        ) : null}
        <TextInput
          size="xs"
          w={200}
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={text}
          onChange={(event) => restart(setText)(event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("look.label")}
          data={looks.map((value) => ({ value, label: t(`look.${value}`) }))}
          value={look}
          onChange={(value) => setLook(value as Look)}
        />
        <span className={classes.asOf}>{view ? t("asOf", { moment: formatMoment(view.asOf, offset), day: view.until }) : null}</span>
        <Tooltip label={common("refresh")}>
          <ActionIcon size={28} aria-label={common("refresh")} loading={found.isRefetching} onClick={() => void found.refetch()}>
            <IconRefresh size={16} stroke={1.4} />
          </ActionIcon>
        </Tooltip>
        <Button size="xs" leftSection={<IconDownload size={16} stroke={1.4} />} loading={exporting} onClick={() => void startExport(asked)}>
          {common("export")}
        </Button>
      </search>
      {found.isError && view ? (
        <p className={classes.stale} role="alert">
          {failure?.msg ?? t("failed")}{" "}
          <Button size="compact-xs" variant="subtle" onClick={() => void found.refetch()}>
            {common("retry")}
          </Button>
        </p>
      ) : null}
      {found.isError && !view ? <ErrorPanel title={t("failed")} failed={failure} onRetry={() => void found.refetch()} /> : null}
      {view && view.count === 0 && !search ? <EmptyState title={t("noDus")} /> : null}
      {view && (view.count > 0 || search) ? (
        <div className={classes.body} data-stale={found.isError || found.isPlaceholderData || undefined}>
          {look === "table" ? (
            <ViewTable
              tab={tab}
              view={view}
              sort={sort}
              onSort={restart(setSort)}
              onDrill={(given) => void drill(given)}
              busy={found.isFetching}
            />
          ) : null}
          {look === "bars" ? <BarsView view={view} onDrill={(given) => void drill(given)} /> : null}
          {look === "curve" ? <CurveView tab={tab} view={view} filters={filters} /> : null}
        </div>
      ) : null}
      {found.isPending ? <Bones /> : null}
      {view && look !== "curve" ? (
        <TableFoot page={page} size={size} total={view.count} onPage={setPage} onSize={restart(setSize)} />
      ) : null}
    </div>
  );
}

function Bones() {
  return (
    <div className={classes.bones} aria-hidden="true">
      {Array.from({ length: 8 }, (_, row) => (
        <span key={`bone ${row + 1}`} className={table.bone} />
      ))}
    </div>
  );
}
