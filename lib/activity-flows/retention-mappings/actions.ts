"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listRetentionMappings = action({
  address: "retentionMapping/list",
  kind: "read",
  needs: "duChange.view",
  input: schema.ListRetentionMappings,
  run: queries.listRetentionMappings,
});

export const saveRetentionMapping = action({
  address: "retentionMapping/save",
  needs: "retentionMapping.edit",
  input: schema.SaveRetentionMapping,
  run: commands.saveRetentionMapping,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NO_ACTIVITY", "NOT_FOUND", "NOTHING_MODIFIED", "STALE", "TARGET_REPEATED", "VALUE_REPEATED"],
});

export const deleteRetentionMappings = action({
  address: "retentionMapping/delete",
  needs: "retentionMapping.edit",
  input: schema.DeleteRetentionMappings,
  run: commands.deleteRetentionMappings,
  errors: ["NOT_FOUND"],
});

export const suggestRetention = action({
  address: "retentionMapping/suggest",
  kind: "read",
  needs: "retentionMapping.edit",
  input: schema.SuggestRetention,
  run: queries.suggestRetention,
  errors: ["NOT_FOUND"],
});
