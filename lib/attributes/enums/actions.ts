"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ChoiceIds, ListChoices, SaveChoices } from "./schema.ts";

/** A page of an attribute's choices. */
export const listChoices = action({
  address: "planAttrEnum/enumList/page",
  kind: "read",
  needs: "project.enter",
  input: ListChoices,
  run: queries.listChoices,
  errors: ["NOT_FOUND"],
});

export const saveChoices = action({
  address: "planAttrEnum/save",
  needs: "attribute.edit",
  input: SaveChoices,
  run: commands.saveChoices,
  errors: ["ENUM_REFERENCED", "ENUM_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

export const deleteChoices = action({
  address: "planAttrEnum/delete",
  needs: "attribute.edit",
  input: ChoiceIds,
  run: commands.deleteChoices,
  errors: ["ENUM_REFERENCED", "NOT_FOUND"],
});
