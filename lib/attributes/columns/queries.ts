import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { columnRows } from "./limits.ts";
import { type AttributeColumn, ColumnBuilder } from "./logic.ts";

/** The DUs a block is read for: a condition on the alias `du`, or their ids. */
export type DuScope = PendingQuery<Row[]> | readonly number[];
/** An attribute of DUs by its id, one of activities with the slot of an activity. */
export type AskedAttribute = number | { id: number; slot: number };
/** Attributes as columns by their key in `du.ext` (`a12`, `a40@7`), for DUs in the order of their ids. */
export type AttributeBlock = { duIds: number[]; columns: Map<string, AttributeColumn> };

/**
 * Values of attributes as typed columns, read by one statement in blocks of rows. Attributes that are deleted or do not exist are left out.
 * It reads for the product itself: whoever shows what comes of it asks `attributes/modes` for whom.
 */
export async function readAttributeColumns(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  duScope: DuScope,
  attributeIds: readonly AskedAttribute[],
): Promise<AttributeBlock> {
  const asked = attributeIds.map((given) => (typeof given === "number" ? { id: given, slot: undefined } : given));
  const rows = await sql<{ id: number; type: AttributeType }[]>`
    select id, type from attribute where project_id = ${project.id} and deleted_at is null and id = any(${asked.map(({ id }) => id)}::bigint[])`;
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  const known = new Map(
    asked.flatMap(({ id, slot }) => {
      const type = types.get(id);
      return type ? [[attributeKey(id, slot), new ColumnBuilder(type)] as const] : [];
    }),
  );
  const within = Array.isArray(duScope) ? sql`du.id = any(${duScope as number[]}::bigint[])` : (duScope as PendingQuery<Row[]>);
  const keys = [...known.keys()];
  const builders = [...known.values()];
  // The keys are made of numbers alone.
  const source = keys.length === 0 ? "" : `, jsonb_to_record(du.ext) x(${keys.map((key) => `"${key}" text`).join(", ")})`;
  const selected = keys.map((key, at) => `, x."${key}" as c${at}`).join("");
  const duIds: number[] = [];
  const found = sql<({ id: number } & Record<`c${number}`, string | null>)[]>`
    select du.id ${sql.unsafe(selected)} from du ${sql.unsafe(source)}
    where du.project_id = ${project.id} and du.deleted_at is null and ${within} order by du.id`;
  for await (const block of found.cursor(columnRows))
    for (const row of block) {
      duIds.push(row.id);
      for (let at = 0; at < builders.length; at++) builders[at]!.add(row[`c${at}`] ?? null);
    }
  return { duIds, columns: new Map([...known].map(([key, builder]) => [key, builder.build()])) };
}
