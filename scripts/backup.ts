// `npm run backup -- <folder>`: database, files and secrets of the installation as they are at one moment, while it runs.
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connectForCopy, copyDatabase } from "#db/backup.ts";
import { env } from "#lib/core/env.ts";
import { AppError } from "#lib/core/error.ts";
import { readBytes } from "#lib/core/storage.ts";

const [given] = process.argv.slice(2);
if (!given) {
  console.error("Usage: npm run backup -- <new folder>");
  process.exit(2);
}
const folder = resolve(given);
if (existsSync(folder)) {
  console.error(`${folder} exists already: a backup goes to a new folder.`);
  process.exit(1);
}
const side = `${folder}.part`;
rmSync(side, { recursive: true, force: true });
for (const name of ["database", "files", "secrets"]) mkdirSync(join(side, name), { recursive: true, mode: 0o700 });
const settings = env();
const begin = performance.now();
const seconds = () => ((performance.now() - begin) / 1000).toFixed(1);

const sql = connectForCopy(settings.DATABASE_OWNER_URL);
const [made] = await sql<{ tables: string | null }[]>`select to_regclass('schema_migration')::text as tables`;
if (!made?.tables) {
  rmSync(side, { recursive: true, force: true });
  console.error("The database is empty: there is nothing to back up before the first `npm start`.");
  process.exit(1);
}
type FileRow = { id: string; mime: string; size: number; sha256: string };
const { copy, result: rows } = await copyDatabase(
  sql,
  join(side, "database"),
  (tx) => tx<FileRow[]>`select id, mime, size::int8::text::float8 as size, trim(sha256) as sha256 from file_object order by id`,
);
await sql.end({ timeout: 5 });
const total = copy.tables.reduce((sum, table) => sum + table.rows, 0);
console.log(`database    ${copy.tables.length} tables, ${total.toLocaleString("en")} rows    ${seconds()} s`);

const files: (FileRow & { missing?: true })[] = [];
let bytes = 0;
let missing = 0;
for (const row of rows) {
  try {
    const hash = createHash("sha256");
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    await pipeline(await readBytes(row.id), meter, createWriteStream(join(side, "files", row.id), { mode: 0o600 }));
    if (hash.digest("hex") !== row.sha256) throw new Error(`The content of file ${row.id} is not what was stored.`);
    files.push(row);
  } catch (error) {
    // A file past its age may be removed while the backup runs; its row goes with the next sweep.
    if (!(error instanceof AppError && error.code === "FILE_EXPIRED")) throw error;
    missing++;
    files.push({ ...row, missing: true });
  }
}
console.log(
  `files       ${files.length - missing} files, ${(bytes / 2 ** 20).toFixed(1)} MB${missing ? `, ${missing} gone` : ""}    ${seconds()} s`,
);

writeFileSync(join(side, "secrets/auth-secret"), settings.AUTH_SECRET, { mode: 0o600 });
const actionsKey = process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY;
if (actionsKey) writeFileSync(join(side, "secrets/server-actions-key"), actionsKey, { mode: 0o600 });
// For reading, when the machine has gone: names and addresses, no password.
const withoutPassword = (value: unknown) => (typeof value === "string" ? value.replace(/(\w+:\/\/[^:/@\s]*):[^@\s]*@/, "$1:…@") : value);
const shown = Object.entries(settings).filter(([name]) => !/SECRET|TOKEN/.test(name));
writeFileSync(
  join(side, "settings.json"),
  `${JSON.stringify(Object.fromEntries(shown.map(([name, value]) => [name, withoutPassword(value)])), null, 2)}\n`,
  {
    mode: 0o600,
  },
);
writeFileSync(join(side, "backup.json"), `${JSON.stringify({ format: 1, ...copy, files }, null, 1)}\n`, { mode: 0o600 });
renameSync(side, folder);
console.log(`backup      ${folder}    ${seconds()} s`);
