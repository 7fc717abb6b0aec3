"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListCopies, ListCopyItems, RetryCopy, StartCopy } from "./schema.ts";

export const listCopies = action({
  address: "copyAttribute/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListCopies,
  run: queries.listCopies,
});

export const listCopyItems = action({
  address: "copyAttribute/items/{jobId}",
  kind: "read",
  needs: "flow.view",
  input: ListCopyItems,
  run: queries.listCopyItems,
  errors: ["NOT_FOUND"],
});

export const startCopy = action({
  address: "copyAttribute/start",
  needs: "duFlow.copyAssociation",
  input: StartCopy,
  starts: "task",
  run: commands.startCopy,
  errors: ["DU_NOT_FOUND", "NO_SELECTION", "RATE_LIMIT", "TOO_MANY_DU"],
});

export const retryCopy = action({
  address: "copyAttribute/retry",
  needs: "duFlow.copyAssociation",
  input: RetryCopy,
  starts: "task",
  run: commands.retryCopy,
  errors: ["NOT_FOUND", "NO_SELECTION", "RATE_LIMIT", "TOO_MANY_DU", "WRONG_STATUS"],
});
