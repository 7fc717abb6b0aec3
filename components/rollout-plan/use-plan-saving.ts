"use client";

import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import type { CellEdit } from "#components/grid/grid-model.ts";
import { withQuestions } from "#components/ui/questions.ts";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { PlanDesk } from "./plan-desk.ts";
import {
  askingReason,
  cellKeys,
  gridValue,
  type RejectedCell,
  reasonCode,
  type SaveAnswer,
  savedColumns,
  saveParts,
  writtenEdits,
} from "./plan-saving.ts";
import { type UndoOffer, undoOffer } from "./undo-offer.tsx";

/** What the last save or batch left behind. */
export type SaveOutcome = { saved: number; rejected: readonly RejectedCell[]; edits: readonly CellEdit[] };

type Options = {
  desk: PlanDesk;
  /** Reads what changed on the server; the named cells are our own and do not flash. */
  pull: (own: readonly { rowKey: string; columnKey: string }[]) => Promise<void>;
};

/** Saving, the reason it may ask for, and undoing a save for ten minutes. */
export function usePlanSaving({ desk, pull }: Options) {
  const t = useTranslations("plan-grid");
  const [saving, setSaving] = useState(false);
  const [offer, setOffer] = useState<UndoOffer | null>(null);
  const [outcome, setOutcome] = useState<SaveOutcome | null>(null);
  const [resultOpen, setResultOpen] = useState(false);
  const [asking, setAsking] = useState<readonly CellEdit[] | null>(null);
  const busy = useRef(false);

  const undo = useCallback(
    async (given: UndoOffer) => {
      let restored = 0;
      for (const batchId of [...given.batchIds].reverse()) {
        const answer = await withQuestions((confirmed) => callDoor<SaveAnswer>("rolloutPlan/undo", { batchId, confirmed }));
        if (!answer.data) {
          toast.problem(answer.msg ?? t("save.failed"));
          break;
        }
        restored += answer.data.saved;
      }
      setOffer(null);
      setResultOpen(false);
      await pull([]);
      if (restored > 0) toast.done(t("undo.done", { count: restored }));
    },
    [pull, t],
  );

  /** Offers to undo batches that were written now, by a save or by another dialog. */
  const offerUndo = useCallback((batchIds: readonly number[], cells: number): UndoOffer | null => {
    const made = batchIds.length > 0 ? undoOffer(batchIds, cells, Date.now()) : null;
    if (made) setOffer(made);
    return made;
  }, []);

  const tell = useCallback(
    (saved: number, rejected: number, conflicts: number, made: UndoOffer | null) => {
      const text = t("save.result", { saved, rejected });
      const show = { label: t("save.show"), run: () => setResultOpen(true) };
      const actions = [...(made ? [{ label: t("undo.short"), run: () => void undo(made) }] : []), ...(rejected > 0 ? [show] : [])];
      if (rejected > 0) toast.problem(text, { actions });
      else toast.done(text, { actions });
      if (conflicts > 0) toast.others(t("save.conflicts", { count: conflicts }));
    },
    [t, undo],
  );

  const send = useCallback(
    async (edits: readonly CellEdit[], reason: string | undefined) => {
      const { parts } = saveParts(edits);
      const rejected: RejectedCell[] = [];
      const batchIds: number[] = [];
      const own: { rowKey: string; columnKey: string }[] = [];
      let saved = 0;
      let conflicts = 0;
      for (const part of parts) {
        const input = { columns: savedColumns(part), ...(reason ? { reason } : {}) };
        const answer = await withQuestions((confirmed) => callDoor<SaveAnswer>("rolloutPlan/save", { ...input, confirmed }));
        if (answer.code === "NOTHING_MODIFIED") {
          // Somebody else has already written the same.
          desk.edits.settle(part);
          continue;
        }
        if (!answer.data) {
          // Where no answer came, what becomes of the changes stands before the reason.
          const lost = answer.status >= 500 || !answer.msg;
          toast.problem(lost ? [t("save.failed"), answer.msg].filter(Boolean).join(" · ") : answer.msg);
          break;
        }
        const written = writtenEdits(part, answer.data);
        desk.source.keepSaved(written);
        desk.edits.settle(written);
        own.push(...written.map(({ rowKey, columnKey }) => ({ rowKey, columnKey })));
        desk.edits.refuse(
          answer.data.rejected.map((cell) => ({
            ...cellKeys(cell),
            refusal: { code: cell.code, cause: cell.withDu ? t("cause.withDu") : cell.msg },
          })),
        );
        desk.edits.theirs(
          answer.data.conflicts.map((cell) => ({
            ...cellKeys(cell),
            theirs: gridValue(cell.field, cell.theirs),
            by: cell.by ?? "",
            at: cell.at ?? "",
          })),
        );
        saved += answer.data.saved;
        conflicts += answer.data.conflicts.length;
        rejected.push(...answer.data.rejected);
        if (answer.data.batchId !== null) batchIds.push(answer.data.batchId);
      }
      return { saved, rejected, conflicts, batchIds, own, sent: parts.flat() };
    },
    [desk, t],
  );

  const save = useCallback(
    async (only?: readonly CellEdit[], reason?: string) => {
      if (busy.current) return;
      const edits = only ?? [...desk.edits.all()];
      if (edits.length === 0) {
        toast.note(t("save.nothing"));
        return;
      }
      if (saveParts(edits).parts.length === 0) {
        toast.note(t("save.unreadable"));
        desk.grid.toProblem(false);
        return;
      }
      busy.current = true;
      setSaving(true);
      try {
        const done = await send(edits, reason);
        const reasons = reason ? [] : askingReason(done.rejected);
        if (reasons.length > 0) {
          const rows = new Set(reasons.map((cell) => String(cell.duId)));
          setAsking(done.sent.filter((edit) => rows.has(edit.rowKey)));
        }
        const made = offerUndo(done.batchIds, done.saved);
        const refused = done.rejected.filter((cell) => !reasons.includes(cell));
        setOutcome({ saved: done.saved, rejected: refused, edits: done.sent });
        if (done.saved > 0 || refused.length > 0 || done.conflicts > 0) tell(done.saved, refused.length, done.conflicts, made);
        if (done.saved > 0) void pull(done.own);
      } finally {
        busy.current = false;
        setSaving(false);
      }
    },
    [desk, send, offerUndo, tell, pull, t],
  );

  const answerReason = useCallback(
    (reason: string | null) => {
      const edits = asking;
      setAsking(null);
      if (!edits || reason === null) return;
      // What is still wanted of them: they may have been taken back meanwhile.
      void save(
        edits.flatMap((edit) => desk.edits.get(edit.rowKey, edit.columnKey) ?? []),
        reason,
      );
    },
    [asking, save, desk],
  );

  return { save, saving, offer, undo, offerUndo, outcome, setOutcome, resultOpen, setResultOpen, asking, answerReason, reasonCode };
}
