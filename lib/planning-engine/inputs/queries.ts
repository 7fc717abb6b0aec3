import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import { demandVersion } from "../versions/queries.ts";
import { type Block, type BlockName, blocks } from "./logic.ts";

/** A row of an input, with its fields by name. */
export type InputRow = { id: number; rowVersion: number } & Record<string, unknown>;

/** What is read of a block: its fields, and what it shows of the rows it refers to. */
export function columnsOf({ fields, shown = {} }: Block): string {
  return [
    "r.id",
    ...Object.entries(fields).map(([field, [column]]) => `r.${column} as "${field}"`),
    ...Object.entries(shown).map(([field, expression]) => `${expression} as "${field}"`),
    'r.row_version as "rowVersion"',
  ].join(", ");
}

/** A page of the rows of a block, in their order; of a version, without one of the current version. @throws NOT_FOUND */
export async function listRows(ctx: Ctx, name: BlockName, { page, size, filters }: ListInput): Promise<Page<InputRow>> {
  const { sql, project } = ctx;
  const block: Block = blocks[name];
  const value = (field: string) => filters.find((filter) => filter.field === field)?.values[0];
  const wanted = value("versionId");
  const versionId = wanted === undefined ? undefined : Number(wanted);
  if (versionId !== undefined) {
    if (!Number.isSafeInteger(versionId)) throw new AppError("NOT_FOUND", { object: String(wanted) });
    await demandVersion(ctx, versionId);
  }
  const version =
    block.scope === "project"
      ? sql``
      : versionId === undefined
        ? sql`and r.version_id = (select id from engine_plan_version where project_id = ${project.id} and is_current)`
        : sql`and r.version_id = ${versionId}`;
  const text = value("search");
  const found =
    text === undefined
      ? sql``
      : sql`and position(lower(${String(text)}) in lower(concat_ws(' ', ${sql.unsafe(block.search.join(", "))}))) > 0`;
  const dus = "duId" in block.fields ? filters.find((filter) => filter.field === "duId")?.values : undefined;
  const named = dus ? sql`and r.du_id = any(${dus.map(Number).filter(Number.isSafeInteger)}::bigint[])` : sql``;
  const rows = await sql<(InputRow & { total: number })[]>`
    select ${sql.unsafe(columnsOf(block))}, count(*) over ()::int as total from ${sql(block.table)} r ${sql.unsafe(block.joins ?? "")}
    where r.project_id = ${project.id} ${version} ${found} ${named} order by ${sql.unsafe(block.order ?? "r.id")} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row as InputRow), total: rows[0]?.total ?? 0, page, size };
}
