import "server-only";
import { extFaults } from "#lib/attributes/forms/logic.ts";
import { readForms } from "#lib/attributes/forms/queries.ts";
import { readModes } from "#lib/attributes/modes/queries.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Params } from "#lib/core/error.ts";
import { type DependencyRule, namedAttributes } from "#lib/dependency-rules/rule-set/logic.ts";
import { describeUnmet, effectiveRules, readMaintained } from "#lib/dependency-rules/rule-set/queries.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { type Editor, editorOfAll, findEditors } from "#lib/owners/assignment/queries.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import type { PlanWarning } from "#lib/reminders/warnings/logic.ts";
import { comparedActivities, describeHits, enabledWarnings } from "#lib/reminders/warnings/queries.ts";
import { attributeKey, parseAttributeKey } from "#lib/rollout-plan/columns/logic.ts";
import type { PlanSource } from "#lib/rollout-plan/plan-log/limits.ts";
import { type PlanField, planFields, slotMax } from "./limits.ts";
import {
  type Derived,
  emptyBlock,
  fieldNumber,
  type KindSlots,
  keepBefore,
  type PlanBlock,
  type PlanColumns,
  type RowDiff,
  readArrayText,
} from "./logic.ts";
import {
  type Ask,
  askedRules,
  blamedPlaces,
  brokenCell,
  type CellFacts,
  changedSlots,
  checkCells,
  lastPlanDay,
  namedAt,
  placesOfRule,
  placesOfWarning,
  type Question,
  type QuestionCode,
  questionText,
  type Refusal,
  type RowFinding,
  refusedWith,
  rowJudge,
  runRules,
} from "./rules.ts";

/** Column of du_plan of each field. */
export const planColumns: Record<PlanField, string> = {
  planStart: "plan_start",
  planEnd: "plan_end",
  actualStart: "actual_start",
  actualEnd: "actual_end",
  baselineStart: "baseline_start",
  baselineEnd: "baseline_end",
  releasedStart: "released_start",
  releasedEnd: "released_end",
  state: "state",
  planOwner: "plan_owner",
  actualOwner: "actual_owner",
  attrOwner: "attr_owner",
};

/** An activity of the project's library. */
export type LibraryActivity = { id: number; slot: number; code: string; name: string; kind: string; automatic: boolean };

/** Library activities of the project by slot; disabled ones too, as their slots may still hold values. */
export async function listLibraryActivities(ctx: Pick<Ctx, "sql" | "project">): Promise<LibraryActivity[]> {
  return [
    ...(await ctx.sql<LibraryActivity[]>`
      select id, slot, code, name, kind, automatic from activity_library where project_id = ${ctx.project.id} order by slot`),
  ];
}

/** Slots by the kinds that rules and derived columns look at. */
export function kindSlots(library: readonly LibraryActivity[]): KindSlots & { mos: Set<number> } {
  const slots = (kind: string) => library.filter((activity) => activity.kind === kind).map((activity) => activity.slot);
  return { ic: slots("ic"), decom: slots("decom"), mos: new Set(slots("mos")) };
}

/** Kinds a block needs to be written: state and work dates, for rules, order states and derived columns. Actual dates are checked with the owners too. */
export const writableFields: readonly PlanField[] = ["planStart", "planEnd", "actualStart", "actualEnd", "state"];

export type ReadPlanOptions = {
  /** Locks the DU and plan rows in id order first: for interactive writes. */
  lock?: boolean;
  /** Condition on the alias `du`, such as the scope of a right: other DUs are neither locked nor read. */
  within?: Within;
  /** Only these kinds, and state. Those of `writableFields` make a block that can be written. */
  fields?: readonly PlanField[];
  /** The block has the kinds asked for alone, and is written though it may lack others: of its DUs nothing but attributes and fields, unless it has them. */
  besidePlan?: boolean;
  /** DUs made in this transaction: they stand behind the others as empty rows, which the write inserts. */
  made?: readonly number[];
  /**
   * Only the slots of these activities, of those that warnings compare them with and what lies between: for a write of plan dates of theirs.
   * Dependency rules look at events, which such a write does not move.
   */
  activityIds?: readonly number[] | undefined;
};

type Within = ReturnType<Ctx["scope"]["where"]>;

type PlanRow = { duId: number; version: number; releaseState: number; flowId: number | null; flowVersion: number | null } & {
  [field in PlanField]?: string | null;
} & Partial<Derived>;

