import "server-only";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { arraysText, rowBreak, runsOf } from "#lib/core/arrays-text.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { errorText } from "#lib/core/texts.ts";
import { addBatch, announceBatch, logDuChanges } from "#lib/rollout-plan/plan-log/commands.ts";
import type { PlanSource } from "#lib/rollout-plan/plan-log/limits.ts";
import { type ActivityNote, type Change, logEntry } from "#lib/rollout-plan/plan-log/logic.ts";
import { followOrders, type OrderMove } from "#lib/work-orders/orders/commands.ts";
import { isReopened, type OrderFacts, orderAfterDates, orderStatuses } from "#lib/work-orders/orders/logic.ts";
import { orderKey, readOrders } from "#lib/work-orders/orders/queries.ts";
import {
  type BitOwner,
  manyRows,
  type PlanField,
  planFields,
  questionsListed,
  rowsPerRun,
  type StateBit,
  sendingMs,
  stateBits,
} from "./limits.ts";
import {
  bitMask,
  cellField,
  cellSlot,
  changedFields,
  columnRows,
  type Derived,
  derivePart,
  deriveRow,
  diffBlock,
  getCell,
  isApplicable,
  openMask,
  type PlanBlock,
  type PlanColumns,
  type RowDiff,
  rowIndex,
  withState,
  workOrderStatus,
} from "./logic.ts";
import {
  derivedColumns,
  judgeWrite,
  listAttributeKeys,
  listAttributeRefusals,
  listLibraryActivities,
  lockPlanRows,
  planColumns,
  readPlanRows,
  type Standing,
} from "./queries.ts";
import type { Ask, Question, QuestionCode, Refusal } from "./rules.ts";

/** Changes of a DU besides its plan arrays, written and logged with them. */
export type DuPatch = {
  duId: number;
  /** `du.row_version` the old values were read with. */
  duVersion: number;
  /** Extension attributes by their key in `du.ext`. */
  ext?: Record<string, Change>;
  /** Columns of `du` by their name in the database. */
  fields?: Record<string, Change>;
  notes?: NotePatch[];
  /** What a DU made in this transaction begins with, by log key: logged only. */
  begins?: Record<string, Change>;
};

/** An activity's note as it is to be, null to remove it, and what changes in it by log field (`delayReason`, `score`, `scoreRemark`, `closedAt`). */
export type NotePatch = { slot: number; note: ActivityNote | null; changes: Record<string, Change> };

export type WriteOptions = {
  source: PlanSource;
  event?: Ask["event"];
  reason?: string | null | undefined;
  /** What made the change: task, rule run, version ... */
  origin?: Record<string, unknown> | null;
  undoOf?: number;
  /** A person started it (default true). */
  byPerson?: boolean;
  /** DUs the caller refuses already, nothing of which is written. */
  refused?: ReadonlySet<number>;
  /** DUs whose relations changed: a released plan counts as changed. */
  relationsChanged?: ReadonlySet<number>;
  patches?: readonly DuPatch[];
  /** Rights read by the caller in the same transaction; not waited for until they are needed. */
  standing?: Standing | Promise<Standing>;
  /** Checks everything and writes nothing: `written` names the DUs that would be written. */
  dryRun?: boolean;
  /**
   * A person waits for the answer: what the write does to prerequisites and advisory warnings is asked about before anything is written.
   * `confirmed` repeats the hash of the questions that were shown; without `ask` they are only listed.
   */
  ask?: { confirmed: string | undefined };
  /** Added to the log of every written DU, such as the id of a released version. */
  logAttrs?: Record<string, unknown>;
  /** Baseline and released dates are copies of the plan: `logAttrs` name the version that holds them. */
  copies?: boolean;
};

export type WriteResult = {
  /** null when nothing was written. */
  batchId: number | null;
  seq: number | null;
  written: number[];
  cells: number;
  rejected: Refusal[];
  /** DUs not written because their row changed since it was read. */
  moved: number[];
  /** What a person would be, or was, asked about the DUs written. */
  questions: Question[];
};

