"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { CompanionProps, Companions } from "#components/grid/cell-editor.tsx";
import { ChoiceCompanion } from "#components/grid/choice-companion.tsx";
import type { GridView } from "#components/grid/column-layout.ts";
import type { CellAddress } from "#components/grid/grid-model.ts";
import { GridStatus } from "#components/grid/grid-status.tsx";
import { PlanningGrid } from "#components/grid/planning-grid.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useWas } from "#components/ui/use-was.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { BatchMenu } from "./batch-menu.tsx";
import { ComparedVersion, useComparedVersion } from "./compared-version.tsx";
import { FilterBar } from "./filter-bar.tsx";
import type { FirstRows } from "./first-rows.ts";
import { type LockedDatesEntry, lockedDatesAt } from "./locked-dates.ts";
import { naWord } from "./na-words.ts";
import { PeopleCompanion } from "./people-companion.tsx";
import { PlanActions } from "./plan-actions.tsx";
import { type BatchKind, useBatchKinds } from "./plan-batches.tsx";
import { activityOrder } from "./plan-columns.ts";
import { type Dropped, NoDus, NoMatch } from "./plan-empty.tsx";
import type { EntryAnchor, EntrySelection, PlanEntry } from "./plan-entries.ts";
import { type PlanQuestion, type PlanSearch, withFilter } from "./plan-filters.ts";
import { columnRef } from "./plan-keys.ts";
import type { Overlay } from "./plan-overlays.tsx";
import styles from "./plan-page.module.css";
import { fitQuestion, readKeptSearch } from "./plan-state.ts";
import type { TemplatesEntry } from "./plan-templates.ts";
import { PlanToolbar } from "./plan-toolbar.tsx";
import { gridViewKey, type PlanView, type SiteDialogProps, viewToShow } from "./plan-views.ts";
import { SavedViewsButton } from "./saved-views-button.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { stepsAt } from "./sub-steps.ts";
import { SyncNote } from "./sync-note.tsx";
import { shownState, useColumnActions } from "./use-column-actions.ts";
import { useLivePlan } from "./use-live-plan.ts";
import { usePlanCommands } from "./use-plan-commands.ts";
import { usePlanDesk } from "./use-plan-desk.ts";
import { usePlanFigures, useWholeTotal } from "./use-plan-figures.ts";
import { type PlanFrame, usePlanHead } from "./use-plan-head.ts";
import { usePlanSaving } from "./use-plan-saving.ts";
import { usePlanState } from "./use-plan-state.ts";
import { usePlanView } from "./use-plan-view.ts";
import { type OpenedView, useSavedView } from "./use-saved-view.ts";
import { useWantedCell } from "./use-wanted-cell.ts";
import { ViewSwitch } from "./view-switch.tsx";

const loadOverlays = () => import("./plan-overlays.tsx").then((module) => module.PlanOverlays);
const PlanOverlays = onDemand(loadOverlays);
const DateCompanion = onDemand(() => import("#components/grid/date-companion.tsx").then((module) => module.DateCompanion));

type Props = {
  /** Kept view of the person, as it was saved; that of the saved view where one is opened. */
  home: unknown;
  saved: OpenedView | null;
  /** Rows that came with the page. */
  first: FirstRows | null;
  frame: PlanFrame;
  /** Commands of other areas. */
  entries: readonly PlanEntry[];
  lockedDates: LockedDatesEntry;
  templates: TemplatesEntry;
  /** Views beside the grid. */
  views: readonly PlanView[];
  siteDialog: ComponentType<SiteDialogProps>;
  /** Buttons that lead out of an empty project. */
  emptyActions: ReactNode;
};

