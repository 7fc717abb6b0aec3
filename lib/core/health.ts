import "server-only";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { getSql } from "#db/client.ts";
import { log } from "./log.ts";

/** A part of the installation that requests depend on. */
export type HealthPart = "database" | "migrations" | "worker";

const BEAT_SECONDS = 30;
const ANSWER_MILLISECONDS = 5_000;

/** The parts that are not ready; empty when everything works. A database that cannot be asked hides the rest. */
export async function missingParts(): Promise<HealthPart[]> {
  try {
    return await withinTime(askDatabase());
  } catch (error) {
    log.warn({ error }, "health: the database does not answer");
    return ["database"];
  }
}

async function askDatabase(): Promise<HealthPart[]> {
  const sql = getSql();
  const [known] = await sql<
    { migrated: boolean }[]
  >`select to_regclass('schema_migration') is not null and to_regclass('process_heartbeat') is not null as migrated`;
  if (!known?.migrated) return ["migrations", "worker"];
  const [row] = await sql<{ applied: string[]; worker: boolean }[]>`
    select array(select name from schema_migration) as applied,
      exists (select 1 from process_heartbeat where kind = 'worker' and beat_at > now() - make_interval(secs => ${BEAT_SECONDS})) as worker`;
  const applied = new Set(row?.applied);
  const missing: HealthPart[] = [];
  if (migrationNames().some((name) => !applied.has(name))) missing.push("migrations");
  if (!row?.worker) missing.push("worker");
  return missing;
}

let names: string[] | undefined;

/** Read once: a build and its migrations belong together. */
function migrationNames(): string[] {
  names ??= readdirSync(join(/* turbopackIgnore: true */ process.cwd(), "db/migrations")).filter((name) => name.endsWith(".sql"));
  return names;
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MILLISECONDS} ms`)), ANSWER_MILLISECONDS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