/** What the answer to a save with open questions carries: each question at its cell, and the hash that says they were shown. */
export type OpenQuestions = {
  confirm: string;
  questions: { code: QuestionCode; duId: number; activityId?: number; field: string; msg: string }[];
};

const raisesChange = (cell: number) => {
  const field = cellField(cell);
  return field === "planStart" || field === "planEnd" || field === "planOwner" || field === "actualOwner" || field === "attrOwner";
};

/**
 * Writes the changed rows of a block: checks every changed cell by the rules of the source, moves order states, recomputes derived columns, and writes all rows in one
 * statement and one batch of the log. A DU is written whole or not at all. Call it once per transaction.
 */
export async function writePlanRows(ctx: Ctx, block: PlanBlock, options: WriteOptions): Promise<WriteResult> {
  const patches = new Map((options.patches ?? []).map((patch) => [patch.duId, patch]));
  const rows = rowIndex(block);
  markNotes(block, rows, patches);
  if (!block.before) throw new Error("the block was read without the kinds a write needs");
  const changes = diffBlock(block);
  await letSend(changes.length);
  const ordersMoved = await moveOrders(ctx, block, changes, options.source);
  await letSend(changes.length);
  const all = ordersMoved ? diffBlock(block) : changes;
  const diffs = new Map(all.map((diff) => [diff.row, diff]));
  // A release is what a changed plan waits for.
  if (options.source !== "release") markChanged(block, diffs, options.relationsChanged);
  const touched = block.duIds.filter(
    (duId, row) => !options.refused?.has(duId) && (diffs.has(row) || patches.has(duId) || movesRow(block, row)),
  );
  // The rows are locked while the rules are asked.
  const locking = block.locked || options.dryRun ? undefined : lockPlanRows(ctx, touched);
  locking?.catch(() => {});
  const [{ refusals: ofCells, questions: found }, ofAttributes] = await Promise.all([
    judgeWrite(ctx, block, diffs, options),
    listAttributeRefusals(ctx, options),
  ]);
  await letSend(diffs.size);
  const rejected = [...ofCells, ...ofAttributes];
  const refused = new Set([...(options.refused ?? []), ...rejected.map((refusal) => refusal.duId)]);
  const candidates = touched.filter((duId) => !refused.has(duId));
  const questions = found.filter(({ duId }) => !refused.has(duId));
  if (options.dryRun) return { batchId: null, seq: null, written: candidates, cells: 0, rejected, moved: [], questions };
  if (options.ask) await askQuestions(ctx, questions, options.ask.confirmed);
  else listQuestions(ctx, options, questions);
  const moved = locking ? movedRows(block, rows, candidates, await locking) : [];
  const gone = new Set(moved);
  const ids = candidates.filter((id) => !gone.has(id));
  if (ids.length === 0) return { batchId: null, seq: null, written: [], cells: 0, rejected, moved, questions };

  const written = ids.map((id) => ({ id, row: rows.get(id) as number, diff: diffs.get(rows.get(id) as number), patch: patches.get(id) }));
  // All is sent at once, in the order of the connection: the log is put together while the database writes the DUs.
  const given = written.flatMap(({ patch }) => patch ?? []);
  const writing = Promise.all([updateDus(ctx, given), updateNotes(ctx, given)]);
  writing.catch(() => {});
  await letSend(given.length);
  const copies = options.copies ?? options.source === "release";
  const entries = written.map(({ id, row, diff, patch }) =>
    logEntry({ duId: id, flowId: block.flowIds[row] ?? 0, diff, patch, copies, attrs: options.logAttrs }),
  );
  const changed = written.filter(({ row, diff }) => diff !== undefined || movesRow(block, row));
  if (entries.length >= manyRows) announceBatch(ctx, entries, options);
  const planning = writePlans(ctx, block, changed);
  planning.catch(() => {});
  await letSend(changed.length);
  const adding = addBatch(ctx, entries, options);
  adding.catch(() => {});
  await letSend(entries.length);
  // A work order's own step writes its row itself, with who is asked and why.
  const moves = options.source === "work_order" ? [] : orderMoves(written);
  const [, , batch] = await Promise.all([writing, planning, adding]);
  if (moves.length > 0) {
    const { reason, byPerson } = options;
    await followOrders(ctx, moves, {
      batchId: batch.batchId,
      undone: options.source === "undo",
      undoOf: options.undoOf,
      reason,
      byPerson,
    });
  }
  return { ...batch, written: ids, rejected, moved, questions };
}

