// The worker with the product's own kinds of tasks in a process of its own, to be killed.
import { endSql, getSql } from "#db/client.ts";
import { startWorker } from "#jobs/start-worker.ts";
import { taskKinds } from "#jobs/tasks.ts";

const stop = await startWorker(getSql(), taskKinds, []);
process.stdout.write("ready\n");
process.on("SIGTERM", async () => {
  await stop();
  await endSql();
  process.exit(0);
});