/** What a read of plan rows needs of the library: its width, the slots of kinds, and of a part the slots it reaches and those of the activities named. */
type RowLibrary = { width: number; ic: number[]; decom: number[]; mos: number[]; first: number; last: number; slots: [number, number][] };

/** Column of du_plan of each derived value. */
export const derivedColumns: Record<keyof Derived, string> = {
  lastPlanEnd: "last_plan_end",
  nextPlanEnd: "next_plan_end",
  icActualEnd: "ic_actual_end",
  decomActualEnd: "decom_actual_end",
  doneCount: "done_count",
  applicableCount: "applicable_count",
};
const derivedNames = Object.keys(derivedColumns) as (keyof Derived)[];

/**
 * Lets the database keep its plans for the statements of this transaction: for a few DUs, planning each of them anew takes longer than running it.
 * Call it before the others: it is sent at once, and holds for what is sent after it.
 */
export function keepPlans({ sql }: Pick<Ctx, "sql">): Promise<unknown> {
  return sql`set local plan_cache_mode = force_generic_plan`.execute();
}

/**
 * Locks DU rows, then plan rows, each in id order: the order every writer follows. Gives the version of every row that exists.
 * Both statements are sent at once: the connection runs them one after the other.
 */
export async function lockPlanRows(
  ctx: Pick<Ctx, "sql" | "project">,
  duIds: readonly number[],
  within?: Within,
): Promise<Map<number, number>> {
  const { sql, project } = ctx;
  if (duIds.length === 0) return new Map();
  const [, plans] = await Promise.all([
    lockDus(ctx, duIds, within),
    sql<{ id: number; version: number }[]>`
      select p.du_id as id, p.row_version as version from du_plan p join du on du.id = p.du_id
      where p.project_id = ${project.id} and p.du_id = any(${[...duIds]}::bigint[]) and ${liveDus(ctx, within)}
      order by p.du_id for no key update of p`.execute(),
  ]);
  return new Map(plans.map(({ id, version }) => [id, version]));
}

/** Locks DU rows in id order. */
function lockDus(ctx: Pick<Ctx, "sql" | "project">, duIds: readonly number[], within: Within | undefined) {
  const { sql, project } = ctx;
  return sql`
    select 1 from du where du.project_id = ${project.id} and du.id = any(${[...duIds]}::bigint[]) and ${liveDus(ctx, within)}
    order by du.id for no key update`.execute();
}

const liveDus = ({ sql }: Pick<Ctx, "sql">, within: Within | undefined) =>
  sql`du.deleted_at is null ${within ? sql`and ${within}` : sql``}`;

/**
 * Plan rows of the named DUs as typed arrays, in the order of `duIds`; DUs that are deleted or of another project are missing.
 * The block keeps a copy to compare with when it has the kinds that `writePlanRows` needs.
 */