/** Gives the connection a moment where working on many rows would keep what was sent to the database before from getting there. */
async function letSend(rows: number): Promise<void> {
  if (rows >= manyRows) await pause(sendingMs);
}

/** Questions that nobody is there to answer stand in the audit log, the first of them each by itself. */
function listQuestions(ctx: Ctx, { source, origin = null }: WriteOptions, questions: readonly Question[]): void {
  if (questions.length === 0) return;
  const listed = questions.slice(0, questionsListed).map(({ code, duId, slot, field, params }) => ({ code, duId, slot, field, ...params }));
  ctx.audit("plan warnings", null, { source, origin, count: questions.length, warnings: listed });
}

/** Refuses a write until all its questions were shown: one that came up since is asked, never passed unseen. */
async function askQuestions(ctx: Ctx, questions: readonly Question[], confirmed: string | undefined): Promise<void> {
  const [first] = questions;
  if (!first) return;
  const confirm = createHash("sha256")
    .update(
      questions
        .map(({ about }) => about)
        .sort()
        .join("\n"),
    )
    .digest("hex");
  if (confirmed === confirm) return;
  const activities = new Map((await listLibraryActivities(ctx)).map(({ id, slot }) => [slot, id]));
  const data: OpenQuestions = {
    confirm,
    questions: questions.map(({ code, duId, slot, field, params }) => ({
      code,
      duId,
      ...(slot > 0 && { activityId: activities.get(slot) as number }),
      field,
      msg: errorText(ctx.locale, code, params),
    })),
  };
  throw new AppError(first.code, first.params, [], data);
}

/**
 * Reads plan rows without locks, lets `compute` change them and writes the result: for long runs. DUs whose row moved meanwhile are read and computed again
 * under their lock, so `compute` must depend on the block alone.
 */
export async function changePlanRows(
  ctx: Ctx,
  duIds: readonly number[],
  compute: (block: PlanBlock) => void | Promise<void>,
  options: WriteOptions,
): Promise<WriteResult> {
  const block = await readPlanRows(ctx, duIds);
  await compute(block);
  const changed = diffBlock(block).map((diff) => block.duIds[diff.row] as number);
  const moved = movedRows(block, rowIndex(block), changed, await lockPlanRows(ctx, changed));
  if (moved.length === 0) {
    block.locked = true;
    return writePlanRows(ctx, block, options);
  }
  const fresh = await readPlanRows(ctx, changed);
  fresh.locked = true;
  await compute(fresh);
  return writePlanRows(ctx, fresh, options);
}

/**
 * Clears every value of attributes, of DUs and of activities, as one batch of the log.
 * @returns number of values cleared
 */
