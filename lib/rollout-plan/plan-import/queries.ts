import "server-only";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import { type FieldType, type FieldValue, type ImportField, type ImportRow, nameKey } from "#lib/imports/kind/logic.ts";
import { activityColumns, type ColumnType, type DuColumn, duColumnKeys, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { attributeColumnType } from "#lib/rollout-plan/columns/logic.ts";
import { columnTitles, listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { type Target, type Targets, targetOf } from "#lib/rollout-plan/edits/logic.ts";
import { type DuValues, readDuValues, readNotes, readTargets } from "#lib/rollout-plan/edits/queries.ts";
import { markKey } from "#lib/rollout-plan/plan-export/limits.ts";
import { readExportFrame } from "#lib/rollout-plan/plan-export/queries.ts";
import { type ActivityNote, noteKey } from "#lib/rollout-plan/plan-log/logic.ts";
import { listChangesSince } from "#lib/rollout-plan/plan-log/queries.ts";
import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { cellNumber, getCell, type PlanBlock, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readOwnerSets, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import {
  type Before,
  type CellWorld,
  type Named,
  namedAccounts,
  type Person,
  type PlanColumn,
  type PlanValue,
  valuesBefore,
} from "./logic.ts";

// Days are few, cells are many.
const dayTexts: (string | null)[] = [];

function dayText(day: number): string | null {
  dayTexts[day] ??= isoDay(day);
  return dayTexts[day] ?? null;
}

const types: Partial<Record<ColumnType, FieldType>> = {
  integer: "number",
  number: "number",
  boolean: "flag",
  date: "day",
  month: "month",
  choice: "choice",
};

/**
 * Columns of an exported plan that are read back: the mark of the row, its DU ID, and every column a cell of which can be edited. Values of attributes that
 * the plan does not show are exported too, and come back.
 */
export const listPlanFields = (ctx: Ctx): Promise<ImportField[]> => listFields(ctx, true);

async function listFields(ctx: Ctx, beside: boolean): Promise<ImportField[]> {
  const [library, attributes, targets] = await Promise.all([
    listLibraryActivities(ctx),
    listPlanAttributes(ctx, beside),
    readTargets(ctx, undefined, beside),
  ]);
  const own = attributes.filter((attribute) => attribute.type !== "READ_ONLY");
  const keysOf = (level: "DU" | "ACTIVITY") => own.filter((attribute) => attribute.level === level).map((attribute) => `a${attribute.id}`);
  const everywhere = [...Object.keys(activityColumns), ...keysOf("ACTIVITY")];
  const keys = [...duColumnKeys, ...library.flatMap((activity) => everywhere.map((field) => `${activity.id}:${field}`)), ...keysOf("DU")];
  const { columns, head } = await readExportFrame(ctx, keys);
  const names = new Map(library.map((activity) => [activity.id, activity.name]));
  const attributeTypes = new Map(own.map((attribute) => [`a${attribute.id}`, attributeColumnType(attribute.type)]));
  const fields = columns.flatMap((column, at): ImportField[] => {
    const { field, activityId } = placeOf(column.key);
    if (column.key !== "code" && "code" in targetOf({ field, activityId }, targets)) return [];
    const type =
      activityId === undefined && column.kind === "field"
        ? (duColumns[column.field] as DuColumn).type
        : column.kind === "owners"
          ? "reference"
          : column.kind === "attribute"
            ? (attributeTypes.get(field) ?? "text")
            : activityColumns[field as keyof typeof activityColumns].type;
    return [
      {
        key: column.key,
        title: head[at]?.title ?? column.key,
        type: column.kind === "owners" ? "accounts" : (types[type] ?? "text"),
        group: activityId === undefined ? "du" : (names.get(activityId) ?? ""),
        names: [],
        raw: true,
      },
    ];
  });
  const mark = (loadMessages(ctx.locale)["rollout-plan"] as { rowMark: string }).rowMark;
  return [...fields, { key: markKey, title: mark, type: "text", group: "du", names: [], raw: true, required: true }];
}

/** Columns of a plan in a foreign layout: those of an exported one without its mark; the DU is named by its code. */
export async function listForeignFields(ctx: Ctx): Promise<ImportField[]> {
  const fields = await listFields(ctx, false);
  return fields.flatMap((field) => (field.key === markKey ? [] : field.key === "code" ? { ...field, required: true } : field));
}

/** Ids of DUs the caller sees, by their codes. */
export async function findDuIds(ctx: Ctx, codes: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${ctx.scope.where("rollout.view")} and du.code = any(${[...new Set(codes)]}::text[])`;
  return new Map(rows.map(({ id, code }) => [code, id]));
}

function placeOf(key: string): { field: string; activityId: number | undefined } {
  const at = key.indexOf(":");
  return at < 0 ? { field: key, activityId: undefined } : { field: key.slice(at + 1), activityId: Number(key.slice(0, at)) };
}

/** The columns of a file that can be changed, by their keys. */
export async function readPlanColumns(ctx: Ctx, keys: readonly string[]): Promise<PlanColumn[]> {
  const [targets, attributes] = await Promise.all([readTargets(ctx, undefined, true), listPlanAttributes(ctx, true)]);
  const forms = new Map(attributes.map((attribute) => [attribute.id, attribute]));
  return keys.flatMap((key): PlanColumn[] => {
    const { field, activityId } = placeOf(key);
    const target = editTarget(field, activityId, targets);
    if (!target) return [];
    const form = target.kind === "attribute" ? forms.get(Number(field.slice(1))) : undefined;
    const above = form?.lookupParentId ? { parentKey: `${key.slice(0, -field.length)}a${form.lookupParentId}` } : {};
    return [{ key, field, activityId, target, log: logPlace(target), enums: form?.enums ?? [], ...above }];
  });
}

function editTarget(field: string, activityId: number | undefined, targets: Targets): Target | null {
  const target = targetOf({ field, activityId }, targets);
  return "code" in target ? null : target;
}

function logPlace(target: Target): number | string {
  switch (target.kind) {
    case "date":
    case "owner":
      return cellNumber(target.slot, target.field);
    case "note":
      return noteKey(target.field, target.slot);
    case "attribute":
      return target.key;
    default:
      return `du.${columnOf(target.field)}`;
  }
}

/** Present values of DUs and those they had at a change number. */
export type PlanSides = {
  block: PlanBlock;
  ours: (duId: number, column: PlanColumn) => PlanValue;
  base: (duId: number, column: PlanColumn) => PlanValue;
  /** The last change behind the change number, where there was one. */
  last: (duId: number, column: PlanColumn) => Before | null;
  /** DU ID now, and at the change number. */
  code: (duId: number) => { now: string; before: string };
  /** Everybody who is or was owner in one of the columns. */
  people: Set<number>;
};

/**
 * Reads the present values of DUs and works out from the log which they had when the workbook was written: the old value of the first change after it.
 * @param seqs change number of the export by DU
 */
export async function readPlanSides(ctx: Ctx, columns: readonly PlanColumn[], seqs: ReadonlyMap<number, number>): Promise<PlanSides> {
  const ids = [...seqs.keys()];
  const has = (...kinds: Target["kind"][]) => columns.some((column) => kinds.includes(column.target.kind));
  const [block, dus, notes, log] = await Promise.all([
    readPlanRows(ctx, ids),
    readDuValues(ctx, ids),
    has("note") ? readNotes(ctx, ids) : new Map<string, ActivityNote>(),
    listChangesSince(ctx, seqs),
  ]);
  const wanted = new Set(columns.map((column) => column.log).concat("du.code"));
  const changed = valuesBefore(log, wanted);
  const rows = rowIndex(block);
  const setIds = new Set<number>();
  const owners = columns.filter((column) => column.target.kind === "owner");
  for (const { target, log: place } of owners)
    for (const id of ids) {
      const row = rows.get(id);
      if (row === undefined) continue;
      setIds.add(getCell(block, row, (target as { slot: number }).slot, (target as { field: PlanField }).field));
      setIds.add((changed.get(id)?.get(place)?.value as number | undefined) ?? 0);
    }
  setIds.delete(0);
  const sets = await readOwnerSets(ctx, [...setIds]);
  const cellValue = (target: Target, value: number): PlanValue => (target.kind === "owner" ? (sets.get(value) ?? null) : dayText(value));
  const ours = (duId: number, { target }: PlanColumn): PlanValue => {
    switch (target.kind) {
      case "date":
      case "owner":
        return cellValue(target, getCell(block, rows.get(duId) as number, target.slot, target.field));
      case "note":
        return notes.get(`${duId} ${target.slot}`)?.[target.field] ?? null;
      case "attribute":
        return (dus.get(duId)?.ext[target.key] ?? null) as PlanValue;
      default:
        return ((dus.get(duId) as DuValues | undefined)?.[columnOf(target.field)] ?? null) as PlanValue;
    }
  };
  return {
    block,
    ours,
    base: (duId, column) => {
      const before = changed.get(duId)?.get(column.log);
      if (!before) return ours(duId, column);
      return typeof column.log === "number" ? cellValue(column.target, Number(before.value ?? 0)) : ((before.value ?? null) as PlanValue);
    },
    last: (duId, column) => changed.get(duId)?.get(column.log) ?? null,
    code: (duId) => {
      const now = String(dus.get(duId)?.code ?? "");
      return { now, before: String(changed.get(duId)?.get("du.code")?.value ?? now) };
    },
    people: new Set([...sets.values()].flat()),
  };
}

const references = ["region", "subcontractor", "directMigrationSite", "decomSite"] as const;
type Texts = { yes: string; no: string };
type DuTexts = { values: Record<string, Record<string, string>> };
type PlanTexts = { choices: Record<string, Record<string, string>> };

/** Everything the cells of some rows may refer to, in a fixed number of statements. */
export async function readCellWorld(
  ctx: Ctx,
  columns: readonly PlanColumn[],
  rows: readonly ImportRow[],
  sides: PlanSides,
  format: DateFormat,
): Promise<CellWorld> {
  const ofKind = (kind: Target["kind"]) => columns.filter((column) => column.target.kind === kind);
  const texts = (keys: readonly string[]) => {
    const found = new Set<string>();
    for (const { values } of rows) for (const key of keys) if (typeof values[key] === "string") found.add(values[key]);
    return [...found];
  };
  const accounts = new Set(texts(ofKind("owner").map((column) => column.key)).flatMap(namedAccounts));
  const people = await readPeople(ctx, accounts, sides.people);
  const named = await readNamed(ctx, columns, sides, texts);
  const all = locales.map((locale) => loadMessages(locale));
  const own = loadMessages(ctx.locale)["plan-grid"] as unknown as Texts;
  const titles = columnTitles(ctx);
  const words = (field: string, value: string) =>
    all.flatMap((messages) => [
      ...((messages["rollout-plan"] as unknown as PlanTexts).choices[field]?.[value] ?? []).toString().split("\n"),
      ...((messages.dus as unknown as DuTexts).values[field]?.[value] ?? []).toString().split("\n"),
    ]);
  const choices = new Map(
    duColumnKeys.map((key) => [
      key as string,
      ((duColumns[key] as DuColumn).choices ?? []).map((value) => ({ value, names: words(key, value).filter(Boolean) })),
    ]),
  );
  return {
    format,
    accounts: new Map(people.map((person) => [person.account.toLowerCase(), person])),
    people: new Map(people.map((person) => [person.id, person])),
    named,
    choices: (field) => choices.get(field) ?? [],
    choiceTitle: (field, value) => titles.choice(field, value),
    flag: (value) => (value ? own.yes : own.no),
  };
}

async function readPeople(ctx: Ctx, accounts: ReadonlySet<string>, ids: ReadonlySet<number>): Promise<Person[]> {
  if (accounts.size === 0 && ids.size === 0) return [];
  return [
    ...(await ctx.sql<Person[]>`
      select id, name, account from app_user where lower(account) = any(${[...accounts]}::text[]) or id = any(${[...ids]}::bigint[])`),
  ];
}

async function readNamed(
  ctx: Ctx,
  columns: readonly PlanColumn[],
  sides: PlanSides,
  texts: (keys: readonly string[]) => string[],
): Promise<CellWorld["named"]> {
  const { sql, project } = ctx;
  const used = new Map(columns.flatMap((column) => (references.some((key) => key === column.field) ? [[column.field, column]] : [])));
  const none: Named = { ids: new Map(), titles: new Map() };
  const named = { region: none, subcontractor: none, directMigrationSite: none, decomSite: none };
  type Thing = { id: number; name: string; live: boolean };
  const index = (things: readonly Thing[]): Named => ({
    ids: new Map(things.filter(({ live }) => live).map(({ id, name }) => [nameKey(name), id])),
    titles: new Map(things.map(({ id, name }) => [id, name])),
  });
  if (used.has("region"))
    named.region = index(
      await sql<Thing[]>`select id, name, deleted_at is null as live from delivery_region where project_id = ${project.id}`,
    );
  if (used.has("subcontractor"))
    named.subcontractor = index(
      await sql<
        Thing[]
      >`select id, name, status = 'ACTIVE' as live from subcontractor where project_id = ${project.id} and ${ctx.scope.company(sql`id`)}`,
    );
  const dus = ["directMigrationSite", "decomSite"].flatMap((key) => used.get(key) ?? []);
  if (dus.length > 0) {
    const ids = new Set(sides.block.duIds.flatMap((id) => dus.flatMap((column) => [sides.ours(id, column), sides.base(id, column)])));
    const codes = texts(dus.map((column) => column.key)).map((text) => text.trim());
    const found = index(
      await sql<Thing[]>`
        select o.id, o.code as name, o.deleted_at is null as live from du o where o.project_id = ${project.id} and ${ctx.scope.du(sql`o.id`)}
          and (o.code = any(${codes}::text[]) or o.id = any(${[...ids].filter((id) => typeof id === "number") as number[]}::bigint[]))`,
    );
    named.directMigrationSite = found;
    named.decomSite = found;
  }
  return named;
}

/** DUs among those asked whose plan the caller may import. */
export async function listImportable(ctx: Ctx, duIds: readonly number[]): Promise<Set<number>> {
  const rows = await ctx.sql<
    { id: number }[]
  >`select du.id from du where ${ctx.scope.where("rollout.import")} and du.id = any(${[...duIds]}::bigint[])`;
  return new Set(rows.map((row) => row.id));
}

/** Value of a cell as the file gives it. */
export const givenCell = (row: ImportRow, key: string): FieldValue => row.values[key] ?? null;
