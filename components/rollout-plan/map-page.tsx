"use client";

import { IconFilter, IconMapPinOff } from "@tabler/icons-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useMemo, useRef, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { MapView } from "#components/ui/map-on-demand.tsx";
import { type MapBox, pointsInBox, pointsInRing } from "#components/ui/map-points.ts";
import type { MapHandle } from "#components/ui/map-view.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { selectionDusMax } from "#lib/rollout-plan/limits.ts";
import { pointStatuses } from "#lib/rollout-plan/map-points/limits.ts";
import { ColourPicker } from "./colour-picker.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { MapLegend } from "./map-legend.tsx";
import styles from "./map-page.module.css";
import { MapPanel, type MapTab } from "./map-panel.tsx";
import { statusTone } from "./plan-cells.ts";
import { activityOrder } from "./plan-columns.ts";
import { type PlanQuestion, type PlanSearch, withFilter } from "./plan-filters.ts";
import { fitQuestion } from "./plan-state.ts";
import { PlanToolbar } from "./plan-toolbar.tsx";
import { type PlanFrame, usePlanHead } from "./use-plan-head.ts";
import { placeOf, usePlanMap } from "./use-plan-map.ts";
import { usePlanState } from "./use-plan-state.ts";

const looks = pointStatuses.map(statusTone);

/** A key nobody guesses; without a secure address a browser makes no UUIDs. */
const randomKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** DUs of the plan on a map, under the conditions of the grid: in clusters and as points, to draw around and to open in the grid. [RPL-04] */
export function MapPage({ home, frame, styleUrl }: { home: unknown; frame: PlanFrame; styleUrl: string | null }) {
  const t = useTranslations("plan-map");
  const { can } = useSession();
  const href = useHref();
  const router = useRouter();
  const selection = useSearchParams().get("selection");
  const [state, { change }] = usePlanState(home, false);
  const [search, setSearch] = useState<PlanSearch | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const { planHead, head, shown } = usePlanHead(state, frame);
  const questionKey = JSON.stringify([fitQuestion(state, head).filters, state.period, state.flowIds, state.exception, search, selection]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds everything the question is made of.
  const question = useMemo<PlanQuestion>(
    () => ({
      filters: fitQuestion(state, head).filters,
      sort: [],
      period: state.period,
      flowIds: state.flowIds,
      exception: state.exception,
      search,
      selection,
    }),
    [questionKey],
  );
  const [activityId, setActivityId] = useState<number | null>(null);
  const { data, failed, read } = usePlanMap(question, activityId);
  const counts = !can("rollout.duCountHide");

  const [tab, setTab] = useState<MapTab>("chosen");
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [opening, setOpening] = useState(false);
  const map = useRef<MapHandle>(null);
  /** What the map shows, held only while it is listed: it changes with every move. */
  const [box, setBox] = useState<MapBox | null>(null);
  const openTab = (name: MapTab) => {
    setTab(name);
    setBox(name === "view" ? (map.current?.shown() ?? null) : null);
  };
  const points = data?.points ?? null;
  const places = useMemo(() => (points ? [...chosen].map((id) => placeOf(points.ids, id)).filter((at) => at >= 0) : []), [points, chosen]);
  const idsAt = (found: readonly number[]) => (points ? found.map((at) => points.ids[at] as number) : []);
  const inView = useMemo(
    () => (points && box ? pointsInBox(points, box, selectionDusMax).map((at) => points.ids[at] as number) : []),
    [points, box],
  );
  const choose = (found: readonly number[], adds: boolean) => {
    setChosen(new Set([...(adds ? chosen : []), ...found]));
    openTab("chosen");
  };
  const toggle = (duId: number) => {
    const next = new Set(chosen);
    if (!next.delete(duId)) next.add(duId);
    setChosen(next);
  };
  const statusOf = useCallback(
    (duId: number) => {
      const at = points ? placeOf(points.ids, duId) : -1;
      return at < 0 ? null : (pointStatuses[points?.statuses[at] ?? 0] ?? null);
    },
    [points],
  );
  const goTo = (duId: number) => {
    const at = points ? placeOf(points.ids, duId) : -1;
    if (points && at >= 0) map.current?.goTo([(points.xs[at] as number) / 1e6, (points.ys[at] as number) / 1e6]);
  };
  const open = async () => {
    setOpening(true);
    const key = randomKey();
    const answer = await callDoor(`wbs/batchInsertStorageDuForWeb/${key}`, { kind: "map", duIds: [...chosen] });
    setOpening(false);
    if (answer.status === 200) router.push(href("rolloutPlan", { query: { selection: key } }));
    else toast.problem(answer.msg ?? t("stored"));
  };
  return (
    <div className={styles.page}>
      <PageBar />
      <PlanToolbar
        flows={frame.head.flows}
        flowIds={state.flowIds}
        period={state.period}
        search={search}
        searchField={state.searchField}
        searchRef={searchRef}
        onFlows={(flowIds) => change({ flowIds })}
        onPeriod={(period) => change({ period })}
        onSearchField={(field) => {
          change({ searchField: field });
          if (search) setSearch({ ...search, field });
        }}
        onSearch={(text) => setSearch(text ? { field: state.searchField, text } : null)}
      >
        <ColourPicker activities={activityOrder(planHead)} activityId={activityId} onChange={setActivityId} />
      </PlanToolbar>
      <FilterBar
        head={head}
        shown={shown}
        question={question}
        total={data?.total ?? null}
        whole={null}
        unmatched={data?.unmatched ?? []}
        entries={search ? searchEntries(search.text).length : 0}
        onFilter={(key, filter) => change({ filters: withFilter(state.filters, key, filter) })}
        onClear={() => change({ filters: [] })}
        onDropException={() => change({ exception: null })}
        onDropSelection={selection === null ? undefined : () => router.replace(href("map"))}
      />
      {failed && !data ? (
        <ErrorPanel title={t("failed")} failed={failed} onRetry={() => void read()} />
      ) : (
        <div className={styles.body}>
          <MapView
            label={t("label")}
            styleUrl={styleUrl}
            points={points}
            looks={looks}
            counts={counts}
            chosen={places}
            draws
            onRing={(ring, adds) => points && choose(idsAt(pointsInRing(points, ring)), adds)}
            onPick={(picked) => choose(idsAt(picked.places), picked.adds)}
            onBox={(shown) => tab === "view" && setBox(shown)}
            onReady={(ready) => {
              map.current = ready;
            }}
          >
            {points ? <MapLegend statuses={points.statuses} counts={counts} /> : null}
            {data && points?.ids.length === 0 ? (
              <div className={styles.empty}>
                {data.unlocated.length > 0 ? (
                  <EmptyState title={t("noPoints")} text={t("noPointsText")} icon={<IconMapPinOff size={28} stroke={1} aria-hidden />} />
                ) : (
                  <EmptyState title={t("noDus")} text={t("noDusText")} icon={<IconFilter size={28} stroke={1} aria-hidden />} />
                )}
              </div>
            ) : null}
          </MapView>
          <MapPanel
            tab={tab}
            onTab={openTab}
            data={data}
            inView={inView}
            chosen={chosen}
            counts={counts}
            opening={opening}
            statusOf={statusOf}
            onChoose={(duIds) => setChosen(new Set(duIds))}
            onToggle={toggle}
            onGoTo={goTo}
            onOpen={() => void open()}
          />
        </div>
      )}
      <p className={styles.keys}>{t("keys")}</p>
    </div>
  );
}