export async function clearAttributes(ctx: Ctx, attributeIds: readonly number[], reason: string | null): Promise<number> {
  const { sql, project } = ctx;
  if (attributeIds.length === 0) return 0;
  const keys = await listAttributeKeys(ctx, attributeIds);
  const rows = await sql<{ duId: number; flowId: number | null; values: Record<string, unknown> }[]>`
    select du.id as "duId", (select f.flow_id from du_flow f where f.du_id = du.id and f.unbound_at is null) as "flowId",
      (select jsonb_object_agg(e.key, e.value) from jsonb_each(du.ext) e where e.key = any(${keys}::text[])) as values
    from du where du.project_id = ${project.id} and du.ext ?| ${keys}::text[] order by du.id for no key update`;
  if (rows.length === 0) return 0;
  await sql`
    update du set ext = ext - ${keys}::text[], row_version = row_version + 1
    where project_id = ${project.id} and id = any(${rows.map(({ duId }) => duId)}::bigint[])`;
  await logDuChanges(
    ctx,
    rows.map(({ duId, flowId, values }) => ({
      duId,
      flowId,
      attrs: Object.fromEntries(Object.entries(values).map(([key, old]): [string, Change] => [key, [old, null]])),
    })),
    { source: "system", reason },
  );
  return rows.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
}

/** Bits to set (with their value) and to clear at one slot of one DU. */
export type StatePatch = { duId: number; slot: number; set?: Partial<Record<StateBit, number>>; clear?: readonly StateBit[] };

/**
 * Changes state bits of the area's own; logged like a cell.
 * @param why owner: the area that writes, which must own every bit named
 */
export async function patchPlanState(
  ctx: Ctx,
  items: readonly StatePatch[],
  why: { owner: BitOwner } & WriteOptions,
): Promise<WriteResult> {
  const block = await readPlanRows(ctx, [...new Set(items.map((item) => item.duId))], { lock: true });
  applyStatePatches(block, items, why.owner);
  return writePlanRows(ctx, block, why);
}

/** Applies state patches to a block that is written later with other changes. A bit of another area is a fault of the caller. */
export function applyStatePatches(block: PlanBlock, items: readonly StatePatch[], owner: BitOwner): void {
  const rows = rowIndex(block);
  for (const { duId, slot, set = {}, clear = [] } of items) {
    for (const bit of [...(Object.keys(set) as StateBit[]), ...clear])
      if (stateBits[bit].owner !== owner) throw new Error(`the state bit ${bit} belongs to ${stateBits[bit].owner}, not to ${owner}`);
    const row = rows.get(duId);
    if (row === undefined || slot < 1 || slot >= block.width) continue;
    const at = row * block.width + slot;
    let state = block.state[at] as number;
    for (const bit of clear) state &= ~bitMask(bit);
    for (const [bit, value] of Object.entries(set) as [StateBit, number][]) state = withState(state, bit, value);
    block.state[at] = state;
  }
}

/** Makes the empty plan rows of new DUs. */
export async function insertPlanRows(ctx: Pick<Ctx, "sql" | "project">, duIds: readonly number[]): Promise<void> {
  await ctx.sql`
    insert into du_plan (du_id, project_id) select id, project_id from du where project_id = ${ctx.project.id} and id = any(${[...duIds]}::bigint[])`;
}

function markNotes(block: PlanBlock, rows: Map<number, number>, patches: Map<number, DuPatch>): void {
  for (const [duId, patch] of patches) {
    const row = rows.get(duId);
    if (row === undefined) continue;
    for (const note of patch.notes ?? []) {
      const at = row * block.width + note.slot;
      block.state[at] = withState(block.state[at] as number, "note", note.note === null ? 0 : 1);
    }
  }
}

// Fields 1 to 4 of a cell number: plan and actual dates.
const isWorkDate = (cell: number) => (cell & 15) <= 4;

