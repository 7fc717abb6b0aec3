import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import {
  type CheckedRow,
  type FieldProblem,
  type FieldValue,
  type ImportKind,
  type ImportRow,
  type ImportRun,
  isChangedSince,
  rowMark,
  type WriteFrame,
} from "#lib/imports/kind/logic.ts";
import { type StoredSite, siteImportFields } from "#lib/rollout-plan/du-import/logic.ts";
import { fieldTexts, lockNamed, readSites } from "#lib/rollout-plan/du-import/queries.ts";
import { SiteImportOptions } from "#lib/rollout-plan/du-import/schema.ts";
import { ensureSites, logSiteChanges, updateSites } from "#lib/rollout-plan/dus/commands.ts";
import { changedFields } from "#lib/rollout-plan/dus/logic.ts";
import { siteFieldNames, siteFields } from "#lib/rollout-plan/dus/schema.ts";

/** The import of sites. */
export const siteImport: ImportKind = {
  options: SiteImportOptions,
  fields: async (ctx) => siteImportFields(fieldTexts(ctx)),
  choices: async () => [{ key: "blanks", type: "blanks" }],
  fallbacks: [],
  labels: ["code", "name"],
  hidden: rowMark,
  open: (options: SiteImportOptions): ImportRun => {
    const seen = new Map<string, number>();
    return {
      check: async (ctx, rows) => (await checkRows(ctx, rows, options, seen)).map(({ checked }) => checked),
      write: (ctx, rows, frame) => writeRows(ctx, rows, options, frame),
    };
  },
};

type SiteWork = {
  checked: CheckedRow;
  stored: StoredSite | null;
  fields: Record<string, FieldValue>;
  changes: Record<string, [unknown, unknown]>;
};

async function checkRows(ctx: Ctx, rows: readonly ImportRow[], options: SiteImportOptions, seen: Map<string, number>): Promise<SiteWork[]> {
  const codes = rows.flatMap(({ values }) => (typeof values.code === "string" ? [values.code] : []));
  const sites = await readSites(ctx, [...new Set(codes)]);
  return rows.map((row) => checkRow(row, sites, options, seen));
}

function checkRow(row: ImportRow, sites: ReadonlyMap<string, StoredSite>, options: SiteImportOptions, seen: Map<string, number>): SiteWork {
  const problems: FieldProblem[] = [...row.problems];
  const code = String(row.values.code ?? "");
  const stored = sites.get(code) ?? null;
  const fields: Record<string, FieldValue> = {};
  for (const name of siteFieldNames) {
    const value = row.values[name];
    const schema = siteFields[name];
    if (value === undefined) continue;
    if (value === null && name !== "code" && (!stored || options.blanks === "keep" || !schema.safeParse(null).success)) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) fields[name] = parsed.data;
    else
      for (const { code: fault, params } of zodProblems(parsed.error, value))
        problems.push({ path: name, code: value === null ? "VALUE_MISSING" : fault, ...(params && { params }) });
  }
  const first = seen.get(code);
  if (code !== "" && first !== undefined) problems.push({ path: "code", code: "REPEATED_IN_FILE", params: { row: first } });
  else if (code !== "") seen.set(code, row.no);
  if (!stored) fields.name ??= code;
  const changes = changedFields(stored ?? {}, fields);
  const shown = Object.entries(changes).flatMap(([name, [old, next]]): CheckedRow["changes"] =>
    name === "code" ? [] : [[name, old as FieldValue, next as FieldValue]],
  );
  if (stored && shown.length > 0 && isChangedSince(row.values[rowMark], stored)) problems.push({ path: "", code: "STALE" });
  const outcome = problems.length > 0 ? "rejected" : !stored ? "new" : shown.length > 0 ? "changed" : "unchanged";
  return { checked: { no: row.no, outcome, changes: shown, problems }, stored, fields, changes };
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: SiteImportOptions,
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  await lockNamed(ctx, rows, "code");
  const works = await checkRows(ctx, rows, options, new Map());
  const rejected = works.flatMap(({ checked }) => (checked.outcome === "rejected" ? [checked] : []));
  const made = works.filter(({ checked }) => checked.outcome === "new");
  const changed = works.filter(({ checked }) => checked.outcome === "changed");
  if (made.length + changed.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  await ensureSites(
    ctx,
    made.map(({ fields }) => fields as unknown as { code: string; name: string }),
  );
  const updates = changed.map(({ stored, changes }) => ({ id: stored?.id as number, changes }));
  await updateSites(ctx, updates);
  await logSiteChanges(ctx, updates, { source: "import", reason: frame.reason, origin: { kind: "task", id: frame.originKey } });
  ctx.audit(`task ${frame.taskId}`, null, { kind: "sites", new: made.length, changed: changed.length, rejected: rejected.length });
  return { written: [...made, ...changed].map(({ checked }) => checked).sort((a, b) => a.no - b.no), rejected };
}
