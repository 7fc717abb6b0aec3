import { getConstructionPlans } from "pg-boss";

/** Schema of the job queue's tables; its statements belong to the migration, so that web and worker need no right to create tables. */
export const queueSchema = "pgboss";

// A task's own attempt counter decides when it has failed, so the queue gives a job back as often as needed. A job whose worker sends
// no sign of life for ten seconds goes back; one that runs for twelve hours is given up.
const shared = {
  policy: "exclusive",
  retryLimit: 100_000,
  retryDelay: 2,
  heartbeatSeconds: 10,
  expireInSeconds: 43_200,
  deleteAfterSeconds: 86_400,
  notify: true,
} as const;

/** Every queue: background tasks of users, and the runs of schedules. */
export const queues = { tasks: shared, schedules: { ...shared, retryLimit: 3, retryDelay: 30 } } as const;
export type QueueName = keyof typeof queues;

/** Statements that make the queue's tables and the queues in an empty database, to be run by the owner over the simple protocol. */
export function queueDdl(): string[] {
  const made = Object.entries(queues).map(
    ([name, options]) => `select ${queueSchema}.create_queue('${name}', '${JSON.stringify(options)}'::jsonb)`,
  );
  return [getConstructionPlans(queueSchema), ...made];
}
