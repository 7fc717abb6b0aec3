import "server-only";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import type { Editor } from "#lib/owners/assignment/queries.ts";
import { type ActivityColumnKey, type DuColumnKey, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import type { Fault } from "#lib/rollout-plan/columns/logic.ts";
import { columnTitles } from "#lib/rollout-plan/columns/queries.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { type DuField, duFields } from "#lib/rollout-plan/dus/schema.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { findOwnerSets } from "#lib/rollout-plan/owner-sets/queries.ts";
import { type ActivityNote, type Change, noteKey } from "#lib/rollout-plan/plan-log/logic.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { ownerFields, type PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { cellNumber, diffBlock, getCell, type PlanBlock, rowIndex, setCell, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  keepPlans,
  listOwnSets,
  listRefusals,
  readOwnerSets,
  readPlanRows,
  readStanding,
  type Standing,
  writableFields,
} from "#lib/rollout-plan/plan-rows/queries.ts";
import { type Refusal, scoreRules } from "#lib/rollout-plan/plan-rows/rules.ts";
import { readLimit } from "#lib/settings/queries.ts";
import { fewDus, saveCellsMax } from "./limits.ts";
import { attributeValue, dayOf, editsOfColumns, noteValue, ownersOf, sameValue, type Target, type Targets, targetFinder } from "./logic.ts";
import {
  type DuValues,
  type KnownDus,
  listKnown,
  listMembers,
  ownedFields,
  readDuValues,
  readLastChanges,
  readNotes,
  readTargets,
} from "./queries.ts";
import type { CellValue, ConflictCell, Edit, RejectedCell, SaveInput, SaveResult } from "./schema.ts";

type Aimed = { edit: Edit; target: Target };

/**
 * Saves edited cells of the grid: plan and actual dates, owners, notes, attributes and DU fields. Every cell is checked for right and rules; a cell that is no longer
 * what the editor read is a conflict. A DU with a refused or conflicting cell keeps all its values, the others are saved.
 */
export async function saveEdits(ctx: Ctx, input: SaveInput): Promise<SaveResult> {
  const edits = lastOfEach([...(input.edits ?? []), ...editsOfColumns(input.columns ?? [])]);
  if (edits.length === 0) throw new AppError("NOTHING_MODIFIED");
  if (edits.length > saveCellsMax) throw new AppError("TOO_MANY_CELLS", { max: saveCellsMax });
  const asked = [...new Set(edits.map((edit) => edit.duId))];
  const max = await readLimit(ctx, "edit.du");
  if (asked.length > max) throw new AppError("TOO_MANY_DU", { max });
  // Plan dates, the most there is to paste, are judged by the slots around them.
  const isPlan = edits.every(({ field }) => field === "planStart" || field === "planEnd");
  const activityIds = isPlan ? [...new Set(edits.map(({ activityId }) => activityId ?? 0))] : undefined;
  const [, named, block, standing] = await Promise.all([
    asked.length <= fewDus ? keepPlans(ctx) : undefined,
    isPlan ? undefined : readTargets(ctx, edits),
    readPlanRows(ctx, asked, { lock: true, within: ctx.scope.where("rollout.view"), fields: kindsOf(edits), activityIds }),
    readStanding(ctx, asked),
  ]);
  const targets = named ?? { slots: block.part?.slots ?? new Map(), attributes: new Map() };
  const work = new SaveWork(ctx, { block, targets, edits, standing }, false);
  await work.load();
  const patches = await work.apply();
  const written = await writePlanRows(ctx, block, {
    source: "grid",
    reason: input.reason,
    refused: work.refused,
    patches,
    standing,
    ask: { confirmed: input.confirmed },
  });
  work.takeRefusals(written.rejected);
  const conflicts = await work.readConflicts();
  const saved = edits.filter((edit) => !work.refused.has(edit.duId) && work.changed.has(edit)).length;
  const rejected = work.rejected.map((cell) => work.describe(cell));
  if (written.batchId === null) {
    if (rejected.length === 0 && conflicts.length === 0) throw new AppError("NOTHING_MODIFIED");
    ctx.audit("plan save refused", null, { rejected: rejected.length, conflicts: conflicts.length });
  }
  return { saved, rejected, conflicts, batchId: written.batchId, seq: written.seq };
}

