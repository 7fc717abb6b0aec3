// A worker of its own process with the kinds and the schedule of the tests, to be killed.
import { setTimeout as pause } from "node:timers/promises";
import { endSql, getSql } from "#db/client.ts";
import { startWorker } from "#jobs/start-worker.ts";
import type { Schedule } from "#lib/core/schedule.ts";
import { testKinds } from "./kinds.ts";

const schedules: Schedule[] = [
  {
    name: "test.count",
    due: { everyMinutes: 5 },
    run: async ({ pool, projectId }) => {
      await pool`insert into error_report (project_id, user_id, code, request_id, at) select ${projectId}, min(id), 'schedule', 'schedule', now() from app_user`;
    },
  },
];

// Twenty-five schedules for every project; each run writes one row, and lives on a little before and after it is committed.
const many: Schedule[] = Array.from({ length: 25 }, (_, at) => ({
  name: `test.many.${at}`,
  due: { daily: "00:00" },
  run: async ({ projectId, once }) => {
    await once(async (sql) => {
      await sql`insert into error_report (project_id, user_id, code, request_id, at) select ${projectId}, min(id), ${`many ${at}`}, 'many', now() from app_user`;
      await pause(4);
    });
    await pause(4);
  },
}));

const chosen = { "--schedules": schedules, "--many": many }[process.argv[2] ?? ""] ?? [];
const stop = await startWorker(getSql(), testKinds, chosen);
process.stdout.write("ready\n");
process.on("SIGTERM", async () => {
  await stop();
  await endSql();
  process.exit(0);
});
