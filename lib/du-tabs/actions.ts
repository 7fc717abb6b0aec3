"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindSns, ListTabs, SaveTab, SaveTabUsers, TabIds, TabOf } from "./schema.ts";

export const listTabsForSelect = action({
  address: "duTabAttr/find/duTabList4Select",
  also: ["find/duTabList4Select"],
  kind: "read",
  needs: "project.enter",
  input: ListTabs,
  run: queries.listTabsForSelect,
});

export const findTabColumns = action({
  address: "duTabAttr/find/duTabAttrList",
  also: ["find/duTabAttrList"],
  kind: "read",
  needs: "duTab.view",
  input: TabOf,
  run: queries.findTabColumns,
  errors: ["NOT_FOUND"],
});

export const findBrazil = action({
  address: "duTabAttr/isBzProject",
  also: ["isBzProject"],
  kind: "read",
  needs: "project.enter",
  input: ListTabs,
  run: queries.findBrazil,
});

export const findSns = action({
  address: "duTabAttr/findDuSNData",
  also: ["findDuSNData"],
  kind: "read",
  needs: "duTab.view",
  input: FindSns,
  run: queries.findSns,
  errors: ["NOT_FOUND", "SEARCH_TOO_MANY", "TOO_MANY_DU"],
});

export const listTabUsers = action({
  address: "duTabAttr/user/find",
  kind: "read",
  needs: "attribute.edit",
  input: TabOf,
  run: queries.listTabUsers,
  errors: ["NOT_FOUND"],
});

export const saveTabUsers = action({
  address: "duTabAttr/user/save",
  needs: "attribute.edit",
  input: SaveTabUsers,
  run: commands.saveTabUsers,
  errors: ["NOTHING_MODIFIED", "NOT_FOUND", "NOT_MEMBER", "STALE"],
});

export const saveTab = action({
  address: "duTabAttr/tab/save",
  needs: "attribute.edit",
  input: SaveTab,
  run: commands.saveTab,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TAB_HAS_ROWS"],
});

export const deleteTabs = action({
  address: "duTabAttr/tab/delete",
  needs: "attribute.edit",
  input: TabIds,
  run: commands.deleteTabs,
  errors: ["IN_USE", "NOT_FOUND", "TAB_HAS_ROWS"],
});