export async function readPlanRows(
  ctx: Pick<Ctx, "sql" | "project">,
  duIds: readonly number[],
  options: ReadPlanOptions = {},
): Promise<PlanBlock> {
  const { sql, project } = ctx;
  const { activityIds, within } = options;
  const made = options.made ?? [];
  const isAsked = (field: PlanField) => options.fields?.includes(field) ?? true;
  const fields = planFields.filter((field) => isAsked(field) || (field === "state" && !options.besidePlan));
  const slice = activityIds ? "[l.first:l.last]" : "";
  const columns = [
    ...fields.map((field) => `p.${planColumns[field]}${slice}::text as "${field}"`),
    ...(activityIds ? derivedNames.map((name) => `p.${derivedColumns[name]} as "${name}"`) : []),
  ];
  const named = activityIds ? sql`id = any(${[...activityIds]}::bigint[])` : sql`false`;
  const reached = activityIds ? sql`${named} or id in (${comparedActivities(ctx, activityIds)})` : sql`false`;
  // A part is read by the statement that locks it. Its DUs are locked before by a statement of their own, so what it reads of them and their flow is as new as the
  // row it may have waited for. Whole rows are too long to be sorted for it.
  const locks = options.lock && activityIds !== undefined;
  const locking = !options.lock || duIds.length === 0 ? undefined : locks ? lockDus(ctx, duIds, within) : lockPlanRows(ctx, duIds, within);
  // The library comes with the first row: what one statement sees of both is of the same moment, so every slot used in a row is known.
  const reading = sql<(PlanRow & { library: string })[]>`
    select case when row_number() over () = 1 then l.library end as library, r.* from (
      select coalesce(min(slot) filter (where is_reached), 1) as first, coalesce(max(slot) filter (where is_reached), ${slotMax}::int) as last,
        json_build_object('width', coalesce(max(slot), 0) + 1, 'ic', coalesce(json_agg(slot) filter (where kind = 'ic'), '[]'),
          'decom', coalesce(json_agg(slot) filter (where kind = 'decom'), '[]'), 'mos', coalesce(json_agg(slot) filter (where kind = 'mos'), '[]'),
          'first', coalesce(min(slot) filter (where is_reached), 1), 'last', coalesce(max(slot) filter (where is_reached), ${slotMax}::int),
          'slots', coalesce(json_agg(json_build_array(id, slot)) filter (where is_named), '[]'))::text as library
      -- The offset keeps the two conditions from being asked anew wherever they are named.
      from (select id, slot, kind, ${named} as is_named, ${reached} as is_reached from activity_library where project_id = ${project.id} offset 0) a
    ) l left join lateral (
      select p.du_id as "duId", p.row_version as version, p.release_state as "releaseState", f.flow_id as "flowId", a.version as "flowVersion"${sql.unsafe(["", ...columns].join(", "))}
      from du_plan p join du on du.id = p.du_id
      left join du_flow f on f.du_id = p.du_id and f.unbound_at is null
      left join activity_flow a on a.id = f.flow_id
      where p.project_id = ${project.id} and p.du_id = any(${[...new Set(duIds)]}::bigint[]) and ${liveDus(ctx, within)} ${locks ? sql`order by p.du_id for no key update of p` : sql``}
    ) r on true`.execute();
  // Where rows are locked all is on one connection, which keeps the order without waiting for each answer.
  const [, rows] = await Promise.all([locking, reading]);
  const library = JSON.parse(rows[0]?.library as string) as RowLibrary;
  const byId = new Map(rows.map((row) => [row.duId, row]));
  const found = [...new Set(duIds)].filter((id) => byId.has(id));
  const block = emptyBlock([...found, ...made], library.width, fields);
  const part = activityIds
    ? { first: library.first, last: Math.min(library.last, library.width - 1), slots: new Map(library.slots), derived: [] as Derived[] }
    : null;
  block.part = part;
  found.forEach((id, row) => {
    const given = byId.get(id) as PlanRow;
    part?.derived.push(derivedOf(given as Derived));
    block.versions[row] = given.version;
    block.flowIds[row] = given.flowId ?? 0;
    block.flowVersions[row] = given.flowVersion ?? 0;
    block.releaseStates[row] = given.releaseState;
    for (const field of fields) readArrayText(given[field] ?? null, block[field], row, block.width, part?.first);
  });
  block.kinds = { ic: library.ic, decom: library.decom, mos: new Set(library.mos) };
  block.locked = options.lock ?? false;
  if (options.besidePlan || writableFields.every((field) => fields.includes(field))) keepBefore(block);
  return block;
}

function derivedOf({ lastPlanEnd, nextPlanEnd, icActualEnd, decomActualEnd, doneCount, applicableCount }: Derived): Derived {
  return { lastPlanEnd, nextPlanEnd, icActualEnd, decomActualEnd, doneCount, applicableCount };
}

/** Activities of the library in their order, each with its state in every DU that a right reaches; 0 where a DU has none. */
export async function readSlotStates(
  ctx: Ctx,
  code: PermissionCode,
  duIds: readonly number[],
): Promise<{ id: number; name: string; states: number[] }[]> {
  const reached = await ctx.sql<{ id: number }[]>`
    select du.id from du where ${ctx.scope.where(code)} and du.id = any(${[...duIds]}::bigint[])`;
  const [block, library] = await Promise.all([
    readPlanRows(
      ctx,
      reached.map(({ id }) => id),
      { fields: ["state"] },
    ),
    listLibraryActivities(ctx),
  ]);
  return library.map(({ id, name, slot }) => ({
    id,
    name,
    states: block.duIds.map((_, row) => (slot < block.width ? (block.state[row * block.width + slot] as number) : 0)),
  }));
}

