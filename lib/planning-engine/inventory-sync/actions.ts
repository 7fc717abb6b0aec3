"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { SyncInventory } from "./schema.ts";

/** Starts the synchronisation of the stock. */
export const syncInventory = action({
  address: "nc/inventory/sync",
  needs: "engine.edit",
  input: SyncInventory,
  run: commands.startSync,
  starts: "task",
  errors: ["NOT_FOUND", "NO_CURRENT_VERSION", "NO_MAPPING", "SYNC_RUNNING", "VERSION_LOCKED"],
});

/** How it stands. */
export const findSyncStatus = action({
  address: "nc/inventory/syncStatus",
  kind: "read",
  needs: "engine.view",
  input: SyncInventory,
  run: queries.findSyncStatus,
  errors: ["NOT_FOUND"],
});
