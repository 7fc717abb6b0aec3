import "server-only";
import { takeIds } from "#db/ids.ts";
import { auditBinding, bindRows, type HeldFlow, holdFlow } from "#lib/activity-flows/binding/commands.ts";
import { applyFlow, applyFlowToEmpty } from "#lib/activity-flows/binding/logic.ts";
import { readFlowGraph } from "#lib/activity-flows/queries.ts";
import { runAfterImport } from "#lib/activity-flows/rule-runs/commands.ts";
import { readDefaults } from "#lib/attributes/defaults/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { DependencyRule } from "#lib/dependency-rules/rule-set/logic.ts";
import { keptRowsMax } from "#lib/imports/kind/limits.ts";
import {
  type CheckedRow,
  type FieldProblem,
  type ImportKind,
  type ImportRow,
  type ImportRun,
  nameKey,
  RowsRefused,
  rowMark,
  type WriteFrame,
} from "#lib/imports/kind/logic.ts";
import { fillBoundDus } from "#lib/owners/owner-runs/commands.ts";
import { logSiteChanges, madeDu, type SiteChange, sendSitesAndDus, updateSites } from "#lib/rollout-plan/dus/commands.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { findOwnerSets } from "#lib/rollout-plan/owner-sets/queries.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { type PlanField, planFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  cellField,
  cellSlot,
  diffBlock,
  emptyBlock,
  getCell,
  keepBefore,
  type PlanBlock,
  rowIndex,
  setCell,
} from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  kindSlots,
  listLibraryActivities,
  listOwnSets,
  listRefusals,
  type ProjectStanding,
  readEditors,
  readPlanRows,
  readProjectStanding,
  readStanding,
  writableFields,
} from "#lib/rollout-plan/plan-rows/queries.ts";
import type { Refusal } from "#lib/rollout-plan/plan-rows/rules.ts";
import { type DuFacts, type DuWork, duImportFields, holdsStill, ownerLists, planKey, planRow, planValue, type Seen } from "./logic.ts";
import { fieldTexts, lockNamed, readAccountNames, readDuFacts, readImportChoices } from "./queries.ts";
import { DuImportOptions } from "./schema.ts";

/** The import of DUs with their sites, flows, plan dates and owners. */
export const duImport: ImportKind = {
  options: DuImportOptions,
  fields: async (ctx) => duImportFields(await listLibraryActivities(ctx), fieldTexts(ctx)),
  choices: async (ctx) => {
    const { flows, people } = await readImportChoices(ctx);
    return [
      { key: "flowId", type: "choice", choices: flows },
      { key: "ownerId", type: "choice", choices: people },
      { key: "createRegions", type: "flag" },
      { key: "blanks", type: "blanks" },
    ];
  },
  fallbacks: [{ field: "code", from: "siteCode" }],
  labels: ["code", "name"],
  hidden: rowMark,
  applied: runAfterImport,
  keepsRuns: true,
  open: (options: DuImportOptions): ImportRun => {
    const seen: Seen = { dus: new Map(), sites: new Map() };
    let judged: Judged | null = { works: new Map(), facts: [] };
    const looked = new WeakMap<readonly ImportRow[], Promise<DuFacts>>();
    return {
      look: (ctx, rows) => {
        const facts = readDuFacts(ctx, rows, options);
        facts.catch(() => {});
        looked.set(rows, facts);
      },
      check: async (ctx, rows) => {
        const facts = await (looked.get(rows) ?? readDuFacts(ctx, rows, options));
        const works = rows.map((row) => planRow(row, facts, options, seen));
        if (judged && judged.works.size + works.length > keptRowsMax) judged = null;
        judged?.facts.push(facts);
        for (const work of works) judged?.works.set(work.row.no, work);
        return outcomes(works, await checkPlan(ctx, works));
      },
      write: (ctx, rows, frame) => {
        const known = judged;
        // A write works with what it is given: the next one judges anew.
        judged = null;
        return writeRows(ctx, rows, options, frame, known);
      },
    };
  },
};

/** Rows as a check has judged them, by number, and the facts it has judged them by. */
type Judged = { works: Map<number, DuWork>; facts: DuFacts[] };

