import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params, type Problem } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { undoMinutes } from "../limits.ts";
import { getWritableTab, readTabColumns, type Tab } from "../queries.ts";
import { type CellForm, type Change, isUnchanged, type RowChange, rowChange } from "./logic.ts";
import type { RowIds, SaveRows } from "./schema.ts";

/** A row nothing of which was written, because it is no longer what the editor read, or because a rule of the plan refuses it. */
export type RowConflict = { index: number; code: ErrorCode; params: Params };
export type SavedRows = { saved: { index: number; id: number | null; rowVersion: number | null }[]; conflicts: RowConflict[] };

type Given = SaveRows["rows"][number] & { index: number };
/** A row of a tab as it is stored. */
export type Stored = { id: number; duId: number; sn: string | null; data: Record<string, unknown>; rowVersion: number };
/** A DU with the values kept with it. */
export type StoredDu = { id: number; version: number; ext: Record<string, unknown> };
/** A row that is to be written: where it stands in what was given, what is stored of it, and what changes. */
export type Work = { given: { index: number; id?: number | undefined; duId: number }; before: Stored | null; change: RowChange };

/**
 * Makes rows and changes them. What is wrong in itself refuses the whole call; a row that moved since it was read is a conflict, the others are saved.
 * Values kept with the DU are written as those of the plan are.
 * @throws NO_TAB_WRITE, DU_ID_INVALID, SN_REPEATED, EMPTY_CONTENT, NOT_A_CHOICE, NOT_A_DATE, NOT_A_TIME, NOT_A_NUMBER, LENGTH_OVER, NO_PERMISSION
 */
export async function saveRows(ctx: Ctx, { tabId, rows }: SaveRows): Promise<SavedRows> {
  const tab = await getWritableTab(ctx, tabId);
  const given = rows.map((row, index) => ({ ...row, index }));
  const { attributes } = await readTabColumns(ctx, tab);
  const forms = new Map<string, CellForm>(attributes.map((attribute) => [attribute.key, attribute]));
  const dus = await lockDus(ctx, tab, given);
  const stored = await lockRows(ctx, tab, given);
  const problems: Problem[] = [];
  const conflicts: RowConflict[] = [];
  const work: Work[] = [];
  for (const row of given) {
    const path = `rows.${row.index}`;
    const du = dus.get(row.duId);
    const before = row.id === undefined ? null : (stored.get(row.id) ?? null);
    if (!du || (before && before.duId !== row.duId)) {
      problems.push({ path: `${path}.duId`, code: "DU_ID_INVALID", params: {} });
      continue;
    }
    if ((row.id !== undefined && before?.rowVersion !== row.rowVersion) || (row.duVersion !== undefined && row.duVersion !== du.version)) {
      conflicts.push({ index: row.index, code: "STALE", params: {} });
      continue;
    }
    const present = before ? { ...before, ext: du.ext } : null;
    const change = rowChange(forms, present ?? (tab.keyMode === "DU" ? { sn: null, data: {}, ext: du.ext } : null), {
      sn: row.sn,
      data: row.data,
    });
    if ("code" in change) problems.push({ path: `${path}.data.${change.key}`, code: change.code, params: change.params });
    else work.push({ given: row, before, change });
  }
  problems.push(...(await listSnProblems(ctx, tab, work)));
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  const refused = await writeDuValues(ctx, work, dus);
  const written = work.filter(({ given: row }) => !refused.has(row.duId));
  for (const { given: row } of work) {
    const refusal = refused.get(row.duId);
    if (refusal) conflicts.push({ index: row.index, ...refusal });
  }
  const saved = await writeTabRows(ctx, tab, written, "UI");
  ctx.audit(`du_tab rows ${tab.id}`, null, { saved: saved.length, conflicts: conflicts.length });
  return { saved, conflicts: conflicts.sort((a, b) => a.index - b.index) };
}

/** The DUs of the rows that the caller may write, locked in id order. */
async function lockDus(ctx: Ctx, _tab: Tab, rows: readonly Given[]): Promise<Map<number, StoredDu>> {
  const ids = [...new Set(rows.map(({ duId }) => duId))];
  const found = await ctx.sql<StoredDu[]>`
    select du.id, du.row_version as version, du.ext from du where ${ctx.scope.where("duTab.edit")} and du.id = any(${ids}::bigint[])
    order by du.id for no key update of du`;
  return new Map(found.map((du) => [du.id, du]));
}

/** The rows that are to be changed, locked in id order. */
async function lockRows(ctx: Ctx, tab: Tab, rows: readonly Given[]): Promise<Map<number, Stored>> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  const found = await ctx.sql<Stored[]>`
    select id, du_id as "duId", sn, data, row_version as "rowVersion" from du_tab_row
    where tab_id = ${tab.id} and deleted_at is null and id = any(${ids}::bigint[]) order by id for update`;
  return new Map(found.map((row) => [row.id, row]));
}