/** What became of edits that another area brought: refused cells, cells that are no longer what they were, DUs that were (or would be) written. */
export type EditsOutcome = {
  /** `withDu`: nothing is wrong with the cell, but another cell of its DU was refused. */
  rejected: RefusedEdit[];
  conflicts: Edit[];
  written: Set<number>;
  batchId: number | null;
};

/** Where edits come from that are no save of the grid; `alongside` changes the block further, once it holds the values of the edits that change something. */
export type EditsFrame = {
  source: "import" | "plan_change";
  reason: string | null;
  origin: Record<string, unknown>;
  /** A person waits and is asked; else questions are only counted. */
  ask?: { confirmed: string | undefined };
  alongside?: (block: PlanBlock, changed: ReadonlySet<Edit>) => void;
};

/**
 * Checks edits by the rules and rights of a save of the grid without writing anything. The reason a save may ask for counts as given.
 * @param known what was read of the DUs, all within the caller's reach; its block holds the new values afterwards
 */
export async function checkEdits(ctx: Ctx, edits: readonly Edit[], known: KnownDus, source: EditsFrame["source"]): Promise<EditsOutcome> {
  const { block, standing } = known;
  const work = new SaveWork(ctx, { ...known, targets: await readTargets(ctx, edits, source === "import"), edits }, true);
  await work.load();
  const patches = await work.apply();
  const diffs = new Map(diffBlock(block).map((diff) => [diff.row, diff]));
  work.takeRefusals(await listRefusals(ctx, block, diffs, { source, reason: "-", standing, ownSets: await work.listOwnSets(), patches }));
  const touched = [...[...diffs.keys()].map((row) => block.duIds[row] as number), ...patches.map((patch) => patch.duId)];
  return work.outcome(touched, null);
}

/**
 * Writes edits as a save of the grid does, with another source; the caller calls it once per transaction.
 * @param given DUs of the edits, all within the caller's reach, which are locked here; or what was read of them under their locks
 */
export async function writeEdits(
  ctx: Ctx,
  edits: readonly Edit[],
  given: readonly number[] | KnownDus,
  { alongside, ...frame }: EditsFrame,
): Promise<EditsOutcome> {
  const known: Omit<KnownDus, "dus"> & Partial<KnownDus> =
    "block" in given
      ? given
      : { block: await readPlanRows(ctx, given, { lock: true, fields: kindsOf(edits) }), standing: await readStanding(ctx, given) };
  const { block, standing } = known;
  const work = new SaveWork(ctx, { ...known, targets: await readTargets(ctx, edits, frame.source === "import"), edits }, false);
  await work.load();
  const patches = await work.apply();
  alongside?.(block, work.changed);
  const written = await writePlanRows(ctx, block, { ...frame, refused: work.refused, patches, standing });
  work.takeRefusals(written.rejected);
  return work.outcome(written.written, written.batchId);
}

/** The kinds the edits and their rules look at: owners only where owners or actual dates are edited. */
function kindsOf(edits: readonly Edit[]): readonly PlanField[] {
  return edits.some(({ field }) => ownedFields.has(field)) ? [...writableFields, ...ownerFields] : writableFields;
}

/** An edit that was refused, and why. */
export type RefusedEdit = { edit: Edit; fault: Fault; withDu: boolean };