/** Ids of the owner sets that contain the person. */
export async function listOwnSets(ctx: Pick<Ctx, "sql" | "project">, userId: number): Promise<Set<number>> {
  const rows = await ctx.sql<
    { id: number }[]
  >`select id from owner_set where project_id = ${ctx.project.id} and user_ids @> array[${userId}::bigint]`;
  return new Set(rows.map((row) => row.id));
}

/** Members of owner sets, in their order. */
export async function readOwnerSets(ctx: Pick<Ctx, "sql" | "project">, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.sql<{ id: number; userIds: number[] }[]>`
    select id, user_ids as "userIds" from owner_set where project_id = ${ctx.project.id} and id = any(${[...ids]}::int[])`;
  return new Map(rows.map((row) => [row.id, row.userIds]));
}

/** Last change number of the project's plan. */
export async function readPlanSeq(ctx: Pick<Ctx, "sql" | "project">): Promise<number> {
  const [row] = await ctx.sql<{ seq: number }[]>`select seq from plan_seq where project_id = ${ctx.project.id}`;
  return row?.seq ?? 0;
}

/** Whether a switch of the project is on at this moment. */
export async function readPlanSwitch(ctx: Pick<Ctx, "sql" | "project" | "now">, key: string): Promise<boolean> {
  const [row] = await ctx.sql<{ value: string }[]>`
    select value from project_switch where project_id = ${ctx.project.id} and key = ${key} and effective_at <= ${ctx.now}`;
  return row?.value === "Y";
}

/** What whole rows are judged by besides their cells. */
export type RowRuleSet = { dependencies: DependencyRule[]; warnings: PlanWarning[] };

/** Rights of the caller on DUs, the change control of the project and its rules of whole rows: what a write asks besides the plan. */
export type Standing = RowRuleSet & { editors: Map<number, Editor>; changeControl: boolean };

/** What a write asks besides the plan and the rights on its DUs: the same for all of them. */
export type ProjectStanding = Omit<Standing, "editors"> & {
  /** The caller's rights where they are the same on every DU, else null. */
  editor: Editor | null;
};

/** Reads what holds for the whole project, with or without rules, in one statement. */
export async function readProjectStanding(ctx: Ctx): Promise<ProjectStanding> {
  const { sql, project, now } = ctx;
  const isOn = (key: string) => sql`exists (
    select from project_switch where project_id = ${project.id} and key = ${key} and value = 'Y' and effective_at <= ${now})`;
  const [row] = await sql<
    { changeControl: boolean; dataControl: boolean; dependencies: DependencyRule[] | null; warnings: PlanWarning[] | null }[]
  >`
    select ${isOn("planChangeControl")} as "changeControl", ${isOn("dataControl")} as "dataControl", ${effectiveRules(ctx)} as dependencies,
      ${enabledWarnings(ctx)} as warnings`;
  return {
    editor: row?.dataControl ? null : editorOfAll(ctx),
    changeControl: row?.changeControl ?? false,
    dependencies: row?.dependencies ?? [],
    warnings: row?.warnings ?? [],
  };
}

/**
 * The caller's rights on DUs of the project, which are asked of the database only where they depend on the DU.
 * @param duIds DUs that are there, of the project
 */
export async function readEditors(
  ctx: Ctx,
  { editor }: Pick<ProjectStanding, "editor">,
  duIds: readonly number[],
): Promise<Standing["editors"]> {
  return editor ? new Map(duIds.map((id) => [id, editor])) : findEditors(ctx, duIds);
}

/**
 * Reads what the rules of a write ask besides the plan.
 * @param duIds of DUs that are not there, or of another project, nothing may be written whatever is said of them
 */
export async function readStanding(ctx: Ctx, duIds: readonly number[]): Promise<Standing> {
  // Rights that may depend on the DU are asked for at once, beside what holds for the project.
  const asked = editorOfAll(ctx) ? null : findEditors(ctx, duIds);
  const [ofProject, editors] = await Promise.all([readProjectStanding(ctx), asked]);
  return { ...ofProject, editors: editors ?? (await readEditors(ctx, ofProject, duIds)) };
}

/** What of a write its rules depend on. */
export type RefusalOptions = {
  source: PlanSource;
  event?: Ask["event"];
  reason?: string | null | undefined;
  byPerson?: boolean;
  /** Read in the same transaction by a caller that had to ask the database anyway. */
  standing?: Standing | Promise<Standing> | undefined;
  /** Owner sets that hold the person, where some of them do not exist yet. */
  ownSets?: ReadonlySet<number>;
  /** Changes of attributes in the same save. */
  patches?: readonly ExtPatch[];
};

