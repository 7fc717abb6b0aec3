"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteDus, DeleteSites, DuOptions, ListDus, ListSites, MigrateDus, SaveDus, SaveSites } from "./schema.ts";

export const listDus = action({
  address: "du/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rollout.view",
  input: ListDus,
  run: queries.listDus,
});

export const listSites = action({
  address: "site/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rollout.view",
  input: ListSites,
  run: queries.listSites,
});

export const readDuOptions = action({
  address: "du/options",
  kind: "read",
  needs: "rollout.view",
  input: DuOptions,
  run: queries.readDuOptions,
});

export const saveDus = action({
  address: "du/save",
  needs: "du.edit",
  input: SaveDus,
  run: commands.saveDus,
  errors: [
    "CODE_EXISTS",
    "STALE",
    "SITE_UNKNOWN",
    "REGION_UNKNOWN",
    "SUBCONTRACTOR_UNKNOWN",
    "DU_NOT_FOUND",
    "NOTHING_MODIFIED",
    "TOO_MANY_DU",
  ],
});

export const deleteDus = action({
  address: "du/delete",
  needs: "du.delete",
  input: DeleteDus,
  run: commands.deleteDus,
  errors: ["DU_HAS_PLAN", "IN_USE", "NOT_FOUND", "NO_SELECTION", "TOO_MANY_DU"],
});

export const migrateDus = action({
  address: "du/migrate",
  needs: "du.migrate",
  input: MigrateDus,
  run: commands.migrateDus,
  errors: ["NOT_FOUND", "NOTHING_MODIFIED", "NO_SELECTION", "TOO_MANY_DU"],
});

export const saveSites = action({
  address: "site/save",
  needs: "du.edit",
  input: SaveSites,
  run: commands.saveSites,
  errors: ["CODE_EXISTS", "STALE", "NOTHING_MODIFIED", "TOO_MANY_DU"],
});

export const deleteSites = action({
  address: "site/delete",
  needs: "du.delete",
  input: DeleteSites,
  run: commands.deleteSites,
  errors: ["SITE_IN_USE", "NOT_FOUND", "NO_SELECTION"],
});
