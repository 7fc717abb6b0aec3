import "server-only";
import { type Db, PgBoss } from "pg-boss";
import { connect, type Pool, type Sql } from "#db/client.ts";
import { env } from "./env.ts";
import { log } from "./log.ts";
import { type QueueName, queueSchema } from "./queue-ddl.ts";

/** One job as a handler gets it. */
export type QueueJob<Data> = { id: string; data: Data; signal: AbortSignal };

/** Options of one job: `key` refuses a second open job with the same key, `group` counts against the group's share of the workers. */
export type SendOptions = { key: string; group?: string };

/** Options of a consumer: jobs at once in this process, and jobs at once of one group in all processes. */
export type ConsumeOptions = { atOnce: number; perGroup?: number };

type Answer = { rows: unknown[]; rowCount?: number };
type Result = unknown[] & { count: number; command?: string };

/**
 * The queue's view of a pool or of one transaction. Several statements in one text contain their own BEGIN and COMMIT, which only a connection of its
 * own takes, over the simple protocol.
 * @param single a pool of one connection for such texts; a transaction needs none
 */
function executor(sql: Sql, single: Sql = sql): Db {
  return {
    async executeSql(text: string, values?: unknown[]): Promise<Answer> {
      let result = (values?.length ? await sql.unsafe(text, values as never[]) : await single.unsafe(text).simple()) as unknown as Result;
      const several = result as unknown as Result[];
      if (Array.isArray(several[0]) && several[0].command !== undefined)
        result = several.findLast((part) => part.length > 0) ?? (several.at(-1) as Result);
      return { rows: [...result], rowCount: result.count };
    },
    ...("listen" in sql && {
      async listen(channel: string, onNotification: (payload: string) => void, onReconnect: () => void) {
        const listening = await (sql as Pool).listen(channel, onNotification, onReconnect);
        return { close: () => listening.unlisten() };
      },
    }),
  };
}

// Tables and queues are made by the migration, schedules are our own, index rebuilding and vacuum checks need the owner's rights.
const fixed = { schema: queueSchema, migrate: false, createSchema: false, schedule: false, reindex: false, monitorVacuum: false } as const;

/**
 * Puts a job into a queue on the given connection: inside a transaction the job exists exactly when the transaction commits.
 * @returns false when a job with the same key is still open
 */
export async function send(sql: Sql, queue: QueueName, data: object, options: SendOptions): Promise<boolean> {
  const boss = new PgBoss({ ...fixed, supervise: false, db: executor(sql) });
  const id = await boss.send(queue, data, {
    singletonKey: options.key,
    ...(options.group !== undefined && { group: { id: options.group } }),
  });
  return id !== null;
}

/** Takes jobs from the queues until it is stopped, and returns jobs of killed processes to their queue. */
export class Consumer {
  readonly #boss: PgBoss;
  readonly #single = connect(env().DATABASE_URL, 1);

  constructor(pool: Pool) {
    this.#boss = new PgBoss({
      ...fixed,
      db: executor(pool, this.#single),
      useListenNotify: true,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
    });
    this.#boss.on("error", (error) => log.error({ error: error.message }, "job queue"));
    this.#boss.on("warning", (warning) => log.warn({ warning: warning.message }, "job queue"));
  }

  /** Checks that the queue's tables are those of this version and begins to watch over running jobs. */
  async start(): Promise<void> {
    await this.#boss.start();
  }

  /** Hands the jobs of a queue to `handler`; an exception returns the job to the queue. */
  async consume<Data extends object>(
    queue: QueueName,
    options: ConsumeOptions,
    handler: (job: QueueJob<Data>) => Promise<void>,
  ): Promise<void> {
    // A notice wakes a taker once, however many jobs it stands for: each taker looks for the next job as soon as it has done one.
    for (let taker = 0; taker < options.atOnce; taker++) {
      const id: string = await this.#boss.work<Data>(
        queue,
        {
          batchSize: 1,
          ...(options.perGroup !== undefined && { groupConcurrency: options.perGroup }),
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 2,
        },
        async ([job]) => {
          if (job) await handler({ id: job.id, data: job.data, signal: job.signal }).finally(() => this.#boss.notifyWorker(id));
        },
      );
    }
  }

  /**
   * Takes no more jobs and waits for the running ones.
   * @param graceMs after this the jobs still running go back to the queue
   */
  async stop(graceMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: graceMs });
    await this.#single.end({ timeout: 1 });
  }
}