/** What becomes of rows; the plan is looked at cell by cell for a preview, a write leaves that to the one place where plan rows are written. */
function outcomes(works: readonly DuWork[], plan: readonly PlanCheck[] | null): CheckedRow[] {
  return works.map((work, index): CheckedRow => {
    const { changes, problems, needsReason, reopens } = plan?.[index] ?? nothingFound;
    const all = work.problems.concat(problems);
    const shown = changes.length > 0 ? work.shown.concat(changes) : work.shown;
    const same = shown.length === 0 && (plan !== null || work.wishes.length === 0);
    return {
      no: work.row.no,
      outcome: all.length > 0 ? "rejected" : work.du === null ? "new" : same ? "unchanged" : "changed",
      changes: shown,
      problems: all,
      ...(needsReason && { needsReason }),
      ...(reopens && { reopens }),
    };
  });
}

type PlanCheck = { changes: CheckedRow["changes"]; problems: FieldProblem[]; needsReason: boolean; reopens: boolean };

const emptyCheck = (): PlanCheck => ({ changes: [], problems: [], needsReason: false, reopens: false });
const nothingFound = emptyCheck();

/** The kinds a write of these rows looks at: owners only where they are asked for, and all where a DU that is there begins to follow a flow. */
function kindsOf(works: readonly DuWork[]): readonly PlanField[] {
  if (works.some((work) => work.du && work.flow)) return planFields;
  const owned = works.some((work) => work.wishes.some(({ field }) => field !== "planStart" && field !== "planEnd"));
  return owned ? [...writableFields, "planOwner", "actualOwner"] : writableFields;
}

const touchesPlan = (work: DuWork): boolean => work.wishes.length > 0 || work.flow !== null;