/** One save between reading and writing. */
class SaveWork {
  readonly rejected: RefusedEdit[] = [];
  readonly refused = new Set<number>();
  /** Edits that change something. */
  readonly changed = new Set<Edit>();
  private readonly ctx: Ctx;
  private readonly block: PlanBlock;
  private readonly targets: Targets;
  private readonly edits: readonly Edit[];
  private readonly aimed: Aimed[] = [];
  private readonly rows: Map<number, number>;
  private readonly conflicts: { edit: Edit; theirs: CellValue; cell: number | null; key: string | null }[] = [];
  /** The first fault of each DU that was found before the rules were asked. */
  private readonly faults = new Map<number, Fault>();
  private readonly editors: Map<number, Editor>;
  private readonly given: Map<number, DuValues> | undefined;
  private dus = new Map<number, DuValues>();
  private notes = new Map<string, ActivityNote>();
  private sets = new Map<number, number[]>();
  private members = new Set<number>();
  private setIds = new Map<string, number>();
  private known: Record<string, Set<number>> = {};
  /** Nothing is written: owner sets that do not exist yet get passing ids. */
  private readonly dry: boolean;

  constructor(
    ctx: Ctx,
    given: { block: PlanBlock; targets: Targets; edits: readonly Edit[]; standing: Standing; dus?: Map<number, DuValues> },
    dry: boolean,
  ) {
    const { block, targets, edits, standing, dus } = given;
    this.given = dus;
    this.ctx = ctx;
    this.dry = dry;
    this.block = block;
    this.editors = standing.editors;
    this.targets = targets;
    this.edits = edits;
    this.rows = rowIndex(block);
    const find = targetFinder(targets);
    for (const edit of edits) {
      const target = this.rows.has(edit.duId) ? find(edit) : ({ code: "DU_NOT_FOUND", params: { code: edit.duId } } as const);
      if ("code" in target) this.reject(edit, target);
      else this.aimed.push({ edit, target });
    }
  }

  /** Reads what the targets need besides the plan. */
  async load(): Promise<void> {
    const { ctx } = this;
    // Dates, the most there is to paste, need nothing.
    if (this.aimed.every(({ target }) => target.kind === "date")) return;
    const dusOf = (...kinds: Target["kind"][]) => [
      ...new Set(this.aimed.filter(({ target }) => kinds.includes(target.kind)).map(({ edit }) => edit.duId)),
    ];
    const owners = this.aimed.filter(({ target }) => target.kind === "owner");
    const lists = owners.flatMap(({ edit }) => {
      const found = ownersOf(edit.value);
      return "userIds" in found ? [found.userIds] : [];
    });
    const present = owners.map(({ edit, target }) => this.cell(edit.duId, target as { slot: number; field: PlanField }));
    this.dus = this.given ?? (await readDuValues(ctx, dusOf("note", "attribute", "du")));
    const references = (...fields: string[]) =>
      this.aimed.flatMap(({ edit, target }) =>
        target.kind === "du" && fields.includes(target.field)
          ? [edit.value, this.dus.get(edit.duId)?.[columnOf(target.field)]].filter((id) => typeof id === "number")
          : [],
      );
    const regions = references("regionId");
    const companies = references("subcontractorId");
    const others = references("directMigrationSiteId", "decomSiteId");
    this.notes = await readNotes(ctx, dusOf("note"));
    this.sets = await readOwnerSets(ctx, [...new Set(present)].filter(Boolean));
    this.members = await listMembers(ctx, [...new Set(lists.flat())]);
    const sets = lists.filter((list) => list.every((id) => this.members.has(id)));
    this.setIds = this.dry ? await passingSets(ctx, sets) : await resolveOwnerSets(ctx, sets);
    this.known = {
      regionId: await listKnown(ctx, "delivery_region", regions, { keep: !this.dry }),
      subcontractorId: await listKnown(ctx, "subcontractor", companies),
      directMigrationSiteId: await listKnown(ctx, "du", others),
    };
    this.known.decomSiteId = this.known.directMigrationSiteId as Set<number>;
  }

