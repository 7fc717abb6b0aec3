import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { Sql } from "#db/client.ts";

/** A value as COPY text: null as \N, special characters escaped. */
function field(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return "\\N";
  if (value === true) return "t";
  if (value === false) return "f";
  return String(value).replace(/[\\\t\n\r]/g, (char) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n" })[char] ?? "\\r");
}

/** Array literal of whole numbers; null for an array without any value. */
export function arrayText(values: ArrayLike<number>): string | null {
  let length = values.length;
  while (length > 0 && values[length - 1] === 0) length--;
  return length === 0 ? null : `{${Array.prototype.slice.call(values, 0, length).join(",")}}`;
}

/**
 * Streams rows into a table by COPY.
 * @param columns names in the order of each row's values
 */
export async function copyRows(
  sql: Sql,
  table: string,
  columns: string[],
  rows: Iterable<(string | number | boolean | null | undefined)[]>,
): Promise<void> {
  const sink = await sql`copy ${sql(table)} (${sql(columns)}) from stdin`.writable();
  let text = "";
  for (const row of rows) {
    text += `${row.map(field).join("\t")}\n`;
    if (text.length > 1_000_000) {
      if (!sink.write(text)) await once(sink, "drain");
      text = "";
    }
  }
  sink.end(text);
  await finished(sink);
}
