import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { locales } from "#lib/core/locale.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { CheckedRow, ImportKind, ImportRow, ImportRun, WriteFrame } from "#lib/imports/kind/logic.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { writeDuOwners } from "../du-owners/commands.ts";
import { type DuOwnerKind, duOwnerKinds, duSheetColumns, duSheetLocked, duSheetVersion } from "../du-owners/limits.ts";
import { countDus, findDuOwners, ownersKey, streamDuOwners } from "../du-owners/queries.ts";
import { type DuOwnerExportParams, type ExportDuOwners, OwnerImportOptions } from "../du-owners/schema.ts";
import type { Owner } from "../people/logic.ts";
import { judgeAccounts, ownerTexts, readOwners } from "../people/queries.ts";
import { writeRegionOwners } from "../region-owners/commands.ts";
import { regionSheetColumns, regionSheetLocked, regionSheetVersion } from "../region-owners/limits.ts";
import { findRegionOwners, readRegionOwners } from "../region-owners/queries.ts";
import type { ExportRegionOwners, RegionOwnerExportParams } from "../region-owners/schema.ts";
import { cellAccounts, checkedRow, type OwnerWork, ownerFields, ownerWork, type SheetFacts } from "./logic.ts";

const sheetTexts = ({ locale }: Pick<Ctx, "locale">) => ({
  title: (column: string) => ownerTexts(locale)(`sheet.${column}`),
  names: (column: string) => locales.map((one) => ownerTexts(one)(`sheet.${column}`)),
});

const peopleText = (people: readonly Owner[]): string => people.map(({ name, account }) => `${name} (${account})`).join(", ");

/**
 * Starts an export of the DUs the conditions keep, with their owners.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startDuExport(ctx: Ctx, { filters }: z.output<typeof ExportDuOwners>): Promise<{ taskId: string }> {
  const total = await countDus(ctx, filters);
  const title = ownerTexts(ctx.locale)("sheet.duTitle");
  return startListExport(ctx, { kind: "owners.duExport", title, params: { filters, total }, total, columns: duSheetColumns.length });
}

/** Writes the workbook of the owners of DUs, one row per DU, in the form their import takes back. Safe to run twice. */
export function runDuExport(job: JobCtx, { filters, total }: DuOwnerExportParams): Promise<Outcome> {
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const dus of streamDuOwners(job, filters))
      for (const { code, name, region, owners } of dus) yield [code, name, region, ...duOwnerKinds.map((kind) => peopleText(owners[kind]))];
  }
  const texts = sheetTexts(job);
  return storeListExport(job, {
    title: texts.title("duTitle"),
    columns: duSheetColumns.map((key) => ({ key, title: texts.title(key), kind: "text" })),
    rows: rows(),
    total,
    lockedColumns: duSheetLocked,
    meta: { kind: "duOwners", version: duSheetVersion },
  });
}

/**
 * Starts an export of the regions with their owners.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startRegionExport(ctx: Ctx, { filters }: z.output<typeof ExportRegionOwners>): Promise<{ taskId: string }> {
  const total = (await readRegionOwners(ctx, filters)).length;
  const title = ownerTexts(ctx.locale)("sheet.regionTitle");
  return startListExport(ctx, {
    kind: "owners.regionExport",
    title,
    params: { filters, total },
    total,
    columns: regionSheetColumns.length,
  });
}

/** Writes the workbook of the owners of regions in the form their import takes back. Safe to run twice. */
export async function runRegionExport(job: JobCtx, { filters, total }: RegionOwnerExportParams): Promise<Outcome> {
  const texts = sheetTexts(job);
  const regions = await readRegionOwners(job, filters);
  async function* rows(): AsyncGenerator<Cell[]> {
    for (const { name, owners } of regions) yield [name, peopleText(owners)];
  }
  return storeListExport(job, {
    title: texts.title("regionTitle"),
    columns: regionSheetColumns.map((key) => ({ key, title: texts.title(key), kind: "text" })),
    rows: rows(),
    total,
    lockedColumns: regionSheetLocked,
    meta: { kind: "regionOwners", version: regionSheetVersion },
  });
}

type Read = (ctx: Ctx, rows: readonly ImportRow[], lock: boolean) => Promise<SheetFacts>;
type Sheet = {
  key: "code" | "region";
  fields: readonly string[];
  unknown: Parameters<typeof ownerWork>[1]["unknown"];
  read: Read;
  write: (ctx: Ctx, works: readonly OwnerWork[]) => Promise<void>;
};

