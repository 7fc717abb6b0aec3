"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CycleIds, Nothing, SaveCycle } from "./schema.ts";

export const findCycles = action({
  address: "projectCycle/find",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.listCycles,
});

export const saveCycle = action({
  address: "projectCycle/save",
  needs: "resource.edit",
  input: SaveCycle,
  run: commands.saveCycle,
  errors: [
    "CODE_EXISTS",
    "DATE_ORDER",
    "NAME_EXISTS",
    "NAME_REQUIRED",
    "NAME_TOO_LONG",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "PROJECT_REPEAT",
    "STALE",
  ],
});

export const deleteCycles = action({
  address: "projectCycle/delete",
  needs: "resource.edit",
  input: CycleIds,
  run: commands.deleteCycles,
  errors: ["NOT_FOUND"],
});