  /** Puts the new values into the block and collects the others as patches; refuses and finds conflicts on the way. */
  async apply(): Promise<DuPatch[]> {
    const patches = new Map<number, DuPatch>();
    const patch = (duId: number) => {
      const found = patches.get(duId) ?? { duId, duVersion: this.dus.get(duId)?.rowVersion ?? 0 };
      patches.set(duId, found);
      return found;
    };
    const notes = new Map<string, { duId: number; slot: number; edits: Edit[]; note: ActivityNote; changes: Record<string, Change> }>();
    for (const { edit, target } of this.aimed) {
      const { duId } = edit;
      switch (target.kind) {
        case "date":
          this.applyDate(edit, target);
          break;
        case "owner":
          this.applyOwner(edit, target);
          break;
        case "attribute": {
          const change = this.attributeChange(edit, target);
          if (change) {
            const found = patch(duId);
            found.ext ??= {};
            found.ext[target.key] = change;
          }
          break;
        }
        case "du": {
          const change = this.duChange(edit, target.field as DuField);
          if (change) {
            const found = patch(duId);
            found.fields ??= {};
            found.fields[columnOf(target.field)] = change;
          }
          break;
        }
        default: {
          const place = `${duId} ${target.slot}`;
          const present = this.notes.get(place) ?? { delayReason: null, score: null, scoreRemark: null, closedAt: null, closedBy: null };
          const change = this.noteChange(edit, target, present);
          if (!change) break;
          const found = notes.get(place) ?? { duId, slot: target.slot, edits: [], note: { ...present }, changes: {} };
          notes.set(place, found);
          found.edits.push(edit);
          Object.assign(found.note, { [target.field]: change[1] });
          found.changes[target.field] = change;
        }
      }
    }
    for (const { duId, slot, edits, note, changes } of notes.values()) {
      const broken = brokenRules(scoreRules, { score: note.score, remark: note.scoreRemark })[0];
      if (broken) for (const edit of edits) this.reject(edit, { code: broken.code, params: broken.params ?? {} });
      const found = patch(duId);
      const kept = note.delayReason !== null || note.score !== null || note.scoreRemark !== null || note.closedAt !== null;
      found.notes = [...(found.notes ?? []), { slot, note: kept ? note : null, changes }];
    }
    return [...patches.values()].filter(({ duId }) => !this.refused.has(duId));
  }

  /** Names the cells of DUs that were not written: those at fault with their code, the others with that of the first. */
  takeRefusals(refusals: readonly Refusal[]): void {
    if (refusals.length === 0 && this.refused.size === 0) return;
    const byCell = new Map(refusals.map((refusal) => [`${refusal.duId} ${refusal.slot} ${refusal.field}`, refusal]));
    const firsts = new Map<number, Fault>();
    for (const refusal of refusals) if (!firsts.has(refusal.duId)) firsts.set(refusal.duId, refusal);
    for (const duId of firsts.keys()) this.refused.add(duId);
    const named = new Set([...this.rejected, ...this.conflicts].map(({ edit }) => placeOf(edit)));
    for (const [duId, fault] of this.faults) if (!firsts.has(duId)) firsts.set(duId, fault);
    const targetOfEdit = new Map(this.aimed.map(({ edit, target }) => [edit, target]));
    for (const edit of this.edits) {
      if (!this.refused.has(edit.duId) || named.has(placeOf(edit))) continue;
      const target = targetOfEdit.get(edit);
      const own =
        target?.kind === "attribute"
          ? byCell.get(`${edit.duId} ${target.slot ?? 0} ${edit.field}`)
          : target && "slot" in target && byCell.get(`${edit.duId} ${target.slot} ${target.field}`);
      const fault = (own || firsts.get(edit.duId)) ?? { code: "STALE" as const, params: {} };
      this.rejected.push({ edit, fault, withDu: own ? own.withDu : true });
    }
  }

  /** What became of the edits. */
  outcome(touched: readonly number[], batchId: number | null): EditsOutcome {
    const written = new Set(touched.filter((duId) => !this.refused.has(duId)));
    return { rejected: this.rejected, conflicts: this.conflicts.map(({ edit }) => edit), written, batchId };
  }

  /** Owner sets that hold the person, with those that would be made. */
  async listOwnSets(): Promise<Set<number>> {
    const own = await listOwnSets(this.ctx, this.ctx.user.id);
    for (const [list, id] of this.setIds) if (list.split(",").includes(String(this.ctx.user.id))) own.add(id);
    return own;
  }

