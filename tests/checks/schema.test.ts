import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import * as schema from "#db/schema/index.ts";
import { useDatabase } from "../support/database.ts";

const db = useDatabase();
const tables = Object.values(schema).filter((value) => value instanceof PgTable);
// Made and read by the migration runner alone.
const outside = ["schema_migration"];

describe("db/schema", () => {
  it("describes every table of the migrations; a table without description belongs into db/schema/<area>.ts", async () => {
    const rows = await db.owner<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
    const described = tables.map((table) => getTableConfig(table).name);
    expect(rows.map(({ name }) => name).filter((name) => !described.includes(name) && !outside.includes(name))).toEqual([]);
    expect(described.filter((name, index) => described.indexOf(name) !== index)).toEqual([]);
  });

  it.each(
    tables.map((table) => [getTableConfig(table).name, getTableConfig(table)] as const),
  )("%s has the columns of the database", async (name, config) => {
    const rows = await db.owner<{ column: string; required: boolean }[]>`
      select attname as column, attnotnull as required from pg_attribute
      where attrelid = ${`public.${name}`}::regclass and attnum > 0 and not attisdropped order by attname`;
    const described = config.columns
      .map((column) => ({ column: column.name, required: column.notNull }))
      .sort((a, b) => (a.column < b.column ? -1 : 1));
    const inKey = new Set(config.primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
    expect(described.map((row) => ({ ...row, required: row.required || inKey.has(row.column) }))).toEqual([...rows]);
  });
});
