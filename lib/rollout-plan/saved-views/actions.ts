"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteViews, FindView, ListViews, SaveView } from "./schema.ts";

export const listViews = action({
  address: "savedView/list",
  kind: "read",
  needs: "rollout.view",
  input: ListViews,
  run: queries.listViews,
});

export const findView = action({
  address: "savedView/find/{id}",
  kind: "read",
  needs: "rollout.view",
  input: FindView,
  run: queries.getView,
  errors: ["NOT_FOUND"],
});

export const saveView = action({
  address: "savedView/save",
  needs: "rollout.view",
  input: SaveView,
  run: commands.saveView,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "TOO_MANY", "STALE", "NOT_FOUND", "NOTHING_MODIFIED"],
});

export const deleteViews = action({
  address: "savedView/delete",
  needs: "rollout.view",
  input: DeleteViews,
  run: commands.deleteViews,
  errors: ["NOT_FOUND"],
});
