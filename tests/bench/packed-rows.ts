import type { Sql } from "#db/client.ts";

/** A row of the plan as a bare side writes it: the texts of its changed kinds by column, and its changed cells as the log packs them. */
export type PackedRow = { id: number; version: number; kinds: Record<string, string>; cells: number[]; old: number[]; now: number[] };

/** Text of an array of the database. */
export const arrayText = (values: readonly number[]): string => `{${values.join(",")}}`;

/** Numbers of the text of an array, none for a missing one. */
export const arrayNumbers = (text: string | null): number[] => (text ?? "{}").slice(1, -1).split(",").map(Number);

/** Writes rows back in one statement where nobody has changed them, with one packed change row each: the least that reading, computing and writing can cost. */
export async function writePacked(
  tx: Sql,
  projectId: number,
  columns: Readonly<Record<string, "smallint" | "int">>,
  rows: readonly PackedRow[],
): Promise<void> {
  const list = (of: (row: PackedRow) => string | number) => tx`string_to_array(${rows.map(of).join("|")}, '|')`;
  const names = Object.keys(columns);
  const kinds = names.reduce((parts, name) => tx`${parts}, ${list((row) => row.kinds[name]!)}`, tx``);
  const sets = names.map((name, at) => `${name} = n.v${at}::${columns[name]}[]`).join(", ");
  const [batch] = await tx<{ id: number }[]>`
    insert into plan_batch (project_id, seq, at, source, du_count, cell_count)
    select ${projectId}, -1 - count(*), now(), 'system', ${rows.length}, 0 from plan_batch returning id`;
  await tx`
    update du_plan p set ${tx.unsafe(sets)}, row_version = p.row_version + 1
    from unnest(${list(({ id }) => id)}, ${list(({ version }) => version)}${kinds}) n(id, version, ${tx.unsafe(names.map((_, at) => `v${at}`).join(", "))})
    where p.du_id = n.id::bigint and p.row_version = n.version::int`;
  await tx`
    insert into plan_log (du_id, batch_id, project_id, at, cells, old, new)
    select n.id::bigint, ${batch!.id}, ${projectId}, now(), n.cells::smallint[], n.old::int[], n.now::int[]
    from unnest(${list(({ id }) => id)}, ${list(({ cells }) => arrayText(cells))}, ${list(({ old }) => arrayText(old))}, ${list(({ now }) => arrayText(now))})
      n(id, cells, old, now)`;
}