/** Keys in `du.ext` of attributes: their own, and one for each slot of the project. */
export async function listAttributeKeys(
  { sql, project }: Pick<Ctx, "sql"> & { project: { id: number } },
  attributeIds: readonly number[],
): Promise<string[]> {
  const slots = await sql<{ slot: number }[]>`select slot from activity_library where project_id = ${project.id} order by slot`;
  return attributeIds.flatMap((id) => [attributeKey(id), ...slots.map(({ slot }) => attributeKey(id, slot))]);
}

/** Sources whose values somebody typed: the person's rights on attributes hold, and what is required is not cleared. */
const typed: readonly PlanSource[] = ["grid", "batch", "import", "mobile", "api"];

/** The first attribute value of each DU that a write may not write: wrong for its attribute, or not the person's to write. */
export async function listAttributeRefusals(
  ctx: Ctx,
  { patches = [], source, byPerson = true }: Pick<RefusalOptions, "source" | "byPerson"> & { patches?: readonly ExtPatch[] },
): Promise<Refusal[]> {
  // A flow moves what is stored, and takes it away with its activities.
  const given = source === "flow" ? [] : patches.flatMap(({ duId, ext = {} }) => (Object.keys(ext).length > 0 ? [{ duId, ext }] : []));
  if (given.length === 0) return [];
  const ids = new Set(given.flatMap(({ ext }) => Object.keys(ext)).flatMap((key) => parseAttributeKey(key)?.attributeId ?? []));
  const [forms, modes] = await Promise.all([
    readForms(ctx, [...ids]),
    byPerson && (source === "undo" || typed.includes(source)) ? readModes(ctx) : null,
  ]);
  const present = new Map<number, Record<string, unknown>>();
  if ([...forms.values()].some(({ lookupParentId }) => lookupParentId !== null)) {
    const rows = await ctx.sql<{ id: number; ext: Record<string, unknown> }[]>`
      select id, ext from du where project_id = ${ctx.project.id} and id = any(${given.map(({ duId }) => duId)}::bigint[])`;
    for (const { id, ext } of rows) present.set(id, ext);
  }
  const writes = given.map(({ duId, ext }) => ({ duId, ext, present: present.get(duId) ?? {} }));
  return extFaults(writes, forms, { modes, requires: typed.includes(source) }).map(({ duId, attributeId, slot, code, params }) => ({
    duId,
    slot: slot ?? 0,
    field: `a${attributeId}`,
    code,
    params,
    withDu: false,
  }));
}

type ExtPatch = { duId: number; ext?: Record<string, [unknown, unknown]> };

const [actualStart, actualEnd] = [fieldNumber("actualStart"), fieldNumber("actualEnd")];
// Asked of every cell of a write: by its number, which is quicker than by its name.
const isActual = (cell: number) => (cell & 15) === actualStart || (cell & 15) === actualEnd;

/** Refusals of the changed cells of a block by the rules its source asks, with the rights of the caller, dependency rules and mandatory warnings. */
export async function listRefusals(ctx: Ctx, block: PlanBlock, diffs: Map<number, RowDiff>, options: RefusalOptions): Promise<Refusal[]> {
  return (await judgeWrite(ctx, block, diffs, options)).refusals;
}

