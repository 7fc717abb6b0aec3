import "server-only";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import { dayNumber, firstDay, isoDay, lastDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { brokenRules, checkRules, type Rule } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import { attributeKey, canonicalValue, isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import { listMembers, readDuValues, readNotes } from "#lib/rollout-plan/edits/queries.ts";
import type { RejectedCell } from "#lib/rollout-plan/edits/schema.ts";
import { listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { type DuPatch, type WriteResult, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { ownersMax, type PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  dateRange,
  getCell,
  isApplicable,
  type PlanBlock,
  type PlanColumns,
  rowIndex,
  setCell,
  withState,
} from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  type LibraryActivity,
  listLibraryActivities,
  readOwnerSets,
  readPlanRows,
  readStanding,
  writableFields,
} from "#lib/rollout-plan/plan-rows/queries.ts";
import type { Refusal } from "#lib/rollout-plan/plan-rows/rules.ts";
import { readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { readLimit } from "#lib/settings/queries.ts";
import { checkNa, type RejectedNa, requestNa } from "#lib/work-orders/na-requests/commands.ts";
import { ownerKinds, samplesMax } from "./limits.ts";
import { ownersAfter, setDates } from "./logic.ts";
import { demandOneRfcNumber, readNames, readRfcNumbers } from "./queries.ts";
import { batchRules, type ClosedFacts, closeRules, reopenRules, rfcRules } from "./rules.ts";
import type { BatchResult, SampleCell, Selection, SetAttribute, SetDates, SetOwners } from "./schema.ts";

/**
 * Sets, shifts, copies or clears one date of the chosen activities of the chosen DUs; with `preview` it only says what would happen.
 * A DU with a refused cell keeps all its dates, and its other cells count with the code of the refused one.
 */
export async function setBatchDates(ctx: Ctx, input: SetDates): Promise<BatchResult> {
  const { field, mode } = input;
  checkRules(batchRules, {
    dus: input.duIds.length,
    max: await readLimit(ctx, "select.du"),
    field,
    value: mode === "set" ? input.value : null,
  });
  if (mode === "set" && (input.value === "NA" || input.value === "INV")) return requestBatchNa(ctx, input, input.value);
  const day = mode === "set" ? dayNumber(input.value as string) : firstDay;
  if (day < firstDay || day > lastDay) throw new AppError("DATE_OUT_OF_RANGE", dateRange);
  const planDate = field === "planStart" || field === "planEnd";
  // Kinds the batch neither checks nor writes stay in the database: owners are asked for actual dates alone.
  const owners: PlanField[] = planDate ? [] : ["planOwner", "actualOwner"];
  const fields: PlanField[] = [...writableFields, ...owners, ...(mode === "copy" ? [input.value.field] : [])];
  // Plan dates are judged by the slots around them, and taken from those they are copied from.
  const copied = mode === "copy" && input.value.activityId !== undefined ? [input.value.activityId] : [];
  const activityIds = planDate ? [...input.activityIds, ...copied] : undefined;
  // All of it is asked at once: the connection answers one after the other.
  const [, library, rfcNumbers, calendars, block, standing] = await Promise.all([
    reach(ctx, input),
    listLibraryActivities(ctx),
    readRfcNumbers(ctx, input.duIds),
    readCalendars(ctx),
    readPlanRows(ctx, input.duIds, { lock: !input.preview, within: ctx.scope.where("rollout.view"), fields, activityIds }),
    readStanding(ctx, input.duIds),
  ]);
  checkRules(rfcRules, { rfcNumbers, planDate });
  const slotById = new Map(library.map(({ id, slot }) => [id, slot]));
  const slots = input.activityIds.flatMap((id) => slotById.get(id) ?? []);
  setDates(block, input, slots, calendars.project.days, (id) => slotById.get(id));
  const ask = { confirmed: input.confirmed };
  const written = await writePlanRows(ctx, block, { source: "batch", reason: input.reason, dryRun: input.preview, standing, ask });
  const activityOf = new Map(library.map(({ id, slot }) => [slot, id]));
  const { changed, sample } = changedDates(block, written.written, field, slots);
  return finish(ctx, "plan batch dates", input.preview, written, {
    changed,
    rejected: describe(ctx, written.rejected, activityOf),
    sample: sample.map(({ slot, ...cell }) => ({ ...cell, activityId: activityOf.get(slot) as number, field })),
  });
}

/** How many cells of the written DUs changed, and the first of them in the order of rows and slots. */
function changedDates(block: PlanBlock, written: readonly number[], field: PlanField, slots: readonly number[]) {
  const before = block.before as PlanColumns;
  const rows = rowIndex(block);
  const ascending = [...slots].sort((left, right) => left - right);
  const sample: { duId: number; slot: number; old: string | null; new: string | null }[] = [];
  let changed = 0;
  for (const duId of written) {
    const base = (rows.get(duId) as number) * block.width;
    for (const slot of ascending) {
      const [old, now] = [before[field][base + slot] as number, block[field][base + slot] as number];
      if (old === now) continue;
      changed++;
      if (sample.length < samplesMax) sample.push({ duId, slot, old: isoDay(old), new: isoDay(now) });
    }
  }
  return { changed, sample };
}

/** NA and INV typed as plan end are requests: the background carries them out, where the flow asks for it after an approval. */
async function requestBatchNa(ctx: Ctx, input: SetDates, kind: "NA" | "INV"): Promise<BatchResult> {
  if (!ctx.can("activity.naSet")) throw new AppError("NO_PERMISSION", { right: "activity.naSet" });
  const { duIds, activityIds, reason, preview } = input;
  const reachable = await reach(ctx, input);
  await demandOneRfcNumber(ctx, reachable);
  const { fit, rejected } = await checkNa(ctx, { duIds, activityIds });
  const sample = fit.slice(0, samplesMax).map((place) => ({ ...place, field: input.field, old: null, new: kind }));
  const cells = (refused: readonly RejectedNa[]): RejectedCell[] =>
    refused.map(({ duId, activityId, code, msg }) => ({
      duId: duId ?? 0,
      ...(activityId !== null && { activityId }),
      field: input.field,
      code,
      msg,
    }));
  if (preview) {
    ctx.audit("plan batch NA", null, { preview, changed: fit.length, rejected: rejected.length });
    return { changed: fit.length, rejected: cells(rejected), sample, batchId: null };
  }
  if (!reason) throw new AppError("REASON_REQUIRED");
  const answer = await requestNa(ctx, { kind, duIds, activityIds, reason });
  return { changed: answer.requested, rejected: cells(answer.rejected), sample, batchId: null, taskId: answer.taskId };
}

/** Closes completed activities: their dates can no longer be changed. */
export function closeActivities(ctx: Ctx, input: Selection): Promise<BatchResult> {
  return setClosed(ctx, input, true, closeRules);
}

/**
 * Reopens closed activities: they are completed again.
 * @throws REASON_REQUIRED
 */
export async function reopenActivities(ctx: Ctx, input: Selection): Promise<BatchResult> {
  if (!input.reason) throw new AppError("REASON_REQUIRED");
  return setClosed(ctx, input, false, reopenRules);
}

async function setClosed(ctx: Ctx, input: Selection, closed: boolean, rules: readonly Rule<ClosedFacts>[]): Promise<BatchResult> {
  if (!ctx.scope.all("rollout.edit")) throw new AppError("NO_PERMISSION", { right: "rollout.edit" });
  checkRules(batchRules, { dus: input.duIds.length, max: await readLimit(ctx, "select.du"), field: "closed", value: null });
  const library = await listLibraryActivities(ctx);
  const chosen = library.filter(({ id }) => input.activityIds.includes(id));
  const reachable = await reach(ctx, input);
  const block = await readPlanRows(ctx, reachable, { lock: true });
  const notes = await readNotes(ctx, block.duIds);
  const rejected: RejectedCell[] = [];
  const refused = new Set<number>();
  const patches: DuPatch[] = [];
  for (const [row, duId] of block.duIds.entries()) {
    const patch: DuPatch = { duId, duVersion: 0, notes: [] };
    for (const { id, slot } of chosen) {
      const state = getCell(block, row, slot, "state");
      const problem = brokenRules(rules, { state, actualEnd: getCell(block, row, slot, "actualEnd"), hasReason: Boolean(input.reason) })[0];
      if (problem) {
        refused.add(duId);
        rejected.push({
          duId,
          activityId: id,
          field: "closed",
          code: problem.code,
          msg: errorText(ctx.locale, problem.code, problem.params),
        });
        continue;
      }
      setCell(block, row, slot, "state", withState(state, "closed", closed ? 1 : 0));
      const present = notes.get(`${duId} ${slot}`) ?? { delayReason: null, score: null, scoreRemark: null, closedAt: null, closedBy: null };
      const note = { ...present, closedAt: closed ? ctx.now : null, closedBy: closed ? ctx.user.id : null };
      const kept = Object.values(note).some((value) => value !== null);
      patch.notes?.push({ slot, note: kept ? note : null, changes: { closedAt: [present.closedAt, note.closedAt] } });
    }
    if (patch.notes?.length) patches.push(patch);
  }
  const open = patches.filter(({ duId }) => !refused.has(duId));
  const written = await writePlanRows(ctx, block, {
    source: "batch",
    reason: input.reason,
    patches: open,
    refused,
    ask: { confirmed: input.confirmed },
  });
  // A closing that a dependency rule refuses is found only there; the state is not what a person knows of it.
  for (const cell of describe(ctx, written.rejected, new Map(library.map(({ id, slot }) => [slot, id]))))
    rejected.push({ ...cell, field: "closed" });
  const lost = new Set(written.rejected.map(({ duId }) => duId));
  const done = open.filter(({ duId }) => !lost.has(duId));
  if (written.batchId === null) ctx.audit("plan close", null, { closed, rejected: rejected.length });
  return { changed: done.reduce((sum, patch) => sum + (patch.notes?.length ?? 0), 0), rejected, sample: [], batchId: written.batchId };
}

/**
 * Sets, adds or takes out owners in the chosen activities of the chosen DUs; with `preview` it only says what would happen.
 * A DU with a refused cell keeps all its owners.
 */
export async function setBatchOwners(ctx: Ctx, input: SetOwners): Promise<BatchResult> {
  checkRules(batchRules, { dus: input.duIds.length, max: await readLimit(ctx, "select.du"), field: "owner", value: null });
  const members = input.mode === "remove" ? new Set(input.value) : await listMembers(ctx, input.value);
  const stranger = input.value.find((person) => !members.has(person));
  if (stranger !== undefined) throw new AppError("NOT_MEMBER", { account: stranger });
  const reachable = await reach(ctx, input);
  const library = await listLibraryActivities(ctx);
  const chosen = library.filter(({ id }) => input.activityIds.includes(id));
  const block = await readPlanRows(ctx, reachable, { lock: !input.preview });
  const cells = [...ownerCells(block, chosen, input)];
  const present = await readOwnerSets(ctx, [...new Set(cells.map(({ set }) => set))].filter(Boolean));
  const wanted = cells.flatMap((cell) => {
    const before = present.get(cell.set) ?? [];
    const after = ownersAfter(before, input);
    return after.join(",") === before.join(",") ? [] : [{ ...cell, before, after }];
  });
  const setIds = await resolveOwnerSets(
    ctx,
    wanted.map(({ after }) => after).filter((people) => people.length <= ownersMax),
  );
  // A DU is written whole or not at all: one cell with too many people refuses its others too.
  const full = new Set(wanted.filter(({ after }) => after.length > ownersMax).map(({ row }) => block.duIds[row] as number));
  const rejected: RejectedCell[] = [];
  for (const { row, slot, activityId, field, after } of wanted) {
    const duId = block.duIds[row] as number;
    if (full.has(duId)) rejected.push(refused(ctx, { duId, activityId, field }, "TOO_MANY", { max: ownersMax }));
    else setCell(block, row, slot, field, setIds.get(after.join(",")) ?? 0);
  }
  const written = await writePlanRows(ctx, block, { source: "batch", reason: input.reason, dryRun: input.preview, refused: full });
  const done = new Set(written.written);
  const changed = wanted.filter(({ row }) => done.has(block.duIds[row] as number));
  const samples = changed.slice(0, samplesMax);
  const names = await readNames(ctx, [...new Set(samples.flatMap(({ before, after }) => [...before, ...after]))]);
  const text = (people: readonly number[]) => people.map((person) => names.get(person) ?? String(person)).join(", ") || null;
  return finish(ctx, "plan batch owners", input.preview, written, {
    changed: changed.length,
    rejected: [...rejected, ...describe(ctx, written.rejected, new Map(library.map(({ id, slot }) => [slot, id])))],
    sample: samples.map(({ row, activityId, field, before, after }) => ({
      duId: block.duIds[row] as number,
      activityId,
      field,
      old: text(before),
      new: text(after),
    })),
  });
}

/** Owner cells a batch looks at: of activities the DU has, and only empty ones where that is asked. */
function* ownerCells(block: PlanBlock, chosen: readonly LibraryActivity[], { kinds, onlyEmpty }: Pick<SetOwners, "kinds" | "onlyEmpty">) {
  for (let row = 0; row < block.duIds.length; row++)
    for (const { id, slot } of chosen) {
      if (!isApplicable(getCell(block, row, slot, "state"))) continue;
      for (const kind of kinds) {
        const field = ownerKinds[kind];
        const set = getCell(block, row, slot, field);
        if (set === 0 || !onlyEmpty) yield { row, slot, activityId: id, field, set };
      }
    }
}

/**
 * Sets one attribute of the chosen DUs, for attributes of activities in the chosen activities; with `preview` it only says what would happen.
 * Needs rollout.attributeEdit on every DU it writes.
 */
export async function setBatchAttribute(ctx: Ctx, input: SetAttribute): Promise<BatchResult> {
  checkRules(batchRules, { dus: input.duIds.length, max: await readLimit(ctx, "select.du"), field: "attribute", value: null });
  const field = `a${input.attributeId}`;
  const [attributes, hidden] = await Promise.all([listPlanAttributes(ctx), readHidden(ctx)]);
  const attribute = attributes.find(({ id }) => id === input.attributeId);
  if (hidden.has(input.attributeId) || attribute?.mode === "RO")
    throw new AppError("NO_PERMISSION", { right: attribute?.name ?? "rollout.attributeEdit" });
  if (!attribute) throw unknownField("attributeId", input.attributeId);
  const ofActivities = attribute.level === "ACTIVITY";
  if (ofActivities !== (input.activityIds !== undefined)) throw unknownField("activityIds", input.activityIds?.length ?? 0);
  const enumIds = attribute.enums.filter(({ active }) => active).map(({ id }) => id);
  const canonical = canonicalValue({ ...attribute, enumIds }, input.value);
  if ("code" in canonical)
    throw new AppError("INVALID_INPUT", { field: "value" }, [
      { path: "value", code: canonical.code, params: { field: attribute.name, ...canonical.params } },
    ]);
  if (attribute.required && canonical.value === null)
    throw new AppError("EMPTY_CONTENT", { field: attribute.name }, [
      { path: "value", code: "EMPTY_CONTENT", params: { field: attribute.name } },
    ]);
  const reachable = await reach(ctx, input);
  const library = await listLibraryActivities(ctx);
  const chosen = ofActivities ? library.filter(({ id }) => input.activityIds?.includes(id)) : [null];
  const block = await readPlanRows(ctx, reachable, { lock: !input.preview });
  const [dus, standing] = await Promise.all([readDuValues(ctx, block.duIds), readStanding(ctx, block.duIds)]);
  const patches: DuPatch[] = [];
  const rejected: RejectedCell[] = [];
  const changes: { duId: number; activityId: number | undefined; old: unknown }[] = [];
  for (const [row, duId] of block.duIds.entries()) {
    const du = dus.get(duId);
    if (!du) continue;
    const patch: DuPatch = { duId, duVersion: du.rowVersion, ext: {} };
    for (const activity of chosen) {
      if (activity && !isApplicable(getCell(block, row, activity.slot, "state"))) continue;
      const key = attributeKey(attribute.id, activity?.slot);
      const old = du.ext[key] ?? null;
      if (old === canonical.value || (input.onlyEmpty && old !== null)) continue;
      if (!standing.editors.get(duId)?.attribute) {
        rejected.push(refused(ctx, { duId, activityId: activity?.id, field }, "NO_PERMISSION", { right: "rollout.attributeEdit" }));
        continue;
      }
      patch.ext = { ...patch.ext, [key]: [old, canonical.value] };
      changes.push({ duId, activityId: activity?.id, old });
    }
    if (Object.keys(patch.ext ?? {}).length > 0) patches.push(patch);
  }
  const written = await writePlanRows(ctx, block, {
    source: "batch",
    reason: input.reason,
    dryRun: input.preview,
    patches,
    standing,
    ask: { confirmed: input.confirmed },
  });
  const done = new Set(written.written);
  const changed = changes.filter(({ duId }) => done.has(duId));
  const title = (value: unknown) =>
    value === null
      ? null
      : (attribute.enums.find(({ id }) => isChoice(attribute.type) && String(id) === String(value))?.value ?? String(value));
  return finish(ctx, "plan batch attribute", input.preview, written, {
    changed: changed.length,
    rejected: [...rejected, ...describe(ctx, written.rejected, new Map(library.map(({ id, slot }) => [slot, id])))],
    sample: changed
      .slice(0, samplesMax)
      .map(({ duId, activityId, old }): SampleCell => ({ duId, activityId, field, old: title(old), new: title(canonical.value) })),
  });
}

const unknownField = (path: string, value: number) =>
  new AppError("INVALID_INPUT", { field: path }, [{ path, code: "VALUE_UNKNOWN", params: { field: path, value } }]);

function refused(
  ctx: Ctx,
  cell: { duId: number; activityId: number | undefined; field: string },
  code: RejectedCell["code"],
  params: Record<string, string | number>,
): RejectedCell {
  return { ...cell, code, msg: errorText(ctx.locale, code, params) };
}

/** The answer of a batch; one that wrote nothing is audited as such, or refused when there was nothing to write. */
function finish(
  ctx: Ctx,
  object: string,
  preview: boolean,
  { batchId }: WriteResult,
  result: Pick<BatchResult, "changed" | "rejected" | "sample">,
): BatchResult {
  const { changed, rejected } = result;
  if (batchId === null) {
    if (changed === 0 && rejected.length === 0) throw new AppError("NOTHING_MODIFIED");
    ctx.audit(object, null, { preview, changed, rejected: rejected.length });
  }
  return { ...result, batchId };
}

async function reach(ctx: Ctx, input: Pick<Selection, "duIds">): Promise<number[]> {
  const reachable = await listReachable(ctx, input.duIds);
  if (reachable.length < input.duIds.length) {
    const known = new Set(reachable);
    throw new AppError("DU_NOT_FOUND", { code: input.duIds.find((id) => !known.has(id)) ?? 0 });
  }
  return reachable;
}

function describe(ctx: Ctx, refusals: readonly Refusal[], activityOf: ReadonlyMap<number, number>): RejectedCell[] {
  return refusals.map(({ duId, slot, field, code, params }) => ({
    duId,
    activityId: activityOf.get(slot),
    field,
    code,
    msg: errorText(ctx.locale, code, params),
  }));
}