// Rows of DUs that do not exist yet are checked on empty plan rows under passing ids.
async function checkPlan(ctx: Ctx, works: readonly DuWork[]): Promise<PlanCheck[]> {
  const results = works.map(emptyCheck);
  const touched = works.flatMap((work, index) => (touchesPlan(work) ? [{ work, index }] : []));
  if (touched.length === 0) return results;
  const stored = touched.filter(({ work }) => work.du !== null);
  const fresh = touched.filter(({ work }) => work.du === null);
  const kinds = kindsOf(works);
  const storedIds = stored.map(({ work }) => work.du?.id as number);
  const [library, sets, present, read, flows] = await Promise.all([
    listLibraryActivities(ctx),
    ownerSets(ctx, works),
    readPlanRows(ctx, storedIds, { fields: kinds }),
    readStanding(ctx, storedIds),
    readFlowGraph(ctx, [...new Set(touched.flatMap(({ work }) => work.flow?.id ?? []))]),
  ]);
  const made = emptyBlock(
    fresh.map(({ index }) => -1 - index),
    Math.max(present.width, ...library.map((activity) => activity.slot + 1)),
    kinds,
  );
  made.kinds = kindSlots(library);
  const maker = {
    plan: ctx.can("rollout.edit"),
    actual: ctx.can("rollout.actualEdit"),
    attribute: ctx.can("rollout.attributeEdit"),
    du: ctx.can("du.edit"),
    related: ctx.user.roles.some((role) => relatedRoles.has(role)),
  };
  // Whoever makes a DU may do to it what his roles allow everywhere.
  const editors = new Map([...read.editors, ...made.duIds.map((id) => [id, maker] as const)]);
  const ext = fresh.length > 0 ? await awaitedDefaults(ctx, read.dependencies) : {};
  const check = { source: "import", reason: "-", standing: { ...read, editors }, ownSets: sets.own } as const;
  const keys = new Map(library.map((activity) => [activity.slot, activity.id]));
  const keyOf = (slot: number, field: PlanField) => planKey(keys.get(slot) as number, field);
  // Made once for the few different cells of a file, not for each of its rows.
  const cellKeys = new Map<number, string>();
  const cellKey = (cell: number): string => {
    let key = cellKeys.get(cell);
    if (key === undefined) {
      key = keyOf(cellSlot(cell), cellField(cell));
      cellKeys.set(cell, key);
    }
    return key;
  };
  // What a plan begins with is said by thousands of rows in the same words: each is made once.
  const beginnings = new Map<number, Map<number, CheckedRow["changes"][number]>>();
  const beginning = (cell: number, field: PlanField, value: number): CheckedRow["changes"][number] => {
    let ofCell = beginnings.get(cell);
    if (!ofCell) {
      ofCell = new Map();
      beginnings.set(cell, ofCell);
    }
    let change = ofCell.get(value);
    if (!change) {
      change = [cellKey(cell), null, planValue(field, value, sets.accounts)];
      ofCell.set(value, change);
    }
    return change;
  };
  for (const [block, items] of [
    [present, stored],
    [made, fresh],
  ] as const) {
    const rows = rowIndex(block);
    const byId = new Map<number, PlanCheck>();
    const rowOf = ({ work, index }: (typeof items)[number]) => rows.get(work.du?.id ?? -1 - index);
    const bound = Map.groupBy(
      items.filter(({ work }) => work.flow !== null),
      ({ work }) => work.flow?.id as number,
    );
    for (const [flowId, given] of bound) {
      const activities = flows.get(flowId)?.nodes ?? [];
      const found = given.flatMap((item) => rowOf(item) ?? []);
      for (const row of found) block.flowIds[row] = flowId;
      if (block === made) applyFlowToEmpty(block, found, activities);
      else for (const row of found) applyFlow(block, row, activities);
    }
    // What a new DU gets from its flow is no change of a cell.
    if (block === made) keepBefore(block);
    for (const item of items) {
      const row = rowOf(item);
      if (row === undefined) continue;
      byId.set(block.duIds[row] as number, results[item.index] as PlanCheck);
      fillPlan(block, row, item.work, sets.ids);
    }
    const diffs = diffBlock(block);
    const rowsOf = new Map(diffs.map((diff) => [diff.row, diff]));
    const patches = block === made ? made.duIds.map((duId) => ({ duId, ext })) : [];
    for (const refusal of await listRefusals(ctx, block, rowsOf, { ...check, patches })) {
      // What a DU begins with is nothing the file says.
      if (refusal.withDu || refusal.slot === 0) continue;
      byId
        .get(refusal.duId)
        ?.problems.push({ path: keyOf(refusal.slot, refusal.field as PlanField), code: refusal.code, params: refusal.params });
    }
    for (const diff of diffs) {
      const result = byId.get(block.duIds[diff.row] as number);
      if (!result) continue;
      const changes = new Array<CheckedRow["changes"][number]>(diff.cells.length);
      let count = 0;
      for (let i = 0; i < diff.cells.length; i++) {
        const cell = diff.cells[i] as number;
        const field = cellField(cell);
        if (field === "state") continue;
        const old = diff.old[i] as number;
        const next = diff.new[i] as number;
        changes[count++] =
          old === 0
            ? beginning(cell, field, next)
            : [cellKey(cell), planValue(field, old, sets.accounts), planValue(field, next, sets.accounts)];
        if (field === "actualEnd" && old !== 0) result.needsReason = true;
        if (block.releaseStates[diff.row] === 1 && !field.startsWith("actualE") && !field.startsWith("actualS")) result.reopens = true;
      }
      changes.length = count;
      result.changes = changes;
    }
  }
  return results;
}

/** Values new DUs begin with that dependency rules wait for. */
async function awaitedDefaults(ctx: Ctx, rules: readonly DependencyRule[]): Promise<Record<string, [null, unknown]>> {
  const awaited = rules.flatMap(({ prerequisites }) =>
    prerequisites.flatMap((node) => (node.event === "MAINTAIN" ? [`a${node.attributeId}`] : [])),
  );
  if (awaited.length === 0) return {};
  return Object.fromEntries(
    Object.entries(await readDefaults(ctx)).flatMap(([key, value]) =>
      awaited.includes(key) ? [[key, [null, value] as [null, unknown]]] : [],
    ),
  );
}

const relatedRoles = new Set(["PM", "PCM", "TD", "TL"]);

type OwnerSets = { ids: Map<string, number>; own: Set<number>; accounts: (setId: number) => string[] };