/** As `listRefusals`, with what a person would be asked about the rows that are not refused. */
export async function judgeWrite(
  ctx: Ctx,
  block: PlanBlock,
  diffs: Map<number, RowDiff>,
  options: RefusalOptions,
): Promise<{ refusals: Refusal[]; questions: Question[] }> {
  const hasReason = Boolean(options.reason?.trim());
  const byPerson = options.byPerson ?? true;
  const rules = askedRules({
    source: options.source,
    event: options.event,
    hasReason,
    byPerson,
    frozenChange: ctx.can("plan.frozenChange"),
    redoAfterRevenue: ctx.can("workOrder.redoAfterRevenue"),
  });
  const asked = new Set(planFields.filter((field) => rules[field].length > 0));
  const attributed = options.patches?.some(({ ext }) => ext !== undefined) ?? false;
  if (asked.size === 0 || (diffs.size === 0 && !attributed)) return { refusals: [], questions: [] };
  let actuals = false;
  for (const diff of diffs.values()) actuals ||= diff.cells.some(isActual);
  if (actuals && (block.planOwner.length === 0 || block.actualOwner.length === 0))
    throw new Error("actual dates are checked with the owners, which were not read");
  const [{ editors, changeControl, dependencies, warnings }, own] = await Promise.all([
    options.standing ??
      readStanding(
        ctx,
        [...diffs.keys()].map((row) => block.duIds[row] as number),
      ),
    options.ownSets ?? (actuals ? listOwnSets(ctx, ctx.user.id) : new Set<number>()),
  ]);
  const today = dayNumber(ctx.today);
  const refusals: Refusal[] = checkCells(block, [...diffs.values()], {
    rules,
    mos: block.kinds.mos,
    ownSets: own,
    frame: { today, lastPlanDay: lastPlanDay(ctx.today), changeControl, hasReason },
    person: (duId) => editors.get(duId) ?? noRights,
  });
  if (dependencies.length === 0 && warnings.length === 0) return { refusals, questions: [] };
  if (!writableFields.every((field) => block.fields.includes(field))) throw new Error("rows are judged by dates, which were not read");
  const ofRows = await judgeRows(ctx, block, diffs, {
    dependencies,
    warnings,
    today,
    patches: options.patches ?? [],
    refused: new Set(refusals.map(({ duId }) => duId)),
  });
  return { refusals: [...refusals, ...ofRows.refusals], questions: ofRows.questions };
}

/** What keeps cells from the values a run of rules has for them. */
export type RunGuards = {
  /** The rule a cell breaks by itself; `block.before` holds the values as they were. */
  cell: (block: PlanBlock, row: number, slot: number, field: PlanField, value: number) => ErrorCode | null;
  /** Last day a plan date may have. */
  lastPlanDay: number;
  /** Reads what rows are judged by; null where the project has neither dependency rules nor warnings. */
  rows: ((block: PlanBlock) => Promise<RowJudge>) | null;
  /** The rules rows were judged by, for the write: what it only tells of is listed there. */
  standing: Pick<Standing, "dependencies" | "warnings">;
};

/**
 * What the whole row does not allow, each with the cells that can be to blame.
 * @param filled whether an attribute holds a value after the run; undefined where the run does not know it
 */
export type RowJudge = (row: number, filled: (attributeId: number) => boolean | undefined) => RowFault[];
export type RowFault = Pick<Refusal, "code"> & { places: readonly Pick<Refusal, "slot" | "field">[] };

/** The rules of cells and rows for a run that leaves out what it may not write, as far as the database has to be asked for them. */
export async function readRunGuards(ctx: Ctx): Promise<RunGuards> {
  const { changeControl, dependencies, warnings } = await readStanding(ctx, []);
  const today = dayNumber(ctx.today);
  const rules = runRules();
  const last = lastPlanDay(ctx.today);
  // One object for all cells: a run over hundreds of thousands makes no garbage. What rules do not ask without a person stays out of it.
  const facts = { today, lastPlanDay: last, changeControl, hasReason: false } as CellFacts;
  const rows = async (block: PlanBlock): Promise<RowJudge> => {
    const held = await readMaintained(ctx, block.duIds, namedAttributes(dependencies));
    let filled: Parameters<RowJudge>[1] = () => undefined;
    const maintained = (duId: number, attributeId: number) => {
      const before = held.get(duId)?.has(attributeId) ?? false;
      return { before, after: filled(attributeId) ?? before };
    };
    const judge = rowJudge(block, { maintained, today });
    return (row, given) => {
      filled = given;
      return judge(row, { dependencies, warnings })
        .filter(isRefusing)
        .map((finding) => ({ code: finding.code, places: blamedPlaces(finding) }));
    };
  };
  return {
    cell: (block, row, slot, field, value) => {
      const at = row * block.width + slot;
      const before = block.before as PlanColumns;
      facts.field = field;
      facts.before = before[field][at] as number;
      facts.after = value;
      facts.actualEndBefore = before.actualEnd[at] as number;
      facts.planOwner = block.planOwner[at] ?? 0;
      facts.actualOwner = block.actualOwner[at] ?? 0;
      facts.state = facts.stateBefore = before.state[at] as number;
      facts.releaseState = block.releaseStates[row] as number;
      facts.mos = block.kinds.mos.has(slot);
      return brokenCell(rules[field], facts)?.code ?? null;
    },
    lastPlanDay: last,
    rows: dependencies.length > 0 || warnings.length > 0 ? rows : null,
    standing: { dependencies, warnings },
  };
}

