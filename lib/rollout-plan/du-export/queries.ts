import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { siteKey } from "#lib/rollout-plan/du-import/logic.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { duCondition, duTables, siteCondition } from "#lib/rollout-plan/dus/queries.ts";
import { duFieldNames, siteFieldNames } from "#lib/rollout-plan/dus/schema.ts";
import type { SheetWords } from "./logic.ts";

/** A DU or site by the keys of the fields its import takes. */
export type MasterRow = Record<string, Cell>;

const batchRows = 500;

type Texts = {
  tabs: { dus: string; sites: string };
  values: { flag: { yes: string; no: string } } & Record<string, Record<string, string>>;
};

const textsOf = ({ locale }: Pick<Ctx, "locale">): Texts => loadMessages(locale).dus as unknown as Texts;

/** What a workbook is called, in the caller's language. */
export const sheetTitle = (ctx: Pick<Ctx, "locale">, what: "dus" | "sites"): string => textsOf(ctx).tabs[what];

/** Words of a workbook in the caller's language. */
export function sheetWords(ctx: Pick<Ctx, "locale">): SheetWords {
  const { values } = textsOf(ctx);
  return { choice: (field, value) => values[field]?.[value] ?? value, flag: (value) => (value ? values.flag.yes : values.flag.no) };
}

/** How many DUs the caller may see the conditions keep. */
export async function countDus(ctx: Ctx, filters: readonly Filter[]): Promise<number> {
  const { sql } = ctx;
  const [row] = await sql<{ total: number }[]>`
    select count(*)::int as total from ${duTables(ctx)} where ${duCondition(ctx, filters)}`;
  return row?.total ?? 0;
}

/** How many sites the caller may see the conditions keep. */
export async function countSites(ctx: Ctx, filters: readonly Filter[]): Promise<number> {
  const { sql } = ctx;
  const [row] = await sql<{ total: number }[]>`
    select count(*)::int as total from customer_site s where ${siteCondition(ctx, filters)}`;
  return row?.total ?? 0;
}

/** The DUs the conditions keep with the fields of their sites, by code, some hundred at a time. */
export async function* streamDus(ctx: Ctx, filters: readonly Filter[]): AsyncGenerator<MasterRow> {
  const { sql } = ctx;
  const own = duFieldNames.map((field) => `du.${columnOf(field)} as "${field}"`);
  const site = siteFieldNames.map((field) => `s.${columnOf(field)} as "${siteKey(field)}"`);
  const marks = ["du.id", 'du.row_version as "rowVersion"', 's.id as "siteId"', 's.row_version as "siteRowVersion"'];
  const named = [
    "r.name as region",
    "c.name as subcontractor",
    'm.code as "directMigrationSite"',
    'd.code as "decomSite"',
    "f.name as flow",
  ];
  const rows = sql<MasterRow[]>`
    select ${sql.unsafe([...own.filter((column) => !column.endsWith('"siteId"')), ...site, ...named, ...marks].join(", "))} from ${duTables(ctx)} where ${duCondition(ctx, filters)}
    order by du.code collate natural_order, du.id`;
  for await (const batch of rows.cursor(batchRows)) yield* batch;
}

/** The sites the conditions keep, by code, some hundred at a time. */
export async function* streamSites(ctx: Ctx, filters: readonly Filter[]): AsyncGenerator<MasterRow> {
  const { sql } = ctx;
  const fields = siteFieldNames.map((field) => `s.${columnOf(field)} as "${field}"`);
  const rows = sql<MasterRow[]>`
    select ${sql.unsafe([...fields, "s.id", 's.row_version as "rowVersion"'].join(", "))} from customer_site s where ${siteCondition(ctx, filters)} order by s.code collate natural_order, s.id`;
  for await (const batch of rows.cursor(batchRows)) yield* batch;
}
