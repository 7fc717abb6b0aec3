"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import { listReuse } from "./queries.ts";
import { CreateDismantleTask, ListReuse } from "./schema.ts";

export const listReuseMaterials = action({
  address: `nc/reuseMaterial/find/${listSuffix}`,
  also: ["nc/reuseMaterial/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListReuse,
  run: listReuse,
  errors: ["NOT_FOUND"],
});

/** Work orders of the disassembly of one site. */
export const createDismantleTask = action({
  address: "nc/reuseMaterial/createDismantleTask",
  needs: "engine.edit",
  input: CreateDismantleTask,
  run: commands.createDismantleTask,
  errors: ["DIFFERENT_SITE", "NOT_FOUND", "NO_ACTIVITY", "NO_SELECTION", "TOO_MANY"],
});
