"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ImportList, ListIds, NoInput, SaveList } from "./schema.ts";

export const listLookups = action({
  address: "lookupList/list",
  kind: "read",
  needs: "attribute.view",
  input: NoInput,
  run: queries.listLookups,
});

export const saveLookup = action({
  address: "lookupList/save",
  needs: "attribute.edit",
  input: SaveList,
  run: commands.saveList,
  errors: ["ENUM_REFERENCED", "ENUM_REPEAT", "NAME_EXISTS", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

export const deleteLookups = action({
  address: "lookupList/delete",
  needs: "attribute.edit",
  input: ListIds,
  run: commands.deleteLists,
  errors: ["ENUM_REFERENCED", "NOT_FOUND"],
});

/** Adds values pasted from a sheet: a line a value, the second level behind a tab. */
export const importLookup = action({
  address: "lookupList/import",
  needs: "attribute.edit",
  input: ImportList,
  run: commands.importList,
  errors: ["ENUM_REFERENCED", "FILE_FORMAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});