/** The roll-out plan: DUs in rows, their activities in columns, as a grid to plan in. */
export function PlanPage({ home, saved, first, frame, entries, lockedDates, templates, views, siteDialog, emptyActions }: Props) {
  const t = useTranslations("plan-grid");
  const { can, project } = useSession();
  const href = useHref();
  const [state, stateActions] = usePlanState(home, saved !== null);
  const { change } = stateActions;
  const [wantedView, chooseView] = usePlanView(
    state.view,
    useCallback((key: string) => change({ view: key }), [change]),
  );
  const View = viewToShow(views, wantedView);
  const shownView = View ? wantedView : gridViewKey;
  const params = useSearchParams();
  const router = useRouter();
  const wantedDu = params.get("du");
  const selectionKey = params.get("selection");
  const versionId = Number(params.get("compare"));
  const compares = Number.isSafeInteger(versionId) && versionId > 0 && can("version.view");
  const [search, setSearch] = useState<PlanSearch | null>(() => readKeptSearch(home));
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [moved, setMoved] = useState(0);
  /** What the grid does as soon as it is shown again. */
  const [inGrid, setInGrid] = useState<(() => void) | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const { planHead, head, view, shown, cells, sourceHead, onForeign } = usePlanHead(state, frame, compares);

  const showColumn = useCallback(
    (key: string) => change(shownState(state, planHead, view.folded, key)),
    [change, state, planHead, view.folded],
  );
  const desk = usePlanDesk(head, sourceHead, first, onForeign, showColumn);
  const { grid, source, edits } = desk;
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  useComparedVersion(source, compares ? versionId : null, cells.slots);
  const { dirty } = edits.counts;
  useUnsaved(dirty > 0, true);

  const savedViews = useSavedView(saved, params.has("saved"), {
    state,
    actions: stateActions,
    view: shownView,
    search,
    onSearch: setSearch,
  });
  const toWantedCell = useWantedCell(desk);
  // The command box leads here with a DU to look for.
  useEffect(() => {
    if (wantedDu) setSearch({ field: "code", text: wantedDu });
  }, [wantedDu]);
  const questionKey = JSON.stringify([fitQuestion(state, head), state.period, state.flowIds, state.exception, search, selectionKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds everything the question is made of.
  const question = useMemo<PlanQuestion>(
    () => ({
      ...fitQuestion(state, head),
      period: state.period,
      flowIds: state.flowIds,
      exception: state.exception,
      search,
      selection: selectionKey,
    }),
    [questionKey],
  );

  const onMoved = useCallback(() => setMoved((count) => count + 1), []);
  const live = useLivePlan(desk, project.number, cells.slots, onMoved, onForeign);
  const { pull, onAsked } = live;
  useEffect(() => {
    const isFirst = !source.asked;
    void source.ask(question).then(() => {
      onAsked();
      // Another question has other rows: it is read from its beginning.
      if (!isFirst) grid.place({ row: 0, column: grid.active.column }, false);
      toWantedCell();
    });
  }, [source, grid, question, onAsked, toWantedCell]);
  const saving = usePlanSaving({ desk, pull });
  const actions = useColumnActions(desk, state, planHead, head, view, change);
  const activityIds = useMemo(() => activityOrder(planHead).map((activity) => activity.activityId), [planHead]);
  // Of all views the grid alone shows them.
  const { figures, notes, failed } = usePlanFigures(View ? null : source.query.queryId, activityIds, moved);
  const narrowed =
    question.filters.length > 0 ||
    question.period !== null ||
    question.search !== null ||
    question.flowIds.length > 0 ||
    question.exception !== null ||
    selectionKey !== null;
  const whole = useWholeTotal(narrowed);
  const total = source.asked && !source.open ? source.total : null;
  const chosen = grid.rows.list;
  const selection: EntrySelection =
    chosen.length > 0 ? { duIds: chosen.map(Number) } : { queryId: source.query.queryId ?? "", count: total };

  const onView = useCallback((part: Partial<GridView>) => change(part as Parameters<typeof change>[0]), [change]);
  const onSave = useCallback(() => void saving.save(), [saving.save]);
  const onSearch = useCallback(() => searchRef.current?.focus(), []);
  const onExceptions = useCallback(() => setOverlay({ kind: "exceptions" }), []);
  const onConflict = useCallback(() => setOverlay({ kind: "conflict" }), []);
  const onColumnMenu = useCallback((key: string, anchor: DOMRect) => setOverlay({ kind: "column", key, anchor }), []);
  const onCellMenu = useCallback((cell: CellAddress, point: { x: number; y: number }) => setOverlay({ kind: "cell", cell, point }), []);
  const maySetNa = can("activity.naSet");
  const stepsEntry = entries.find((entry) => entry.steps && can(entry.right));
  useLayoutEffect(() => {
    grid.openOnEnter = (cell) => {
      const place = stepsEntry ? stepsAt(desk, cell) : null;
      if (stepsEntry && place) setOverlay({ kind: "entry", entry: stepsEntry, cell: place });
      return place !== null;
    };
    grid.openLocked = (cell) => {
      if (grid.openOnEnter(cell)) return true;
      const dates = lockedDatesAt(desk, planHead, cell, lockedDates);
      if (dates) setOverlay({ kind: "lockedDates", dates });
      return dates !== null;
    };
    // NA and INV stand for a plan end, and are asked for with a reason instead of being saved.
    grid.takeTyped = (rowKey, columnKey, typed) => {
      const { field, activityId } = columnRef(columnKey);
      const word = naWord(typed);
      if (field !== "planEnd" || activityId === null || word === null || !maySetNa) return false;
      setOverlay({ kind: "na", rowKey, columnKey, word });
      return true;
    };
  }, [desk, grid, planHead, lockedDates, stepsEntry, maySetNa]);
  const startExport = useCallback(async () => {
    const columns = shown.map((column) => column.key);
    const which = grid.rows.size > 0 ? { duIds: grid.rows.list.map(Number) } : { queryId: source.query.queryId };
    const answer = signalAnswer(await callDoor("rolloutPlan/export", { ...which, columns, lockedColumns: view.locked.length }));
    if (!answer.data) toast.problem(answer.msg ?? t("save.failed"));
    else toast.done(t("export.started"), { actions: [{ label: t("save.show"), run: () => window.location.assign(href("exports")) }] });
  }, [shown, grid, source, view.locked, href, t]);
  const drop = (part: Dropped) => {
    if (part === "search" || part === "all") setSearch(null);
    if (part === "all") {
      change({ filters: [], period: null, flowIds: [], exception: null });
      if (selectionKey !== null) router.replace(href("rolloutPlan"));
    } else if (part === "period") change({ period: null });
    else if (part === "flows") change({ flowIds: [] });
    else if (part === "exception") change({ exception: null });
    else if (typeof part === "object") change({ filters: withFilter(state.filters, part.filter, null) });
  };

  const allowed = useMemo(() => entries.filter((entry) => can(entry.right)), [entries, can]);
  const kinds = useBatchKinds(grid.readOnly, planHead);
  const onBatch = (batch: BatchKind) =>
    setOverlay({ kind: "batch", batch, duIds: chosen.map(Number), columnKey: grid.columnAt(grid.active.column)?.key });
  const onEntry = (entry: PlanEntry, at: { selection?: EntrySelection; anchor?: EntryAnchor } = {}) =>
    setOverlay({ kind: "entry", entry, ...at });
  const showInGrid = useCallback(
    (then: () => void) => {
      if (shownView !== gridViewKey) chooseView(gridViewKey);
      setInGrid(() => then);
    },
    [shownView, chooseView],
  );
  useEffect(() => {
    if (!inGrid || shownView !== gridViewKey) return;
    setInGrid(null);
    inGrid();
  }, [inGrid, shownView]);
  useEffect(() => {
    if (shownView !== gridViewKey) source.leaveScreen();
  }, [source, shownView]);
  const toProblem = useCallback(() => showInGrid(() => grid.toProblem(false)), [showInGrid, grid]);
  const onOpen = useCallback(
    (duId: number) =>
      showInGrid(() => {
        grid.goTo(String(duId), "code");
        grid.viewport?.focus();
      }),
    [showInGrid, grid],
  );
  const onSite = useCallback((of: "site" | "du", id: number) => setOverlay({ kind: "site", of, id }), []);
  const onApplied = useCallback(
    ({ batchId, cells: count }: { batchId: number | null; cells: number }) => {
      saving.offerUndo(batchId === null ? [] : [batchId], count);
      void pull();
    },
    [saving.offerUndo, pull],
  );

  const onExpired = useCallback(() => void source.askAgain(), [source]);
  usePageKeys(onSave, onSearch);
  usePlanCommands({
    readOnly: grid.readOnly,
    mayExport: can("rollout.export"),
    mayUndo: saving.offer !== null,
    chosen: chosen.length,
    entries: allowed,
    kinds,
    views,
    view: shownView,
    run: {
      save: onSave,
      undo: () => saving.offer && void saving.undo(saving.offer),
      toProblem,
      search: onSearch,
      templates: () => setOverlay({ kind: "templates" }),
      columns: () => setOverlay({ kind: "settings" }),
      exceptions: onExceptions,
      export: () => void startExport(),
      view: chooseView,
      batch: onBatch,
      entry: onEntry,
    },
  });

  const companions = useMemo<Companions>(
    () => ({
      date: DateCompanion,
      choice: ChoiceCompanion,
      people: (props: CompanionProps) => <PeopleCompanion {...props} people={desk.people} />,
    }),
    [desk],
  );
  const empty = emptyState();
  const overlays = useWas(overlay !== null || saving.asking !== null || saving.resultOpen);
  const filtered = useMemo(() => new Set(question.filters.map((filter) => filter.key)), [question]);
  return (
    <div className={styles.page} onFocusCapture={readOverlays} onPointerDownCapture={readOverlays}>
      <PageBar edited={dirty > 0} status={compares ? <ComparedVersion title={source.compare?.title ?? null} /> : null}>
        <PlanActions
          entries={allowed}
          chosen={chosen.length}
          dirty={dirty}
          saving={saving.saving}
          readOnly={grid.readOnly}
          mayExport={can("rollout.export")}
          kinds={kinds}
          ready={source.query.queryId !== null && !source.asking}
          offer={saving.offer}
          onEntry={onEntry}
          onExport={startExport}
          onBatch={onBatch}
          onUndo={(offer) => void saving.undo(offer)}
          onSave={onSave}
        />
      </PageBar>
      <PlanToolbar
        flows={frame.head.flows}
        flowIds={state.flowIds}
        period={state.period}
        search={question.search}
        searchField={state.searchField}
        searchRef={searchRef}
        onFlows={(flowIds) => change({ flowIds })}
        onPeriod={(period) => change({ period })}
        onSearchField={(field) => {
          change({ searchField: field });
          if (search) setSearch({ ...search, field });
        }}
        onSearch={(text) => setSearch(text ? { field: state.searchField, text } : null)}
        {...(View ? {} : { onColumns: () => setOverlay({ kind: "settings" }) })}
        onTemplates={() => setOverlay({ kind: "templates" })}
      >
        <ViewSwitch views={views} shown={shownView} onView={chooseView} />
        <SavedViewsButton views={savedViews} />
      </PlanToolbar>
      {chosen.length > 0 ? (
        <SelectionBar count={chosen.length} onClear={() => grid.rows.clear()}>
          <BatchMenu
            entries={allowed.filter((entry) => entry.place === "batch")}
            chosen={chosen.length}
            kinds={kinds}
            onBatch={onBatch}
            onEntry={onEntry}
          />
        </SelectionBar>
      ) : (
        <FilterBar
          head={head}
          shown={shown}
          question={question}
          total={total}
          whole={whole}
          unmatched={source.unmatched}
          entries={question.search ? searchEntries(question.search.text).length : 0}
          onFilter={actions.filter}
          onClear={() => change({ filters: [] })}
          onExceptions={onExceptions}
          onDropException={() => change({ exception: null })}
          onDropSelection={selectionKey === null ? undefined : () => router.replace(href("rolloutPlan"))}
        />
      )}
      {View ? (
        <View
          desk={desk}
          planHead={planHead}
          head={head}
          cells={cells}
          question={question}
          queryId={source.query.queryId}
          total={total}
          moved={moved}
          empty={empty}
          options={state.options[shownView]}
          onOptions={(options) => change({ options: { ...state.options, [shownView]: options } })}
          onOpen={onOpen}
          onSite={onSite}
          onExpired={onExpired}
          onApplied={onApplied}
          lockedDates={lockedDates}
          onLockedDates={(dates) => setOverlay({ kind: "lockedDates", dates })}
          entries={allowed}
          onEntry={onEntry}
        />
      ) : (
        <PlanningGrid
          grid={grid}
          label={t("label")}
          head={head}
          view={view}
          onView={onView}
          lockedTitle={t("groups.locked")}
          notes={notes}
          sorts={question.sort}
          filtered={filtered}
          figures={figures}
          summary={{ label: t("total"), note: total === null ? "" : `${formatNumber(total)} DU`, failed }}
          companions={companions}
          onSave={onSave}
          onSearch={onSearch}
          onConflict={onConflict}
          onColumnMenu={onColumnMenu}
          columnMenu={overlay?.kind === "column" ? overlay.key : null}
          onCellMenu={onCellMenu}
          empty={empty}
        />
      )}
      <GridStatus grid={grid} {...(View ? { onProblem: toProblem } : {})}>
        <span className={styles.edge} />
        <SyncNote sync={live.sync} source={source} onAsk={() => void source.askAgain().then(onAsked)} />
      </GridStatus>
      {overlays && (
        <PlanOverlays
          overlay={overlay}
          show={setOverlay}
          desk={desk}
          planHead={planHead}
          head={head}
          state={state}
          folded={view.folded}
          question={question}
          saving={saving}
          actions={actions}
          selection={selection}
          change={change}
          kinds={kinds}
          cellEntries={allowed.filter((entry) => entry.place === "cell")}
          lockedDates={lockedDates}
          pull={pull}
          templates={templates}
          onSearch={setSearch}
          siteDialog={siteDialog}
          moved={moved}
          onOpen={onOpen}
        />
      )}
    </div>
  );

  function emptyState(): ReactNode {
    if (source.failed)
      return <ErrorPanel title={t("failed.title")} failed={source.failed} onRetry={() => void source.ask({ ...question })} />;
    if (!source.asked || source.asking || source.total > 0) return undefined;
    if (!narrowed) return <NoDus>{emptyActions}</NoDus>;
    const flowNames = frame.head.flows.filter((flow) => state.flowIds.includes(flow.flowId)).map((flow) => flow.name);
    return <NoMatch head={head} question={question} flowNames={flowNames.join(", ")} onDrop={drop} />;
  }
}

/** Menus and dialogs are read when the person comes to the page by pointer or key, so that what opens one is not followed by a wait. */
function readOverlays(): void {
  void loadOverlays().catch(() => undefined);
}

/** Save and search by key wherever the focus is on the page. */
function usePageKeys(onSave: () => void, onSearch: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      const key = event.key.toLowerCase();
      if (key !== "s" && key !== "f") return;
      event.preventDefault();
      (key === "s" ? onSave : onSearch)();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onSave, onSearch]);
}
