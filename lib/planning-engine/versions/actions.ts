"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import {
  CopyEngineVersion,
  DeleteEngineVersions,
  FindEngineSetting,
  ListEngineVersions,
  RenameEngineVersion,
  SaveEngineSetting,
  SaveEngineVersion,
  SetCurrentVersion,
} from "./schema.ts";

export const listEngineVersions = action({
  address: `engine/version/find/${listSuffix}`,
  also: ["engine/version/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListEngineVersions,
  run: queries.listEngineVersions,
});

export const saveEngineVersion = action({
  address: "engine/version/save",
  needs: "engine.edit",
  input: SaveEngineVersion,
  run: commands.saveEngineVersion,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "VERSION_LOCKED"],
});

export const copyEngineVersion = action({
  address: "engine/version/copy",
  needs: "engine.edit",
  input: CopyEngineVersion,
  run: commands.copyEngineVersion,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOT_FOUND"],
});

export const renameEngineVersion = action({
  address: "engine/version/rename",
  needs: "engine.edit",
  input: RenameEngineVersion,
  run: commands.renameEngineVersion,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "VERSION_LOCKED"],
});

export const setCurrentVersion = action({
  address: "engine/version/setCurrent",
  needs: "engine.edit",
  input: SetCurrentVersion,
  run: commands.setCurrentVersion,
  errors: ["NOT_FOUND", "VERSION_LOCKED"],
});

export const deleteEngineVersions = action({
  address: "engine/version/delete",
  needs: "engine.edit",
  input: DeleteEngineVersions,
  run: commands.deleteEngineVersions,
  errors: ["NOT_FOUND", "NO_SELECTION", "VERSION_IN_USE", "VERSION_LOCKED"],
});

export const findEngineSetting = action({
  address: "engine/setting/find",
  kind: "read",
  needs: "engine.view",
  input: FindEngineSetting,
  run: queries.findEngineSetting,
  errors: ["NOT_FOUND"],
});

export const saveEngineSetting = action({
  address: "engine/setting/save",
  needs: "engine.edit",
  input: SaveEngineSetting,
  run: commands.saveEngineSetting,
  errors: ["AZIMUTH_RANGE", "ENGINE_RATE_RANGE", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "VALUE_MISSING", "VERSION_LOCKED"],
});
