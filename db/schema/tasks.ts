import { bigint, boolean, char, integer, json, jsonb, pgTable, primaryKey, smallint, uuid, varchar } from "drizzle-orm/pg-core";
import { moment, ref } from "#db/columns.ts";

/** A stored file; its id is the key of its content in the store. */
export const fileObject = pgTable("file_object", {
  id: uuid("id").primaryKey(),
  projectId: ref("project_id"),
  name: varchar("name", { length: 255 }).notNull(),
  size: bigint("size", { mode: "number" }).notNull(),
  mime: varchar("mime", { length: 120 }).notNull(),
  sha256: char("sha256", { length: 64 }).notNull(),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at"),
});

/** Background work as its person sees it; the queue's own row carries only the id. */
export const task = pgTable("task", {
  id: uuid("id").primaryKey(),
  projectId: ref("project_id").notNull(),
  kind: varchar("kind", { length: 60 }).notNull(),
  direction: varchar("direction", { length: 10 }).notNull(),
  title: varchar("title", { length: 200 }).notNull(),
  params: jsonb("params").notNull().default({}),
  result: jsonb("result"),
  kept: jsonb("kept"),
  status: varchar("status", { length: 12 }).notNull().default("queued"),
  progress: smallint("progress").notNull().default(0),
  totalCount: integer("total_count"),
  doneCount: integer("done_count").notNull().default(0),
  failedCount: integer("failed_count").notNull().default(0),
  messageKey: varchar("message_key", { length: 100 }),
  messageArgs: jsonb("message_args"),
  inputFileId: uuid("input_file_id"),
  resultFileId: uuid("result_file_id"),
  errorFileId: uuid("error_file_id"),
  dedupeKey: varchar("dedupe_key", { length: 200 }),
  cancelRequested: boolean("cancel_requested").notNull().default(false),
  attempt: integer("attempt").notNull().default(0),
  attemptLimit: integer("attempt_limit").notNull().default(3),
  chunksDone: integer("chunks_done").notNull().default(0),
  originKey: uuid("origin_key"),
  locale: char("locale", { length: 2 }).notNull().default("zh"),
  createdBy: ref("created_by").notNull(),
  createdAt: moment("created_at").notNull(),
  startedAt: moment("started_at"),
  finishedAt: moment("finished_at"),
  expiresAt: moment("expires_at"),
  requestId: varchar("request_id", { length: 64 }),
});

/** A row of an import's preview. */
export const importRow = pgTable(
  "import_row",
  {
    taskId: uuid("task_id").notNull(),
    rowNo: integer("row_no").notNull(),
    outcome: varchar("outcome", { length: 10 }).notNull(),
    values: json("values").notNull(),
    changes: json("changes"),
    problems: jsonb("problems"),
    conflicts: json("conflicts"),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.rowNo] })],
);

/** The claim of one run of a schedule: the project's wall clock, written as if it were UTC. */
export const scheduleSlot = pgTable(
  "schedule_slot",
  {
    name: varchar("name", { length: 60 }).notNull(),
    projectId: ref("project_id").notNull(),
    slot: moment("slot").notNull(),
    claimedAt: moment("claimed_at").notNull(),
    ranAt: moment("ran_at"),
  },
  (table) => [primaryKey({ columns: [table.name, table.projectId, table.slot] })],
);

/** Sign of life of a web or worker process. */
export const processHeartbeat = pgTable("process_heartbeat", {
  id: uuid("id").primaryKey(),
  kind: varchar("kind", { length: 10 }).notNull(),
  pid: integer("pid").notNull(),
  host: varchar("host", { length: 255 }).notNull(),
  startedAt: moment("started_at").notNull(),
  beatAt: moment("beat_at").notNull(),
  memoryBytes: bigint("memory_bytes", { mode: "number" }),
});

/** The calls of a bucket in the last minute. */
export const rateLimit = pgTable("rate_limit", {
  bucket: varchar("bucket", { length: 200 }).primaryKey(),
  hits: moment("hits").array().notNull(),
  refused: boolean("refused").notNull(),
  at: moment("at").notNull(),
});
