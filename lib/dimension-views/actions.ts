"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteTabs, FindGlobal, ListDimensions, ListTabs, SaveGlobal, SaveTab, SortTabs } from "./schema.ts";

export const listTabs = action({
  address: "multiDim/tab/list",
  kind: "read",
  needs: "multiDim.view",
  input: ListTabs,
  run: queries.listTabs,
});

/** What a tab may be cut by, and the tabs an empty view suggests. */
export const listDimensions = action({
  address: "multiDim/dimensions",
  kind: "read",
  needs: "multiDim.view",
  input: ListDimensions,
  run: queries.listChoices,
});

export const saveTab = action({
  address: "multiDim/tab/save",
  needs: ({ global }) => (global ? "multiDim.global" : "multiDim.edit"),
  input: SaveTab,
  run: commands.saveTab,
  errors: [
    "NAME_REQUIRED",
    "NAME_TOO_LONG",
    "NAME_EXISTS",
    "FIELD_EXISTS",
    "ACTIVITY_REQUIRED",
    "TOO_MANY_ACTIVITIES",
    "NO_MEASURE",
    "LAST_TAB",
    "NO_PERMISSION",
    "NOT_FOUND",
    "STALE",
    "NOTHING_MODIFIED",
  ],
});

export const sortTabs = action({
  address: "multiDim/tab/sort",
  needs: ["multiDim.edit", "multiDim.global"],
  input: SortTabs,
  run: commands.sortTabs,
  errors: ["NOT_FOUND", "NO_PERMISSION", "STALE"],
});

export const deleteTabs = action({
  address: "multiDim/tab/delete",
  needs: ["multiDim.edit", "multiDim.global"],
  input: DeleteTabs,
  run: commands.deleteTabs,
  errors: ["LAST_TAB", "NO_PERMISSION", "NOT_FOUND"],
});

export const findGlobal = action({
  address: "multiDim/global/find",
  kind: "read",
  needs: "multiDim.view",
  input: FindGlobal,
  run: queries.findGlobal,
});

export const saveGlobal = action({
  address: "multiDim/global/save",
  needs: "multiDim.global",
  input: SaveGlobal,
  run: commands.saveGlobal,
  errors: ["NUMBER_INTEGER", "NUMBER_RANGE", "LAST_TAB", "NOT_FOUND", "STALE", "NOTHING_MODIFIED"],
});