  /** The conflicts with the value of the others, who wrote it and when. */
  async readConflicts(): Promise<ConflictCell[]> {
    const changes = await readLastChanges(
      this.ctx,
      this.conflicts.map(({ edit, cell, key }) => ({ duId: edit.duId, cell, key })),
    );
    return this.conflicts.map(({ edit, theirs, cell, key }) => {
      const last = changes.get(`${edit.duId} ${cell ?? key}`);
      return {
        duId: edit.duId,
        activityId: edit.activityId,
        field: edit.field,
        mine: edit.value,
        theirs,
        by: last?.by ?? null,
        at: last?.at ?? null,
      };
    });
  }

  private cell(duId: number, { slot, field }: { slot: number; field: PlanField }): number {
    return getCell(this.block, this.rows.get(duId) as number, slot, field);
  }

  /** Whether an edit has to be written: not when the value is there already or when somebody changed the cell meanwhile. */
  private isOpen(
    edit: Edit,
    present: CellValue,
    next: unknown,
    place: ({ cell: number } | { key: string }) & { theirs?: CellValue },
  ): boolean {
    if (sameValue(present, next)) return false;
    if (sameValue(present, edit.base)) {
      this.changed.add(edit);
      return true;
    }
    this.refused.add(edit.duId);
    this.conflicts.push({ edit, theirs: present, cell: null, key: null, ...place });
    return false;
  }

  private applyDate(edit: Edit, { field, slot }: Extract<Target, { kind: "date" }>): null {
    const next = dayOf(field, edit.value);
    if ("code" in next) return this.reject(edit, next);
    const row = this.rows.get(edit.duId) as number;
    const present = getCell(this.block, row, slot, field);
    if (present === next.day) return null;
    const was = isoDay(present);
    // Thousands are pasted, and nearly all of them are what the editor read.
    if (was !== null && was === edit.base) this.changed.add(edit);
    else if (!this.isOpen(edit, was, edit.value, { cell: cellNumber(slot, field) })) return null;
    setCell(this.block, row, slot, field, next.day);
    return null;
  }

  private applyOwner(edit: Edit, { field, slot }: Extract<Target, { kind: "owner" }>): null {
    const next = ownersOf(edit.value);
    if ("code" in next) return this.reject(edit, next);
    const stranger = next.userIds.find((id) => !this.members.has(id));
    if (stranger !== undefined) return this.reject(edit, { code: "NOT_MEMBER", params: { account: stranger } });
    const present = this.sets.get(this.cell(edit.duId, { slot, field })) ?? [];
    if (!this.isOpen(edit, present, next.userIds, { cell: cellNumber(slot, field) })) return null;
    setCell(this.block, this.rows.get(edit.duId) as number, slot, field, this.setIds.get(next.userIds.join(",")) ?? 0);
    return null;
  }

  private attributeChange(edit: Edit, { key, form, slot }: Extract<Target, { kind: "attribute" }>): Change | null {
    if (!this.editors.get(edit.duId)?.attribute)
      return this.reject(edit, { code: "NO_PERMISSION", params: { right: "rollout.attributeEdit" } });
    if (slot !== null && !this.inFlow(edit.duId, slot)) return this.reject(edit, { code: "NO_ACTIVITY", params: {} });
    const next = attributeValue(form, edit.value);
    if ("code" in next) return this.reject(edit, next);
    const present = (this.dus.get(edit.duId)?.ext[key] ?? null) as CellValue;
    return this.isOpen(edit, present, next.value, { key }) ? [present, next.value] : null;
  }

  private duChange(edit: Edit, field: DuField): Change | null {
    if (!this.editors.get(edit.duId)?.du) return this.reject(edit, { code: "NO_PERMISSION", params: { right: "du.edit" } });
    const parsed = duFields[field].safeParse(edit.value);
    if (!parsed.success) {
      const problem = zodProblems(parsed.error, edit.value)[0];
      return this.reject(edit, { code: problem?.code ?? "VALUE_FORMAT", params: { ...problem?.params, field: this.titleOf(edit) } });
    }
    const next = parsed.data as CellValue;
    const known = this.known[field];
    if (known && next !== null && (!known.has(next as number) || (isDuReference(field) && next === edit.duId)))
      return this.reject(edit, unknownReference(field, next as number));
    const column = columnOf(field);
    const present = (this.dus.get(edit.duId)?.[column] ?? null) as CellValue;
    // What the caller may not know of is not told where it stands in the way either.
    const theirs = field === "regionId" || !known || known.has(present as number) ? present : null;
    return this.isOpen(edit, present, next, { key: `du.${column}`, theirs }) ? [present, next] : null;
  }

