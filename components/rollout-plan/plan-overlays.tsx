"use client";

import { useTranslations } from "next-intl";
import type { ComponentType } from "react";
import type { CellAddress, CellEdit, CellValue, GridHead } from "#components/grid/grid-model.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toast.ts";
import { batchDusMax } from "#lib/rollout-plan/batches/limits.ts";
import { CellHistory } from "./cell-history.tsx";
import { CellMenu } from "./cell-menu.tsx";
import { ColumnMenu, type ColumnMenuActions } from "./column-menu.tsx";
import { ColumnSettings } from "./column-settings.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { type LockedDates, type LockedDatesEntry, lockedDatesAt } from "./locked-dates.ts";
import { type NaWord, requestNa } from "./na-words.ts";
import { type BatchKind, batchOfColumn, PlanBatchDialog, useBatchHint } from "./plan-batches.tsx";
import { columnTitle, hiddenByDefault, type PlanHead } from "./plan-columns.ts";
import type { PlanDesk } from "./plan-desk.ts";
import type { EntryAnchor, EntrySelection, PlanEntry } from "./plan-entries.ts";
import type { PlanQuestion, PlanSearch } from "./plan-filters.ts";
import type { RejectedCell } from "./plan-saving.ts";
import { firstState, type PlanState } from "./plan-state.ts";
import { keptChange, keptParts, missingColumns, type TemplatesEntry } from "./plan-templates.ts";
import type { SiteDialogProps } from "./plan-views.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { type RefusedLine, ResultDialog } from "./result-dialog.tsx";
import { hasSteps, placeAt } from "./sub-steps.ts";
import type { usePlanSaving } from "./use-plan-saving.ts";

const ExceptionsDrawer = onDemand(() => import("./exceptions-drawer.tsx").then((module) => module.ExceptionsDrawer), ["plan-views"]);

/** The one thing that stands open over the grid. */
export type Overlay =
  | { kind: "column"; key: string; anchor: DOMRect }
  | { kind: "cell"; cell: CellAddress; point: { x: number; y: number } }
  | { kind: "history"; rowKey: string; columnKey: string }
  | { kind: "conflict" }
  | { kind: "settings" }
  | { kind: "site"; of: "site" | "du"; id: number }
  | { kind: "exceptions" }
  | { kind: "templates" }
  | { kind: "batch"; batch: BatchKind; duIds: readonly number[]; columnKey: string | undefined }
  | { kind: "batchResult"; title: string; note: string; rejected: readonly RejectedCell[] }
  | { kind: "lockedDates"; dates: LockedDates }
  | { kind: "na"; rowKey: string; columnKey: string; word: NaWord }
  | { kind: "entry"; entry: PlanEntry; cell?: { duId: number; activityId: number }; selection?: EntrySelection; anchor?: EntryAnchor };

type Props = {
  overlay: Overlay | null;
  show: (overlay: Overlay | null) => void;
  desk: PlanDesk;
  planHead: PlanHead;
  head: GridHead;
  state: PlanState;
  folded: readonly string[];
  question: PlanQuestion;
  saving: ReturnType<typeof usePlanSaving>;
  actions: ColumnMenuActions;
  selection: EntrySelection;
  change: (part: Partial<PlanState>) => void;
  /** Batches the person may run. */
  kinds: readonly BatchKind[];
  /** Commands of other areas in the menu of a cell. */
  cellEntries: readonly PlanEntry[];
  /** How locked dates are changed. */
  lockedDates: LockedDatesEntry;
  pull: () => Promise<void>;
  /** Where searches, filters and layouts are kept. */
  templates: TemplatesEntry;
  onSearch: (search: PlanSearch | null) => void;
  /** The master data of a site. */
  siteDialog: ComponentType<SiteDialogProps>;
  moved: number;
  onOpen: (duId: number) => void;
};

