import "server-only";
import { createConnection, type Socket } from "node:net";
import { PgDatabase } from "drizzle-orm/pg-core/db";
import { PgDialect } from "drizzle-orm/pg-core/dialect";
import { type PostgresJsQueryResultHKT, PostgresJsSession } from "drizzle-orm/postgres-js/session";
import postgres, { type ISql, type Sql as PostgresSql, type TransactionSql } from "postgres";
import { env } from "#lib/core/env.ts";
import { lean } from "./statement.ts";

// Days stay ISO strings, bigint and numeric become numbers (ids and amounts stay far below 2^53), moments stay Date.
const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  date: { to: 1082, from: [1082], serialize: String, parse: (text: string) => text },
  numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
};

type Types = { bigint: number; date: string; numeric: number };
/** The pool of connections. */
export type Pool = PostgresSql<Types>;
/** The pool or one transaction on it: whatever runs a statement. */
export type Sql = ISql<Types>;
/** Drizzle over the same pool or transaction. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>;

/** Where the driver has found the database to be: of several hosts each in turn. */
type Place = { host: string[]; port: number[]; path?: string | false };

/**
 * Opens connections that send at once. The driver's own hold the end of a COPY back until the server has acknowledged what came before, which it puts off for
 * 40 ms.
 */
function openSockets(): (place: Place) => Socket {
  let opened = 0;
  return ({ host, port, path }) => {
    if (path) return createConnection({ path });
    const at = opened++ % host.length;
    const socket = createConnection({ host: host[at] as string, port: port[at] as number, noDelay: true });
    // The driver asks the server's certificate for this name.
    return Object.assign(socket, { host: host[at] });
  };
}

/**
 * A pool of connections to `url` in UTC with the parsers every module relies on.
 * @param max most connections open at once
 */
export function connect(url: string, max = 12, options: postgres.Options<Record<string, postgres.PostgresType>> = {}): Pool {
  const pool = postgres(url, {
    max,
    // A connection made anew costs more than most statements, and knows none of them: those of a quiet quarter of an hour stay.
    idle_timeout: 900,
    connect_timeout: 10,
    onnotice: () => {},
    types,
    // The driver's types leave this option out.
    ...({ socket: openSockets() } as object),
    ...options,
    connection: { TimeZone: "UTC", application_name: `milepost-${process.env.MILEPOST_PROCESS ?? "web"}`, ...options.connection },
  });
  return lean(pool as unknown as Pool);
}

/** A connection of its own, and whether something is made on it. */
type First = { pool: Pool; isTaken: boolean };

const shared = globalThis as { milepostPool?: Pool | undefined; milepostGatePool?: Pool | undefined; milepostFirst?: First | undefined };

/** The process's own pool on `DATABASE_URL`, opened at first use. */
export function getSql(): Pool {
  shared.milepostPool ??= connect(env().DATABASE_URL);
  return shared.milepostPool;
}

/**
 * The connections over which the gate asks who is let in. No transaction holds one of them, so whoever waits in a transaction for being let in is always served,
 * however many do.
 */
export function getGateSql(): Pool {
  // Its few statements look up by key: planning them for each call took longer than what they read.
  shared.milepostGatePool ??= connect(env().DATABASE_URL, 2, { connection: { plan_cache_mode: "force_generic_plan" } });
  return shared.milepostGatePool;
}

/** Closes the process's connections: what was begun on them has two seconds to end. A process with open ones does not end by itself. */
export async function endSql(): Promise<void> {
  await Promise.all([shared.milepostPool, shared.milepostGatePool, shared.milepostFirst?.pool].map((pool) => pool?.end({ timeout: 2 })));
}

/** Puts another pool in place of the process's own; its others are opened anew on the database now in `DATABASE_URL`. Tests point a suite at its own database with it. */
export function putSql(pool: Pool | undefined): void {
  shared.milepostPool = pool;
  for (const other of [shared.milepostGatePool, shared.milepostFirst?.pool]) other?.end({ timeout: 2 }).catch(() => {});
  shared.milepostGatePool = undefined;
  shared.milepostFirst = undefined;
}

const dialect = new PgDialect();
const databases = new WeakMap<object, Database>();

/**
 * Drizzle over a pool or a transaction. The stock constructor is not used because it replaces the client's parsers and refuses a transaction,
 * and commands need both forms on one connection.
 */
export function database(sql: Sql): Database {
  let made = databases.get(sql);
  if (!made) {
    const session = new PostgresJsSession(sql as unknown as PostgresSql, dialect, undefined, {});
    made = new PgDatabase(dialect, session as never, undefined) as Database;
    databases.set(sql, made);
  }
  return made;
}

/**
 * Runs `fn` in one transaction of the pool; an exception rolls it back.
 * Once the connection is lost nothing more may be written to it, no rollback either: the driver would end the process or leave the pool with a dead
 * connection. The loss itself already refuses the transaction.
 */
export async function transaction<T>(pool: Pool, fn: (sql: Sql) => Promise<T>): Promise<T> {
  // What the driver begins with lives until all memory is looked through, so it is given nothing but this.
  const work: { fn?: typeof fn; result?: T; lost: unknown } = { fn, lost: null };
  const check = () => {
    if (work.lost) throw work.lost;
  };
  const never = new Promise<never>(() => {});
  try {
    await pool.begin(async (sql: TransactionSql<Types>) => {
      try {
        work.result = await work.fn?.(lean<Sql>(sql, check));
        if (work.lost) await never;
      } catch (error) {
        // The statement fails a moment before the transaction hears why.
        await new Promise((resolve) => setImmediate(resolve));
        if (work.lost) await never;
        throw error;
      }
    });
    return work.result as T;
  } catch (error) {
    work.lost = error;
    throw error;
  } finally {
    delete work.fn;
    delete work.result;
  }
}

/** One that is lost is not opened again but anew: the driver puts its next attempt off, up to twenty seconds where several have failed. */
function openFirst(): First {
  const onclose = () => {
    if (shared.milepostFirst === first) shared.milepostFirst = undefined;
  };
  const first: First = { pool: connect(env().DATABASE_URL, 1, { onclose }), isTaken: false };
  return first;
}

/**
 * Runs `fn` in a transaction of the process's own: on one connection where that is free, else on any of the pool. The pool takes its connections in turn, so each is
 * used after all others, and the database has to bring up again what it keeps for it.
 */
export async function change<T>(fn: (sql: Sql) => Promise<T>): Promise<T> {
  shared.milepostFirst ??= openFirst();
  const first = shared.milepostFirst;
  if (first.isTaken) return transaction(getSql(), fn);
  first.isTaken = true;
  try {
    return await transaction(first.pool, fn);
  } finally {
    first.isTaken = false;
  }
}

/** Waits until the statements asked for have left this process, where the calculation that follows would hold them back: the driver writes small ones at the end of a turn. */
export async function statementsLeft(): Promise<void> {
  // They reach their connection within this turn, and leave at the end of it or of the next.
  for (let turn = 0; turn < 2; turn++) await new Promise((next) => setImmediate(next));
}

/** Reads within one snapshot of the database: statements see the same state, whatever is committed meanwhile. */
export async function snapshot<T>(pool: Pool, fn: (sql: Sql) => Promise<T>): Promise<T> {
  return (await pool.begin("isolation level repeatable read read only", (sql: TransactionSql<Types>) => fn(lean<Sql>(sql)))) as T;
}
