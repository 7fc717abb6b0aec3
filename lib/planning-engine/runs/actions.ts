"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindRun, ListRuns, StartRun, TerminateRun } from "./schema.ts";

export const startRun = action({
  address: "engine/executeEngine/plan",
  needs: "engine.run",
  input: StartRun,
  starts: "task",
  run: commands.startRun,
  errors: ["ALREADY_RUNNING", "INPUT_CHECK", "NOT_FOUND", "NO_OUTPUT", "RATE_LIMIT", "TOO_MANY_DU"],
});

export const terminateRun = action({
  address: "engine/executeEngine/terminate",
  needs: "engine.run",
  input: TerminateRun,
  run: commands.terminateRun,
  errors: ["NOT_EXECUTING", "NOT_FOUND", "NO_OUTPUT"],
});

export const findRunStatus = action({
  address: "engine/executeEngine/status",
  kind: "read",
  needs: "engine.view",
  input: FindRun,
  run: queries.findRunStatus,
  errors: ["NOT_FOUND"],
});

export const listRuns = action({
  address: `engine/executeEngine/find/${listSuffix}`,
  also: ["engine/executeEngine/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListRuns,
  run: queries.listRuns,
  errors: ["NOT_FOUND"],
});