/** Moves the order bits of activities whose dates changed; tells whether any moved. */
async function moveOrders(ctx: Ctx, block: PlanBlock, diffs: readonly RowDiff[], source: PlanSource): Promise<boolean> {
  const before = block.before as PlanColumns;
  const scheduling = source === "schedule" || source === "release";
  const reopened: { row: number; slot: number; facts: OrderFacts }[] = [];
  // One object for all cells: a write of thousands makes no garbage.
  const facts = { scheduling } as OrderFacts;
  let moved = false;
  for (const { row, cells } of diffs) {
    let last = 0;
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] as number;
      const slot = cellSlot(cell);
      if (slot === last || !isWorkDate(cell)) continue;
      last = slot;
      const at = row * block.width + slot;
      const state = block.state[at] as number;
      facts.status = workOrderStatus(state);
      facts.applicable = isApplicable(state);
      facts.planStart = block.planStart[at] as number;
      facts.planEnd = block.planEnd[at] as number;
      facts.actualStart = block.actualStart[at] as number;
      facts.actualEnd = block.actualEnd[at] as number;
      facts.actualStartBefore = before.actualStart[at] as number;
      facts.actualEndBefore = before.actualEnd[at] as number;
      if (isReopened(facts)) reopened.push({ row, slot, facts: { ...facts } });
      else if (moveOrder(block, at, facts)) moved = true;
    }
  }
  // Where a completed order came from is known to its row alone.
  const orders = await readOrders(
    ctx,
    reopened.map(({ row }) => block.duIds[row] as number),
  );
  for (const { row, slot, facts } of reopened) {
    const order = orders.get(orderKey(block.duIds[row] as number, slot));
    if (moveOrder(block, row * block.width + slot, { ...facts, before: order?.before ?? null })) moved = true;
  }
  return moved;
}

function moveOrder(block: PlanBlock, at: number, facts: OrderFacts): boolean {
  const next = orderAfterDates(facts);
  if (next === facts.status) return false;
  block.state[at] = withState(block.state[at] as number, "workOrder", orderStatuses.indexOf(next));
  return true;
}

const orderMask = bitMask("workOrder");
const inFlowMask = bitMask("inFlow");

const isUnsent = (state: number) => (state & orderMask) >> stateBits.workOrder.at <= 1;

/** Activities of written rows whose order changed its status, or that left the flow. */
function orderMoves(written: readonly { id: number; diff: RowDiff | undefined }[]): OrderMove[] {
  const moves: OrderMove[] = [];
  for (const { id, diff } of written) {
    if (!diff) continue;
    for (let i = 0; i < diff.cells.length; i++) {
      const cell = diff.cells[i] as number;
      if (cellField(cell) !== "state") continue;
      const [old, now] = [diff.old[i] as number, diff.new[i] as number];
      const gone = (old & ~now & inFlowMask) !== 0;
      if (!gone && ((old ^ now) & orderMask) === 0) continue;
      // An order that is not sent out stays scheduled whether its activity is planned or not: scheduling thousands of DUs concerns no row.
      if (!gone && isUnsent(old) && isUnsent(now)) continue;
      moves.push({
        duId: id,
        slot: cellSlot(cell),
        from: workOrderStatus(old),
        to: workOrderStatus(now),
        inFlow: (now & inFlowMask) !== 0,
      });
    }
  }
  return moves;
}

function markChanged(block: PlanBlock, diffs: Map<number, RowDiff>, relationsChanged: ReadonlySet<number> | undefined): void {
  const inFlow = bitMask("inFlow");
  for (let row = 0; row < block.duIds.length; row++) {
    if (block.releaseStates[row] !== 1 || block.before?.releaseStates[row] !== 1) continue;
    const diff = diffs.get(row);
    const moved = diff?.cells.some((cell, i) =>
      cellField(cell) === "state" ? (((diff.old[i] as number) ^ (diff.new[i] as number)) & inFlow) !== 0 : raisesChange(cell),
    );
    if (moved || relationsChanged?.has(block.duIds[row] as number)) block.releaseStates[row] = 2;
  }
}

/** Whether a row has to be written though no cell of it changed. */
const movesRow = (block: PlanBlock, row: number): boolean =>
  block.versions[row] === 0 || block.releaseStates[row] !== block.before?.releaseStates[row];

/** DUs whose row is no longer what was read, by the versions found under the locks. */
function movedRows(block: PlanBlock, rows: Map<number, number>, ids: readonly number[], present: Map<number, number>): number[] {
  return ids.filter((id) => present.get(id) !== block.versions[rows.get(id) as number]);
}

type WrittenRow = { id: number; row: number; diff: RowDiff | undefined };