/** An import that sets the owners of what its rows name; what the file leaves out stays. */
function ownerImport(sheet: Sheet): ImportKind {
  const check = async (ctx: Ctx, rows: readonly ImportRow[], { blanks }: OwnerImportOptions, seen: Map<number, number>, lock: boolean) => {
    const facts = await sheet.read(ctx, rows, lock);
    return rows.map((row) => ownerWork(row, sheet, facts, blanks, seen));
  };
  return {
    options: OwnerImportOptions,
    fields: async (ctx) => ownerFields(sheet.key, sheet.fields, sheetTexts(ctx), "owner"),
    choices: async () => [{ key: "blanks", type: "blanks" }],
    fallbacks: [],
    labels: [sheet.key],
    open: (options: OwnerImportOptions): ImportRun => {
      const seen = new Map<number, number>();
      return {
        check: async (ctx, rows) => (await check(ctx, rows, options, seen, false)).map(checkedRow),
        write: async (ctx, rows, frame: WriteFrame): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> => {
          const works = await check(ctx, rows, options, new Map(), true);
          const rejected = works.filter(({ problems }) => problems.length > 0).map(checkedRow);
          const accepted = works.filter(({ problems, changes }) => problems.length === 0 && changes.length > 0);
          if (accepted.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
          await frame.step(0.5);
          await sheet.write(ctx, accepted);
          return { written: accepted.map(checkedRow), rejected };
        },
      };
    },
  };
}

const namesOf = (rows: readonly ImportRow[], key: string) =>
  rows.flatMap(({ values }) => (typeof values[key] === "string" ? [String(values[key]).toLowerCase()] : []));

async function peopleFacts(
  ctx: Ctx,
  rows: readonly ImportRow[],
  fields: readonly string[],
  held: Iterable<readonly number[]>,
): Promise<Omit<SheetFacts, "targets">> {
  const people = await readOwners(ctx, [...held].flat());
  const accounts = rows.flatMap((row) => fields.flatMap((field) => cellAccounts(row, field) ?? []));
  const judged = await judgeAccounts(ctx, [...new Set(accounts)]);
  return { accounts: new Map([...people.values()].map(({ userId, account }) => [userId, account])), ...judged };
}

/** The import of owners of DUs, kind by kind. */
export const duOwnerImport = ownerImport({
  key: "code",
  fields: duOwnerKinds,
  unknown: (code) => ({ code: "DU_NOT_FOUND", params: { code } }),
  read: async (ctx, rows, lock) => {
    const ids = await ctx.sql<{ id: number }[]>`
      select du.id from du where ${ctx.scope.where("owner.duEdit")} and lower(du.code) = any(${namesOf(rows, "code")}::text[])`;
    const { codes, held } = await findDuOwners(
      ctx,
      "owner.duEdit",
      ids.map(({ id }) => id),
      { lock },
    );
    const targets = new Map(
      [...codes].map(([id, code]) => [
        code.toLowerCase(),
        { id, held: new Map(duOwnerKinds.map((kind) => [kind as string, held.get(ownersKey(id, kind)) ?? []])) },
      ]),
    );
    return { targets, ...(await peopleFacts(ctx, rows, duOwnerKinds, held.values())) };
  },
  write: async (ctx, works) => {
    const { codes, held } = await findDuOwners(
      ctx,
      "owner.duEdit",
      works.map(({ id }) => id),
    );
    const rows = works.flatMap(({ id, people }) =>
      [...people].map(([kind, userIds]) => ({ duId: id, kind: kind as DuOwnerKind, userIds })),
    );
    await writeDuOwners(ctx, rows, held, codes);
  },
});

/** The import of owners of regions. */
export const regionOwnerImport = ownerImport({
  key: "region",
  fields: ["owners"],
  unknown: (name) => ({ code: "REGION_UNKNOWN", params: { value: name } }),
  read: async (ctx, rows, lock) => {
    const ids = await ctx.sql<{ id: number }[]>`
      select id from delivery_region where project_id = ${ctx.project.id} and deleted_at is null and lower(name) = any(${namesOf(rows, "region")}::text[])`;
    const regions = await findRegionOwners(
      ctx,
      ids.flatMap(({ id }) => (ctx.can("owner.duEdit", { regionId: id }) ? [id] : [])),
      { lock },
    );
    const targets = new Map(
      [...regions].map(([id, { name, userIds }]) => [name.toLowerCase(), { id, held: new Map([["owners", userIds]]) }]),
    );
    return {
      targets,
      ...(await peopleFacts(
        ctx,
        rows,
        ["owners"],
        [...regions.values()].map(({ userIds }) => userIds),
      )),
    };
  },
  write: async (ctx, works) => {
    const regions = await findRegionOwners(
      ctx,
      works.map(({ id }) => id),
    );
    await writeRegionOwners(
      ctx,
      works.map(({ id, people }) => ({ regionId: id, userIds: people.get("owners")! })),
      regions,
    );
  },
});
