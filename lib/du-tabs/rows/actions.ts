"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { GetHistory, ListRows, RowIds, SaveRows } from "./schema.ts";

export const listRows = action({
  address: "duTabAttr/list/{page}/{size}/default/{filters}",
  also: ["duTabAttr/list"],
  kind: "read",
  needs: "duTab.view",
  input: ListRows,
  run: queries.listRows,
  errors: ["NOT_FOUND", "SEARCH_TOO_MANY"],
});

export const getHistory = action({
  address: "duTabAttr/getHistory",
  kind: "read",
  needs: "duTab.view",
  input: GetHistory,
  run: queries.getHistory,
  errors: ["NOT_FOUND"],
});

export const saveRows = action({
  address: "duTabAttr/saveRow",
  needs: "duTab.view",
  input: SaveRows,
  run: commands.saveRows,
  errors: [
    "DU_ID_INVALID",
    "EMPTY_CONTENT",
    "LENGTH_OVER",
    "NO_TAB_WRITE",
    "NOT_A_CHOICE",
    "NOT_A_DATE",
    "NOT_A_NUMBER",
    "NOT_A_TIME",
    "NOT_FOUND",
    "SN_REPEATED",
    "STALE",
    "TOO_MANY",
  ],
});

export const deleteRows = action({
  address: "duTabAttr/deleteRows",
  needs: "duTab.view",
  input: RowIds,
  run: commands.deleteRows,
  errors: ["NO_TAB_WRITE", "NOT_FOUND", "TOO_MANY"],
});

export const restoreRows = action({
  address: "duTabAttr/restoreRows",
  needs: "duTab.view",
  input: RowIds,
  run: commands.restoreRows,
  errors: ["NO_TAB_WRITE", "NOT_FOUND", "SN_REPEATED", "UNDO_TOO_LATE"],
});