/** Menus and dialogs of the plan. */
export function PlanOverlays(props: Props) {
  const { overlay, show, desk, planHead, head, state, folded, question, saving, actions, selection, change, kinds, lockedDates, pull } =
    props;
  const { cellEntries, templates: TemplateDialog, onSearch, siteDialog: SiteDialog } = props;
  const t = useTranslations("plan-grid");
  const batchHint = useBatchHint();
  const close = () => {
    show(null);
    desk.grid.viewport?.focus();
  };
  const text = (rowKey: string, columnKey: string, value: CellValue) => {
    const column = desk.column(columnKey);
    return column ? desk.source.text(value, column, desk.source.rowOf(rowKey)) : String(value ?? "");
  };
  const place = (rowKey: string, columnKey: string) => `${desk.duCode(rowKey)} · ${columnTitle(head, columnKey)}`;
  const lines = (rejected: readonly RejectedCell[], asked: (key: string) => CellEdit | undefined): RefusedLine[] =>
    rejected.map((cell) => {
      const key = cell.activityId == null ? cell.field : `${cell.activityId}:${cell.field}`;
      const edit = asked(`${cell.duId}|${key}`);
      const activity = planHead.activities.find((given) => given.activityId === cell.activityId)?.name ?? "";
      const column = desk.column(key);
      return {
        ...cell,
        du: desk.duCode(String(cell.duId)),
        activity,
        column: column?.title ?? cell.field,
        asked: edit ? text(edit.rowKey, key, edit.mine) : "",
      };
    });
  const select = (given: readonly RefusedLine[]) => {
    desk.grid.rows.set(given.map((line) => String(line.duId)));
    const first = given[0];
    if (first) desk.grid.goTo(String(first.duId), first.activityId == null ? first.field : `${first.activityId}:${first.field}`);
  };

  const openLocked = (dates: LockedDates | null) => dates && (() => setTimeout(() => show({ kind: "lockedDates", dates })));

  if (saving.asking)
    return (
      <ReasonDialog
        title={t("reason.title", { count: saving.asking.length })}
        note={t("reason.note")}
        verb={t("reason.save")}
        onReason={saving.answerReason}
        onClose={() => saving.answerReason(null)}
      />
    );
  if (saving.resultOpen && saving.outcome) {
    const { outcome } = saving;
    const sent = new Map(outcome.edits.map((edit) => [`${edit.rowKey}|${edit.columnKey}`, edit]));
    return (
      <ResultDialog
        title={t("save.result", { saved: outcome.saved, rejected: outcome.rejected.length })}
        note={t("save.resultNote")}
        lines={lines(outcome.rejected, (key) => sent.get(key))}
        undo={saving.offer}
        onUndo={() => saving.offer && void saving.undo(saving.offer)}
        onSelect={(given) => {
          saving.setResultOpen(false);
          select(given);
        }}
        onClose={() => saving.setResultOpen(false)}
      />
    );
  }
  switch (overlay?.kind) {
    case "column": {
      const column = desk.column(overlay.key);
      const batch = column?.editable ? batchOfColumn(overlay.key) : null;
      const shown = desk.source.query.duIds;
      return column ? (
        <ColumnMenu
          column={column}
          title={columnTitle(head, overlay.key)}
          anchor={overlay.anchor}
          question={question}
          locked={state.locked}
          actions={actions}
          {...(batch && shown && kinds.includes(batch)
            ? {
                setAll: {
                  hint: batchHint(shown.length, batchDusMax),
                  run: () => setTimeout(() => show({ kind: "batch", batch, duIds: shown, columnKey: overlay.key })),
                },
              }
            : {})}
          onClose={close}
        />
      ) : null;
    }
    case "cell": {
      const activity = placeAt(desk, overlay.cell);
      return (
        <CellMenu
          grid={desk.grid}
          cell={overlay.cell}
          point={overlay.point}
          onHistory={() => {
            const columnKey = desk.grid.columnAt(overlay.cell.column)?.key;
            const rowKey = desk.source.rowKey(overlay.cell.row);
            // The menu closes after its item ran; the dialog comes after it.
            if (columnKey && rowKey) setTimeout(() => show({ kind: "history", rowKey, columnKey }));
          }}
          onSite={() => {
            const rowKey = desk.source.rowKey(overlay.cell.row);
            if (rowKey) setTimeout(() => show({ kind: "site", of: "du", id: Number(rowKey) }));
          }}
          onConflict={() => setTimeout(() => show({ kind: "conflict" }))}
          onChangeLocked={openLocked(lockedDatesAt(desk, planHead, overlay.cell, lockedDates))}
          entries={activity ? cellEntries.filter((entry) => !entry.steps || hasSteps(desk, overlay.cell)) : []}
          onEntry={(entry) => activity && setTimeout(() => show({ kind: "entry", entry, cell: activity }))}
          onClose={close}
        />
      );
    }
    case "na":
      return (
        <ReasonDialog
          title={t("na.title", { word: overlay.word })}
          note={`${place(overlay.rowKey, overlay.columnKey)}. ${t("na.note")}`}
          verb={t("na.verb", { word: overlay.word })}
          onReason={async (reason) => {
            const answer = await requestNa(overlay, reason);
            const refused = answer.data?.rejected[0]?.msg ?? (answer.data ? null : (answer.msg ?? t("save.failed")));
            if (refused !== null) return toast.problem(refused);
            close();
            toast.done(t("na.done", { word: overlay.word }));
            await pull();
          }}
          onClose={close}
        />
      );
    case "lockedDates":
      return (
        <lockedDates.dialog
          {...overlay.dates}
          onClose={close}
          onApplied={({ batchId, cells }) => {
            saving.offerUndo(batchId === null ? [] : [batchId], cells);
            void pull();
          }}
        />
      );
    case "history":
      return (
        <CellHistory
          rowKey={overlay.rowKey}
          columnKey={overlay.columnKey}
          place={place(overlay.rowKey, overlay.columnKey)}
          show={(value) => text(overlay.rowKey, overlay.columnKey, value)}
          onClose={close}
        />
      );
    case "conflict": {
      const { active } = desk.grid;
      const here = `${desk.source.rowKey(active.row)}|${desk.grid.columnAt(active.column)?.key}`;
      const conflicts = [...desk.edits.all()].filter((edit) => edit.conflict);
      conflicts.sort((a, b) => Number(`${b.rowKey}|${b.columnKey}` === here) - Number(`${a.rowKey}|${a.columnKey}` === here));
      return (
        <ConflictDialog
          conflicts={conflicts}
          place={(edit) => place(edit.rowKey, edit.columnKey)}
          show={(edit, value) => text(edit.rowKey, edit.columnKey, value)}
          onResolve={(edits, choice) => desk.edits.resolve(edits, choice)}
          onClose={close}
        />
      );
    }
    case "site":
      return <SiteDialog of={overlay.of} id={overlay.id} onClose={close} />;
    case "exceptions":
      return (
        <ExceptionsDrawer
          question={question}
          moved={props.moved}
          onFilter={(exception) => change({ exception })}
          onOpen={(duId) => {
            close();
            props.onOpen(duId);
          }}
          onClose={close}
        />
      );
    case "settings":
      return (
        <ColumnSettings
          head={planHead}
          grid={head}
          hidden={state.hidden ?? hiddenByDefault(planHead)}
          folded={folded}
          locked={state.locked}
          onHidden={(hidden) => change({ hidden })}
          onFolded={(next) => change({ folded: next })}
          onLocked={(locked) => change({ locked })}
          order={state.order}
          onOrder={(order) => change({ order })}
          onReset={() => change({ hidden: null, folded: null, locked: firstState.locked, order: [], widths: {} })}
          onSaveAs={() => show({ kind: "templates" })}
          onClose={close}
        />
      );
    case "templates":
      return (
        <TemplateDialog
          parts={keptParts(state, question.search, state.hidden ?? hiddenByDefault(planHead), folded)}
          onApply={(kind, body) => {
            const { state: part, search } = keptChange(kind, body);
            change(part);
            if (search !== undefined) onSearch(search);
            const count = missingColumns(kind, body, head);
            if (count > 0) toast.note(t("templates.missing", { count }));
          }}
          onClose={close}
        />
      );
    case "batch":
      return (
        <PlanBatchDialog
          kind={overlay.batch}
          duIds={overlay.duIds}
          columnKey={overlay.columnKey}
          desk={desk}
          head={planHead}
          onSelect={(rejected) => {
            close();
            select(lines(rejected, () => undefined));
          }}
          onApplied={(answer, note) => {
            saving.offerUndo(answer.batchId === null ? [] : [answer.batchId], answer.changed);
            show({
              kind: "batchResult",
              title: t(`batch.result.${overlay.batch}`, { changed: answer.changed, rejected: answer.rejected.length }),
              note,
              rejected: answer.rejected,
            });
            void pull();
          }}
          onClose={close}
        />
      );
    case "batchResult":
      return (
        <ResultDialog
          title={overlay.title}
          note={overlay.note}
          lines={lines(overlay.rejected, () => undefined)}
          undo={saving.offer}
          onUndo={() => {
            close();
            if (saving.offer) void saving.undo(saving.offer);
          }}
          onSelect={(given) => {
            close();
            select(given);
          }}
          onClose={close}
        />
      );
    case "entry": {
      const { entry } = overlay;
      if (!("dialog" in entry)) return null;
      return (
        <entry.dialog
          selection={overlay.selection ?? selection}
          opened
          onClose={close}
          onApplied={({ batchId, cells }) => {
            saving.offerUndo(batchId === null ? [] : [batchId], cells);
            void pull();
          }}
          onSelect={(duIds) => {
            close();
            desk.grid.rows.set(duIds.map(String));
            if (duIds[0] !== undefined) desk.grid.goTo(String(duIds[0]), "code");
          }}
          duCode={(duId) => desk.duCode(String(duId))}
          cell={overlay.cell}
          anchor={overlay.anchor}
        />
      );
    }
    default:
      return null;
  }
}