async function writePlans(ctx: Ctx, block: PlanBlock, rows: readonly WrittenRow[]): Promise<void> {
  const [made, present] = [true, false].map((isMade) => rows.filter(({ row }) => (block.versions[row] === 0) === isMade));
  await Promise.all([insertPlans(ctx, block, made as WrittenRow[]), updatePlans(ctx, block, present as WrittenRow[])]);
}

async function insertPlans(ctx: Ctx, block: PlanBlock, rows: readonly WrittenRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { sql, project } = ctx;
  const { source, fields, values } = planValues(ctx, block, rows);
  const columns = fields.map((field) => planColumns[field]);
  await sql`
    insert into du_plan (du_id, project_id, ${sql.unsafe([...columns, ...followingColumns].join(", "))})
    select n.du_id, ${project.id}, ${sql.unsafe([...values, ...followingColumns.map((name) => `n.${name}`)].join(", "))} from ${source}`;
}

async function updatePlans(ctx: Ctx, block: PlanBlock, rows: readonly WrittenRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { sql } = ctx;
  const { source, fields, values } = planValues(ctx, block, rows);
  const following = new Map(followingColumns.map((name) => [name, `n.${name}`]));
  if (block.part) for (const [name, value] of Object.entries(untoldEnds)) following.set(name, value);
  const sets = [
    ...fields.map((field, i) => `${planColumns[field]} = ${values[i]}`),
    ...[...following].map(([name, value]) => `${name} = ${value}`),
    "row_version = p.row_version + 1",
  ];
  const updated = await sql`
    update du_plan p set ${sql.unsafe(sets.join(", "))} from ${source} where p.du_id = n.du_id and p.row_version = n.row_version`;
  if (updated.count !== rows.length) throw new Error(`wrote ${updated.count} of ${rows.length} locked plan rows`);
}

/** Columns that are written whatever changed in a row. */
const followingColumns = ["release_state", ...Object.values(derivedColumns)];
const derivedNames = Object.keys(derivedColumns) as (keyof Derived)[];

/** Last and next plan end of rows read in part, where they have to be looked for among the slots that were not read. */
const untoldEnds = {
  last_plan_end: `case when n.is_told = 1 then n.last_plan_end else (
    select greatest(n.last_plan_end, max(u.planned)) from unnest(p.plan_end, p.state) with ordinality u(planned, state, slot)
    where u.slot not between n.first and n.last and u.state & 7 = 1) end`,
  next_plan_end: `case when n.is_told = 1 then n.next_plan_end else coalesce((
    select least(nullif(n.next_plan_end, 0), min(u.planned)) from unnest(p.plan_end, p.actual_end, p.state) with ordinality u(planned, done, state, slot)
    where u.slot not between n.first and n.last and u.planned > 0 and coalesce(u.done, 0) = 0 and u.state & ${openMask} = 1), 0) end`,
};

/** Kinds that change in rows read in part: plan dates, and with them the state of the order. */
const movedInPart: readonly PlanField[] = ["planStart", "planEnd", "state"];

/** An array in which the slots that were read take their place again; slots before them that it did not reach are empty, and it ends with the last one used. */
function placedBetween(column: string, type: string, value: string, used: string): string {
  const gap = `case when ${used} > 0 then array_fill(0::${type}, array[greatest(n.first - 1 - coalesce(cardinality(${column}), 0), 0)]) end`;
  return `case when 0 <> any(${column}[n.last + 1:]) then ${column}[:n.first - 1] || ${value} || ${column}[n.last + 1:]
    else nullif(${column}[:n.first - 1] || ${gap} || (${value})[:${used}], '{}') end`;
}

/** How many slots of the part of a row, from its first, reach to the last that holds a value. */
function usedSlots(block: PlanBlock, row: number, field: PlanField, { first, last }: { first: number; last: number }): number {
  let slot = last;
  while (slot >= first && getCell(block, row, slot, field) === 0) slot--;
  return slot - first + 1;
}

