"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const findTask = action({
  address: "task/find/{id}",
  method: "GET",
  kind: "read",
  needs: "member",
  input: schema.TaskId,
  errors: ["NOT_FOUND"],
  run: (ctx, input) => queries.getTask(ctx, input.id),
});
export const listTasks = action({
  address: "task/list/{direction}/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "member",
  input: schema.TaskListInput,
  run: (ctx, input) => queries.listTasks(ctx, input),
});
export const cancelTask = action({
  address: "task/cancel/{id}",
  needs: "member",
  input: schema.TaskId,
  onClosed: true,
  errors: ["NOT_FOUND", "WRONG_STATUS"],
  run: (ctx, input) => commands.cancelTask(ctx, input.id),
});
export const retryTask = action({
  address: "task/retry/{id}",
  needs: "member",
  starts: "task",
  input: schema.TaskId,
  errors: ["NOT_FOUND", "NO_PERMISSION", "WRONG_STATUS", "EXPORT_UNFINISHED", "RATE_LIMIT"],
  run: (ctx, input) => commands.retryTask(ctx, input.id),
});
export const deleteTask = action({
  address: "task/delete/{id}",
  needs: "member",
  input: schema.TaskId,
  errors: ["NOT_FOUND", "NO_PERMISSION", "WRONG_STATUS"],
  run: (ctx, input) => commands.deleteTask(ctx, input.id),
});
