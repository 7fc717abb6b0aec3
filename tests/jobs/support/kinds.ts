import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { TaskKinds } from "#jobs/run-task.ts";
import { taskKind } from "#lib/core/task.ts";

/** Writes one limit row a chunk, named by the chunk, so that doubled or lost chunks are seen in the database. */
const chunked = taskKind({
  params: z.object({ chunks: z.int(), pauseMs: z.int().default(0), holdChunk: z.int().optional() }),
  needs: "member",
  run: async (job, { chunks, pauseMs, holdChunk }) => {
    for (let chunk = job.task.chunksDone; chunk < chunks; chunk++) {
      await job.chunk(async (ctx, tally) => {
        await ctx.sql`insert into error_report (project_id, user_id, code, request_id, at) values (${ctx.project.id}, ${ctx.user.id}, ${`chunk ${chunk}`}, ${job.task.id}, ${ctx.now})`;
        tally.done += 10;
        job.progress(chunk, chunks);
        if (pauseMs) await pause(pauseMs);
        if (holdChunk === chunk && job.task.attempt === 1) {
          process.stdout.write("holding\n");
          await pause(600_000);
        }
      });
    }
    return { total: chunks * 10, message: { key: "tasks.message.done" } };
  },
});

export const testKinds: TaskKinds = { "test.chunked": async () => chunked };