/** The changed kinds and derived columns of rows as a table `n`, and the expression that gives each kind from it. */
function planValues({ sql }: Ctx, block: PlanBlock, rows: readonly WrittenRow[]) {
  const touched = changedFields(rows.flatMap(({ diff }) => diff ?? []));
  if (block.part && [...touched].some((field) => !movedInPart.includes(field)))
    throw new Error("only plan dates change in rows read in part");
  const fields = planFields.filter((field) => touched.has(field));
  const { part } = block;
  const at = rows.map(({ row }) => row);
  // Rows travel as one text per kind, so a statement has as many parameters for one row as for ten thousand.
  const columns = fields.map((field) => ({
    type: field === "state" || field.endsWith("Owner") ? "int" : "smallint",
    ...sayColumn(columnRows(block[field], at, block.width, part)),
  }));
  const values = fields.map((field, i) => {
    const { type, places } = columns[i] as (typeof columns)[number];
    const value = places ? `n.s${i}` : `n.v${i}::${type}[]`;
    const given = part ? placedBetween(`p.${planColumns[field]}`, type, value, `n.u${i}`) : value;
    return field === "state" ? `coalesce(${given}, '{}')` : given;
  });
  const list = (numbers: readonly (number | undefined)[]) => sql`string_to_array(${numbers.join(",")}, ',')::smallint[]`;
  const arrays = (text: string) => sql`string_to_array(${text}, ${rowBreak}, '')`;
  const kinds = columns.reduce(
    (parts, { text, places }) =>
      places ? sql`${parts}, string_to_array(${places.join(",")}, ',')::int[]` : sql`${parts}, ${arrays(text)}`,
    sql``,
  );
  // Behind `offset 0` an array is read once, not for each row that names it.
  const joins = columns.reduce(
    (parts, { type, text, places }, i) =>
      places
        ? sql`${parts} left join (select place, v::${sql.unsafe(type)}[] as said from unnest(${arrays(text)}) with ordinality r(v, place) offset 0)
            ${sql.unsafe(`s${i} on s${i}.place = n.v${i}`)}`
        : parts,
    sql``,
  );
  const said = columns.map(({ places }, i) => (places ? `, s${i}.said as s${i}` : "")).join("");
  const used = fields.reduce(
    (parts, field) => (part ? sql`${parts}, ${list(at.map((row) => usedSlots(block, row, field, part)))}` : parts),
    sql``,
  );
  const derived = rows.map(({ row }) => (part ? derivePart(block, row) : { ...deriveRow(block, row, block.kinds), isTold: true }));
  const following = derivedNames.reduce(
    (parts, name) => sql`${parts}, ${list(derived.map((row) => row[name]))}`,
    sql`${list(derived.map(({ isTold }) => Number(isTold)))}, ${list(rows.map(({ row }) => block.releaseStates[row]))}`,
  );
  const names = [...fields.map((_, i) => `v${i}`), ...(part ? fields.map((_, i) => `u${i}`) : [])];
  const source = sql`(select n.*${sql.unsafe(said)}, ${part?.first ?? 0}::int as first, ${part?.last ?? 0}::int as last
    from unnest(string_to_array(${rows.map(({ id }) => id).join(",")}, ',')::bigint[],
      string_to_array(${rows.map(({ row }) => block.versions[row]).join(",")}, ',')::int[], ${following}${kinds}${used})
      as n(du_id, row_version, is_told, ${sql.unsafe([...followingColumns, ...names].join(", "))})${joins}) n`;
  return { source, fields, values };
}

/** How a kind of many rows is said: an array per row, or, where thousands that follow one flow say the same, each once and which of them a row means. */
function sayColumn(rows: readonly ArrayLike<number>[]): { text: string; places: number[] | null } {
  if (rows.length >= manyRows) {
    const { runs, places } = runsOf(rows);
    if (runs.length * rowsPerRun <= rows.length) return { text: arraysText(runs, ""), places };
  }
  return { text: arraysText(rows, ""), places: null };
}

