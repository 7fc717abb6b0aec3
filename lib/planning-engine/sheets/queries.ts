import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { InputBlock } from "../input-check/limits.ts";
import { type Block, blocks } from "../inputs/logic.ts";
import { columnsOf, type InputRow } from "../inputs/queries.ts";
import { readSetting } from "../versions/queries.ts";
import { rowsOfBlock, type SheetColumn } from "./logic.ts";

/** All rows of an input of a version, in their order; the settings are one. */
export async function readInputRows(ctx: Pick<Ctx, "sql">, versionId: number, block: InputBlock): Promise<InputRow[]> {
  const { sql } = ctx;
  if (block === "setting") {
    const setting = await readSetting(ctx, versionId);
    return setting ? [{ id: versionId, ...setting }] : [];
  }
  const rows: Block = blocks[rowsOfBlock[block]];
  return [
    ...(await sql<InputRow[]>`
      select ${sql.unsafe(columnsOf(rows))} from ${sql(rows.table)} r ${sql.unsafe(rows.joins ?? "")} where r.version_id = ${versionId}
      order by ${sql.unsafe(rows.order ?? "r.id")}`),
  ];
}

/** How many rows an input of a version has, and of how many DUs where its rows are theirs. */
export async function countInputRows(
  ctx: Pick<Ctx, "sql">,
  versionId: number,
  block: InputBlock,
): Promise<{ rows: number; dus: number | null }> {
  const { sql } = ctx;
  if (block === "setting") return { rows: (await readSetting(ctx, versionId)) ? 1 : 0, dus: null };
  const { table, fields }: Block = blocks[rowsOfBlock[block]];
  const [count] = await sql<{ rows: number; dus: number | null }[]>`
    select count(*)::int as rows, ${"duId" in fields ? sql`count(distinct r.du_id)::int` : sql`null::int`} as dus
    from ${sql(table)} r where r.version_id = ${versionId}`;
  return count!;
}

/** Ids of DUs by code, or of warehouses by name. */
export async function readNamed(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  table: "du" | "engine_warehouse",
  names: readonly string[],
): Promise<Map<string, number>> {
  const found =
    table === "du"
      ? await sql<{ id: number; name: string }[]>`
          select id, code as name from du where project_id = ${project.id} and deleted_at is null and code = any(${[...new Set(names)]}::text[])`
      : await sql<{ id: number; name: string }[]>`
          select id, name from engine_warehouse where project_id = ${project.id} and name = any(${[...new Set(names)]}::text[])`;
  return new Map(found.map(({ id, name }) => [name, id]));
}

type SheetTexts = {
  sheet: { reason: string; failures: string; mismatch: Record<"template" | "block", string>; setting: Record<string, string> };
};
type HomeTexts = { fields: Record<string, string>; blocks: Record<string, string> };

/** Texts of the workbooks in the language of a person: titles of columns are those of the grid. */
export function inputSheetTexts({ locale }: Pick<Ctx, "locale">, block: InputBlock) {
  const messages = loadMessages(locale);
  const { sheet } = messages["engine-inputs"] as unknown as SheetTexts;
  const { fields, blocks: names } = messages["engine-home"] as unknown as HomeTexts;
  const title = block === "setting" ? names.setting! : names[rowsOfBlock[block]]!;
  const column = ({ key }: SheetColumn) => sheet.setting[key] ?? fields[key === "warehouseName" ? "warehouseId" : key] ?? key;
  return { ...sheet, title, column };
}
