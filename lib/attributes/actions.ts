"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { AttributeId, AttributeIds, AttributeInfo, ListAttributes, NamedAttributes, SaveAttribute, SaveSort, SetFlags } from "./schema.ts";

/** Definitions of attributes with their choices and what the caller may do with them. */
export const findAttributes = action({
  address: "planAttr/getAttributeInfo",
  kind: "read",
  needs: "project.enter",
  input: AttributeInfo,
  run: queries.readInfo,
});

export const findValueLimit = action({
  address: "planAttr/findValueLimit",
  kind: "read",
  needs: "project.enter",
  input: NamedAttributes,
  run: queries.readLimits,
  errors: ["NOT_FOUND"],
});

/** What the caller may do with attributes: hidden, read or written. */
export const checkAttrPermission = action({
  address: "planAttr/checkAttrPermission",
  kind: "read",
  needs: "project.enter",
  input: NamedAttributes,
  run: queries.readEffectiveModes,
  errors: ["NOT_FOUND"],
});

export const listAttributes = action({
  address: "planAttr/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "attribute.view",
  input: ListAttributes,
  run: queries.listAttributes,
});

export const saveAttribute = action({
  address: "planAttr/save",
  needs: "attribute.edit",
  input: SaveAttribute,
  run: commands.saveAttribute,
  errors: [
    "ATTRIBUTE_LIMIT",
    "CLEARS_VALUES",
    "ENUM_REFERENCED",
    "ISOLATION_ATTR_EDITABLE",
    "NAME_EXISTS",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "NO_ADD_GRANT",
    "STALE",
    "TYPE_IN_USE",
    "VALUE_LIMIT_CONFLICT",
  ],
});

export const deleteAttributes = action({
  address: "planAttr/delete",
  needs: "attribute.edit",
  input: AttributeIds,
  run: commands.deleteAttributes,
  errors: ["IN_USE", "NOT_FOUND"],
});

/** The objects that name an attribute. */
export const listAttributeUsage = action({
  address: "planAttr/usage",
  kind: "read",
  needs: "attribute.view",
  input: AttributeId,
  run: queries.listUsage,
  errors: ["NOT_FOUND"],
});

export const saveAttributeSort = action({
  address: "planAttr/saveSort",
  needs: "attribute.edit",
  input: SaveSort,
  run: commands.saveSort,
  errors: ["NOT_FOUND", "SORT_RANGE", "STALE"],
});

/** Sets flags of several attributes at once. */
export const setAttributeFlags = action({
  address: "planAttr/setFlags",
  needs: "attribute.edit",
  input: SetFlags,
  run: commands.setFlags,
  errors: ["ISOLATION_ATTR_EDITABLE", "NOT_FOUND"],
});
