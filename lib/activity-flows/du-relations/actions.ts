"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteDuRelations, ListDuRelations, SaveDuRelation } from "./schema.ts";

export const listDuRelations = action({
  address: "duRelation/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListDuRelations,
  run: queries.listDuRelations,
});

export const saveDuRelation = action({
  address: "duRelation/save",
  needs: "duRelation.edit",
  input: SaveDuRelation,
  run: commands.saveDuRelation,
  errors: [
    "CYCLE",
    "DU_NOT_FOUND",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "NOT_ONE_TO_ONE",
    "RELATION_REPEAT",
    "RELATION_TO_SELF",
    "SECOND_PARENT",
    "STALE",
  ],
});

export const deleteDuRelations = action({
  address: "duRelation/delete",
  needs: "duRelation.edit",
  input: DeleteDuRelations,
  run: commands.deleteDuRelations,
  errors: ["NOT_FOUND"],
});
