import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import type {
  CellConflict,
  CheckedRow,
  FieldProblem,
  FieldValue,
  ImportKind,
  ImportRow,
  ImportRun,
  WriteFrame,
} from "#lib/imports/kind/logic.ts";
import { checkEdits, type EditsOutcome, writeEdits } from "#lib/rollout-plan/edits/commands.ts";
import type { Edit } from "#lib/rollout-plan/edits/schema.ts";
import { listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { exportVersion, markKey } from "#lib/rollout-plan/plan-export/limits.ts";
import { type RowMark, readMark } from "#lib/rollout-plan/plan-export/logic.ts";
import { findOldestSeq, findTaskBatch } from "#lib/rollout-plan/plan-log/queries.ts";
import { rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { lockPlanRows, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readLimit } from "#lib/settings/queries.ts";
import { planChunkRows } from "./limits.ts";
import { type CellWorld, mergeCell, type PlanColumn, type PlanValue, readPlanCell, shownCell, untouched } from "./logic.ts";
import {
  findDuIds,
  givenCell,
  listForeignFields,
  listImportable,
  listPlanFields,
  type PlanSides,
  readCellWorld,
  readPlanColumns,
  readPlanSides,
} from "./queries.ts";
import { ForeignPlanOptions, PlanImportOptions } from "./schema.ts";

/**
 * The import of an exported plan. Every cell is merged three ways: what it was at the export (from the log), what it is now, what the workbook says.
 * Cells the workbook left alone are left alone, whatever happened to them meanwhile.
 */
export const planImport: ImportKind = {
  options: PlanImportOptions,
  fields: listPlanFields,
  choices: async () => [],
  accept: acceptExport,
  fallbacks: [],
  labels: ["code", "name"],
  chunkRows: planChunkRows,
  hidden: markKey,
  open: (_options: object, format: DateFormat): ImportRun => {
    return planRun(format, exportedRows);
  },
  findUndo: findTaskBatch,
};

/**
 * The import of a plan in somebody else's layout: a column names the DU, the others are dates, owners and attributes of the plan. What a cell says is compared
 * with the present plan; an empty one, or a dash, says nothing.
 */
export const foreignPlanImport: ImportKind = {
  options: ForeignPlanOptions,
  fields: listForeignFields,
  choices: async () => [],
  fallbacks: [],
  labels: ["code"],
  chunkRows: planChunkRows,
  open: (_options: object, format: DateFormat): ImportRun => planRun(format, foreignRows),
  findUndo: findTaskBatch,
};

/** How the rows of a file name their DUs, and whether an empty cell leaves the value as it is. */
type RowKind = {
  keepsBlank: boolean;
  marks: (ctx: Ctx, rows: readonly ImportRow[], present: number) => Promise<(RowMark | FieldProblem)[]>;
};

/** Rows of an export carry a mark: the DU and the change number at which it was written. */
const exportedRows: RowKind = {
  keepsBlank: false,
  marks: async (_ctx, rows, present) =>
    rows.map((row) => {
      const mark = readMark(String(givenCell(row, markKey) ?? ""));
      if (!mark) return { path: "", code: "ROW_ADDED" };
      return mark.seq > present ? { path: "", code: "ROW_MISMATCH", params: { code: codeOf(row) } } : mark;
    }),
};

/** Rows of a foreign plan name the DU by its code and stand against the plan as it is now. */
const foreignRows: RowKind = {
  keepsBlank: true,
  marks: async (ctx, rows, present) => {
    const ids = await findDuIds(ctx, rows.map(codeOf));
    return rows.map((row) => {
      const code = codeOf(row);
      const duId = ids.get(code);
      if (duId !== undefined) return { duId, seq: present };
      return code === "" ? { path: "code", code: "VALUE_MISSING" } : { path: "code", code: "DU_NOT_FOUND", params: { code } };
    });
  },
};

function planRun(format: DateFormat, kind: RowKind): ImportRun {
  const seen: Seen = { rows: new Map(), columns: null };
  return {
    check: async (ctx, rows) => (await checkRows(ctx, rows, format, seen, kind)).map(checkedRow),
    write: (ctx, rows, frame) => writeRows(ctx, rows, format, frame, kind),
  };
}

/**
 * Refuses a workbook that cannot be compared with the present plan.
 * @throws EXPORT_TOO_OLD, EXPORT_KEYS_MISSING, WRONG_PROJECT
 */
async function acceptExport(ctx: Ctx, meta: Readonly<Record<string, string>>, keys: readonly (string | null)[]): Promise<void> {
  if (meta.version !== String(exportVersion)) throw new AppError("EXPORT_TOO_OLD");
  if (!keys.includes(markKey)) throw new AppError("EXPORT_KEYS_MISSING");
  const seq = Number(meta.seq);
  const [present, oldest] = await Promise.all([readPlanSeq(ctx), findOldestSeq(ctx)]);
  // A number the project has not reached: the file is from another installation.
  if (!(seq <= present)) throw new AppError("WRONG_PROJECT");
  if (oldest !== null && oldest > seq + 1) throw new AppError("EXPORT_TOO_OLD");
}

/** What earlier rows of the file have said: the row of each DU; and the columns of the file, which are the same for all. */
type Seen = { rows: Map<number, number>; columns: Promise<PlanColumn[]> | null };

type Wish = { column: PlanColumn; edit: Edit; old: PlanValue };

/** One row between reading and writing. */
type RowWork = {
  row: ImportRow;
  mark: RowMark | null;
  wishes: Wish[];
  changes: CheckedRow["changes"];
  conflicts: CellConflict[];
  problems: FieldProblem[];
  needsReason: boolean;
  reopens: boolean;
};

function checkedRow({ row, changes, conflicts, problems, needsReason, reopens }: RowWork): CheckedRow {
  return {
    no: row.no,
    outcome: problems.length > 0 ? "rejected" : conflicts.length > 0 ? "conflict" : changes.length > 0 ? "changed" : "unchanged",
    changes,
    problems,
    conflicts,
    ...(needsReason && { needsReason }),
    ...(reopens && { reopens }),
  };
}

async function checkRows(ctx: Ctx, rows: readonly ImportRow[], format: DateFormat, seen: Seen, kind: RowKind): Promise<RowWork[]> {
  const works = await mergeRows(ctx, rows, format, seen, kind);
  const ready = works.filter((work) => work.problems.length === 0 && work.wishes.length > 0);
  if (ready.length > 0) takeOutcome(ready, await checkEdits(ctx, ...editsOf(ready), "import"));
  return works;
}

const editsOf = (works: readonly RowWork[]): [edits: Edit[], duIds: number[]] => [
  works.flatMap((work) => work.wishes.map((wish) => wish.edit)),
  works.map((work) => work.mark?.duId as number),
];

/** Puts refusals to their cells; where only others of the DU are at fault, the row carries the reason. */
function takeOutcome(works: readonly RowWork[], outcome: EditsOutcome): void {
  const byDu = new Map(works.map((work) => [work.mark?.duId as number, work]));
  const keyOf = (edit: Edit) => (edit.activityId === undefined ? edit.field : `${edit.activityId}:${edit.field}`);
  for (const { edit, fault, withDu } of outcome.rejected)
    if (!withDu) byDu.get(edit.duId)?.problems.push({ path: keyOf(edit), code: fault.code, params: fault.params });
  for (const edit of outcome.conflicts) byDu.get(edit.duId)?.problems.push({ path: keyOf(edit), code: "CHANGED_AGAIN" });
  for (const { edit, fault } of outcome.rejected) {
    const work = byDu.get(edit.duId);
    if (work?.problems.length === 0) work.problems.push({ path: "", code: fault.code, params: fault.params });
  }
}

/** Reads the rows, compares every cell and collects what is to be edited and decided. */
async function mergeRows(ctx: Ctx, rows: readonly ImportRow[], format: DateFormat, seen: Seen, kind: RowKind): Promise<RowWork[]> {
  seen.columns ??= readPlanColumns(ctx, [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]);
  const columns = await seen.columns;
  const [present, max] = await Promise.all([readPlanSeq(ctx), readLimit(ctx, "edit.du")]);
  const marks = await kind.marks(ctx, rows, present);
  const works = rows.map((row, at): RowWork => {
    const found = marks[at] as RowMark | FieldProblem;
    const mark = "code" in found ? null : found;
    const work: RowWork = { row, mark, wishes: [], changes: [], conflicts: [], problems: [], needsReason: false, reopens: false };
    if ("code" in found) work.problems.push(found);
    else if (mark) {
      const first = seen.rows.get(mark.duId);
      if (first !== undefined) work.problems.push({ path: "code", code: "REPEATED_IN_FILE", params: { row: first } });
      else seen.rows.set(mark.duId, row.no);
      if (seen.rows.size > max) work.problems.push({ path: "", code: "TOO_MANY_DU", params: { max } });
    }
    return work;
  });
  const marked = works.filter((work) => work.problems.length === 0);
  const ids = marked.map((work) => work.mark?.duId as number);
  const [reachable, importable] = await Promise.all([listReachable(ctx, ids), listImportable(ctx, ids)]);
  const reached = new Set(reachable);
  const seqs = new Map(marked.flatMap(({ mark }) => (mark && reached.has(mark.duId) ? [[mark.duId, mark.seq] as const] : [])));
  const sides = await readPlanSides(ctx, columns, seqs);
  const world = await readCellWorld(ctx, columns, rows, sides, format);
  const places = rowIndex(sides.block);
  for (const work of marked) {
    const duId = work.mark?.duId as number;
    const place = places.get(duId);
    if (place === undefined) {
      work.problems.push({ path: "code", code: "DU_NOT_FOUND", params: { code: codeOf(work.row) } });
      continue;
    }
    // The DU ID in the row is the witness that the hidden mark has moved with it.
    const { now, before } = sides.code(duId);
    if ("code" in work.row.values && ![now, before].includes(codeOf(work.row))) {
      work.problems.push({ path: "code", code: "ROW_MISMATCH", params: { code: now } });
      continue;
    }
    mergeRow(work, columns, sides, world, { released: sides.block.releaseStates[place] === 1, keepsBlank: kind.keepsBlank });
    if ((work.wishes.length > 0 || work.conflicts.length > 0) && !importable.has(duId))
      work.problems.push({ path: "", code: "NO_PERMISSION", params: { right: "rollout.import" } });
  }
  return works;
}

const codeOf = (row: ImportRow): string => String(givenCell(row, "code") ?? "").trim();

/** A cell that says nothing where blanks are passed over. */
const saysNothing = (value: FieldValue): boolean => value === null || (typeof value === "string" && /^[\s\-\u2013\u2014]*$/.test(value));

function mergeRow(
  work: RowWork,
  columns: readonly PlanColumn[],
  sides: PlanSides,
  world: CellWorld,
  { released, keepsBlank }: { released: boolean; keepsBlank: boolean },
): void {
  const duId = work.mark?.duId as number;
  for (const column of columns) {
    if (!(column.key in work.row.values)) continue;
    const settled = work.row.settled?.[column.key];
    if (settled?.side === "theirs") continue;
    const given = givenCell(work.row, column.key);
    if (keepsBlank && saysNothing(given)) continue;
    const base = sides.base(duId, column);
    if (untouched(given, base)) continue;
    const read = readPlanCell(column, given, base, world, aboveOf(work, columns, sides, world, column));
    if ("code" in read) {
      work.problems.push({ path: column.key, code: read.code, params: read.params });
      continue;
    }
    const ours = sides.ours(duId, column);
    const theirs = read.value;
    const asked = mergeCell({ base, ours, theirs });
    if (asked === "keep") continue;
    if (asked === "conflict" && settled?.seen !== JSON.stringify(ours)) {
      // At the application nobody is left to ask: what nobody has decided is refused.
      if (work.row.settled) work.problems.push({ path: column.key, code: "CHANGED_AGAIN" });
      else {
        const shown = (value: PlanValue): FieldValue => shownCell(column, value, world);
        const last = sides.last(duId, column);
        const sight = {
          base: shown(base),
          mine: shown(theirs),
          theirs: shown(ours),
          by: last?.by ?? null,
          at: last?.at.toISOString() ?? null,
        };
        work.conflicts.push({ path: column.key, ...sight, seen: JSON.stringify(ours) });
      }
      continue;
    }
    const { field, activityId } = column;
    const edit: Edit = { duId, ...(activityId !== undefined && { activityId }), field, value: theirs, base: ours };
    work.wishes.push({ column, edit, old: ours });
    work.changes.push([column.key, shownCell(column, ours, world), shownCell(column, theirs, world)]);
    const { target } = column;
    if (target.kind === "date" && target.field === "actualEnd" && ours !== null) work.needsReason = true;
    if (released && (target.kind === "owner" || (target.kind === "date" && target.field.startsWith("plan")))) work.reopens = true;
  }
}

/** What a row says of the attribute that chooses among the values of a column; undefined where the column has none, or the file does not show it. */
function aboveOf(
  work: RowWork,
  columns: readonly PlanColumn[],
  sides: PlanSides,
  world: CellWorld,
  { parentKey }: PlanColumn,
): PlanValue | undefined {
  const parent = parentKey === undefined ? undefined : columns.find(({ key }) => key === parentKey);
  if (!parent) return undefined;
  const duId = work.mark?.duId as number;
  if (!(parent.key in work.row.values) || work.row.settled?.[parent.key]?.side === "theirs") return sides.ours(duId, parent);
  const read = readPlanCell(parent, givenCell(work.row, parent.key), sides.base(duId, parent), world);
  return "code" in read ? undefined : read.value;
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  format: DateFormat,
  frame: WriteFrame,
  kind: RowKind,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  const marks = await kind.marks(ctx, rows, await readPlanSeq(ctx));
  await lockPlanRows(
    ctx,
    marks.flatMap((mark) => ("code" in mark ? [] : mark.duId)),
  );
  // Rows that were seen without a conflict have none to decide: one that came since is refused.
  const settled = rows.map((row) => ({ ...row, settled: row.settled ?? {} }));
  const works = await mergeRows(ctx, settled, format, { rows: new Map(), columns: null }, kind);
  await frame.step(0.4);
  const ready = works.filter((work) => work.problems.length === 0 && work.wishes.length > 0);
  const refused = () => works.filter((work) => work.problems.length > 0).map(checkedRow);
  if (ready.length === 0 || (frame.whole && refused().length > 0)) return { written: [], rejected: refused() };
  const [edits, duIds] = editsOf(ready);
  const outcome = await writeEdits(ctx, edits, duIds, {
    source: "import",
    reason: frame.reason,
    origin: { kind: "task", id: frame.originKey },
  });
  takeOutcome(ready, outcome);
  await frame.step(0.9);
  const written = ready.filter((work) => work.problems.length === 0);
  const rejected = refused();
  ctx.audit(`task ${frame.taskId}`, null, { kind: "plan", changed: written.length, rejected: rejected.length });
  return { written: written.map(checkedRow), rejected };
}
