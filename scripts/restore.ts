// `npm run restore -- <folder>`: fills an empty installation from a backup and checks every table and file against it.
import { createHash } from "node:crypto";
import { cpSync, createReadStream, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectForCopy, copyDatabase, type DatabaseCopy, fillDatabase } from "#db/backup.ts";
import { migrate, migrationFiles } from "#db/migrate.ts";
import { env } from "#lib/core/env.ts";
import { readBytes, writeBytes } from "#lib/core/storage.ts";

type FileRow = { id: string; mime: string; size: number; sha256: string; missing?: true };

const [given] = process.argv.slice(2);
if (!given) {
  console.error("Usage: npm run restore -- <folder of a backup>");
  process.exit(2);
}
const folder = resolve(given);
const { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR } = env();
const begin = performance.now();
const seconds = () => ((performance.now() - begin) / 1000).toFixed(1);
const refuse = (text: string): never => {
  console.error(text);
  process.exit(1);
};

const backup = JSON.parse(readFileSync(join(folder, "backup.json"), "utf8")) as DatabaseCopy & { format: number; files: FileRow[] };
if (backup.format !== 1) refuse(`The backup has format ${backup.format}; this version reads format 1.`);
const newer = backup.migrations.filter((name) => !migrationFiles().includes(name));
if (newer.length > 0) refuse(`The backup is of a newer version of Milepost (${newer.join(", ")}): restore it with that version.`);

const sql = connectForCopy(DATABASE_OWNER_URL);
// The schema of the day of the backup first; what has been added since comes over the data.
const [there] = await sql<{ found: boolean }[]>`select to_regclass('public.project') is not null as found`;
if (there?.found) {
  const [filled] = await sql<{ filled: boolean }[]>`select exists (select from project) or exists (select from app_user) as filled`;
  if (filled?.filled) refuse("The database is not empty: a restore goes into an empty one.");
  const applied = (await sql<{ name: string }[]>`select name from schema_migration`).map((row) => row.name);
  const more = applied.filter((name) => !backup.migrations.includes(name));
  if (more.length > 0)
    refuse(`The database is newer than the backup (${more.join(", ")}): restore into a new one, it is brought up to date afterwards.`);
}
await migrate(DATABASE_OWNER_URL, DATABASE_URL, backup.migrations);
const leftOut = await fillDatabase(sql, join(folder, "database"), backup);
const rows = backup.tables.reduce((sum, table) => sum + table.rows, 0);
console.log(`database    ${backup.tables.length} tables, ${rows.toLocaleString("en")} rows    ${seconds()} s`);
if (leftOut.length > 0) console.log(`            the queue is of another version: its jobs are made anew from the open tasks`);

// Checked before anything newer touches it: every table is read back and compared with what the backup holds.
const { copy: present } = await copyDatabase(sql, null, async () => {});
const wrong = backup.tables.filter((table) => {
  if (leftOut.includes(`${table.schema}.${table.name}`)) return false;
  const found = present.tables.find((one) => one.schema === table.schema && one.name === table.name);
  return found?.rows !== table.rows || found.sha256 !== table.sha256;
});
if (wrong.length > 0) refuse(`These tables differ from the backup: ${wrong.map((table) => table.name).join(", ")}`);
console.log(`checked     every table: number of rows and checksum    ${seconds()} s`);

let bytes = 0;
for (const file of backup.files) {
  if (file.missing) continue;
  const stored = await writeBytes(file.id, createReadStream(join(folder, "files", file.id)), file.mime);
  if (stored.sha256 !== file.sha256 || stored.size !== file.size) refuse(`File ${file.id} of the backup is damaged.`);
  const hash = createHash("sha256");
  for await (const chunk of await readBytes(file.id)) hash.update(chunk as Buffer);
  if (hash.digest("hex") !== file.sha256) refuse(`File ${file.id} was not stored as it is.`);
  bytes += stored.size;
}
const kept = backup.files.filter((file) => !file.missing).length;
console.log(`files       ${kept} files, ${(bytes / 2 ** 20).toFixed(1)} MB, written and read back    ${seconds()} s`);

mkdirSync(join(DATA_DIR, "secrets"), { recursive: true, mode: 0o700 });
for (const name of readdirSync(join(folder, "secrets"))) cpSync(join(folder, "secrets", name), join(DATA_DIR, "secrets", name));

const added = await migrate(DATABASE_OWNER_URL, DATABASE_URL);
await sql`analyze`;
await sql.end({ timeout: 5 });
console.log(
  `restored    the state of ${backup.takenAt}${added.length > 0 ? `, ${added.length} newer migrations applied` : ""}    ${seconds()} s`,
);
