import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { findEditors } from "#lib/owners/assignment/queries.ts";
import { sameValue } from "#lib/rollout-plan/edits/logic.ts";
import { readDuValues, readNotes } from "#lib/rollout-plan/edits/queries.ts";
import type { RejectedCell, SaveResult } from "#lib/rollout-plan/edits/schema.ts";
import { listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { type ActivityNote, type Change, type LogEntry, undoneCells } from "#lib/rollout-plan/plan-log/logic.ts";
import { listBatchEntries } from "#lib/rollout-plan/plan-log/queries.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import {
  cellField,
  cellNumber,
  cellSlot,
  getCell,
  type PlanBlock,
  rowIndex,
  setCell,
  stateValue,
  withState,
} from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { scoreRules } from "#lib/rollout-plan/plan-rows/rules.ts";
import { undoRules } from "./rules.ts";
import type { UndoInput } from "./schema.ts";

/**
 * Puts back the old values of a batch, or of all batches of the same task, where the present value is still the one the batch wrote; the rest is listed as CHANGED_SINCE.
 * @throws NOT_FOUND, NO_PERMISSION, WRONG_STATUS, UNDO_TOO_LATE, CHANGED_SINCE when nothing is left to undo
 */
export async function undoBatch(ctx: Ctx, input: UndoInput): Promise<SaveResult> {
  const { batches, entries } = await listBatchEntries(ctx, input.batchId);
  const batch = batches.find(({ id }) => id === input.batchId);
  if (!batch) throw new AppError("NOT_FOUND", { object: "batch" });
  const at = new Date(Math.max(...batches.map((given) => given.at.getTime())));
  checkRules(undoRules, { own: batch.actorId === ctx.user.id, source: batch.source, at, now: ctx.now });
  const reachable = await listReachable(ctx, [...new Set(entries.map((entry) => entry.duId))]);
  const block = await readPlanRows(ctx, reachable, { lock: true });
  const work = new UndoWork(ctx, block, entries);
  const patches = await work.apply();
  if (work.restored === 0) throw new AppError("CHANGED_SINCE");
  const written = await writePlanRows(ctx, block, {
    source: "undo",
    undoOf: input.batchId,
    patches,
    refused: work.refused,
    ask: { confirmed: input.confirmed },
  });
  if (written.batchId === null) ctx.audit(`plan batch ${input.batchId}`, null, { undone: 0, rejected: written.rejected.length });
  const library = new Map((await listLibraryActivities(ctx)).map(({ id, slot }) => [slot, id]));
  const rejected: RejectedCell[] = [
    ...work.rejected.map(({ slot, ...cell }) => ({ ...cell, activityId: slot === null ? undefined : library.get(slot) })),
    ...written.rejected.map(({ duId, slot, field, code, params }) => ({
      duId,
      activityId: library.get(slot),
      field,
      code,
      msg: errorText(ctx.locale, code, params),
    })),
  ];
  const lost = new Set(written.rejected.map(({ duId }) => duId));
  const saved = work.restoredByDu(new Set([...lost, ...work.refused]));
  return { saved, rejected, conflicts: [], batchId: written.batchId, seq: written.seq };
}

type Left = Omit<RejectedCell, "activityId"> & { slot: number | null };

class UndoWork {
  readonly rejected: Left[] = [];
  readonly refused = new Set<number>();
  restored = 0;
  private readonly counts = new Map<number, number>();
  private readonly ctx: Ctx;
  private readonly block: PlanBlock;
  private readonly entries: readonly LogEntry[];

  constructor(ctx: Ctx, block: PlanBlock, entries: readonly LogEntry[]) {
    this.ctx = ctx;
    this.block = block;
    this.entries = entries;
  }

  async apply(): Promise<DuPatch[]> {
    const { ctx } = this;
    const rows = rowIndex(this.block);
    const withAttrs = this.entries.filter((entry) => entry.attrs !== null && rows.has(entry.duId)).map((entry) => entry.duId);
    const [dus, notes, editors] = await Promise.all([readDuValues(ctx, withAttrs), readNotes(ctx, withAttrs), findEditors(ctx, withAttrs)]);
    const patches: DuPatch[] = [];
    for (const entry of this.entries) {
      const row = rows.get(entry.duId);
      if (row === undefined) {
        this.leave(entry.duId, null, "du");
        continue;
      }
      this.restoreCells(entry, row);
      const du = dus.get(entry.duId);
      const editor = editors.get(entry.duId);
      if (entry.attrs && du && editor) {
        const patch = this.restoreAttrs(entry, du, notes);
        if (patch) patches.push(patch);
        const denied = patch && ((patch.ext && !editor.attribute) || (patch.fields && !editor.du) || (patch.notes && !editor.actual));
        if (denied) this.refused.add(entry.duId);
      }
    }
    return patches.filter(({ duId }) => !this.refused.has(duId));
  }

