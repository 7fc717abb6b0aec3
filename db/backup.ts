import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import postgres from "postgres";

/** One table of a backup: its rows as the text of COPY in `<schema>.<name>.gz`, the hash of that text. */
export type TableCopy = { schema: string; name: string; columns: string[]; rows: number; sha256: string };
/** Where a sequence stands. */
export type SequenceCopy = { schema: string; name: string; value: string; called: boolean };
/** What a backup knows of the database. */
export type DatabaseCopy = {
  server: string;
  takenAt: string;
  migrations: string[];
  queueVersion: number | null;
  tables: TableCopy[];
  sequences: SequenceCopy[];
};

/** What the processes write anew at any time, and what the migrations write. */
const left = ["process_heartbeat", "rate_limit", "schema_migration"];
const schemas = ["public", "pgboss"];

/** A login for copying: texts of values do not depend on its settings. */
export function connectForCopy(url: string): postgres.Sql {
  const connection = { TimeZone: "UTC", DateStyle: "ISO, YMD", IntervalStyle: "postgres", extra_float_digits: 1 };
  return postgres(url, { max: 1, onnotice: () => {}, connection: connection as never });
}

/** Counts and hashes what passes through. */
class Meter extends Transform {
  readonly #hash = createHash("sha256");

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  get sha256(): string {
    return this.#hash.copy().digest("hex");
  }
}

type Found = { schema: string; name: string; columns: string[]; key: string[] };

async function findTables(sql: postgres.ISql): Promise<Found[]> {
  return sql<Found[]>`
    select n.nspname as schema, c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      coalesce((select array_agg(a.attname::text order by k.at) from pg_index i, unnest(i.indkey::int[]) with ordinality k(num, at)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num where i.indrelid = c.oid and i.indisprimary), '{}') as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ${sql(schemas)} and c.relname not in ${sql(left)} order by 1, 2`;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const named = ({ schema, name }: { schema: string; name: string }) => `${quoted(schema)}.${quoted(name)}`;
const fileOf = (folder: string, { schema, name }: { schema: string; name: string }) => join(folder, `${schema}.${name}.gz`);

/**
 * Copies every table as it is at one moment, while the installation runs.
 * @param folder where the tables go; null only counts and hashes them
 * @param inside runs in the same moment, after the tables
 */
export async function copyDatabase<T>(
  sql: postgres.Sql,
  folder: string | null,
  inside: (sql: postgres.TransactionSql) => Promise<T>,
): Promise<{ copy: DatabaseCopy; result: T }> {
  return (await sql.begin("isolation level repeatable read read only", async (tx) => {
    const [facts] = await tx<{ server: string; at: Date }[]>`select current_setting('server_version') as server, now() as at`;
    const migrations = await tx<{ name: string }[]>`select name from schema_migration order by name`;
    const [queue] = await tx<{ version: number }[]>`select version from pgboss.version`;
    const tables: TableCopy[] = [];
    for (const table of await findTables(tx)) {
      const columns = table.columns.map(quoted).join(", ");
      const order = table.key.length > 0 ? ` order by ${table.key.map(quoted).join(", ")}` : "";
      const [counted] = await tx.unsafe<{ rows: number }[]>(`select count(*)::int as rows from ${named(table)}`);
      const meter = new Meter();
      const source = await tx.unsafe(`copy (select ${columns} from ${named(table)}${order}) to stdout`).readable();
      if (folder) await pipeline(source, meter, createGzip({ level: 3 }), createWriteStream(fileOf(folder, table), { mode: 0o600 }));
      else await pipeline(source, meter, drain);
      // The driver stops its line when the reader is slow, and leaves it so when the last rows come while it stands: reading on opens it.
      source._read(0);
      tables.push({ schema: table.schema, name: table.name, columns: table.columns, rows: counted!.rows, sha256: meter.sha256 });
    }
    const sequences: SequenceCopy[] = [];
    for (const found of await tx<{ schema: string; name: string }[]>`
      select schemaname as schema, sequencename as name from pg_sequences where schemaname in ${tx(schemas)} order by 1, 2`) {
      const [at] = await tx.unsafe<{ value: string; called: boolean }[]>(
        `select last_value::text as value, is_called as called from ${named(found)}`,
      );
      sequences.push({ ...found, ...at! });
    }
    const copy: DatabaseCopy = {
      server: facts!.server,
      takenAt: facts!.at.toISOString(),
      migrations: migrations.map((row) => row.name),
      queueVersion: queue?.version ?? null,
      tables,
      sequences,
    };
    return { copy, result: await inside(tx) };
  })) as { copy: DatabaseCopy; result: T };
}

async function drain(bytes: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of bytes);
}

/**
 * Fills the empty tables of a database that has the migrations of the copy, in one transaction: all of it arrives or nothing.
 * Needs the login that owns the tables, no more: the references between them are taken away for the while and checked when they are put back.
 * @returns names of the tables left out because the queue is of another version
 */
export async function fillDatabase(sql: postgres.Sql, folder: string, copy: DatabaseCopy): Promise<string[]> {
  return sql.begin(async (tx) => {
    const [queue] = await tx<{ version: number }[]>`select version from pgboss.version`;
    const leave = (table: { schema: string }) => table.schema === "pgboss" && queue?.version !== copy.queueVersion;
    const present = await findTables(tx);
    const wanted = copy.tables.filter((table) => !leave(table));
    const unknown = wanted.filter((table) => !present.some((one) => one.schema === table.schema && one.name === table.name));
    if (unknown.length > 0) throw new Error(`The database has no table ${unknown.map((table) => table.name).join(", ")}.`);
    const references = await tx<{ owner: string; name: string; text: string }[]>`
      select c.conrelid::regclass::text as owner, c.conname as name, pg_get_constraintdef(c.oid) as text
      from pg_constraint c join pg_namespace n on n.oid = c.connamespace where c.contype = 'f' and c.conparentid = 0 and n.nspname in ${tx(schemas)}`;
    for (const { owner, name } of references) await tx.unsafe(`alter table ${owner} drop constraint ${quoted(name)}`);
    for (const table of wanted) await tx.unsafe(`alter table ${named(table)} disable trigger user`);
    await tx.unsafe(`truncate ${wanted.map(named).join(", ")}`);
    for (const table of wanted) {
      const meter = new Meter();
      const target = await tx.unsafe(`copy ${named(table)} (${table.columns.map(quoted).join(", ")}) from stdin`).writable();
      await pipeline(createReadStream(fileOf(folder, table)), createGunzip(), meter, target);
      if (meter.sha256 !== table.sha256) throw new Error(`The copy of ${table.name} is damaged.`);
    }
    for (const { owner, name, text } of references) await tx.unsafe(`alter table ${owner} add constraint ${quoted(name)} ${text}`);
    for (const table of wanted) await tx.unsafe(`alter table ${named(table)} enable trigger user`);
    for (const sequence of copy.sequences.filter((one) => !leave(one)))
      await tx`select setval(${named(sequence)}::regclass, ${sequence.value}::bigint, ${sequence.called})`;
    return copy.tables.filter(leave).map((table) => `${table.schema}.${table.name}`);
  });
}