async function updateDus(ctx: Ctx, patches: readonly DuPatch[]): Promise<void> {
  const given = patches.filter((patch) => Object.keys(patch.ext ?? {}).length > 0 || Object.keys(patch.fields ?? {}).length > 0);
  if (given.length === 0) return;
  const { sql } = ctx;
  const names = [...new Set(given.flatMap((patch) => Object.keys(patch.fields ?? {})))];
  // Each column travels as one text with a line for each row: JSON holds no line break of its own, and an empty line is no value.
  const lines = (of: (patch: DuPatch) => string) => sql`string_to_array(${given.map(of).join("\n")}, E'\\n', '')`;
  const put = ({ ext = {} }: DuPatch) => {
    const values: Record<string, unknown> = {};
    for (const key in ext) if (ext[key]?.[1] !== null) values[key] = ext[key]?.[1];
    return JSON.stringify(values);
  };
  const gone = ({ ext = {} }: DuPatch) => {
    const keys = Object.keys(ext).filter((key) => ext[key]?.[1] === null);
    return keys.length > 0 ? JSON.stringify(keys) : "";
  };
  const fields = ({ fields: changes = {} }: DuPatch) =>
    JSON.stringify(Object.fromEntries(Object.entries(changes).map(([name, [, now]]) => [name, now])));
  // A column keeps its value where a row does not name it; its new value takes the column's type from a record made of the whole patch.
  const sets = names.reduce(
    (parts, name) => sql`${parts}${sql(name)} = case when n.fields::jsonb ? ${name} then t.${sql(name)} else d.${sql(name)} end, `,
    sql``,
  );
  const source = sql`unnest(string_to_array(${given.map(({ duId }) => duId).join(",")}, ',')::bigint[],
      string_to_array(${given.map(({ duVersion }) => duVersion).join(",")}, ',')::int[], ${lines(put)}, ${lines(gone)}
      ${names.length > 0 ? sql`, ${lines(fields)}) as n(id, version, put, gone, fields), lateral jsonb_populate_record(null::du, n.fields::jsonb) t` : sql`) as n(id, version, put, gone)`}`;
  const updated = await sql`
    update du d set ${sets} ext = case when n.gone is null then d.ext || n.put::jsonb
        else (d.ext || n.put::jsonb) - array(select jsonb_array_elements_text(n.gone::jsonb)) end,
      row_version = d.row_version + 1
    from ${source} where d.id = n.id and d.row_version = n.version and d.project_id = ${ctx.project.id}`;
  if (updated.count !== given.length) throw new Error(`wrote ${updated.count} of ${given.length} locked DUs`);
}

async function updateNotes(ctx: Ctx, patches: readonly DuPatch[]): Promise<void> {
  const rows = patches.flatMap(({ duId, notes = [] }) => notes.map(({ slot, note }) => ({ duId, slot, kept: note !== null, ...note })));
  if (rows.length === 0) return;
  const { sql } = ctx;
  const given = sql`jsonb_to_recordset(${sql.json(rows as never)}) as n("duId" bigint, slot smallint, kept boolean, "delayReason" text, score smallint, "scoreRemark" text,
    "closedAt" timestamptz, "closedBy" bigint)`;
  await sql`delete from du_activity_note d using ${given} where d.du_id = n."duId" and d.slot = n.slot and not n.kept`;
  await sql`
    insert into du_activity_note (du_id, slot, delay_reason, score, score_remark, closed_at, closed_by)
    select n."duId", n.slot, n."delayReason", n.score, n."scoreRemark", n."closedAt", n."closedBy" from ${given} where n.kept
    on conflict (du_id, slot) do update set delay_reason = excluded.delay_reason, score = excluded.score, score_remark = excluded.score_remark,
      closed_at = excluded.closed_at, closed_by = excluded.closed_by`;
}