  /** Cells put back, without those of the DUs that were refused in the end. */
  restoredByDu(refused: ReadonlySet<number>): number {
    return [...this.counts].reduce((sum, [duId, count]) => (refused.has(duId) ? sum : sum + count), 0);
  }

  private restoreCells(entry: LogEntry, row: number): void {
    const block = this.block;
    const states = new Map(entry.cells.map((cell, i) => [cell, [entry.old[i] as number, entry.new[i] as number] as const]));
    for (const { cell, old, now } of undoneCells(entry)) {
      const slot = cellSlot(cell);
      const field = cellField(cell);
      if (slot >= block.width || getCell(block, row, slot, field) !== now) {
        this.leave(entry.duId, slot, field);
        continue;
      }
      setCell(block, row, slot, field, old);
      this.count(entry.duId);
      // The order goes back with the actual date that moved it.
      const moved = states.get(cellNumber(slot, "state"));
      const state = getCell(block, row, slot, "state");
      if (
        moved &&
        (field === "actualStart" || field === "actualEnd") &&
        stateValue(state, "workOrder") === stateValue(moved[1], "workOrder")
      )
        setCell(block, row, slot, "state", withOrder(state, moved));
    }
  }

  private restoreAttrs(
    entry: LogEntry,
    du: { rowVersion: number; ext: Record<string, unknown> } & Record<string, unknown>,
    notes: Map<string, ActivityNote>,
  ): DuPatch | null {
    const patch: DuPatch = { duId: entry.duId, duVersion: du.rowVersion };
    const changed = new Map<number, { note: ActivityNote; changes: Record<string, Change> }>();
    for (const [key, logged] of Object.entries(entry.attrs ?? {})) {
      if (!Array.isArray(logged)) continue;
      const [old, now] = logged as Change;
      const [name = "", place] = key.split("@");
      if (name.startsWith("du.")) {
        const column = name.slice(3);
        if (!(column in du)) continue;
        if (!sameValue(du[column], now)) this.leave(entry.duId, null, column);
        else {
          patch.fields = { ...patch.fields, [column]: [now, old] };
          this.count(entry.duId);
        }
      } else if (name.startsWith("note.")) {
        const slot = Number(place);
        const field = name.slice(5) as keyof ActivityNote;
        if (field === "closedAt") continue;
        const present = changed.get(slot)?.note ?? { ...(notes.get(`${entry.duId} ${slot}`) ?? blankNote) };
        if (!sameValue(present[field], now)) this.leave(entry.duId, slot, field);
        else {
          const found = changed.get(slot) ?? { note: present, changes: {} };
          changed.set(slot, found);
          Object.assign(found.note, { [field]: old });
          found.changes[field] = [now, old];
        }
      } else if (!sameValue(du.ext[key], now)) this.leave(entry.duId, place === undefined ? null : Number(place), name);
      else {
        patch.ext = { ...patch.ext, [key]: [now, old] };
        this.count(entry.duId);
      }
    }
    // A remark stays below a score given since that needs one. [RPL-27]
    for (const [slot, { note, changes }] of changed) {
      const [broken] = brokenRules(scoreRules, { score: note.score, remark: note.scoreRemark });
      if (broken) changed.delete(slot);
      for (const field of Object.keys(changes)) {
        if (broken) this.refuse(entry.duId, slot, field, broken);
        else this.count(entry.duId);
      }
    }
    if (changed.size > 0)
      patch.notes = [...changed].map(([slot, { note, changes }]) => ({
        slot,
        note: Object.values(note).some((value) => value !== null) ? note : null,
        changes,
      }));
    return patch.ext || patch.fields || patch.notes ? patch : null;
  }

  private count(duId: number): void {
    this.restored++;
    this.counts.set(duId, (this.counts.get(duId) ?? 0) + 1);
  }

  private leave(duId: number, slot: number | null, field: string): void {
    this.refuse(duId, slot, field, { code: "CHANGED_SINCE" });
  }

  private refuse(
    duId: number,
    slot: number | null,
    field: string,
    { code, params }: { code: ErrorCode; params?: Params | undefined },
  ): void {
    this.rejected.push({ duId, slot, field, code, msg: errorText(this.ctx.locale, code, params) });
  }
}

const blankNote: ActivityNote = { delayReason: null, score: null, scoreRemark: null, closedAt: null, closedBy: null };

/** The state with the order, and the mark of its redo, of before; a mark that somebody has set or taken since stays. */
function withOrder(state: number, [old, now]: readonly [number, number]): number {
  const back = withState(state, "workOrder", stateValue(old, "workOrder"));
  return stateValue(state, "redone") === stateValue(now, "redone") ? withState(back, "redone", stateValue(old, "redone")) : back;
}