// Sets that do not exist yet get passing negative ids: a check makes nothing.
async function ownerSets(ctx: Ctx, works: readonly DuWork[]): Promise<OwnerSets> {
  const lists = new Map(ownerLists(works).map((list) => [list.join(","), list]));
  const [ids, own, stored] = await Promise.all([
    findOwnerSets(ctx, [...lists.values()]),
    listOwnSets(ctx, ctx.user.id),
    ctx.sql<{ id: number; userIds: number[] }[]>`select id, user_ids as "userIds" from owner_set where project_id = ${ctx.project.id}`,
  ]);
  const members = new Map<number, readonly number[]>();
  for (const [key, list] of lists) {
    const id = ids.get(key) ?? -1 - members.size;
    ids.set(key, id);
    members.set(id, list);
    if (list.includes(ctx.user.id)) own.add(id);
  }
  for (const { id, userIds } of stored) members.set(id, userIds);
  const names = await readAccountNames(ctx, [...members.values()].flat());
  return { ids, own, accounts: (setId) => (members.get(setId) ?? []).map((id) => names.get(id) ?? String(id)) };
}

/** Sets the cells a row asks for; an activity that gets an actual date and has no owner gets the one of the import. */
function fillPlan(block: PlanBlock, row: number, work: DuWork, sets: ReadonlyMap<string, number>): void {
  for (let i = 0; i < work.wishes.length; i++) {
    const wish = work.wishes[i] as DuWork["wishes"][number];
    const value = wish.owners ? (wish.owners.length > 0 ? (sets.get(wish.owners.join(",")) ?? 0) : 0) : (wish.day ?? 0);
    setCell(block, row, wish.slot, wish.field, value);
  }
  const owners = sets.get(work.owners.join(",")) ?? 0;
  if (owners === 0) return;
  for (const { slot, field, day } of work.wishes) {
    if ((field !== "actualStart" && field !== "actualEnd") || !day) continue;
    if (getCell(block, row, slot, "actualOwner") === 0 && getCell(block, row, slot, "planOwner") === 0)
      setCell(block, row, slot, "actualOwner", owners);
  }
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: DuImportOptions,
  frame: WriteFrame,
  judged: Judged | null,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  const facts = await readDuFacts(ctx, rows, options, await lockNamed(ctx, rows, "siteCode"));
  const known = judged ? rows.flatMap((row) => judged.works.get(row.no) ?? []) : [];
  const seen: Seen = { dus: new Map(), sites: new Map() };
  const works =
    judged && known.length === rows.length && holdsStill(known, judged.facts, facts)
      ? known
      : rows.map((row) => planRow(row, facts, options, seen));
  const checked = outcomes(works, null);
  const rejected = checked.filter((row) => row.outcome === "rejected");
  const accepted = works.filter((_, index) => checked[index]?.outcome === "new" || checked[index]?.outcome === "changed");
  if (accepted.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  await frame.step(0.3);
  await writeRegions(ctx, accepted);
  const world = await readWorld(ctx, accepted);
  const places = await takePlaces(ctx, accepted);
  await updateSites(ctx, places.changedSites);
  await writePlans(ctx, accepted, places, world, frame);
  await writeNetworkRegions(ctx, accepted, places);
  await logSiteChanges(ctx, places.changedSites, { source: "import", reason: frame.reason, origin: { kind: "task", id: frame.originKey } });
  ctx.audit(`task ${frame.taskId}`, null, {
    kind: "dus",
    new: accepted.filter((work) => !work.du).length,
    changed: accepted.filter((work) => work.du).length,
    rejected: rejected.length,
  });
  const numbers = new Set(accepted.map((work) => work.row.no));
  return { written: checked.filter((row) => numbers.has(row.no)), rejected };
}

// The first spelling in the file is the one that is kept.
async function writeRegions(ctx: Ctx, works: readonly DuWork[]): Promise<void> {
  const names = new Map<string, string>();
  for (const { newRegion } of works) if (newRegion !== null && !names.has(nameKey(newRegion))) names.set(nameKey(newRegion), newRegion);
  if (names.size === 0) return;
  const { sql, project } = ctx;
  await sql`
    insert into delivery_region (project_id, name, sort_no)
    select ${project.id}, n.name, least(10000, n.no + (select coalesce(max(sort_no), 0) from delivery_region where project_id = ${project.id} and deleted_at is null))
    from unnest(${[...names.values()]}::text[]) with ordinality n(name, no) on conflict (project_id, lower(name)) where deleted_at is null do nothing`;
  const made = await sql<
    { id: number; name: string }[]
  >`select id, name from delivery_region where project_id = ${project.id} and deleted_at is null`;
  const ids = new Map(made.map((row) => [nameKey(row.name), row.id]));
  for (const work of works) {
    if (work.newRegion === null) continue;
    const id = ids.get(nameKey(work.newRegion)) ?? null;
    work.fields.regionId = id;
    work.changes.regionId = [work.du?.fields.regionId ?? null, id];
  }
}

// Where a DU stands in the customer's network is no field of the plan: it says which rows a network region is named by.
async function writeNetworkRegions({ sql }: Ctx, works: readonly DuWork[], { duIds }: Places): Promise<void> {
  const named = works.flatMap(({ networkRegionId }, at) =>
    networkRegionId === null ? [] : [{ id: duIds[at] as number, networkRegionId }],
  );
  if (named.length === 0) return;
  await sql`
    update du set network_region_id = g.region
    from unnest(${named.map(({ id }) => id)}::bigint[], ${named.map(({ networkRegionId }) => networkRegionId)}::bigint[]) as g(id, region)
    where du.id = g.id and du.network_region_id is distinct from g.region`;
}

/** What a write asks before it begins: nothing that is asked of the database stands between its inserts. */
type World = { sets: Map<string, number>; flows: Map<number, HeldFlow>; ofProject: ProjectStanding; ext: Record<string, string | number> };

async function readWorld(ctx: Ctx, works: readonly DuWork[]): Promise<World> {
  const [sets, flows, ofProject, ext] = await Promise.all([
    resolveOwnerSets(ctx, ownerLists(works)),
    holdFlows(ctx, works),
    readProjectStanding(ctx),
    works.some((work) => !work.du) ? readDefaults(ctx) : {},
  ]);
  return { sets, flows, ofProject, ext };
}

type Places = {
  /** Ids of the DUs in the order of their rows: their own, and the ones taken for those to be made. */
  duIds: number[];
  siteIds: Map<string, number>;
  newSites: Parameters<typeof sendSitesAndDus>[1][number][];
  changedSites: SiteChange[];
};

// The first row of the file that names a site speaks for it.
async function takePlaces(ctx: Ctx, works: readonly DuWork[]): Promise<Places> {
  const made = new Map<string, { name: string } & Record<string, unknown>>();
  const changed = new Map<number, SiteChange["changes"]>();
  const siteIds = new Map<string, number>();
  for (const { site } of works) {
    if (site.stored) {
      siteIds.set(site.code, site.stored.id);
      if (Object.keys(site.changes).length > 0) changed.set(site.stored.id, { ...site.changes, ...changed.get(site.stored.id) });
    } else {
      const earlier = made.get(site.code);
      made.set(site.code, earlier ? { ...site.fields, ...earlier } : (site.fields as { name: string }));
    }
  }
  const fresh = works.filter((work) => work.du === null).length;
  const [newSiteIds, newDuIds] = await Promise.all([takeIds(ctx.sql, "customer_site", made.size), takeIds(ctx.sql, "du", fresh)]);
  const newSites = [...made].map(([code, fields], index) => ({ ...fields, code, id: newSiteIds[index] as number }));
  for (const { code, id } of newSites) siteIds.set(code, id);
  let taken = 0;
  const duIds = works.map((work) => work.du?.id ?? (newDuIds[taken++] as number));
  for (const work of works) {
    const siteId = siteIds.get(work.site.code);
    if (work.du && siteId !== undefined && work.site.code !== work.du.siteCode)
      work.changes.siteId = [work.du.fields.siteId ?? null, siteId];
  }
  return { duIds, siteIds, newSites, changedSites: [...changed].map(([id, changes]) => ({ id, changes })) };
}

/** What a row changes of the fields of a DU that is there; null where it changes none. */
function fieldPatch({ du, changes }: DuWork): DuPatch | null {
  if (!du) return null;
  const fields = Object.entries(changes).filter(([name]) => name !== "code");
  if (fields.length === 0) return null;
  return {
    duId: du.id,
    duVersion: du.rowVersion,
    fields: Object.fromEntries(fields.map(([name, change]) => [columnOf(name), change])),
  };
}

// Everything of a DU's plan is put into one block: its flow, its dates and owners are written and logged once.
async function writePlans(
  ctx: Ctx,
  works: readonly DuWork[],
  { duIds, siteIds, newSites }: Places,
  { sets, flows, ofProject, ext }: World,
  frame: WriteFrame,
): Promise<void> {
  const patches = works.flatMap((work) => fieldPatch(work) ?? []);
  const patched = new Set(patches.map((patch) => patch.duId));
  const touched = works.flatMap((work, at) => {
    const id = duIds[at] as number;
    return !work.du || touchesPlan(work) || patched.has(id) ? [{ work, id }] : [];
  });
  if (touched.length === 0) return;
  const fresh = touched.filter(({ work }) => !work.du);
  const block = await readPlanRows(
    ctx,
    touched.flatMap(({ work }) => work.du?.id ?? []),
    { lock: true, fields: kindsOf(touched.map(({ work }) => work)), made: fresh.map(({ id }) => id) },
  );
  // From here on the database writes while the plan is worked out.
  const dus = fresh.map(({ work, id }) => ({ ...work.fields, id, code: work.code, siteId: siteIds.get(work.site.code) as number }));
  await sendSitesAndDus(ctx, newSites, dus, ext);
  await frame.step(0.5);
  // Rights that depend on the DU are read behind the DUs that are made here.
  const standing = readEditors(
    ctx,
    ofProject,
    touched.map(({ id }) => id),
  ).then((editors) => ({ ...ofProject, editors }));
  standing.catch(() => {});
  bindToFlows(ctx, block, flows, touched);
  await frame.step(0.6);
  for (const { id, ...fields } of dus) {
    const { duId, attrs } = madeDu(id, fields, ext);
    patches.push({ duId, duVersion: 1, begins: attrs });
  }
  await frame.step(0.7);
  const rows = rowIndex(block);
  for (const { work, id } of touched) fillPlan(block, rows.get(id) as number, work, sets);
  await frame.step(0.8);
  const { rejected } = await writePlanRows(ctx, block, {
    source: "import",
    reason: frame.reason,
    origin: { kind: "task", id: frame.originKey },
    patches,
    standing,
  });
  if (rejected.length > 0) throw new RowsRefused(await refusedRows(ctx, touched, rejected));
  await fillBoundDus(
    ctx,
    touched.filter(({ work }) => work.flow !== null).map(({ id }) => id),
  );
}

/** The flows that rows begin to follow, each held as it is. */
async function holdFlows(ctx: Ctx, works: readonly DuWork[]): Promise<Map<number, HeldFlow>> {
  const held = new Map<number, HeldFlow>();
  for (const id of new Set(works.flatMap((work) => work.flow?.id ?? []))) held.set(id, await holdFlow(ctx, id));
  return held;
}

type Placed = { work: DuWork; id: number };

function bindToFlows(ctx: Ctx, block: PlanBlock, flows: ReadonlyMap<number, HeldFlow>, placed: readonly Placed[]): void {
  for (const flow of flows.values()) {
    const codes = new Map(placed.flatMap(({ work, id }) => (work.flow?.id === flow.id ? [[id, work.code]] : [])));
    const { bound, refused } = bindRows(ctx, block, flow, { duIds: [...codes.keys()], source: "import", codes });
    if (refused[0]) throw new AppError(refused[0].code, refused[0].params);
    auditBinding(ctx, flow, bound, "import");
  }
}

async function refusedRows(ctx: Ctx, placed: readonly Placed[], rejected: readonly Refusal[]): Promise<CheckedRow[]> {
  const library = await listLibraryActivities(ctx);
  const activityOf = new Map(library.map((activity) => [activity.slot, activity.id]));
  const byDu = Map.groupBy(
    rejected.filter((refusal) => !refusal.withDu),
    (refusal) => refusal.duId,
  );
  return placed.flatMap(({ work, id }): CheckedRow[] => {
    const refusals = byDu.get(id);
    if (!refusals) return [];
    const problems = refusals.map(({ slot, field, code, params }) => ({
      path: planKey(activityOf.get(slot) as number, field as PlanField),
      code,
      params,
    }));
    return [{ no: work.row.no, outcome: "rejected", changes: work.shown, problems }];
  });
}