/** Serial numbers that are missing, stand twice in the call or are another row's; a DU that has its row already. [DUT-06] */
export async function listSnProblems({ sql }: Ctx, tab: Tab, work: readonly Work[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  const repeated = (index: number, path: string) => problems.push({ path: `rows.${index}.${path}`, code: "SN_REPEATED", params: {} });
  if (tab.keyMode === "DU") {
    const made = work.filter(({ before }) => !before);
    const ids = made.map(({ given }) => given.duId);
    const taken = new Set(
      (
        await sql<
          { id: number }[]
        >`select du_id as id from du_tab_row where tab_id = ${tab.id} and deleted_at is null and du_id = any(${ids}::bigint[])`
      ).map(({ id }) => id),
    );
    const seen = new Set<number>();
    for (const { given } of made) {
      if (taken.has(given.duId) || seen.has(given.duId)) repeated(given.index, "duId");
      seen.add(given.duId);
    }
    return problems;
  }
  const next = work.flatMap(({ given, before, change }) => {
    const sn = (change.sn ? (change.sn[1] as string | null) : before?.sn) || null;
    if (sn === null) problems.push({ path: `rows.${given.index}.sn`, code: "VALUE_MISSING", params: { field: "SN" } });
    return sn === null ? [] : [{ index: given.index, id: given.id ?? 0, sn }];
  });
  const own = next.map(({ id }) => id);
  const taken = new Set(
    (
      await sql<{ sn: string }[]>`
        select sn from du_tab_row where tab_id = ${tab.id} and deleted_at is null and sn = any(${next.map(({ sn }) => sn)}::text[]) and id <> all(${own}::bigint[])`
    ).map(({ sn }) => sn),
  );
  const seen = new Set<string>();
  for (const { index, sn } of next) {
    if (taken.has(sn) || seen.has(sn)) repeated(index, "sn");
    seen.add(sn);
  }
  return problems;
}

/** Writes the values kept with DUs as those of the plan are; gives why a DU is refused. */
export async function writeDuValues(
  ctx: Ctx,
  work: readonly Work[],
  dus: ReadonlyMap<number, StoredDu>,
  source: "grid" | "import" = "grid",
): Promise<Map<number, { code: ErrorCode; params: Params }>> {
  const patches = work.flatMap(({ given: { duId }, change: { ext } }) =>
    Object.keys(ext).length > 0 ? [{ duId, duVersion: dus.get(duId)!.version, ext }] : [],
  );
  if (patches.length === 0) return new Map();
  const block = await readPlanRows(
    ctx,
    patches.map(({ duId }) => duId),
    { lock: true },
  );
  const { rejected } = await writePlanRows(ctx, block, { source, patches });
  return new Map(rejected.map(({ duId, code, params }) => [duId, { code, params }]));
}

/** Writes rows and their history, one statement each for new rows, changed ones and the history. */
export async function writeTabRows(
  { sql, project, user, now }: Ctx,
  tab: Tab,
  work: readonly Work[],
  source: "UI" | "IMPORT",
): Promise<SavedRows["saved"]> {
  const own = work.filter(
    ({ before, change }) => change.sn !== null || Object.keys(change.data).length > 0 || (!before && !isUnchanged(change)),
  );
  const values = (change: RowChange, filled: boolean) =>
    Object.entries(change.data).flatMap(([key, [, value]]) => ((value !== null) === filled ? [[key, value] as const] : []));
  const rows = own.map(({ given, before, change }) => ({
    index: given.index,
    id: before?.id ?? null,
    duId: given.duId,
    sn: tab.keyMode === "SN" ? (change.sn ? (change.sn[1] as string) : before!.sn) : null,
    filled: Object.fromEntries(values(change, true)),
    emptied: values(change, false).map(([key]) => key),
    changes: { ...(change.sn && { sn: change.sn }), ...change.data } satisfies Record<string, Change>,
  }));
  const given = sql.json(rows as never);
  // A serial number may go from one row to another: old ones are let go first.
  const moved = rows.flatMap(({ id, changes }) => (id !== null && "sn" in changes ? [id] : []));
  if (moved.length > 1) await sql`update du_tab_row set sn = '~' || id where id = any(${moved}::bigint[])`;
  const changed = await sql<{ index: number; id: number; rowVersion: number }[]>`
    update du_tab_row r set sn = n.sn, data = (r.data || n.filled) - array(select jsonb_array_elements_text(n.emptied)), row_version = r.row_version + 1,
      updated_by = ${user.id}, updated_at = ${now}
    from jsonb_to_recordset(${given}) as n(index int, id bigint, sn text, filled jsonb, emptied jsonb)
    where r.id = n.id returning n.index, r.id, r.row_version as "rowVersion"`;
  const inserted = await sql<{ id: number; duId: number; sn: string | null; rowVersion: number }[]>`
    insert into du_tab_row (project_id, tab_id, du_id, key_mode, sn, data, created_by, created_at, updated_by, updated_at)
    select ${project.id}, ${tab.id}, n."duId", ${tab.keyMode}, n.sn, n.filled, ${user.id}, ${now}, ${user.id}, ${now}
    from jsonb_to_recordset(${given}) as n(index int, id bigint, "duId" bigint, sn text, filled jsonb) where n.id is null order by n.index
    returning id, du_id as "duId", sn, row_version as "rowVersion"`;
  // Matched here: the planner takes the given rows for few and would compare each with all.
  const keyOf = ({ duId, sn }: { duId: number; sn: string | null }) => `${duId}/${sn ?? ""}`;
  const indexes = new Map(rows.flatMap((row) => (row.id === null ? [[keyOf(row), row.index] as const] : [])));
  const made = inserted.map((row) => ({ index: indexes.get(keyOf(row))!, id: row.id, rowVersion: row.rowVersion }));
  const ids = new Map([...changed, ...made].map((row) => [row.index, row]));
  const lines = rows.map(({ index, duId, changes }) => ({ rowId: ids.get(index)!.id, duId, changes }));
  await sql`
    insert into du_tab_history (project_id, tab_id, row_id, du_id, changes, user_id, at, source)
    select ${project.id}, ${tab.id}, n."rowId", n."duId", n.changes, ${user.id}, ${now}, ${source}
    from jsonb_to_recordset(${sql.json(lines as never)}) as n("rowId" bigint, "duId" bigint, changes jsonb)`;
  return work.map(({ given: { index }, before }) => ({
    index,
    id: ids.get(index)?.id ?? before?.id ?? null,
    rowVersion: ids.get(index)?.rowVersion ?? before?.rowVersion ?? null,
  }));
}

/**
 * Deletes rows of DUs the caller may write; rows that are gone already are passed over.
 * @throws NO_TAB_WRITE [DUT-12]
 */
export async function deleteRows(ctx: Ctx, { tabId, ids }: RowIds): Promise<{ deleted: number[] }> {
  const { sql, project, user, now } = ctx;
  const tab = await getWritableTab(ctx, tabId);
  const deleted = await sql<{ id: number }[]>`
    with gone as (
      select r.id from du_tab_row r join du on du.id = r.du_id
      where r.tab_id = ${tab.id} and r.deleted_at is null and r.id = any(${ids}::bigint[]) and ${ctx.scope.where("duTab.edit")} order by r.id for update of r
    ), cut as (
      update du_tab_row r set deleted_at = ${now}, deleted_by = ${user.id}, row_version = r.row_version + 1 from gone where r.id = gone.id
      returning r.id, r.du_id, r.sn, r.data
    )
    insert into du_tab_history (project_id, tab_id, row_id, du_id, changes, user_id, at, source)
    select ${project.id}, ${tab.id}, id, du_id,
      coalesce((select jsonb_object_agg(key, jsonb_build_array(value, null)) from jsonb_each(data)), '{}') || case when sn is null then '{}' else jsonb_build_object('sn', jsonb_build_array(sn, null)) end,
      ${user.id}, ${now}, 'DELETE' from cut returning row_id as id`;
  ctx.audit(`du_tab rows ${tab.id}`, null, { deleted: deleted.map(({ id }) => id) }, "deleted");
  return { deleted: deleted.map(({ id }) => id).sort((a, b) => a - b) };
}

/**
 * Takes one's own deletion back while it is fresh, all rows or none.
 * @throws NO_TAB_WRITE, UNDO_TOO_LATE, SN_REPEATED when a number, or the place of a DU, is taken meanwhile
 */
export async function restoreRows(ctx: Ctx, { tabId, ids }: RowIds): Promise<{ restored: number[] }> {
  const { sql, project, user, now } = ctx;
  const tab = await getWritableTab(ctx, tabId);
  const since = new Date(now.getTime() - undoMinutes * 60_000);
  const found = await sql<{ id: number; taken: boolean }[]>`
    select r.id, exists (select from du_tab_row o where o.tab_id = r.tab_id and o.deleted_at is null
      and case r.key_mode when 'SN' then o.sn = r.sn else o.du_id = r.du_id end) as taken
    from du_tab_row r join du on du.id = r.du_id
    where r.tab_id = ${tab.id} and r.key_mode = ${tab.keyMode} and r.deleted_by = ${user.id} and r.deleted_at >= ${since} and r.id = any(${ids}::bigint[]) and ${ctx.scope.where("duTab.edit")}
    order by r.id for update of r`;
  if (found.length !== ids.length) throw new AppError("UNDO_TOO_LATE", { minutes: undoMinutes });
  if (found.some(({ taken }) => taken)) throw new AppError("SN_REPEATED");
  await sql`
    with back as (
      update du_tab_row set deleted_at = null, deleted_by = null, row_version = row_version + 1 where id = any(${ids}::bigint[]) returning id, du_id, sn, data
    )
    insert into du_tab_history (project_id, tab_id, row_id, du_id, changes, user_id, at, source)
    select ${project.id}, ${tab.id}, id, du_id,
      coalesce((select jsonb_object_agg(key, jsonb_build_array(null, value)) from jsonb_each(data)), '{}') || case when sn is null then '{}' else jsonb_build_object('sn', jsonb_build_array(null, sn)) end,
      ${user.id}, ${now}, 'RESTORE' from back`;
  ctx.audit(`du_tab rows ${tab.id}`, null, { restored: ids });
  return { restored: ids };
}
