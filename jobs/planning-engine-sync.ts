import { taskKind } from "#lib/core/task.ts";
import { runSync } from "#lib/planning-engine/inventory-sync/commands.ts";
import { SyncInventory } from "#lib/planning-engine/inventory-sync/schema.ts";

/** Synchronises the stock of a version with another system. */
export const inventorySyncTask = taskKind({ params: SyncInventory, needs: "engine.edit", run: runSync });
