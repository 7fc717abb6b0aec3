"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DetailIds, ListDetails, Nothing, SaveIsolation } from "./schema.ts";

export const findIsolation = action({
  address: "subcon/findIsolation",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.getIsolation,
});

export const listDetails = action({
  address: "subcon/findIsolationDetail/list/{page}/{size}/default/{filters}",
  also: ["subcon/findIsolationDetail/list"],
  kind: "read",
  needs: "resource.view",
  input: ListDetails,
  run: queries.listDetails,
});

export const findAttributes = action({
  address: "subcon/findIsolationAttrList",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.listIsolationAttributes,
});

export const saveIsolation = action({
  address: "subcon/save",
  needs: "subcon.isolation",
  input: SaveIsolation,
  run: commands.saveIsolation,
  errors: [
    "ISOLATION_ATTR_EDITABLE",
    "ISOLATION_REPEAT",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "STALE",
    "SUBCONTRACTOR_UNKNOWN",
    "VALUE_MISSING",
    "VALUE_UNKNOWN",
  ],
});

export const deleteDetails = action({
  address: "subcon/delete",
  needs: "subcon.isolation",
  input: DetailIds,
  run: commands.deleteDetails,
  errors: ["NOT_FOUND"],
});