  private noteChange(edit: Edit, { field, slot }: Extract<Target, { kind: "note" }>, present: ActivityNote): Change | null {
    if (!this.editors.get(edit.duId)?.actual) return this.reject(edit, { code: "NO_PERMISSION", params: { right: "rollout.actualEdit" } });
    if (!this.inFlow(edit.duId, slot)) return this.reject(edit, { code: "NO_ACTIVITY", params: {} });
    const next = noteValue(field, edit.value);
    if ("code" in next) return this.reject(edit, next);
    return this.isOpen(edit, present[field], next.value, { key: noteKey(field, slot) }) ? [present[field], next.value] : null;
  }

  private inFlow(duId: number, slot: number): boolean {
    return stateValue(this.cell(duId, { slot, field: "state" }), "inFlow") === 1;
  }

  private reject(edit: Edit, fault: Fault): null {
    this.refused.add(edit.duId);
    if (!this.faults.has(edit.duId)) this.faults.set(edit.duId, fault);
    this.rejected.push({ edit, fault, withDu: false });
    return null;
  }

  /** Title of the column of an edit, for texts that name it. */
  private titleOf({ field, activityId }: Edit): string {
    const titles = columnTitles(this.ctx);
    const attribute = /^a\d{1,15}$/.test(field) ? this.targets.attributes.get(Number(field.slice(1))) : undefined;
    if (attribute) return attribute.name;
    if (activityId === undefined) return Object.hasOwn(duColumns, field) ? titles.du(field as DuColumnKey) : field;
    return titles.activity(field as ActivityColumnKey);
  }

  /** A refused cell in the caller's language. */
  describe({ edit, fault: { code, params } }: RefusedEdit): RejectedCell {
    const msg = errorText(this.ctx.locale, code, { field: this.titleOf(edit), ...params });
    return { duId: edit.duId, activityId: edit.activityId, field: edit.field, code, msg };
  }
}

/** The edits without those of a cell that is named again: the last one counts. */
function lastOfEach(edits: readonly Edit[]): readonly Edit[] {
  const named = new Map<string, Map<number, Set<number | undefined>>>();
  for (const { duId, activityId, field } of edits) {
    const ofField = named.get(field) ?? new Map<number, Set<number | undefined>>();
    const ofDu = ofField.get(duId) ?? new Set();
    if (ofDu.size === 0) named.set(field, ofField.set(duId, ofDu));
    // Rare enough that a text for every cell is made only then.
    if (ofDu.has(activityId)) return [...new Map(edits.map((edit) => [placeOf(edit), edit])).values()];
    ofDu.add(activityId);
  }
  return edits;
}

async function passingSets(ctx: Ctx, lists: readonly (readonly number[])[]): Promise<Map<string, number>> {
  const ids = await findOwnerSets(ctx, lists);
  for (const list of lists) {
    const key = list.join(",");
    if (list.length > 0 && !ids.has(key)) ids.set(key, -1 - ids.size);
  }
  return ids;
}

const isDuReference = (field: string) => field === "directMigrationSiteId" || field === "decomSiteId";

const placeOf = (cell: { duId: number; activityId?: number | undefined; field: string }) =>
  `${cell.duId} ${cell.activityId ?? ""} ${cell.field}`;

function unknownReference(field: string, value: number): Fault {
  if (field === "regionId") return { code: "REGION_UNKNOWN", params: { value } };
  if (field === "subcontractorId") return { code: "SUBCONTRACTOR_UNKNOWN", params: { value } };
  return { code: "DU_NOT_FOUND", params: { code: value } };
}