const noRights = { plan: false, actual: false, related: false };

/**
 * Judges the rows whose cells all hold by dependency rules and warnings. Attributes that rules name are read once for all rows.
 * @param given.refused DUs that are not written anyway
 */
async function judgeRows(
  ctx: Ctx,
  block: PlanBlock,
  diffs: ReadonlyMap<number, RowDiff>,
  given: RowRuleSet & { today: number; patches: readonly ExtPatch[]; refused: ReadonlySet<number> },
): Promise<{ refusals: Refusal[]; questions: Question[] }> {
  const { dependencies, warnings, today, patches, refused } = given;
  const changes = new Map(patches.map(({ duId, ext }) => [duId, ext]));
  const attributeIds = namedAttributes(dependencies);
  const rulesAt = namedAt(dependencies, placesOfRule);
  const warningsAt = namedAt(warnings, placesOfWarning);
  const rows = block.duIds.flatMap((duId, row) => {
    const diff = diffs.get(row);
    const ext = changes.get(duId);
    // A DU of which attributes alone are written is judged too.
    const attributes = ext ? attributeIds.filter((id) => Object.hasOwn(ext, `a${id}`)) : [];
    if (refused.has(duId) || (!diff && attributes.length === 0)) return [];
    const places = [...(diff ? changedSlots(diff) : []), ...attributes.map((id) => -id)];
    const named = { dependencies: rulesAt(places), warnings: warningsAt(places) };
    return named.dependencies.length + named.warnings.length > 0 ? [{ duId, row, diff, named }] : [];
  });
  const held = await readMaintained(
    ctx,
    rows.filter(({ named }) => named.dependencies.length > 0).map(({ duId }) => duId),
    attributeIds,
  );
  // The values of a DU that is made in this transaction stand in its row already.
  const made = new Set(block.duIds.filter((_, row) => block.versions[row] === 0));
  const maintained = (duId: number, attributeId: number) => {
    const present = held.get(duId)?.has(attributeId) ?? false;
    const change = changes.get(duId)?.[`a${attributeId}`];
    return { before: present && !made.has(duId), after: change ? (change[1] ?? "") !== "" : present };
  };
  const found: { finding: RowFinding; params: Params }[] = [];
  const refusals: Refusal[] = [];
  const questions: Question[] = [];
  const judge = rowJudge(block, { maintained, today });
  for (const { duId, row, diff, named } of rows) {
    const findings = judge(row, named);
    const own: Refusal[] = [];
    for (const finding of findings) {
      const { slot, field, code } = finding;
      const params: Params = {};
      if (isRefusing(finding)) own.push({ duId, slot, field, code, params, withDu: false });
      // Nothing is asked about a DU that is refused.
      else if (!findings.some(isRefusing))
        questions.push({ duId, slot, field, code: code as QuestionCode, params, about: questionText(finding) });
      else continue;
      found.push({ finding, params });
    }
    if (own.length > 0) refusals.push(...own, ...(diff ? refusedWith(diff, duId, own) : []));
  }
  await nameFindings(ctx, found);
  return { refusals, questions };
}

const isRefusing = ({ code }: RowFinding) => code === "DEP_PREREQ_UNMET" || code === "WARNING_MANDATORY";

/** Fills in what the texts of findings name: read only where something was found. */
async function nameFindings(ctx: Ctx, findings: readonly { finding: RowFinding; params: Params }[]): Promise<void> {
  if (findings.length === 0) return;
  const unmet = findings.flatMap(({ finding, params }) => ("target" in finding ? [{ ...finding, params }] : []));
  const hits = findings.flatMap(({ finding, params }) => ("hit" in finding ? [{ duId: finding.duId, ...finding.hit, params }] : []));
  const [names, texts] = await Promise.all([unmet.length > 0 ? describeUnmet(ctx, unmet) : [], describeHits(ctx, hits)]);
  for (const [at, { params }] of unmet.entries()) Object.assign(params, names[at]);
  for (const [at, { params, days }] of hits.entries()) Object.assign(params, { days, message: texts[at] });
}
